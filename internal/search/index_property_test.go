package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestCandidatesHoldAllThatMatches compares with reading everything: whatever
// a file holds, it is unindexed or a candidate, and so are the lines.
func TestCandidatesHoldAllThatMatches(t *testing.T) {
	for seed := range uint64(testscale.Of(6, 2)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := source(seed)
			contents := randomFiles(r, 30)
			d := newDisk(t, contents)
			x := d.indexer()
			v, files := built(t, x, d.list()), d.list()
			if n := len(v.Unindexed(files)); n > 0 {
				t.Errorf("%d files are unindexed", n)
			}
			truths := truthsOf(files, contents)
			for range 40 {
				required := randomRequired(r, truths)
				checkLines(t, v, files, truths, required)
				checkFiles(t, v, files, truths, required)
			}
		})
	}
}

// truth is the text of a file as it is searched: what has none gives none.
type truth struct {
	lines []truthLine
	flat  string // with "\n" before, and after each line
	lower string // the same in small letters
	plain bool   // offsets are those of the file
}

type truthLine struct {
	start, end int    // in the text
	flat       string // between two "\n"
	lower      string // the same in small letters
}

func truthOf(content string) truth {
	if text.IsBinary([]byte(content)) {
		return truth{}
	}
	d, _ := text.Decode([]byte(content), "")
	all := d.Text.String()
	t := truth{plain: d.Format == text.Format{Encoding: text.EncodingUTF8} && !d.Lossy && !d.Detected}
	flat := new(strings.Builder)
	flat.WriteString("\n")
	for start := 0; start < len(all); {
		n, end := len(all)-start, 0
		if i := strings.IndexAny(all[start:], "\r\n"); i >= 0 {
			n, end = i, 1
			if strings.HasPrefix(all[start+i:], "\r\n") {
				end = 2
			}
		}
		line := all[start : start+n]
		t.lines = append(t.lines, truthLine{start, start + n + end, "\n" + line + "\n", lowerASCII("\n" + line + "\n")})
		flat.WriteString(line + "\n")
		start += n + end
	}
	t.flat = flat.String()
	t.lower = lowerASCII(t.flat)
	return t
}

// truthsOf returns the truths of a list's files.
func truthsOf(files *catalog.Files, contents map[string]string) []truth {
	all := make([]truth, len(files.List))
	for i, f := range files.List {
		all[i] = truthOf(contents[f.Rel])
	}
	return all
}

func (l Literal) in(s, lower string) bool {
	if l.Fold {
		return strings.Contains(lower, lowerASCII(l.Text))
	}
	return strings.Contains(s, l.Text)
}

func holdsAll(s, lower string, required [][]Literal) bool {
	for _, set := range required {
		any := false
		for _, l := range set {
			any = any || l.in(s, lower)
		}
		if !any {
			return false
		}
	}
	return true
}

func checkLines(t *testing.T, v *View, files *catalog.Files, truths []truth, required [][]Literal) {
	t.Helper()
	all := candidates(t, v, files, required, false)
	for i, f := range files.List {
		truth := truths[i]
		blocks, candidate := all[i]
		checkBlocks(t, f.Rel, truth, blocks)
		if !v.of(files).known.has(i) {
			continue
		}
		for n, line := range truth.lines {
			if holdsAll(line.flat, line.lower, required) && (!candidate || blocks != nil && !covered(line, blocks)) {
				t.Fatalf("line %d of %s is left out for %+v: candidate %v, blocks %v", n, f.Rel, required, candidate, blocks)
			}
		}
	}
}

// checkBlocks checks that blocks are whole lines, and know which.
func checkBlocks(t *testing.T, name string, truth truth, blocks []Block) {
	t.Helper()
	if blocks != nil && !truth.plain {
		t.Fatalf("%s is not plain, but has blocks", name)
	}
	for _, b := range blocks {
		if b.Line >= len(truth.lines) || truth.lines[b.Line].start != int(b.Start) {
			t.Fatalf("%s: no line %d begins at %d", name, b.Line, b.Start)
		}
		last, _ := slices.BinarySearchFunc(truth.lines, int(b.End), func(l truthLine, end int) int { return l.end - end })
		if last == len(truth.lines) || truth.lines[last].end != int(b.End) {
			t.Fatalf("%s: no line ends at %d", name, b.End)
		}
	}
}

func covered(l truthLine, blocks []Block) bool {
	for _, b := range blocks {
		if int(b.Start) <= l.start && l.end <= int(b.End) {
			return true
		}
	}
	return false
}

func checkFiles(t *testing.T, v *View, files *catalog.Files, truths []truth, required [][]Literal) {
	t.Helper()
	all := candidates(t, v, files, required, true)
	for i, f := range files.List {
		truth := truths[i]
		if _, candidate := all[i]; !candidate && v.of(files).known.has(i) && len(truth.lines) > 0 && holdsAll(truth.flat, truth.lower, required) {
			t.Fatalf("%s is left out for %+v", f.Rel, required)
		}
	}
}

// randomFiles returns contents of all kinds, most of them short.
func randomFiles(r *rand.Rand, n int) map[string]string {
	all := map[string]string{"empty": "", "end": "last", "wide": strings.Repeat("é", 40000)}
	for i := range n {
		all[fmt.Sprintf("d%d/%c/f%d", r.IntN(4), 'a'+r.IntN(4), i)] = randomContent(r)
	}
	return all
}

func randomContent(r *rand.Rand) string {
	var b strings.Builder
	sizes := []int{10, 500, 5000, 100_000}
	size := r.IntN(1 + sizes[r.IntN(len(sizes))])
	if r.IntN(60) == 0 {
		size = 1_300_000 // more than a window
	}
	ends := [][]string{{"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n", "\r", "\n\n", "\r\r\n"}}[r.IntN(4)]
	long := r.IntN(5) == 0
	for b.Len() < size {
		for range r.IntN(12) {
			b.WriteString(randomWord(r))
		}
		if long && r.IntN(20) == 0 {
			b.WriteString(strings.Repeat(randomWord(r), r.IntN(20000)))
		}
		b.WriteString(ends[r.IntN(len(ends))])
	}
	s := b.String()
	if r.IntN(2) == 0 {
		s += "no end"
	}
	return encoded(r, s)
}

func randomWord(r *rand.Rand) string {
	words := []string{"foo", "Bar", "BAZ_QUX", "err", " ", "  ", "\t", "(", ").", "é", "日本", "0x1F", "{}", "a", "", "naïve", "X"}
	return words[r.IntN(len(words))]
}

// encoded puts a text into bytes in one of the ways that files have.
func encoded(r *rand.Rand, s string) string {
	switch r.IntN(12) {
	case 0:
		return "\xef\xbb\xbf" + s
	case 1:
		b := []byte("\xff\xfe")
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	case 2: // Latin-1
		var b []byte
		for _, c := range s {
			b = append(b, byte(c))
		}
		return strings.ReplaceAll(string(b), "\x00", "")
	case 3:
		return s + "\xff\xfe broken"
	case 4:
		return "\x00" + s
	}
	return s
}

func randomRequired(r *rand.Rand, truths []truth) [][]Literal {
	var required [][]Literal
	for range r.IntN(3) {
		var set []Literal
		for range 1 + r.IntN(3) {
			set = append(set, randomLiteral(r, truths))
		}
		required = append(required, set)
	}
	return required
}

func randomLiteral(r *rand.Rand, truths []truth) Literal {
	l := Literal{Fold: r.IntN(3) == 0}
	if flat := truths[r.IntN(len(truths))].flat; len(flat) > 1 {
		at := r.IntN(len(flat))
		l.Text = flat[at:min(len(flat), at+1+r.IntN(20))]
	}
	switch r.IntN(8) {
	case 0:
		l.Text += "\n"
	case 1:
		l.Text = "\n" + l.Text
	case 2:
		l.Text += randomWord(r)
	}
	if l.Fold && strings.IndexFunc(l.Text, func(c rune) bool { return c > 0x7f }) >= 0 {
		l.Fold = false
	}
	return l
}
