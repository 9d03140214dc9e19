package text

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// checkTree fails unless the tree under t is as doc.go says: sizes, depths
// and summaries.
func checkTree(tb testing.TB, sh shape, t Text) {
	if t.root == nil {
		return
	}
	if t.Len() == 0 {
		tb.Fatal("an empty text has a tree")
	}
	checkNode(tb, sh, t.root, true)
	equal(tb, "the summary of the whole", t.root.sum, summaryOf(t.String()))
}

// checkNode returns the height of a subtree.
func checkNode(tb testing.TB, sh shape, r *ref, isRoot bool) (height int) {
	if !r.isLeaf() {
		return checkKids(tb, sh, r, isRoot)
	}
	chunk := r.text
	if chunk == "" || len(chunk) > sh.maxLeaf || len(chunk) < sh.minLeaf() && !isRoot {
		tb.Fatalf("a chunk has %d bytes; want %d to %d", len(chunk), sh.minLeaf(), sh.maxLeaf)
	}
	if !utf8.ValidString(chunk) {
		tb.Fatalf("chunk %q splits a character", chunk)
	}
	equal(tb, "the summary of %q", r.sum, summaryOf(chunk), chunk)
	return 0
}

func checkKids(tb testing.TB, sh shape, r *ref, isRoot bool) (height int) {
	least := sh.minKids()
	if isRoot {
		least = 2
	}
	kids := r.node.kids()
	if len(kids) < least || len(kids) > sh.maxKids {
		tb.Fatalf("a node has %d children; want %d to %d", len(kids), least, sh.maxKids)
	}
	if r.text != "" {
		tb.Fatal("an inner node has text of its own")
	}
	for i := range kids {
		h := checkNode(tb, sh, &kids[i], false)
		if i > 0 && h != height {
			tb.Fatalf("children of one node have heights %d and %d", h, height)
		}
		height = h
	}
	equal(tb, "the summary of an inner node", r.sum, newParent(kids).sum)
	return height + 1
}

// checkContent fails unless t answers all questions about the whole as its
// model does.
func checkContent(tb testing.TB, t Text, m *model) {
	if got := t.String(); got != m.string {
		tb.Fatalf("String() = %q; want %q", got, m.string)
	}
	equal(tb, "Len()", t.Len(), len(m.string))
	equal(tb, "Lines()", t.Lines(), m.lines())
	equal(tb, "Breaks()", t.Breaks(), m.breaks())
	equal(tb, "UTF16Len()", t.UTF16Len(), units(m.string, UTF16))
	equal(tb, "EOL()", t.EOL(), m.eol())
	equal(tb, "FinalNewline()", t.FinalNewline(), m.finalNewline())
}

// checkOffset fails unless t answers all questions about offset o, which may
// be out of range, as its model does.
func checkOffset(tb testing.TB, t Text, m *model, o Offset) {
	equal(tb, "FloorChar(%d) of %q", t.FloorChar(o), m.floor(o), o, m.string)
	equal(tb, "LineAt(%d) of %q", t.LineAt(o), m.lineAt(o), o, m.string)
	for _, c := range coords() {
		p := t.PositionAt(o, c)
		equal(tb, "PositionAt(%d, %v) of %q", p, m.positionAt(o, c), o, c, m.string)
		checkPosition(tb, t, m, p, c)
	}
}

// checkPosition fails unless t finds position p, which may be out of range,
// where its model does.
func checkPosition(tb testing.TB, t Text, m *model, p Position, c Coord) {
	equal(tb, "OffsetAt(%v, %v) of %q", t.OffsetAt(p, c), m.offsetAt(p, c), p, c, m.string)
}

// checkSpan fails unless the bytes of s, which may be out of range, are the
// model's.
func checkSpan(tb testing.TB, t Text, m *model, s Span) {
	in := s.within(len(m.string))
	want := m.string[in.Start:in.End]
	equal(tb, "Slice(%v) of %q", t.Slice(s), want, s, m.string)
	equal(tb, "Append(%v) of %q", string(t.Append([]byte("x"), s)), "x"+want, s, m.string)
}

func equal[T comparable](tb testing.TB, what string, got, want T, args ...any) {
	if got != want {
		tb.Helper() // here, because it costs more than most checks
		tb.Fatalf(what+" = %v; want %v", append(args, got, want)...)
	}
}

// coords returns all ways to count positions.
func coords() []Coord {
	var all []Coord
	for _, e := range []PositionEncoding{UTF16, UTF8, UTF32} {
		all = append(all, Coord{e, AnyLineEnd}, Coord{e, OnlyLF})
	}
	return all
}

// alphabet is heavy in what can go wrong at a border.
func alphabet() []string {
	return []string{
		"\r", "\n", "\r\n", "\r", "\n", "\r\n", "\n\r",
		"a", "b", " ", "xyz", "\t", "\x00", "\u0085", "\u2028",
		"é", "e\u0301", "ß", "世", "界", "ﾊ", "\uFFFD", "\uFEFF",
		"😀", "𝄞", "👩‍👩‍👧", "\U0010FFFF",
	}
}

// randomText returns n pieces of the alphabet.
func randomText(r *rand.Rand, n int) string {
	pieces := alphabet()
	s := ""
	for range n {
		s += pieces[r.IntN(len(pieces))]
	}
	return s
}
