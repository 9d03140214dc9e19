package search

import (
	"regexp/syntax"
	"unicode/utf8"
)

// program is a compiled expression: instructions as regexp/syntax makes them,
// and the classes of characters that they tell apart.
type program struct {
	inst     []syntax.Inst
	anchored uint32 // where a match at this very place starts
	anywhere uint32 // where one here or later starts; the later, the lower its priority
	classes  *classes
	// What the character before a place is looked at for.
	word, line, text bool
}

// Two conditions that regexp/syntax has no names for: no word character
// before, or after, a place. Its own six use the lower bits.
const (
	emptyNoWordBefore syntax.EmptyOp = 1 << 6
	emptyNoWordAfter  syntax.EmptyOp = 1 << 7
)

// newProgram compiles re. With word, matches stand between characters that
// are none of a word; with lines, a text is one line, without its end.
func newProgram(re *syntax.Regexp, word, lines bool) *program {
	if word {
		re = &syntax.Regexp{Op: syntax.OpCapture, Cap: 1, Sub: []*syntax.Regexp{re}}
	}
	compiled, err := syntax.Compile(re.Simplify())
	if err != nil { // it never is: trees that parse compile
		compiled = &syntax.Prog{Inst: []syntax.Inst{{Op: syntax.InstFail}}}
	}
	p := &program{inst: compiled.Inst, anchored: uint32(compiled.Start)}
	for i := range p.inst {
		p.prepare(&p.inst[i])
	}
	p.anywhere = uint32(len(p.inst))
	p.inst = append(p.inst,
		syntax.Inst{Op: syntax.InstAlt, Out: p.anchored, Arg: p.anywhere + 1},
		syntax.Inst{Op: syntax.InstRuneAny, Out: p.anywhere})
	p.classes = newClasses(p, lines)
	return p
}

// prepare turns the marks of a whole word into conditions and notes what the
// conditions look at.
func (p *program) prepare(in *syntax.Inst) {
	if in.Op == syntax.InstCapture {
		in.Op = syntax.InstEmptyWidth
		in.Arg = [2]uint32{uint32(emptyNoWordBefore), uint32(emptyNoWordAfter)}[in.Arg&1]
	}
	if in.Op != syntax.InstEmptyWidth {
		return
	}
	op := syntax.EmptyOp(in.Arg)
	p.word = p.word || op&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary|emptyNoWordBefore|emptyNoWordAfter) != 0
	p.line = p.line || op&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0
	p.text = p.text || op&(syntax.EmptyBeginText|syntax.EmptyEndText) != 0
}

// noRune is before the first and behind the last character of a text.
const noRune = rune(-1)

// before returns what counts about r as the character before a place: r
// itself stands for all that the program does not tell apart from it.
func (p *program) before(r rune) rune {
	switch {
	case r == noRune && p.text:
		return noRune
	case (r == noRune || r == '\n') && (p.line || p.text):
		return '\n'
	case syntax.IsWordChar(r) && p.word:
		return 'a'
	}
	return ' '
}

// conditions returns those that hold between two characters.
func conditions(before, after rune) syntax.EmptyOp {
	op := syntax.EmptyOpContext(before, after)
	if !syntax.IsWordChar(before) {
		op |= emptyNoWordBefore
	}
	if !syntax.IsWordChar(after) {
		op |= emptyNoWordAfter
	}
	return op
}

// lastRune is the character that b ends with, as far as conditions go.
func lastRune(b []byte) rune {
	switch {
	case len(b) == 0:
		return noRune
	case b[len(b)-1] < utf8.RuneSelf:
		return rune(b[len(b)-1])
	}
	return utf8.RuneError
}

// firstRune is the character that b begins with, as far as conditions go.
func firstRune(b []byte) rune {
	return lastRune(b[:min(1, len(b))])
}
