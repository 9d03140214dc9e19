package syntax

import "github.com/agent-lsp/agent-lsp/internal/text"

// scanner goes through a text once, from line to line, and within lines from
// one byte that means something to the next.
type scanner struct {
	*lexicon
	language *Language
	src      []byte
	end      int // of what is looked at
	at       int // how far it has come

	line, first, indent int    // where the line begins, its first byte that is no blank, and that byte's column
	depth               int    // of brackets
	mark                int    // since where what was passed is code
	code                int    // where the last code ends
	trailing            string // bytes at the ends of lines that belong to nothing
	attributed          int    // where attributes begin that belong to what comes; -1 without
	attributedDepth     int
	attributedCode      int // where the code before them ends
	statement           statement
	around              []statement // those that go on behind the blocks that are open
	heredocs            []string    // the words that end the texts which begin on the next line
	searches            int         // for ends of such texts, in vain

	open  []opened // definitions whose end is not known
	defs  []Definition
	last  int // the definition that ended last, -1 for none
	taken int // up to where text belongs to the definitions before; none begins before it
	steps int // work done, for tests

	trusts   bool // brackets alone tell where bodies end
	unpaired bool // there was a closing bracket too many

	another func(*Language, []byte, text.Span) *scanner // for what is in another language
}

func newScanner(l *Language, src []byte, span text.Span) *scanner {
	return &scanner{
		lexicon: lexiconOf(l), language: l, src: src, at: span.Start, mark: span.Start, code: span.Start, end: span.End,
		attributed: -1, last: -1, statement: statement{start: -1}, another: newScanner,
	}
}

func (s *scanner) scan() {
	if s.dialect.scan != nil {
		s.dialect.scan(s)
		return
	}
	start := *s
	s.trusts = s.style == byBraces
	s.scanCode()
	if s.trusts && (s.unpaired || s.depth > 0) {
		// The text is being typed, or in part not meant to be read by us:
		// indentation tells, too.
		start.steps, start.defs, start.open = s.steps, s.defs[:0], s.open[:0]
		*s = start
		s.scanCode()
	}
}

func (s *scanner) scanCode() {
	for s.at < s.end {
		s.beginLine()
		s.goOn()
	}
}

// finish closes what is open and returns what was found.
func (s *scanner) finish() []Definition {
	s.markCode()
	for len(s.open) > 0 {
		s.pop(s.code)
	}
	return withoutNameless(s.defs)
}

// beginLine looks at how a line begins.
func (s *scanner) beginLine() {
	s.line = s.at
	s.first, s.indent = indentAt(s.src, s.at, s.end)
	s.at = s.first
	if s.at == s.end {
		return
	}
	c := s.src[s.at]
	switch {
	case isLineEnd(c):
		if s.depth <= s.attributedDepth {
			s.attributed = -1
		}
	case s.startsComment(s.at):
	case c == '#' && s.directives:
		s.directive()
	default:
		s.beginCode(c)
	}
}

func (s *scanner) startsComment(at int) bool {
	if s.class[s.src[at]] != commenting {
		return false
	}
	_, begins := s.commentAt(at)
	return begins
}

// beginCode looks at how a line of code begins.
func (s *scanner) beginCode(c byte) {
	closes := s.base[c] == closing
	if t := s.top(); t != nil && t.bodied && t.inside < 0 && !closes {
		t.inside = s.indent
	}
	defined := false
	switch {
	case s.closesByWord():
		return
	case closes:
		s.beginClosing(c)
	}
	s.closeBodiless(c)
	switch {
	case closes, s.beginAttribute():
	default:
		if defined = s.beginDefinition(); !defined {
			s.beginOther(c)
		}
	}
	s.beginStatement(c, defined)
}

// closeBodiless closes the definitions that have no body in brackets and end where a
// line is not further in.
func (s *scanner) closeBodiless(c byte) {
	t := s.top()
	if t == nil || t.bodied || t.stays || s.indent > t.indent || s.depth > t.base || s.goesOn(c) {
		return
	}
	for t != nil && !t.bodied && !t.stays && s.indent <= t.indent && s.depth <= t.base {
		s.pop(s.code)
		t = s.top()
	}
}

// beginDefinition opens the definition that the line begins with, if it does.
func (s *scanner) beginDefinition() bool {
	m, ok := s.match(s.at)
	if !ok {
		return false
	}
	if p := m.pattern; !p.kind.IsDetail() {
		s.popFor(s.indent, p.kind)
	}
	s.define(m, s.indent)
	return true
}

// popFor closes what must have ended before a definition of some kind that is
// so far in: whatever the brackets say, which may be wrong in a text that is
// being typed.
func (s *scanner) popFor(indent int, kind Kind) {
	for t := s.top(); t != nil && t.indent >= indent; t = s.top() {
		if t.indent == indent && s.holdsFlat(t, kind) || t.bodied && s.trusts {
			return
		}
		s.depth = t.base
		s.pop(s.code)
	}
	if len(s.open) == 0 && indent == 0 && !s.trusts {
		s.depth = 0
	}
}

// holdsFlat tells that what t holds is not further in than t itself.
func (s *scanner) holdsFlat(t *opened, kind Kind) bool {
	switch {
	case t.kind.IsFunction() || t.isValue():
		return false
	case t.stays:
		return t.kind != kind
	}
	return t.bodied && t.inside <= t.indent
}

// beginOther takes note of a line that is nothing by itself.
func (s *scanner) beginOther(c byte) {
	if s.depth <= s.attributedDepth && s.lexicon.heads == noHeads {
		s.attributed = -1
	}
	if t := s.top(); t != nil && t.bodied && s.indent <= t.indent && c != '{' {
		t.tidy = false
	}
}

// goesOn tells that a line continues what the line before it began.
func (s *scanner) goesOn(c byte) bool {
	if s.style == byBraces {
		switch c {
		case '{', '=', '|', '&', '.', ':', '?', ',', ';':
			return true
		case '-':
			return s.at+1 < s.end && s.src[s.at+1] == '>'
		}
	}
	return len(s.lexicon.continues) > 0 && s.lexicon.continues[s.wordAt(s.at)]
}

// goOn goes to the next line.
func (s *scanner) goOn() {
	for s.at < s.end {
		from := s.at
		for s.at < s.end && s.class[s.src[s.at]] == plain {
			s.at++
		}
		s.steps += 1 + s.at - from
		if s.at == s.end || s.token(s.src[s.at]) {
			return
		}
	}
}

// token goes past a byte that means something, and what it begins. It tells
// that the line has ended.
func (s *scanner) token(c byte) (ended bool) {
	class := s.class[c]
	if class == commenting || class == quoting {
		if class == commenting && s.skipComment() || s.skipString() {
			return false
		}
		class = s.base[c]
	}
	switch class {
	case lineEnd:
		return s.endLine()
	case opening:
		s.bracketOpens(c)
	case closing:
		s.bracketCloses(c)
	case semicolon:
		s.semicolon()
	case assigning:
		s.assigns()
	case heredoc:
		s.heredocBegins()
	case escaping:
		s.at = min(s.at+2, s.end)
		if s.src[s.at-1] == '\r' && s.at < s.end && s.src[s.at] == '\n' {
			s.at++
		}
	default:
		s.at++
	}
	return false
}

// endLine goes past a line end, and past the texts that begin there. It tells
// that a line begins.
func (s *scanner) endLine() bool {
	s.markCode()
	s.at = afterLineEnd(s.src, s.at, s.end)
	s.mark = s.at
	for t := s.top(); t != nil && t.ending; t = s.top() {
		s.pop(s.code)
	}
	return len(s.heredocs) == 0 || s.skipHeredocs()
}

// markCode takes note that what was passed since the mark is code.
func (s *scanner) markCode() {
	end := s.at
	for end > s.mark && (isBlank(s.src[end-1]) || isLineEnd(s.src[end-1])) {
		end--
	}
	s.steps += s.at - end
	if end > s.mark {
		s.code = end
	}
	s.mark = s.at
}
