package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// masked is a text as its grammar is to see it. What the grammar does not know
// stands there in other words or not at all, over as many bytes, and a frame
// may stand around it all.
type masked struct {
	seen  []byte
	words []rewrittenPlace // what was shown otherwise and counts for definitions
	way   *wayThrough      // nil where nothing is known for the next text
}

// maskedOf shows src to a grammar. was is the masked form of an earlier text, or that of
// none; edits have happened since.
func maskedOf(l *Language, r *rewriter, src []byte, was masked, edits []text.Change) masked {
	src = withLineFeeds(src)
	blanks, way := l.maskedSpans(src, was.way, edits)
	shown, words := r.show(maskOut(src, blanks))
	return masked{seen: l.shown(shown), words: leads(words, blanks), way: way}
}

// withLineFeeds returns src with an LF for each lone CR, which grammars do not
// take for a line's end.
func withLineFeeds(src []byte) []byte {
	own := false
	for at := 0; ; at++ {
		n := bytes.IndexByte(src[at:], '\r')
		if n < 0 {
			return src
		}
		if at += n; at+1 < len(src) && src[at+1] == '\n' {
			continue
		}
		if !own {
			src, own = bytes.Clone(src), true
		}
		src[at] = '\n'
	}
}

// change is a part in which a grammar sees something else than before: bytes
// of the masked texts.
type change struct{ old, new text.Span }

// by returns how far what follows has moved down.
func (c *change) by() int { return c.new.End - c.old.End }

// changesTo returns the parts in which the masked text now differs from the masked text was,
// of texts that differ in edits, in order.
func (l *Language) changesTo(now, was masked, edits []text.Change) []change {
	by := len(l.frame.Before)
	c := maskedChanges{was: was.seen, now: now.seen}
	for _, e := range edits {
		c.same(by + e.Old.Start)
		c.add(change{moved(e.Old, by), moved(e.New, by)})
	}
	c.same(len(was.seen))
	return c.found
}

func moved(s text.Span, by int) text.Span { return text.Span{Start: s.Start + by, End: s.End + by} }

// maskedChanges compares two masked texts in step.
type maskedChanges struct {
	was, now     []byte
	atWas, atNow int
	found        []change
}

// same compares what the texts have in common, up to a place in the old one:
// a replacement there may have come or gone.
func (c *maskedChanges) same(end int) {
	n := end - c.atWas
	was, now := c.was[c.atWas:c.atWas+n], c.now[c.atNow:c.atNow+n]
	if !bytes.Equal(was, now) {
		head, tail := 0, n
		for was[head] == now[head] {
			head++
		}
		for was[tail-1] == now[tail-1] {
			tail--
		}
		c.found = append(c.found, change{
			text.Span{Start: c.atWas + head, End: c.atWas + tail}, text.Span{Start: c.atNow + head, End: c.atNow + tail},
		})
	}
	c.atWas, c.atNow = c.atWas+n, c.atNow+n
}

func (c *maskedChanges) add(one change) {
	c.found = append(c.found, one)
	c.atWas, c.atNow = one.old.End, one.new.End
}

// liner tells the rows and columns of ascending places, as grammars count:
// only LF ends a line.
type liner struct {
	b             []byte
	at, row, line int
}

func (l *liner) point(o int) (row, column int) {
	part := l.b[l.at:o]
	if n := bytes.Count(part, []byte{'\n'}); n > 0 {
		l.row += n
		l.line = l.at + bytes.LastIndexByte(part, '\n') + 1
	}
	l.at = o
	return l.row, o - l.line
}
