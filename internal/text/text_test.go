package text

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	cases := []struct {
		text    string
		lines   int
		breaks  int
		eol     EOL
		final   bool
		lastOne Offset // start of the last line
	}{
		{"", 0, 0, None, false, 0},
		{"a", 1, 0, None, false, 0},
		{"a\n", 1, 1, LF, true, 0},
		{"a\nb", 2, 1, LF, false, 2},
		{"\n", 1, 1, LF, true, 0},
		{"\n\n", 2, 2, LF, true, 1},
		{"a\r\nb\r\n", 2, 2, CRLF, true, 3},
		{"a\rb\r", 2, 2, CR, true, 2},
		{"\r", 1, 1, CR, true, 0},
		{"\n\r", 2, 2, Mixed, true, 1},
		{"a\r\nb\n", 2, 2, Mixed, true, 3},
		{"a\r\n\rb", 3, 2, Mixed, false, 4},
		{"a\u2028b\u0085c\vd\fe", 1, 0, None, false, 0},
	}
	for _, c := range cases {
		text := New(c.text)
		equal(t, "Lines() of %q", text.Lines(), c.lines, c.text)
		equal(t, "Breaks() of %q", text.Breaks(), c.breaks, c.text)
		equal(t, "EOL() of %q", text.EOL(), c.eol, c.text)
		equal(t, "FinalNewline() of %q", text.FinalNewline(), c.final, c.text)
		equal(t, "LineStart of the last of %q", text.LineStart(c.lines-1), c.lastOne, c.text)
		equal(t, "LineStart past the last of %q", text.LineStart(c.lines), len(c.text), c.text)
		equal(t, "LineAt past the end of %q", text.LineAt(len(c.text)), max(c.lines-1, 0), c.text)
	}
}

func TestEOLNames(t *testing.T) {
	for eol, want := range map[EOL]string{None: "none", LF: "lf", CRLF: "crlf", CR: "cr", Mixed: "mixed"} {
		equal(t, "String()", eol.String(), want)
	}
}

func TestInvalidBytesBecomeReplacementCharacters(t *testing.T) {
	equal(t, "New", New("a\xff\xfeb\xe4\xb8").String(), "a\uFFFD\uFFFDb\uFFFD\uFFFD")
	equal(t, "Replace", New("ab").Replace(Span{1, 1}, "\xf0\x9f").String(), "a\uFFFD\uFFFDb")
	equal(t, "a surrogate", New("\xed\xa0\x80").String(), "\uFFFD\uFFFD\uFFFD")
}

func TestReplaceFloorsToCharacters(t *testing.T) {
	text := New("é😀z")
	equal(t, "inside one character", text.Replace(Span{1, 1}, "-").String(), "-é😀z")
	equal(t, "between two", text.Replace(Span{1, 4}, "-").String(), "-😀z")
	equal(t, "end before start", text.Replace(Span{6, 2}, "-").String(), "é😀-z")
	equal(t, "out of range", text.Replace(Span{-9, 99}, "-").String(), "-")
	equal(t, "nothing", text.Replace(Span{2, 2}, "").Same(text), true)
}

func TestSameAndEqual(t *testing.T) {
	s := strings.Repeat("0123456789\r\n", 5000)
	a := New(s)
	edited := a.Replace(Span{30_000, 30_001}, "#")
	undone := edited.Replace(Span{30_000, 30_001}, s[30_000:30_001])
	equal(t, "Same of a copy", a.Same(a), true)
	equal(t, "Same of an equal text", a.Same(New(s)), false)
	equal(t, "Equal of an equal text", a.Equal(New(s)), true)
	equal(t, "Equal after an edit", a.Equal(edited), false)
	equal(t, "Equal after its undoing", a.Equal(undone), true)
	equal(t, "Equal of two swapped bytes", New("ab").Equal(New("ba")), false)
	equal(t, "Same of empty texts", Text{}.Same(New("")), true)
	equal(t, "Equal of an emptied text", a.Replace(Span{0, a.Len()}, "").Equal(Text{}), true)
}

func TestChunksStopEarly(t *testing.T) {
	text := New(strings.Repeat("x", 10_000))
	seen := 0
	for part := range text.Chunks(Span{5, 9_000}) {
		seen += len(part)
		break
	}
	if seen == 0 || seen >= 8_995 {
		t.Errorf("saw %d bytes in the first part; want some, not all", seen)
	}
}

func TestWriteTo(t *testing.T) {
	s := strings.Repeat("line\n", 2_000)
	var b bytes.Buffer
	n, err := New(s).WriteTo(&b)
	if err != nil || n != int64(len(s)) || b.String() != s {
		t.Errorf("WriteTo wrote %d bytes, %v; want %d, the text's", n, err, len(s))
	}
	full := errors.New("full")
	n, err = New(s).WriteTo(&limitedWriter{left: 3_000, err: full})
	if !errors.Is(err, full) || n != 3_000 {
		t.Errorf("WriteTo = %d, %v; want 3000 and the writer's error", n, err)
	}
}

// limitedWriter fails after a number of bytes.
type limitedWriter struct {
	left int
	err  error
}

func (w *limitedWriter) Write(b []byte) (int, error) {
	if len(b) > w.left {
		n := w.left
		w.left = 0
		return n, w.err
	}
	w.left -= len(b)
	return len(b), nil
}

func TestTooLongPanics(t *testing.T) {
	defer func() {
		if r := recover(); r == nil {
			t.Error("mustFit takes a size over MaxLen")
		}
	}()
	mustFit(MaxLen)
	mustFit(MaxLen + 1)
}

// TestManySmallEditsKeepTheTreeSmall deletes nearly all of a text byte by
// byte from the inside, and types it back in the same way.
func TestManySmallEditsKeepTheTreeSmall(t *testing.T) {
	sh := shape{maxLeaf: 16, maxKids: 4}
	text := sh.build(strings.Repeat("abcdefgh", 300))
	for text.Len() > 20 {
		text = sh.replace(text, Span{text.Len() / 2, text.Len()/2 + 1}, "")
		checkTree(t, sh, text)
	}
	for text.Len() < 2_000 {
		text = sh.replace(text, Span{text.Len() / 3, text.Len() / 3}, "z")
		checkTree(t, sh, text)
	}
}

// TestPartsAreNotEmpty, where a span begins or ends with a chunk as well.
func TestPartsAreNotEmpty(t *testing.T) {
	text := New(sourceLike(50_000))
	whole, borders, end := text.String(), []Offset{0}, 0
	for chunk := range text.Chunks(Span{0, text.Len()}) {
		end += len(chunk)
		borders = append(borders, end)
	}
	for _, from := range borders {
		for _, to := range borders {
			got := ""
			for part := range text.Chunks(Span{from, to}) {
				if part == "" {
					t.Fatalf("an empty part in [%d,%d)", from, to)
				}
				got += part
			}
			if want := whole[from:max(from, to)]; got != want || text.Slice(Span{from, to}) != want {
				t.Fatalf("[%d,%d) has other bytes", from, to)
			}
		}
	}
}

// TestTreeIsNoLargerThanItsText: texts have as few chunks, and these as few
// parents, as a new text may have.
func TestTreeIsNoLargerThanItsText(t *testing.T) {
	sh := shape{maxLeaf: 16, maxKids: 4} // new chunks have up to 12 bytes
	for _, tt := range []struct{ size, chunks, height int }{
		{1, 1, 0}, {16, 1, 0}, {17, 2, 1}, {24, 2, 1}, {25, 3, 1}, {48, 4, 1}, {49, 5, 2}, {4 * 48, 16, 2}, {4*48 + 1, 17, 3},
	} {
		text := sh.build(strings.Repeat("x", tt.size))
		checkTree(t, sh, text)
		equal(t, "chunks of %d bytes", len(text.chunks()), tt.chunks, tt.size)
		equal(t, "height of a tree of %d bytes", checkNode(t, sh, text.root, true), tt.height, tt.size)
	}
}
