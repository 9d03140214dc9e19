package text

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// TestEditsMatchModel makes tens of thousands of random edits to texts of
// several shapes and compares every answer with that of a plain string. To
// run one failing seed again: -run 'TestEditsMatchModel/SHAPE/seed=N'.
func TestEditsMatchModel(t *testing.T) {
	cases := []struct {
		shape shape
		seeds int
		edits int
		size  int // pieces that the text comes to have
	}{
		{shape{maxLeaf: 12, maxKids: 4}, 16, 500, 60},
		{shape{maxLeaf: 16, maxKids: 4}, 16, 500, 200},
		{shape{maxLeaf: 37, maxKids: 5}, 12, 500, 300},
		{shape{maxLeaf: 64, maxKids: 10}, 8, 500, 400},
		{standard(), 4, 500, 4000},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%d_bytes_%d_kids", c.shape.maxLeaf, c.shape.maxKids), func(t *testing.T) {
			for seed := range testscale.Of(c.seeds, c.seeds/4) {
				t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
					t.Parallel()
					run := newEditRun(t, c.shape, uint64(seed), c.size)
					for range c.edits {
						run.step()
					}
					run.checkHistory()
				})
			}
		})
	}
}

// editRun is one run of random edits.
type editRun struct {
	*rand.Rand
	tb      testing.TB
	shape   shape
	size    int // pieces
	text    Text
	model   *model
	at      Offset // of the last edit's end
	history []edition
}

// edition is a text as it was at some time.
type edition struct {
	text  Text
	model *model
}

func newEditRun(tb testing.TB, sh shape, seed uint64, size int) *editRun {
	r := rand.New(rand.NewPCG(seed, 1))
	m := newModel(randomText(r, r.IntN(2*size)))
	return &editRun{Rand: r, tb: tb, shape: sh, size: size, text: sh.build(m.string), model: m}
}

func (r *editRun) step() {
	if r.IntN(10) == 0 {
		r.history = append(r.history, edition{r.text, r.model})
	}
	span, new := r.edit()
	before, was := r.text, r.model
	r.text = r.shape.replace(r.text, span, new)
	r.model = r.model.replace(span, new)
	r.at = min(max(span.Start, 0), len(was.string)) + len(new)

	checkTree(r.tb, r.shape, r.text)
	checkContent(r.tb, r.text, r.model)
	equal(r.tb, "Equal() to the text before", r.text.Equal(before), r.model.string == was.string)
	r.probe()
}

// edit returns a random edit; its span may be out of range or cut characters.
func (r *editRun) edit() (Span, string) {
	kind := r.IntN(20)
	if tooLong := len(r.model.string) > r.size*8; tooLong {
		kind = 0
	}
	switch {
	case kind == 0: // a large cut
		start := r.offset()
		return Span{start, start + r.IntN(len(r.model.string)+8)}, ""
	case kind == 1: // a large insertion
		start := r.offset()
		return Span{start, start}, randomText(r.Rand, r.IntN(r.size))
	case kind < 5: // a deletion
		start := r.offset()
		return Span{start, start + r.IntN(12)}, ""
	case kind < 10: // typing where the last edit ended
		return Span{r.at, r.at}, randomText(r.Rand, 1)
	case kind < 13: // deleting backwards from there
		return Span{r.at - r.IntN(5), r.at}, ""
	case kind < 16: // between two positions of an editor
		c := coords()[r.IntN(6)]
		start, end := r.position(), r.position()
		end.Line = start.Line + end.Line%3
		return Span{r.text.OffsetAt(start, c), r.text.OffsetAt(end, c)}, randomText(r.Rand, r.IntN(4))
	default:
		start := r.offset()
		return Span{start, start + r.IntN(9) - 2}, randomText(r.Rand, r.IntN(6))
	}
}

func (r *editRun) offset() Offset { return r.IntN(len(r.model.string)+6) - 3 }

func (r *editRun) position() Position {
	p := Position{uint32(r.IntN(r.model.breaks() + 3)), uint32(r.IntN(12))}
	if r.IntN(20) == 0 {
		p.Character = ^uint32(0) - uint32(r.IntN(3))
	}
	if r.IntN(50) == 0 {
		p.Line = ^uint32(0) - uint32(r.IntN(3))
	}
	return p
}

// probe asks about random places.
func (r *editRun) probe() {
	checkOffset(r.tb, r.text, r.model, r.offset())
	checkOffset(r.tb, r.text, r.model, r.at)
	checkPosition(r.tb, r.text, r.model, r.position(), coords()[r.IntN(6)])
	start := r.offset()
	checkSpan(r.tb, r.text, r.model, Span{start, start + r.IntN(3*r.shape.maxLeaf) - 2})
	line := r.IntN(r.model.breaks()+4) - 2
	equal(r.tb, "LineStart(%d) of %q", r.text.LineStart(line), r.model.lineStart(line), line, r.model.string)
	for _, rule := range []LineRule{AnyLineEnd, OnlyLF} {
		lines := r.model.contents[rule]
		line := r.IntN(len(lines))
		equal(r.tb, "lineEnd(%d, %v) of %q", r.text.lineEnd(line, rule), lines[line].End, line, rule, r.model.string)
	}
}

// checkHistory fails unless older texts are what they were, and equal to
// what is built anew of the same bytes.
func (r *editRun) checkHistory() {
	for _, e := range r.history {
		checkTree(r.tb, r.shape, e.text)
		checkContent(r.tb, e.text, e.model)
		if !e.text.Equal(r.shape.build(e.model.string)) {
			r.tb.Fatalf("a text differs from one built of its bytes: %q", e.model.string)
		}
	}
}

// FuzzEdits reads its input as a list of edits and compares every answer with
// that of a plain string.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{}, "")
	f.Add([]byte{0, 3, 0, 0, 3, 1, 2}, "a\r\nb")
	f.Add([]byte{5, 0, 0, 2, 0, 1, 5, 1, 0, 0}, "one\rtwo\nthree\r\nfour 😀 and e\u0301\n")
	f.Add([]byte{20, 0, 30, 0, 10, 0, 2, 23, 24, 0, 0, 255, 0}, "世界世界世界世界\r\r\r\r\n\n\n\n😀😀😀😀😀😀")
	f.Fuzz(func(t *testing.T, script []byte, start string) {
		if len(script) > 400 || len(start) > 400 {
			return
		}
		sh := shape{maxLeaf: 16, maxKids: 4}
		m := newModel(validUTF8(start))
		text := sh.build(m.string)
		for s := scriptReader(script); len(s) > 0; {
			before, was := text, m
			span := Span{Start: s.next() - 1}
			span.End = span.Start + s.next() - 1
			new := s.text()
			text, m = sh.replace(text, span, new), m.replace(span, new)

			checkTree(t, sh, text)
			checkContent(t, text, m)
			checkContent(t, before, was)
			equal(t, "Equal() to the text before", text.Equal(before), m.string == was.string)
			checkOffset(t, text, m, span.Start)
			checkSpan(t, text, m, span)
			p := Position{uint32(s.next()), uint32(s.next())}
			for _, c := range coords() {
				checkPosition(t, text, m, p, c)
			}
		}
	})
}

// scriptReader gives the bytes of a fuzzer's input, then zeros.
type scriptReader []byte

func (s *scriptReader) next() int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b)
}

func (s *scriptReader) text() string {
	pieces := alphabet()
	text := ""
	for range s.next() % 16 {
		text += pieces[s.next()%len(pieces)]
	}
	return text
}
