package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// makefile goes through a makefile: what begins with a tab belongs to the rule
// above it.
type makefile struct {
	*scanner
	goesOn  bool // the line before ended in a backslash
	defines bool // between define and endef
	reached int  // where what belongs to the definition that is open ends
}

func scanMakefile(s *scanner) {
	m := makefile{scanner: s, reached: s.code}
	s.eachLine(m.look)
	s.code = m.reached
}

func (m *makefile) look(content []byte) {
	continued := m.goesOn
	m.goesOn = bytes.HasSuffix(content, []byte(`\`))
	switch {
	case len(content) == 0:
	case m.defines:
		m.defines = !bytes.HasPrefix(content, []byte("endef"))
		m.reached = m.first + len(content)
	case continued || m.src[m.line] == '\t' && m.top() != nil:
		m.reached = m.first + len(content)
	case content[0] == '#' || m.isDirective(m.wordAt(m.first)):
	default:
		m.code = m.reached
		m.define(content)
	}
}

func (m *makefile) isDirective(word string) bool {
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "include", "-include", "sinclude", "vpath", "unexport", "undefine":
		return true
	}
	return false
}

// define opens the variable or the rule that a line begins.
func (m *makefile) define(content []byte) {
	from := 0
	for {
		word := m.wordAt(m.first + from)
		if word != "export" && word != "override" && word != "private" && word != "define" {
			break
		}
		m.defines = word == "define"
		from += len(word)
		from += len(content[from:]) - len(bytes.TrimLeft(content[from:], " \t"))
	}
	colon, assign := makeMarks(content[from:])
	switch {
	case m.defines:
		end := bytes.IndexAny(content[from:], " \t:=?+!")
		if end < 0 {
			end = len(content) - from
		}
		m.take(Variable, content, from, from+end)
	case assign > 0:
		m.take(Variable, content, from, from+assign)
	case colon > 0 && from == 0 && !isSpecialTarget(content):
		m.take(Function, content, 0, colon)
	default:
		for m.top() != nil {
			m.pop(m.reached)
		}
	}
}

func (m *makefile) take(kind Kind, content []byte, from, to int) {
	to = from + len(bytes.TrimRight(content[from:to], " \t"))
	if to == from {
		return
	}
	m.enter(kind, 0, m.first, text.Span{Start: m.first + from, End: m.first + to})
	m.reached = m.first + len(content)
}

// isSpecialTarget tells ".PHONY" and its like.
func isSpecialTarget(content []byte) bool {
	return len(content) > 1 && content[0] == '.' && 'A' <= content[1] && content[1] <= 'Z'
}

// makeMarks returns where the colon of a rule stands, and where the operator
// of a variable; 0 where there is none. "+=" makes no variable.
func makeMarks(line []byte) (colon, assign int) {
	depth := 0
	for i, c := range line {
		switch c {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case '#':
			return colon, 0
		case '=':
			if depth == 0 && colon == 0 {
				return 0, assignStart(line, i)
			}
		case ':':
			if depth > 0 || colon > 0 {
				continue
			}
			if rest := bytes.TrimLeft(line[i:], ":"); len(rest) > 0 && rest[0] == '=' {
				return 0, i
			}
			colon = i
		}
	}
	return colon, 0
}

func assignStart(line []byte, at int) int {
	switch {
	case at == 0 || line[at-1] == '+':
		return 0
	case line[at-1] == '?' || line[at-1] == '!':
		return at - 1
	}
	return at
}
