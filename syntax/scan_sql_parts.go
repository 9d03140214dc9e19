package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// parts reads the columns of a table or the parts of a type, which is
// definition n, and the rest of the statement.
func (r *sqlReader) parts(n int) (body, end text.Offset) {
	if r.out[n].Kind == Class {
		r.typeKind(n)
	}
	open := r.peek()
	if open.kind != '(' || r.out[n].Kind == Class && r.namesOnly(n) {
		end = r.statementEnd(r.out[n].NameSpan.End)
		return min(open.Start, end), end
	}
	r.next()
	for r.part(n) {
	}
	return open.Start, r.statementEnd(r.at)
}

// typeKind reads the "AS ENUM" of a type, where what follows is its parts.
func (r *sqlReader) typeKind(n int) {
	if !r.is(r.peek(), "as") {
		return
	}
	at := r.at
	r.next()
	switch t := r.peek(); {
	case r.is(t, "enum"):
		r.next()
		r.out[n].Kind = Enum
	case r.is(t, "object"):
		r.next()
	case t.kind != '(':
		r.at = at
	}
}

// namesOnly reports whether what is in parentheses behind the name are only names.
func (r *sqlReader) namesOnly(n int) bool {
	head := r.src[r.out[n].Head:r.out[n].NameSpan.Start]
	return bytes.Contains(bytes.ToLower(head), []byte("view"))
}

// sqlConstraints begin what is no column.
var sqlConstraints = []string{
	"constraint", "primary", "foreign", "unique", "check", "key", "index", "fulltext", "spatial", "exclude", "like", "period", "partition",
	"member", "static", "constructor", "map", "order", "final", "select", "with",
}

// part reads one column or label of definition n and reports whether another one
// follows.
func (r *sqlReader) part(n int) (more bool) {
	first := r.next()
	switch first.kind {
	case 0, ')', '\n':
		return false
	case ',':
		return true
	case '(':
		r.skipParentheses()
	}
	second := r.peek()
	end, more := r.partEnd(first.End)
	kind := Field
	switch {
	case r.out[n].Kind == Enum && first.kind == 's':
		kind = EnumMember
	case first.kind != 'a' && first.kind != 'n', r.isConstraint(first, second):
		return more
	}
	r.out = append(r.out, Definition{
		Kind: kind, Name: r.name(first), NameSpan: first.Span, Head: first.Start, Body: end,
		Span: text.Span{Start: leadStart(r.src, first.Start, sqlComments), End: end}, Container: r.out[n].Name,
	})
	return more
}

// partEnd reads the rest of a part, of which end is the end yet, and reports
// whether another one follows.
func (r *sqlReader) partEnd(end text.Offset) (at text.Offset, more bool) {
	for depth := 0; ; {
		t := r.next()
		switch {
		case t.kind == 0 || t.kind == '\n' || t.kind == ')' && depth == 0:
			return end, false
		case t.kind == ',' && depth == 0:
			return end, true
		}
		depth += nesting(t.kind)
		end = t.End
	}
}

func nesting(kind byte) int {
	switch kind {
	case '(':
		return 1
	case ')':
		return -1
	}
	return 0
}

func (r *sqlReader) skipParentheses() {
	for depth := 1; depth > 0; {
		t := r.next()
		if t.kind == 0 {
			return
		}
		depth += nesting(t.kind)
	}
}

// isConstraint tells that a part of a table is no column: "KEY by_name (name)",
// but not "key varchar(20)".
func (r *sqlReader) isConstraint(first, second sqlToken) bool {
	if !r.is(first, sqlConstraints...) {
		return false
	}
	if !r.is(first, "key", "index", "period", "order", "map", "final", "member", "static", "like", "partition") {
		return true
	}
	after := bytes.TrimLeft(r.src[second.End:], " \t")
	return second.kind == '(' || second.kind == 'n' || len(after) > 1 && after[0] == '(' && (after[1] < '0' || after[1] > '9') ||
		r.is(first, "member", "static", "partition")
}
