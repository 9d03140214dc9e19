package tools

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// checkPaging pages through s in windows of size bytes and holds every answer
// against the rules of byte windows.
func checkPaging(t *testing.T, s string, size int) {
	t.Helper()
	c := text.New(s)
	s = c.String() // what is not UTF-8 was replaced
	var joined strings.Builder
	for start, windows := uint64(0), 0; ; windows++ {
		max := uint64(size)
		out := &readOutput{}
		if err := readWindow(c, readInput{StartByte: &start, MaxBytes: &max, Format: plainText}, out); err != nil {
			t.Fatal(err)
		}
		joined.WriteString(*out.Content)
		if out.EOF {
			break
		}
		if out.NextStartByte == nil || uint64(*out.NextStartByte) <= start {
			t.Fatalf("window at %d of %d bytes does not go on: %+v", start, len(s), out.NextStartByte)
		}
		if out.BytesShown.Start != int(start) {
			t.Fatalf("a window that continues at %d begins at %d", start, out.BytesShown.Start)
		}
		start = uint64(*out.NextStartByte)
	}
	if joined.String() != s {
		t.Fatalf("the pages of %d bytes do not give the text", size)
	}
}

// checkWindow holds one window against the rules.
func checkWindow(t *testing.T, s string, start, size int) {
	t.Helper()
	c := text.New(s)
	s = c.String()
	first, max := uint64(start), uint64(size)
	out := &readOutput{}
	if err := readWindow(c, readInput{StartByte: &first, MaxBytes: &max, Format: plainText}, out); err != nil {
		t.Fatal(err)
	}
	content, shown := *out.Content, out.BytesShown
	if content != s[shown.Start:shown.End] || !utf8.ValidString(content) {
		t.Fatal("the content is not the bytes it says")
	}
	if len(content) > maxWindowBytes {
		t.Fatalf("%d bytes", len(content))
	}
	if start >= len(s) {
		if !out.EOF || content != "" {
			t.Fatalf("a start past the end gives %q", content)
		}
		return
	}
	if shown.Start > start || shown.End <= start {
		t.Fatalf("byte %d is not in [%d,%d)", start, shown.Start, shown.End)
	}
	if want := (lineRange{c.LineAt(shown.Start) + 1, c.LineAt(shown.End-1) + 1}); *out.LinesShown != want {
		t.Fatalf("[%d,%d) is said to be lines %v, and is %v", shown.Start, shown.End, *out.LinesShown, want)
	}
	wholeStart := shown.Start == 0 || s[shown.Start-1] == '\n' || s[shown.Start-1] == '\r'
	wholeEnd := shown.End == len(s) || s[shown.End-1] == '\n' || s[shown.End-1] == '\r'
	if (!wholeStart || !wholeEnd) != out.PartialLine {
		t.Fatalf("[%d,%d): whole start %v, whole end %v, partial_line %v", shown.Start, shown.End, wholeStart, wholeEnd, out.PartialLine)
	}
	// The requested bytes are there, unless a line that fits no window was
	// cut back to.
	wanted := min(start+min(size, maxWindowBytes), len(s), shown.Start+maxWindowBytes)
	if shown.End < wanted && c.LineStart(c.LineAt(wanted-1)+1)-shown.Start <= maxWindowBytes {
		t.Fatalf("[%d,%d) lacks requested bytes up to %d", shown.Start, shown.End, wanted)
	}
}

var pagingSeeds = []string{
	"", "\n", "\r", "\r\n", "a", "a\n", "a\r\nb\rc\n\n", "é語😀\n😀", "no end",
	strings.Repeat("line\n", 100), strings.Repeat("x", 3*maxWindowBytes),
	"short\n" + strings.Repeat("😀", maxWindowBytes/3) + "\nend\n",
	strings.Repeat("y", maxWindowBytes) + "\n" + strings.Repeat("z", maxWindowBytes-1) + "\nend",
}

func TestPagingReproducesTheText(t *testing.T) {
	for _, s := range pagingSeeds {
		for _, size := range []int{1, 7, 4096, defaultWindowBytes, maxWindowBytes, 1 << 30} {
			if size == 1 && len(s) > maxWindowBytes {
				continue // a million windows show nothing new
			}
			checkPaging(t, s, size)
		}
	}
}

func TestWindowsKeepTheirRules(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range pagingSeeds {
		for range 50 {
			checkWindow(t, s, r.IntN(len(s)+2), 1+r.IntN(1<<r.IntN(20)))
		}
	}
}

func FuzzPaging(f *testing.F) {
	for _, s := range pagingSeeds {
		f.Add(s, uint16(3), uint16(100))
	}
	f.Fuzz(func(t *testing.T, s string, start, size uint16) {
		n := 1 + int(size)
		if len(s)/n < 2000 {
			checkPaging(t, s, n)
		}
		checkWindow(t, s, int(start), n)
	})
}

func TestPreviousWindowsEndWhereThisOneStarts(t *testing.T) {
	c := text.New(strings.Repeat("a line of some length\n", 2000))
	size := uint64(1000)
	at := uint64(c.Len())
	for at > size {
		out := &readOutput{}
		if err := readWindow(c, readInput{StartByte: &at, MaxBytes: &size, Format: plainText}, out); err != nil {
			t.Fatal(err)
		}
		begins := out.BytesShown.Start
		previous := uint64(*out.PrevStartByte)
		back := &readOutput{}
		if err := readWindow(c, readInput{StartByte: &previous, MaxBytes: &size, Format: plainText}, back); err != nil {
			t.Fatal(err)
		}
		if back.BytesShown.End != begins {
			t.Fatalf("the window before %d ends at %d", begins, back.BytesShown.End)
		}
		at = uint64(back.BytesShown.Start)
	}
}
