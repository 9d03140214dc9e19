package syntax

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// rewriting is the work on one text. code is shown with blanks for comments
// and the insides of strings.
type rewriting struct {
	shown, code []byte
	places      []rewrittenPlace
	within      text.Offset // end of the last block for a Within
	blocks      []text.Span // in order of their starts; nil before they are asked for
}

func (w *rewriting) apply(one *Rewrite, find, within *regexp.Regexp, in text.Span) {
	if within == nil {
		w.applyIn(one, find, in)
		return
	}
	for _, m := range within.FindAllIndex(w.code[in.Start:in.End], -1) {
		open := in.Start + m[1] - 1
		if end := w.blockEnd(open); end > w.within {
			w.applyIn(one, find, text.Span{Start: open + 1, End: end - 1})
			w.within = end
		}
	}
}

func (w *rewriting) applyIn(one *Rewrite, find *regexp.Regexp, in text.Span) {
	for _, m := range find.FindAllSubmatchIndex(w.code[in.Start:in.End], -1) {
		kind := one.Kind
		for g := 1; 2*g < len(m); g++ {
			if m[2*g] < 0 {
				continue
			}
			s := text.Span{Start: in.Start + m[2*g], End: in.Start + m[2*g+1]}
			then := ""
			if g <= len(one.Then) {
				then = one.Then[g-1]
			}
			if s.Len() == 0 || !w.put(s, then, one.Lines) {
				continue
			}
			place := rewrittenPlace{Span: s, kind: kind}
			if one.Own {
				place.name = text.Span{Start: in.Start + m[4], End: in.Start + m[5]}
			}
			w.places = append(w.places, place)
			if kind = NoKind; one.Own {
				break
			}
		}
	}
}

// put shows then for what stands at s, but for line ends if they stay. It reports whether then
// has room there.
func (w *rewriting) put(s text.Span, then string, lines bool) bool {
	fill := byte(' ')
	if short, names := bytes.CutSuffix([]byte(then), []byte("…")); names {
		then, fill = string(short), '_'
	}
	if len(then) > s.Len() {
		return false
	}
	for i := s.Start; i < s.End; i++ {
		c := fill
		if i-s.Start < len(then) {
			c = then[i-s.Start]
		}
		if lines || !isLineEnd(w.shown[i]) {
			w.shown[i], w.code[i] = c, c
		}
	}
	return true
}

// blockEnd returns the end of the block that the brace at open begins; 0 when
// it is not closed.
func (w *rewriting) blockEnd(open text.Offset) text.Offset {
	if w.blocks == nil {
		w.blocks = blocksOf(w.code)
	}
	i, found := slices.BinarySearchFunc(w.blocks, open, func(s text.Span, at int) int { return s.Start - at })
	if !found {
		return 0
	}
	return w.blocks[i].End
}
