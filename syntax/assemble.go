package syntax

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// record is a node of interest that the walk met, in document order. Spans
// that are empty at 0 are not there.
type record struct {
	node, name, scope, inner, callee text.Span

	body  text.Offset // where the head ends
	rule  *Rule       // nil for a node that could not be parsed
	which int         // the case that holds, 1-based; 0 for none
	part  bool        // a further part of the name of the record before
	makes bool        // makes a definition
}

func (r *record) failed() bool { return r.rule == nil }

// assembly makes definitions of what the walk met.
type assembly struct {
	language  *Language
	src       []byte
	records   []record
	rewritten []rewrittenPlace
	leads     []text.Span // attributes and decorators, in document order
	made      []draft
}

// draft is a definition before it has found its place among the others.
type draft struct {
	Definition
	rule      *Rule
	inner     string // what its children have as their container
	scoped    bool   // Container is told by the definition itself
	rewritten bool   // Kind is that of a [Rewrite]
	rank      int    // for a rule with ranks; the least is the highest
}

// assemble returns the definitions that the records make, in document order,
// parents before children, and the spans that could not be parsed.
func assemble(l *Language, src []byte, records []record, rewritten []rewrittenPlace) (made []Definition, failed []text.Span) {
	a := &assembly{language: l, src: src, records: records, rewritten: rewritten}
	for i := range records {
		r := &records[i]
		switch {
		case r.failed():
			failed = append(failed, r.node)
		case a.isLead(r):
			a.leads = append(a.leads, r.node)
		}
	}
	for i := range records {
		a.define(i)
	}
	byStart := func(x, y draft) int { return cmp.Compare(x.Span.Start, y.Span.Start) }
	if !slices.IsSortedFunc(a.made, byStart) { // where matches of a name are definitions each
		slices.SortStableFunc(a.made, byStart)
	}
	a.defineRewritten()
	if len(failed) > 0 && l.braces {
		a.repair()
	}
	a.wrap()
	a.tails()
	for i := range a.made {
		a.lead(i)
	}
	a.closeRanks()
	a.made = slices.DeleteFunc(a.made, func(d draft) bool { return d.Kind == NoKind })
	a.closeRests()
	return a.arrange(), failed
}

// define makes the definition of record i, if it makes one.
func (a *assembly) define(i int) {
	r := &a.records[i]
	if !r.makes || r.part {
		return
	}
	kind, ok := a.kindOf(i)
	if !ok {
		return
	}
	name := a.fullName(i)
	if r.rule.Read != nil {
		kind, name = r.rule.Read(a.src[r.node.Start:r.node.End], kind, name)
		r.name = narrowed(a.src, r.name, name)
	}
	if name == "" || kind == NoKind {
		if !r.rule.Ranked {
			return
		}
		kind = NoKind // ends what is above all the same
	}
	if r.rule.Caps != NoKind && isCaps(name) {
		kind = r.rule.Caps
	}
	scope := r.rule.cutScope(a.name(r.scope))
	if scope != "" {
		kind = r.rule.member(kind)
	}
	d := a.drafted(r, kind, name)
	a.qualify(&d, scope)
	if !a.isTwin(&d) {
		a.made = append(a.made, d)
	}
}

// kindOf returns the kind that its rule gives to record i; not ok for a call
// that defines nothing, or not once more.
func (a *assembly) kindOf(i int) (kind Kind, ok bool) {
	r := &a.records[i]
	if r.rule.Calls != nil {
		call, ok := r.rule.Calls[a.name(r.callee)]
		again := i > 0 && a.records[i-1].node == r.node && a.records[i-1].rule == r.rule
		return call.Kind, ok && (call.All || !again)
	}
	if kind, ok := r.rule.Kinds[a.name(r.callee)]; ok {
		return kind, true
	}
	if r.which > 0 {
		return r.rule.Cases[r.which-1].Kind, true
	}
	return r.rule.Kind, true
}

// drafted returns the definition of a record by its places; of its name's scope
// it knows nothing yet.
func (a *assembly) drafted(r *record, kind Kind, name string) draft {
	d := draft{rule: r.rule, inner: a.name(r.inner), rank: r.which}
	d.Kind, d.Name, d.Span, d.NameSpan = kind, name, r.node, r.name
	if r.rule.Inner == "" || d.inner != "" {
		d.Name = r.rule.Prefix + name
	}
	if r.rule.Each {
		d.Span = r.name
	}
	d.Span.End = a.trimEnd(d.Span)
	d.NameSpan.End = min(d.NameSpan.End, d.Span.End)
	a.unmask(&d)
	a.open(&d)
	d.Head = a.pastLeads(d.Head)
	d.Body = min(max(r.body, d.Head), d.Span.End)
	if kind == String && !r.rule.Ranked { // a heading is all head
		d.Body = d.Span.End
	}
	return d
}

// trimEnd returns the end of s without the blanks and line ends that some
// grammars put into a node, and with a semicolon that stands right behind.
func (a *assembly) trimEnd(s text.Span) text.Offset {
	end := s.Start + len(bytes.TrimRight(a.src[s.Start:s.End], " \t\r\n\v\f"))
	if end < len(a.src) && a.src[end] == ';' {
		end++
	}
	return end
}

// isTwin tells that d is the definition before it once more: the function that
// is a variable's value, and has a name that counts only inside itself. Not so
// in a typedef; see pair.
func (a *assembly) isTwin(d *draft) bool {
	if len(a.made) == 0 || d.Body >= d.Span.End {
		return false
	}
	outer := &a.made[len(a.made)-1]
	return outer.Body == d.Body && outer.Span.Start < d.Span.Start && d.Span.End <= outer.Span.End &&
		!(outer.rule.Wrap && d.Kind.IsType())
}

// firstFrom returns the first definition that begins at a place or after it.
func (a *assembly) firstFrom(at text.Offset) int {
	n, _ := slices.BinarySearchFunc(a.made, at, func(d draft, at int) int { return cmp.Compare(d.Span.Start, at) })
	return n
}
