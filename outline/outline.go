package outline

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// Symbol is one definition of a text. Lines count from 1 and are inclusive.
type Symbol struct {
	Name string
	// Container is the name of what the symbol belongs to; empty at the top.
	Container string
	// Signature is the head as written, in one line of at most 160 bytes.
	Signature string
	Kind      syntax.Kind
	// StartLine and EndLine are the lines of Span. HeadLine is where the
	// definition itself begins, past comments and decorators.
	StartLine, EndLine, HeadLine int
	// Span is what a person would cut out, without the last line's end.
	Span, NameSpan text.Span
	// Parent is the index of the symbol around this one, -1 at the top; Depth
	// is how many there are.
	Depth, Parent int

	bodied bool // it is more than a head: no declaration in advance
}

// HasBody reports whether the symbol is more than a head: no declaration in
// advance.
func (s *Symbol) HasBody() bool { return s.bodied }

// Outline is what is known of a text's structure.
type Outline struct {
	// Language is the name of the language; empty when it is not known.
	Language string
	// Symbols are in document order, parents before children.
	Symbols []Symbol
	// Method tells how they were found; Reason why not by a grammar.
	Method syntax.Means
	Reason string

	// statements are parts of the definitions that are too large for a
	// window, by their ends.
	statements []text.Span

	levelsOnce sync.Once
	levels     [][]int32 // see byLevel
}

// ByJSON is the method of texts that were read as JSON.
const ByJSON syntax.Means = "json"

// New outlines src. l may be nil, for an unknown language. Where ctx ends
// before, the outline is of what was seen until then.
func New(ctx context.Context, l *syntax.Language, src []byte) *Outline {
	if isJSON(l) {
		return outlineOf(l, src, jsonDefinitions(ctx, l, src))
	}
	return outlineOf(l, src, syntax.Analyze(ctx, l, src))
}

// reparse outlines the text t, whose bytes are src, with what the outline of an
// earlier text of the same document, and its tree, spare; both may be nil. It
// takes the tree over, and gives the one to go on from, or nil, and the one
// that is to be closed.
func reparse(ctx context.Context, l *syntax.Language, t text.Text, src []byte, last *made, earlier *syntax.Tree) (o *Outline, next, spent *syntax.Tree) {
	if isJSON(l) {
		return outlineOf(l, src, jsonDefinitions(ctx, l, src)), nil, earlier
	}
	r, next, spent := syntax.Reparse(ctx, l, t, src, earlier)
	if last.isBefore(l, r) {
		return last.reuse(t, src, r), next, spent
	}
	return outlineOf(l, src, r), next, spent
}

// isBefore tells that symbols of m can stand for the definitions that r keeps.
func (m *made) isBefore(l *syntax.Language, r syntax.Result) bool {
	return r.Reused.Head+r.Reused.Tail > 0 && m != nil && m.language == l && m.text.Same(r.Reused.Since)
}

// reuse outlines the text t, whose bytes are src, with the symbols of m for
// the definitions that r keeps.
func (m *made) reuse(t text.Text, src []byte, r syntax.Result) *Outline {
	was, kept := m.outline.Symbols, r.Reused
	n := len(r.Definitions)
	o := &Outline{Language: m.outline.Language, Method: r.Method, Reason: r.Reason, statements: byEnd(r.Statements)}
	o.Symbols = append(make([]Symbol, 0, n), was[:kept.Head]...)
	symbol := func(i int) Symbol {
		line := func(o text.Offset) int { return t.LineAt(o) + 1 }
		return symbolOf(m.language, src, line, &r.Definitions[i])
	}
	for _, i := range kept.Around {
		o.Symbols[i] = symbol(i)
	}
	for i := kept.Head; i < n-kept.Tail; i++ {
		o.Symbols = append(o.Symbols, symbol(i))
	}
	o.Symbols = append(o.Symbols, was[len(was)-kept.Tail:]...)
	by := t.Lines() - m.text.Lines()
	for i := n - kept.Tail; i < n; i++ {
		s, d := &o.Symbols[i], &r.Definitions[i]
		s.Span, s.Parent = d.Span, d.Parent
		s.NameSpan.Start, s.NameSpan.End = s.NameSpan.Start+kept.By, s.NameSpan.End+kept.By
		s.StartLine, s.HeadLine, s.EndLine = s.StartLine+by, s.HeadLine+by, s.EndLine+by
	}
	return o
}

func isJSON(l *syntax.Language) bool {
	return l != nil && (l.Name == "json" || l.Name == "jsonc" || l.Name == "json5" || l.Name == "jsonl")
}

// outlineOf makes an outline of what was found in src.
func outlineOf(l *syntax.Language, src []byte, r syntax.Result) *Outline {
	o := &Outline{Method: r.Method, Reason: r.Reason, statements: byEnd(r.Statements)}
	if l != nil {
		o.Language = l.Name
	}
	if len(r.Definitions) == 0 {
		return o
	}
	o.Symbols = make([]Symbol, len(r.Definitions))
	lines := linesOf(src)
	for i := range r.Definitions {
		o.Symbols[i] = symbolOf(l, src, lines.at, &r.Definitions[i])
	}
	return o
}

// symbolOf makes the symbol of a definition. line tells the 1-based line of a
// place.
func symbolOf(l *syntax.Language, src []byte, line func(text.Offset) int, d *syntax.Definition) Symbol {
	if s := d.NameSpan; s.Start < d.Span.Start || s.Start >= d.Span.End { // cut off with the parent's end
		whole := *d
		whole.NameSpan = text.Span{Start: d.Span.Start, End: d.Span.Start}
		d = &whole
	}
	head := pastAttributes(src, d)
	return Symbol{
		Name: d.Name, Container: d.Container, Kind: d.Kind,
		Signature: signature(l, src, d, head),
		StartLine: line(d.Span.Start), HeadLine: line(head),
		EndLine: line(max(d.Span.Start, d.Span.End-1)),
		Span:    d.Span, NameSpan: d.NameSpan, Depth: d.Depth, Parent: d.Parent,
		bodied: d.Body < d.Span.End,
	}
}

// byEnd returns a copy of spans in the order of their ends.
func byEnd(spans []text.Span) []text.Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b text.Span) int { return a.End - b.End })
	return spans
}

// At returns the innermost symbol that holds the byte at a place, or -1.
func (o *Outline) At(at text.Offset) int {
	i := o.before(at + 1)
	for i >= 0 && o.Symbols[i].Span.End <= at {
		i = o.Symbols[i].Parent
	}
	return i
}

// before returns the last symbol that begins before a place, or -1.
func (o *Outline) before(at text.Offset) int {
	n, _ := slices.BinarySearchFunc(o.Symbols, at, func(s Symbol, at int) int { return s.Span.Start - at })
	return n - 1
}

// weight returns about how many bytes the outline takes.
func (o *Outline) weight() int {
	n := sizeOf[Outline]() + len(o.statements)*sizeOf[text.Span]()
	n += len(o.Symbols) * (sizeOf[Symbol]() + sizeOf[int32]())
	for i := range o.Symbols {
		s := &o.Symbols[i]
		n += len(s.Name) + len(s.Container) + len(s.Signature)
	}
	return n
}

func sizeOf[T any]() int { return int(reflect.TypeFor[T]().Size()) }
