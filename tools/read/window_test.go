package read

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// sample is a text to read windows of. With an outline they are widened.
type sample struct {
	name    string
	text    text.Text
	outline *outline.Outline
}

func plainSample(s string) sample { return sample{"plain", text.New(s), nil} }

func outlined(language, s string) sample {
	t := text.New(s) // what is not UTF-8 was replaced
	return sample{language, t, outline.New(context.Background(), syntax.ByName(language), []byte(t.String()))}
}

// window reads a window of the sample.
func (s sample) window(t *testing.T, start, size int) *Output {
	t.Helper()
	first, most := uint64(start), uint64(size)
	in := Input{StartByte: &first, MaxBytes: &most, Format: PlainText}
	if s.outline == nil {
		in.Expand = ExpandLines
	}
	out := &Output{}
	widen := func(w outline.Window) outline.Widening { return s.outline.Widen(s.text, w) }
	if err := readWindow(s.text, in, out, widen); err != nil {
		t.Fatal(err)
	}
	return out
}

// checkPaging pages through a text in windows of size bytes and holds every
// answer against the rules of byte windows.
func checkPaging(t *testing.T, s sample, size int) {
	t.Helper()
	var joined strings.Builder
	for start := 0; ; {
		out := s.window(t, start, size)
		joined.WriteString(*out.Content)
		if out.EOF {
			break
		}
		if out.NextStartByte == nil || *out.NextStartByte <= start {
			t.Fatalf("%s: window at %d of %d bytes does not go on: %+v", s.name, start, s.text.Len(), out.NextStartByte)
		}
		if out.BytesShown.Start != start {
			t.Fatalf("%s: a window that continues at %d begins at %d", s.name, start, out.BytesShown.Start)
		}
		start = *out.NextStartByte
	}
	if joined.String() != s.text.String() {
		t.Fatalf("%s: the pages of %d bytes do not give the text", s.name, size)
	}
}

// checkWindow holds one window against the rules.
func checkWindow(t *testing.T, s sample, start, size int) {
	t.Helper()
	c, all := s.text, s.text.String()
	out := s.window(t, start, size)
	content, shown := *out.Content, out.BytesShown
	if content != all[shown.Start:shown.End] || !utf8.ValidString(content) {
		t.Fatal("the content is not the bytes it says")
	}
	if len(content) > maxWindowBytes {
		t.Fatalf("%d bytes", len(content))
	}
	if start >= len(all) {
		if !out.EOF || content != "" {
			t.Fatalf("a start past the end gives %q", content)
		}
		return
	}
	if shown.Start > start || shown.End <= start {
		t.Fatalf("byte %d is not in [%d,%d)", start, shown.Start, shown.End)
	}
	if want := (toolcall.LineRange{Start: c.LineAt(shown.Start) + 1, End: c.LineAt(shown.End-1) + 1}); *out.LinesShown != want {
		t.Fatalf("[%d,%d) is said to be lines %v, and is %v", shown.Start, shown.End, *out.LinesShown, want)
	}
	isBreak := func(at int) bool {
		return at == 0 || at == len(all) || all[at-1] == '\n' || all[at-1] == '\r' && all[at] != '\n'
	}
	if whole := isBreak(shown.Start) && isBreak(shown.End); whole == out.PartialLine {
		t.Fatalf("[%d,%d): whole lines %v, partial_line %v", shown.Start, shown.End, whole, out.PartialLine)
	}
	// A part of a line is answered only where the line is longer than twice the
	// requested size, or than any window; then it is hardly more than that.
	if first, last := c.LineAt(shown.Start), c.LineAt(shown.End-1); out.PartialLine &&
		c.LineStart(first+1)-c.LineStart(first) <= min(2*size, maxWindowBytes) &&
		c.LineStart(last+1)-c.LineStart(last) <= min(2*size, maxWindowBytes) && shown.End-shown.Start < maxWindowBytes/2 {
		t.Fatalf("[%d,%d) is a part of a line, and %d bytes were asked for", shown.Start, shown.End, size)
	}
	if rounded := out.RoundedBytes; rounded.End-rounded.Start > 5*size+2*utf8.UTFMax {
		t.Fatalf("%d bytes were asked for, and [%d,%d) is given", size, rounded.Start, rounded.End)
	}
	// The requested bytes are there, unless a line that fits no window was
	// cut back to.
	wanted := min(start+min(size, maxWindowBytes), len(all), shown.Start+maxWindowBytes)
	if shown.End < wanted && c.LineStart(c.LineAt(wanted-1)+1)-shown.Start <= maxWindowBytes {
		t.Fatalf("[%d,%d) lacks requested bytes up to %d", shown.Start, shown.End, wanted)
	}
	checkWidening(t, s, start, out)
}

// checkWidening holds what became of a window of whole lines against the
// rules.
func checkWidening(t *testing.T, s sample, start int, out *Output) {
	t.Helper()
	shown, rounded, e := out.BytesShown, out.RoundedBytes, out.Expansion
	if shown.Start > rounded.Start || shown.End < rounded.End {
		t.Fatalf("[%d,%d) was narrowed to [%d,%d)", rounded.Start, rounded.End, shown.Start, shown.End)
	}
	moved := *shown != *rounded
	if moved != e.Applied || e.Applied != (e.Kind != "") || e.Applied == (e.Reason != "") {
		t.Fatalf("[%d,%d) became [%d,%d), which is told as %+v", rounded.Start, rounded.End, shown.Start, shown.End, *e)
	}
	if moved && (s.outline == nil || out.PartialLine) {
		t.Fatalf("[%d,%d) became [%d,%d)", rounded.Start, rounded.End, shown.Start, shown.End)
	}
	if start == rounded.Start && shown.Start != start {
		t.Fatalf("%d is the start of a line, and the window begins at %d", start, shown.Start)
	}
	lines := func(from, to int) int { return s.text.LineAt(max(to-1, 0)) - s.text.LineAt(max(from-1, 0)) }
	if gained := lines(shown.Start, rounded.Start) + lines(rounded.End, shown.End); gained > maxWidening {
		t.Fatalf("the window gained %d lines", gained)
	}
}

var pagingSeeds = []string{
	"", "\n", "\r", "\r\n", "a", "a\n", "a\r\nb\rc\n\n", "é語😀\n😀", "no end",
	strings.Repeat("line\n", 100), strings.Repeat("x", 3*maxWindowBytes),
	"short\n" + strings.Repeat("😀", maxWindowBytes/3) + "\nend\n",
	"short\n" + strings.Repeat("é語x😀", 3000) + "\r\nshort\nshort\r\n" + strings.Repeat("é語x😀", 3000) + "\r\r\nend",
	strings.Repeat("y", maxWindowBytes) + "\n" + strings.Repeat("z", maxWindowBytes-1) + "\nend",
}

func TestPagingReproducesTheText(t *testing.T) {
	for _, s := range pagingSeeds {
		for _, size := range []int{1, 7, 4096, defaultWindowBytes, maxWindowBytes, 1 << 30} {
			if size == 1 && len(s) > maxWindowBytes {
				continue // a million windows show nothing new
			}
			checkPaging(t, plainSample(s), size)
		}
	}
	for _, s := range samples(t) {
		for _, size := range []int{300, 4096, defaultWindowBytes, maxWindowBytes} {
			checkPaging(t, s, size)
		}
	}
}

func TestWindowsKeepTheirRules(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range pagingSeeds {
		for range 50 {
			checkWindow(t, plainSample(s), r.IntN(len(s)+2), 1+r.IntN(1<<r.IntN(20)))
		}
	}
	for _, s := range samples(t) {
		for range 100 {
			checkWindow(t, s, r.IntN(s.text.Len()+2), 1+r.IntN(1<<r.IntN(20)))
		}
	}
}

func FuzzPaging(f *testing.F) {
	for _, s := range pagingSeeds {
		f.Add(s, uint16(3), uint16(100))
	}
	f.Add("package p\n\n// F does.\nfunc F() {\n\ta()\n\n\tb()\n}\n", uint16(30), uint16(1))
	f.Fuzz(func(t *testing.T, s string, start, size uint16) {
		n := 1 + int(size)
		for _, s := range []sample{plainSample(s), outlined("go", s), outlined("python", s)} {
			if s.text.Len()/n < 500 {
				checkPaging(t, s, n)
				checkPagingBack(t, s, n)
			}
			checkWindow(t, s, int(start), n)
		}
	})
}

func TestPreviousWindowsEndWhereThisOneStarts(t *testing.T) {
	all := append(samples(t), plainSample(strings.Repeat("a line of some length\n", 2000)))
	for _, s := range pagingSeeds {
		all = append(all, plainSample(s))
	}
	for _, s := range all {
		for _, size := range []int{7, 1000, defaultWindowBytes} {
			if s.text.Len()/size < 5000 {
				checkPagingBack(t, s, size)
			}
		}
	}
}

// checkPagingBack pages from the end of a text to its beginning.
func checkPagingBack(t *testing.T, s sample, size int) {
	t.Helper()
	for at := s.text.Len(); at > 0; {
		out := s.window(t, at, size)
		begins := out.BytesShown.Start
		if begins == 0 {
			break
		}
		back := s.window(t, *out.PrevStartByte, size)
		if at = back.BytesShown.Start; begins < size {
			break // it is the first, which may hold more
		}
		if back.RoundedBytes.End != begins || at >= begins {
			t.Fatalf("%s: the window of %d bytes before %d is [%d,%d)", s.name, size, begins, back.RoundedBytes.Start, back.RoundedBytes.End)
		}
	}
}

// samples are the files of the corpus, with their lines ended in each way,
// and texts of odd shapes.
func samples(t *testing.T) []sample {
	t.Helper()
	all := oddSamples()
	files, err := filepath.Glob("../../testdata/corpus/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, ".symbols") })
	for i, file := range files {
		if i%testscale.Of(1, 4) != 0 {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		language, body := filepath.Base(filepath.Dir(file)), string(b)
		all = append(all, outlined(language, body),
			outlined(language, strings.ReplaceAll(body, "\n", "\r\n")),
			outlined(language, strings.ReplaceAll(body, "\n", "\r")))
	}
	return all
}

func oddSamples() []sample {
	var large, long, deep strings.Builder
	large.WriteString("package p\n\nfunc large() {\n")
	for i := range 4000 {
		fmt.Fprintf(&large, "\tif x > %d {\n\t\ty(%d, \"é😀\")\r\n\t\tz()\r\t}\n", i, i)
		if i%50 == 0 {
			large.WriteString("\n")
		}
	}
	large.WriteString("}\n\nfunc after() {}\n")
	for i := range 12000 {
		fmt.Fprintf(&long, "function f%d(a){return a+%d};", i, i)
	}
	long.WriteString("\nfunction last() {\n\treturn 1\n}\n")
	for i := range 60 {
		fmt.Fprintf(&deep, "%sclass C%d:\n", strings.Repeat(" ", i), i)
		for n := range 40 {
			fmt.Fprintf(&deep, "%s def f%d(self):\n%s  return 1\n", strings.Repeat(" ", i), n, strings.Repeat(" ", i))
		}
	}
	return []sample{
		outlined("go", large.String()), outlined("javascript", long.String()), outlined("python", deep.String()),
		outlined("go", ""), outlined("go", strings.Repeat("func f() {\r", 700)), outlined("json", strings.Repeat(`{"a":[`, 5000)),
	}
}
