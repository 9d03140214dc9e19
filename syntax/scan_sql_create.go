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
	"hash", "only", "current_user", "secure", "transient",
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
	var body, end text.Offset
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
