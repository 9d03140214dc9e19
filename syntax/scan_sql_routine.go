package syntax

import "github.com/agent-lsp/agent-lsp/internal/text"

// sqlBody is what is known of a function's, procedure's or trigger's body on
// the way through it.
type sqlBody struct {
	depth  int  // of parentheses
	blocks int  // of BEGIN and CASE
	loose  bool // statements may come before BEGIN, or without it
	begun  bool // a block has been opened
}

// routine reads what stands behind the name of a function or the like. It
// returns where its body begins and where it ends.
func (r *sqlReader) routine(kind Kind, name string) (body, end text.Offset) {
	b := sqlBody{}
	end = r.at
	for last := (sqlToken{}); ; {
		before := r.at
		t := r.next()
		switch {
		case r.isInner(&b, last, t):
			r.inner(t, name)
			last, end = sqlToken{kind: ';'}, r.at
			continue
		case t.kind == 0 || t.kind == '\n':
			return orElse(body, end), end
		case t.kind == ';' && b.depth <= 0 && b.blocks == 0 && !b.loose:
			return orElse(body, t.End), t.End
		case r.isNewCreate(t) && (b.blocks == 0 || b.depth > 0):
			r.at = before
			return orElse(body, end), end
		}
		b.depth += nesting(t.kind)
		last, end = t, t.End
		if t.kind != 'a' || b.depth > 0 && b.blocks == 0 {
			continue
		}
		if body == 0 && r.is(t, "as", "is", "begin", "declare") {
			body = t.Start
		}
		if r.word(&b, t, kind) {
			return orElse(body, end), r.afterEnd()
		}
		end = r.at
	}
}

// isInner tells that t begins a function or procedure inside of another one's
// declarations, or of a package.
func (r *sqlReader) isInner(b *sqlBody, last, t sqlToken) bool {
	return r.depth < maxNesting && r.is(t, "function", "procedure") && (b.loose && b.blocks == 0 || b.blocks == 1) &&
		(last.kind == ';' || r.is(last, "as", "is", "declare"))
}

// inner reads a function or procedure that is declared with the word t.
func (r *sqlReader) inner(t sqlToken, container string) {
	name := r.next()
	if name.kind != 'a' && name.kind != 'n' {
		return
	}
	n := len(r.out)
	r.out = append(r.out, Definition{
		Kind: Function, Name: r.name(name), NameSpan: name.Span, Container: container, Head: t.Start,
		Span: text.Span{Start: leadStart(r.src, t.Start, sqlComments)},
	})
	r.depth++
	r.out[n].Body, r.out[n].Span.End = r.routine(Function, r.name(name))
	r.depth--
}

func orElse(at, other text.Offset) text.Offset {
	if at == 0 {
		return other
	}
	return at
}

// word sees a word of a body and tells that the body ends with it.
func (r *sqlReader) word(b *sqlBody, t sqlToken, kind Kind) (ends bool) {
	switch {
	case r.is(t, "as", "is") && !b.begun && b.blocks == 0:
		after := r.peek()
		if kind == Module {
			b.blocks, b.begun = 1, true
		} else {
			b.loose = after.kind == 'a' && !r.is(after, "begin", "language", "external", "null", "not", "sql") || after.kind == '@'
		}
	case r.is(t, "declare"):
		b.loose = true
	case r.is(t, "begin") && !r.is(r.peek(), "transaction", "tran", "work"), r.is(t, "case") && b.blocks > 0:
		b.blocks, b.begun = b.blocks+1, true
	case r.is(t, "compound"): // an Oracle trigger of several parts
		b.loose = true
	case r.is(t, "end") && b.blocks > 0:
		if r.is(r.peek(), "if", "loop", "while", "repeat", "for") {
			r.next()
			return false
		}
		if r.is(r.peek(), "case") {
			r.next()
		}
		b.blocks--
		return b.blocks == 0
	}
	return false
}

// afterEnd reads what may follow the last END: a name, and what ends the
// statement. It returns the end.
func (r *sqlReader) afterEnd() text.Offset {
	end := r.at
	for range 2 {
		before, line := r.at, lineLen(r.src[r.at:])
		t := r.next()
		if t.Start > before+line || t.kind != ';' && t.kind != 'a' && t.kind != 'n' && !(t.kind == '\n' && r.delimiter != "") {
			r.at = before
			return end
		}
		end = t.End
		if t.kind == ';' || t.kind == '\n' {
			return end
		}
	}
	return end
}
