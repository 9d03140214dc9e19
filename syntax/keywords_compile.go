package syntax

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// pattern is a [line] made ready to be matched.
type pattern struct {
	line
	steps []step
}

type step struct {
	op   stepOp
	text string
}

type stepOp uint8

const (
	stepWord    stepOp = iota // this word
	stepMark                  // these bytes
	stepMaybe                 // this word, or not
	stepName                  // NAME: a name, in backquotes too
	stepPath                  // PATH: a name with separators
	stepSign                  // SIGN: a name, or the signs of an operator
	stepText                  // TEXT: what stands to the line's end or a body
	stepQuote                 // QUOTE: a string
	stepTyped                 // TYPED: the name behind a type, before = or ;
	stepOwner                 // OWNER: parentheses around a name, maybe its type
	stepGroup                 // GROUP: what is in brackets, if anything
	stepLate                  // LATE: the name stands behind the body
	stepHere                  // ^: the name begins here
	stepSkip                  // ..: whatever, up to the next step's mark
	stepNext                  // ~abc: one of these bytes comes next; $ for the line's end
	stepNot                   // !abc: none of them
	stepSelf                  // =word: this word, which is the name
	stepCapital               // CAPITAL: a name with a capital first
	stepBlock                 // BLOCK: a name and labels, as HCL has them
	stepCalled                // CALLED: the name before parentheses, or before the line's end
	stepMacro                 // MACRO: a word in capitals
	stepAny                   // WORD: a name that is not the definition's
)

// compilePattern reads a pattern: steps divided by blanks. Words in capitals
// and signs are the steps above; anything else stands for itself, "?word" for
// a word that may be missing. Between steps there may be blanks.
func compilePattern(spec string, l line) *pattern {
	named := map[string]stepOp{
		"NAME": stepName, "PATH": stepPath, "SIGN": stepSign, "TEXT": stepText, "QUOTE": stepQuote, "TYPED": stepTyped,
		"OWNER": stepOwner, "GROUP": stepGroup, "LATE": stepLate, "^": stepHere, "..": stepSkip,
		"CAPITAL": stepCapital, "BLOCK": stepBlock, "WORD": stepAny, "CALLED": stepCalled, "MACRO": stepMacro,
	}
	p := &pattern{line: l}
	for field := range strings.FieldsSeq(spec) {
		op, isNamed := named[field]
		switch {
		case isNamed:
			p.steps = append(p.steps, step{op, ""})
		case len(field) > 1 && field[0] == '~':
			p.steps = append(p.steps, step{stepNext, field[1:]})
		case len(field) > 1 && field[0] == '!':
			p.steps = append(p.steps, step{stepNot, field[1:]})
		case len(field) > 1 && field[0] == '=' && isWordByte(field[1]):
			p.steps = append(p.steps, step{stepSelf, field[1:]})
		case len(field) > 1 && field[0] == '?' && isWordByte(field[1]):
			p.steps = append(p.steps, step{stepMaybe, field[1:]})
		case isWordByte(field[len(field)-1]):
			p.steps = append(p.steps, step{stepWord, field})
		default:
			p.steps = append(p.steps, step{stepMark, field})
		}
	}
	return p
}

func (m *matching) step(steps []step, i int) bool {
	st := steps[i]
	switch st.op {
	case stepWord:
		return m.word(st.text)
	case stepMaybe:
		m.word(st.text)
	case stepMark:
		return m.mark(st.text)
	case stepName:
		return m.setName(m.nameEnd(m.at))
	case stepPath:
		return m.setName(m.pathEnd(m.at))
	case stepSign:
		return m.setName(m.signEnd(m.at))
	case stepQuote:
		return m.setName(m.quotedEnd(m.at))
	case stepText:
		return m.setName(m.textEnd(m.at))
	case stepTyped:
		return m.typed("=;,:")
	case stepCalled:
		return m.typed("(;=")
	case stepOwner:
		return m.ownerGroup()
	case stepGroup:
		for m.group() {
			m.blanks()
		}
	case stepLate:
		m.late = true
	case stepHere:
		m.name.Start, m.begun = m.at, true
	case stepSkip:
		return m.skipTo(steps[i+1].text)
	case stepSelf:
		from := m.at
		if !m.word(st.text) {
			return false
		}
		m.name = text.Span{Start: from, End: m.at}
	case stepCapital:
		return m.at < m.end && isCapital(m.src[m.at]) && m.setName(m.nameEnd(m.at))
	case stepBlock:
		return m.block()
	case stepAny, stepMacro:
		end := m.nameEnd(m.at)
		ok := end > m.at && (st.op == stepAny || isCaps(string(m.src[m.at:end])))
		m.at = end
		return ok
	case stepNext:
		return m.next(st.text)
	case stepNot:
		return !m.next(st.text)
	}
	return true
}
