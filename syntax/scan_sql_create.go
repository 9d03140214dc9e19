package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// sqlKinds are the kinds of what a CREATE may create.
var sqlKinds = []struct {
	word string
	kind Kind
}{
	{"table", Struct}, {"view", Class}, {"function", Function}, {"procedure", Function}, {"proc", Function}, {"trigger", Event},
	{"index", Key}, {"type", Class}, {"domain", Class}, {"schema", Namespace}, {"database", Namespace}, {"sequence", Variable},
	{"package", Module}, {"event", Event}, {"aggregate", Function}, {"rule", Event}, {"macro", Function},
}

// sqlModifiers are words that may stand between CREATE and what it creates.
var sqlModifiers = []string{
	"or", "replace", "alter", "temp", "temporary", "global", "local", "unlogged", "unique", "clustered", "nonclustered", "fulltext", "spatial",
	"bitmap", "materialized", "recursive", "virtual", "external", "foreign", "editionable", "noneditionable", "force", "noforce", "no",
	"algorithm", "undefined", "merge", "temptable", "definer", "sql", "security", "invoker", "constraint", "private", "public", "columnstore",
	"hash", "only", "current_user", "aggregate", "force", "secure", "transient", "or",
}

// create reads a CREATE, whose first word is t.
func (r *sqlReader) create(first sqlToken) {
	kind := r.created()
	if kind == NoKind {
		return
	}
	name, container := r.createdName()
	if name.kind == 0 {
		return
	}
	d := Definition{
		Kind: kind, Name: r.name(name), Container: container, NameSpan: name.Span,
		Span: text.Span{Start: leadStart(r.src, first.Start, sqlComments)}, Head: first.Start,
	}
	n := len(r.out)
	r.out = append(r.out, d)
	body, end := name.End, name.End
	switch kind {
	case Function, Event, Module:
		body, end = r.routine(kind, d.Name)
	case Struct, Class:
		body, end = r.parts(n)
	default:
		end = r.statementEnd(name.End)
		body = end
	}
	r.out[n].Body, r.out[n].Span.End = body, end
}

// created reads up to what is created, and tells its kind.
func (r *sqlReader) created() Kind {
	for range 16 {
		before := r.at
		t := r.next()
		if r.is(t, "event") && r.is(r.peek(), "trigger") {
			continue
		}
		for _, k := range sqlKinds {
			if r.is(t, k.word) && (k.word != "aggregate" || !r.is(r.peek(), "function")) {
				return k.kind
			}
		}
		if !r.is(t, sqlModifiers...) && t.kind != '=' && t.kind != 'n' && t.kind != 's' && !bytes.HasPrefix(r.src[t.Start:], []byte("@")) {
			r.at = before
			return NoKind
		}
	}
	return NoKind
}

// createdName reads the name of what is created, and what qualifies it.
func (r *sqlReader) createdName() (name sqlToken, container string) {
	for r.is(r.peek(), "if", "not", "exists", "concurrently", "body", "or", "replace") {
		r.next()
	}
	name = r.next()
	if name.kind != 'a' && name.kind != 'n' || r.is(name, "on") {
		return sqlToken{}, ""
	}
	for r.peek().kind == '.' {
		r.next()
		part := r.next()
		if part.kind != 'a' && part.kind != 'n' {
			return sqlToken{}, ""
		}
		if container != "" {
			container += "."
		}
		container += r.name(name)
		name = part
	}
	return name, container
}

func (r *sqlReader) name(t sqlToken) string {
	b := r.src[t.Start:t.End]
	if b[0] == '[' {
		b = b[1 : len(b)-1]
	}
	return cleanName(b)
}

// statementEnd reads to the end of a statement of which the last token yet
// ends at end, and returns where its last token ends.
func (r *sqlReader) statementEnd(end text.Offset) text.Offset {
	for depth := 0; ; {
		before := r.at
		t := r.next()
		switch t.kind {
		case 0, '\n':
			return end
		case ';':
			if depth <= 0 {
				return t.End
			}
		case '(':
			depth++
		case ')':
			depth--
		case 'a':
			if depth <= 0 && r.startsStatement(t) { // the semicolon is missing
				r.at = before
				return end
			}
		}
		end = t.End
	}
}

// startsStatement tells that t begins a line and a new statement.
func (r *sqlReader) startsStatement(t sqlToken) bool {
	return r.is(t, "create", "insert", "alter", "drop", "exec", "execute", "declare", "print", "use",
		"update", "delete", "truncate", "grant", "revoke", "commit", "begin", "if") && lineUpTo(r.src, t.Start).Start == t.Start
}

// isNewCreate tells that t begins a line and a new CREATE.
func (r *sqlReader) isNewCreate(t sqlToken) bool {
	return r.is(t, "create") && (t.Start == 0 || isLineEnd(r.src[t.Start-1]))
}

// parts reads the columns of a table or the parts of a type, which is
// definition n, and the rest of the statement.
func (r *sqlReader) parts(n int) (body, end text.Offset) {
	body = r.out[n].NameSpan.End
	if t := r.peek(); r.is(t, "as") && r.out[n].Kind == Class {
		at := r.at
		r.next()
		switch {
		case r.is(r.peek(), "enum", "object"):
			if r.is(r.next(), "enum") {
				r.out[n].Kind = Enum
			}
		case r.peek().kind != '(':
			r.at = at
		}
	}
	open := r.peek()
	if open.kind != '(' || r.out[n].Kind == Class && r.isView(n) {
		end = r.statementEnd(body)
		if r.out[n].Kind == Class || r.out[n].Kind == Struct {
			return min(open.Start, end), end
		}
		return body, end
	}
	r.next()
	for r.part(n) {
	}
	return open.Start, r.statementEnd(r.at)
}

// isView tells that what is in parentheses behind the name are only names.
func (r *sqlReader) isView(n int) bool {
	head := r.src[r.out[n].Head:r.out[n].NameSpan.Start]
	return bytes.Contains(bytes.ToLower(head), []byte("view"))
}

// sqlConstraints begin what is no column.
var sqlConstraints = []string{
	"constraint", "primary", "foreign", "unique", "check", "key", "index", "fulltext", "spatial", "exclude", "like", "period", "partition",
	"member", "static", "constructor", "map", "order", "final", "select", "with",
}

// part reads one column or label of definition n and tells whether another one
// follows.
func (r *sqlReader) part(n int) (more bool) {
	first := r.next()
	if first.kind == 0 || first.kind == ')' || first.kind == '\n' {
		return false
	}
	second := r.peek()
	end, more := first.End, true
	switch first.kind {
	case ',':
		return true
	case '(':
		r.skipParentheses()
	}
	for depth := 0; ; {
		t := r.next()
		if t.kind == 0 || t.kind == '\n' || t.kind == ')' && depth == 0 {
			more = false
			break
		}
		if t.kind == ',' && depth == 0 {
			break
		}
		depth += nesting(t.kind)
		end = t.End
	}
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
