package search

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of an expression: one of the texts, or a gap, which may be
// any text. A match is a text of the first piece, then one of the second, …
type piece struct {
	texts []Literal // none: a gap
}

const (
	maxPieces = 64   // of an expression; the rest is a gap
	maxTexts  = 64   // of a piece
	maxCross  = 8    // of a piece, where several texts follow several
	maxBytes  = 4096 // of the texts of a piece that has several
	maxRunes  = 4    // of a class that is written out
	maxCopies = 8    // of what is repeated
)

func exactly(texts ...string) piece {
	var p piece
	for _, t := range texts {
		p.texts = append(p.texts, Literal{Text: t})
	}
	return p
}

func (p piece) isGap() bool { return len(p.texts) == 0 }

// pieces takes re apart. With lines, no text holds a "\n".
func pieces(re *syntax.Regexp, lines bool) []piece {
	switch re.Op {
	case syntax.OpLiteral:
		return literalPieces(re)
	case syntax.OpCharClass:
		return []piece{classPiece(re.Rune, lines)}
	case syntax.OpBeginLine, syntax.OpBeginText:
		return []piece{exactly(anchor)}
	case syntax.OpEmptyMatch, syntax.OpEndLine, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []piece{exactly("")}
	case syntax.OpConcat:
		var ps []piece
		for _, sub := range re.Sub {
			ps = appendPieces(ps, pieces(sub, lines))
		}
		return ps
	case syntax.OpAlternate:
		return alternatives(re, lines)
	case syntax.OpQuest:
		return optional(pieces(re.Sub[0], lines))
	case syntax.OpPlus:
		return repeated(pieces(re.Sub[0], lines), 1, -1)
	case syntax.OpRepeat:
		return repeated(pieces(re.Sub[0], lines), re.Min, re.Max)
	}
	return []piece{{}}
}

// appendPieces returns the pieces of ps followed by more, joined where they
// meet.
func appendPieces(ps, more []piece) []piece {
	for _, p := range more {
		if n := len(ps); n > 0 {
			if joined, ok := join(ps[n-1], p); ok {
				ps[n-1] = joined
				continue
			}
		}
		if len(ps) == maxPieces {
			return append(ps[:maxPieces-1:maxPieces-1], piece{})
		}
		ps = append(ps, p)
	}
	return ps
}

// join returns the piece that is a and then b, if that can be written.
func join(a, b piece) (piece, bool) {
	if a.isGap() || b.isGap() {
		return piece{}, a.isGap() && b.isGap()
	}
	n := len(a.texts) * len(b.texts)
	if n > maxTexts || n > maxCross && len(a.texts) > 1 && len(b.texts) > 1 {
		return piece{}, false
	}
	var p piece
	size := 0
	for _, x := range a.texts {
		for _, y := range b.texts {
			t, ok := follow(x, y)
			if size += len(t.Text); !ok || n > 1 && size > maxBytes {
				return piece{}, false
			}
			p.texts = append(p.texts, t)
		}
	}
	return p, true
}

// follow returns the text that is x and then y. Letters that fold and letters
// that do not are in no text together.
func follow(x, y Literal) (Literal, bool) {
	if x.Fold != y.Fold && hasLetter(x.Text) && hasLetter(y.Text) {
		return Literal{}, false
	}
	fold := x.Fold && hasLetter(x.Text) || y.Fold && hasLetter(y.Text)
	if strings.HasSuffix(x.Text, "\n") || strings.HasSuffix(x.Text, anchor) {
		y.Text = strings.TrimPrefix(y.Text, anchor) // the same line end
	}
	return Literal{x.Text + y.Text, fold}, true
}

func literalPieces(re *syntax.Regexp) []piece {
	if re.Flags&syntax.FoldCase == 0 {
		return []piece{exactly(string(re.Rune))}
	}
	var ps []piece
	var run []byte
	for _, r := range re.Rune {
		orbit := orbitOf(r)
		switch {
		case foldsWithinASCII(orbit):
			run = append(run, lower(byte(r)))
		case len(orbit) == 1:
			run = utf8.AppendRune(run, r)
		default:
			ps = appendPieces(ps, []piece{folding(run), classPiece(pairs(orbit), false)})
			run = run[:0]
		}
	}
	return appendPieces(ps, []piece{folding(run)})
}

func folding(text []byte) piece {
	return piece{texts: []Literal{{string(text), hasLetter(string(text))}}}
}

// foldsWithinASCII reports whether orbit is an ASCII letter's, but not k's or
// s's.
func foldsWithinASCII(orbit []rune) bool {
	return len(orbit) == 2 && orbit[0] < utf8.RuneSelf && orbit[1] < utf8.RuneSelf
}

// orbitOf returns the characters that are the same as r but for case.
func orbitOf(r rune) []rune {
	orbit := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		orbit = append(orbit, f)
	}
	return orbit
}

func pairs(runes []rune) []rune {
	var ps []rune
	for _, r := range runes {
		ps = append(ps, r, r)
	}
	return ps
}

// classPiece returns the texts of a class of few characters, given as pairs.
func classPiece(class []rune, lines bool) piece {
	var runes []rune
	for i := 0; i < len(class); i += 2 {
		for r := class[i]; r <= class[i+1]; r++ {
			if len(runes) == maxRunes {
				return piece{}
			}
			if r != '\n' || !lines {
				runes = append(runes, r)
			}
		}
	}
	if len(runes) == 2 && foldsWithinASCII(runes) && slices.Equal(orbitOf(runes[0]), runes) {
		return folding([]byte{byte(runes[1])})
	}
	var p piece
	for _, r := range runes {
		p.texts = append(p.texts, Literal{Text: string(r)})
	}
	return p
}

// alternatives writes all texts out where they are few; otherwise one of the
// most telling texts of each alternative is somewhere.
func alternatives(re *syntax.Regexp, lines bool) []piece {
	var all, some piece
	exact := true
	for _, sub := range re.Sub {
		ps := pieces(sub, lines)
		best := mostTelling(ps)
		if best.isGap() {
			return []piece{{}}
		}
		if exact = exact && len(ps) == 1; exact {
			all.texts = append(all.texts, best.texts...)
		}
		some.texts = append(some.texts, best.texts...)
	}
	switch {
	case exact && len(all.texts) <= maxTexts:
		return []piece{all}
	case !exact && len(some.texts) <= maxTexts:
		return []piece{{}, some, {}}
	}
	return []piece{{}}
}

func mostTelling(ps []piece) piece {
	var best piece
	for _, p := range ps {
		if !p.isGap() && (best.isGap() || hitRate(p.texts) < hitRate(best.texts)) {
			best = p
		}
	}
	return best
}

func optional(ps []piece) []piece {
	if len(ps) != 1 || ps[0].isGap() || len(ps[0].texts) == maxTexts {
		return []piece{{}}
	}
	return []piece{{texts: append(slices.Clone(ps[0].texts), Literal{})}}
}

// repeated returns the pieces of what stands low to high times, -1 for any
// number, in a row.
func repeated(ps []piece, low, high int) []piece {
	switch {
	case low == 0 && high == 0:
		return []piece{exactly("")}
	case low == 0 && high == 1:
		return optional(ps)
	case low == 0:
		return []piece{{}}
	case len(ps) != 1 || ps[0].isGap():
		return appendPieces(slices.Clone(ps), []piece{{}})
	}
	row := slices.Clone(ps)
	for range min(low, maxCopies) - 1 {
		row = appendPieces(row, ps)
	}
	if low == high && low <= maxCopies {
		return row
	}
	// As many as there must be at the least stand at the front and at the end.
	return appendPieces(append(slices.Clone(row), piece{}), row)
}
