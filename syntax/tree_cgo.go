//go:build cgo

package syntax

/*
#include <stdlib.h>
#include "walk.h"

#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

import (
	"bytes"
	"context"
	"slices"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// parseMicros is the last guard against a text that parses without end, in
// microseconds.
const parseMicros = 10_000_000

// Tree is the parse of one text, kept so that parsing the next one costs what
// changed. It holds C memory until it is closed, and belongs to one goroutine
// at a time. A nil Tree is none.
type Tree struct {
	language *Language
	tree     *sitter.Tree
	// What the tree is of, or has been told to become; see follow.
	text   text.Text
	masked masked
	// walked is what the walk found; changed tells in which part the text has
	// become another since.
	walked  C.walk_result
	changed *change
	known   *known // nil where the next text has nothing to go on from
}

// nodeBytes is what a node takes of C memory, measured over Go, JavaScript and
// Python.
const nodeBytes = 120

// Weight returns about how many bytes of memory the tree takes.
func (t *Tree) Weight() int {
	return int(C.walk_nodes(t.root()))*nodeBytes + int(t.walked.nrecords)*int(unsafe.Sizeof(C.walk_record{})) + len(t.masked.seen) + t.masked.way.weight() + t.known.weight()
}

// Close frees the tree.
func (t *Tree) Close() {
	if t != nil {
		t.forget()
		t.tree.Close()
	}
}

// Trim gives memory of closed trees back to the system. glibc keeps what was
// freed in small pieces for as long as the process lives: 110 MB beside 4 MB in
// use, after an hour of editing. Other allocators need not be told.
func Trim() { C.trim() }

// forget frees what the walk found.
func (t *Tree) forget() {
	C.walk_free(t.walked)
	t.walked, t.known = C.walk_result{}, nil
}

// root returns the root as C sees it. The binding keeps it in an unexported
// field, the first of a Node.
func (t *Tree) root() C.TSNode {
	return *(*C.TSNode)(unsafe.Pointer(t.tree.RootNode()))
}

// follow tells the tree by which edits its text became another, so that parsing
// that one reuses what did not change.
func (t *Tree) follow(now text.Text, seen masked, edits []text.Change) {
	changes := t.language.changesTo(seen, t.masked, edits)
	inputs := make([]C.TSInputEdit, len(changes))
	was, is := liner{b: t.masked.seen}, liner{b: seen.seen}
	for i, c := range changes {
		inputs[i].start_byte, inputs[i].old_end_byte = C.uint32_t(c.old.Start), C.uint32_t(c.old.End)
		inputs[i].new_end_byte = C.uint32_t(c.old.Start + c.new.Len())
		inputs[i].start_point, inputs[i].old_end_point = pointOf(&was, c.old.Start), pointOf(&was, c.old.End)
		start, end := pointOf(&is, c.new.Start), pointOf(&is, c.new.End)
		inputs[i].new_end_point = C.TSPoint{row: inputs[i].start_point.row + end.row - start.row, column: end.column}
		if end.row == start.row {
			inputs[i].new_end_point.column = inputs[i].start_point.column + C.uint32_t(c.new.Len())
		}
	}
	// From the last to the first, so that what is before an edit is still as
	// in the earlier text.
	for _, e := range slices.Backward(inputs) {
		C.walk_edit(t.root(), e)
	}
	t.noteChanges(changes)
	t.text, t.masked = now, seen
}

// noteChanges widens what changed since the walk. Over several texts that is
// not followed: then all has.
func (t *Tree) noteChanges(changes []change) {
	if t.changed != nil {
		t.forget()
	}
	t.changed = &change{}
	if n := len(changes); n > 0 {
		first, last := changes[0], changes[n-1]
		t.changed.old = text.Span{Start: first.old.Start, End: last.old.End}
		t.changed.new = text.Span{Start: first.new.Start, End: last.new.End}
	}
}

func pointOf(l *liner, o int) C.TSPoint {
	row, column := l.point(o)
	return C.TSPoint{row: C.uint32_t(row), column: C.uint32_t(column)}
}

// parse parses a text as it is seen, going on from the tree of an earlier one,
// which has been told the difference, or from nil. Without a tree it tells
// why.
func parse(ctx context.Context, l *Language, now text.Text, v masked, earlier *Tree) (t *Tree, why string) {
	// A parser that gave up goes on with the old text unless it is reset; a
	// new one costs next to nothing.
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(grammars[l.Name]().language)
	parser.SetOperationLimit(parseMicros)
	var from *sitter.Tree
	if earlier != nil {
		from = earlier.tree
	}
	tree, err := parser.ParseCtx(ctx, from, v.seen)
	switch {
	case ctx.Err() != nil:
		if tree != nil {
			tree.Close()
		}
		return nil, "the call was cancelled"
	case err != nil:
		return nil, "parsing took too long"
	}
	return &Tree{language: l, tree: tree, text: now, masked: v}, ""
}

// next parses the text now, whose bytes are src, and returns its tree. When
// why is not empty that failed. t stays what it is to be closed; if the parse
// was cancelled it can still be gone on from.
func (t *Tree) next(ctx context.Context, l *Language, now text.Text, src []byte) (next *Tree, why string) {
	if ctx.Err() != nil {
		return nil, "the call was cancelled"
	}
	if !t.isOf(l) {
		t = nil
	}
	return parse(ctx, l, now, t.show(l, now, src), t)
}

// show masks a text, and tells the tree of the one before, which
// may be nil, what became of it.
func (t *Tree) show(l *Language, now text.Text, src []byte) masked {
	show := grammars[l.Name]().rewriter
	if t == nil {
		return maskedOf(l, show, src, masked{}, nil)
	}
	edits := now.ChangesSince(t.text)
	v := maskedOf(l, show, src, t.masked, edits)
	t.follow(now, v, edits)
	return v
}

// end returns where the tree ends, which is not the text's end where a grammar
// gave up: YAML's does that without telling.
func (t *Tree) end() text.Offset {
	return max(0, int(t.tree.RootNode().EndByte())-len(t.language.frame.Before))
}

// definitions walks the tree of src. before is the tree that it was made from,
// or nil: what is still the same in it is not walked again.
func (t *Tree) definitions(ctx context.Context, src []byte, before *Tree) Result {
	g := grammars[t.language.Name]()
	var done C.walk_result
	var changed C.walk_change
	if before.isOf(t.language) && before.changed != nil {
		done = before.walked
		changed = C.walk_change{start: C.uint32_t(before.changed.old.Start), old_end: C.uint32_t(before.changed.old.End), new_end: C.uint32_t(before.changed.new.End)}
	}
	t.walked = C.walk_tree(t.root(), unsafe.SliceData(g.ruleOf), C.uint32_t(len(g.ruleOf)),
		unsafe.SliceData(g.rules), unsafe.SliceData(g.cases), unsafe.SliceData(g.code), done, changed)
	result, local := t.found(ctx, src, before)
	result.Statements = t.spansOf(unsafe.Slice(t.walked.statements, int(t.walked.nstatements)))
	if local && ctx.Err() == nil {
		t.known = &known{text: t.text, definitions: result.Definitions, words: t.masked.words}
	}
	return result
}

// found makes definitions of what the walk found. It reports whether the next
// text may go on from them.
func (t *Tree) found(ctx context.Context, src []byte, before *Tree) (r Result, local bool) {
	l, g := t.language, grammars[t.language.Name]()
	if l.fragile && t.tree.RootNode().HasError() {
		return withoutGrammar(l, src, "the grammar failed on the text"), false
	}
	raw := t.rawRecords()
	broken := slices.ContainsFunc(raw, func(r C.walk_record) bool { return r.flags&C.RECORD_ERROR != 0 })
	end := t.end()
	whole := len(bytes.TrimSpace(src[min(end, len(src)):])) == 0
	local = g.local && whole && !bool(t.walked.cut) && !(broken && l.braces)
	if local && before.isOf(l) && before.known != nil && before.changed != nil {
		if r, ok := t.updateFrom(ctx, src, before); ok {
			return r, true
		}
	}
	records := g.records(raw)
	l.frame.unframe(records, len(src))
	if !whole {
		records = append(records, record{node: text.Span{Start: end, End: len(src)}})
	}
	return fromRecords(ctx, l, src, records, t.masked.words), local
}

// Blocks returns the extents of the named nodes that lie on several lines,
// outermost first: what an editor may fold.
func (t *Tree) Blocks() []text.Span {
	if t == nil {
		return nil
	}
	var n C.uint32_t
	raw := C.walk_blocks(t.root(), &n)
	defer C.walk_free(C.walk_result{statements: raw})
	return t.spansOf(unsafe.Slice(raw, int(n)))
}

// maxAround is how many nodes around a place are told.
const maxAround = 200

// Around returns the extents of the nodes around a place, outermost first,
// each within the one before.
func (t *Tree) Around(at text.Offset) []text.Span {
	if t == nil {
		return nil
	}
	var spans [maxAround]C.walk_span
	at += len(t.language.frame.Before)
	n := C.walk_around(t.root(), C.uint32_t(at), &spans[0], maxAround)
	return t.spansOf(spans[:n])
}

func (g *grammar) records(raw []C.walk_record) []record {
	records := make([]record, len(raw))
	for i := range raw {
		r := &raw[i]
		records[i] = record{
			node: spanOf(r.node), name: spanOf(r.name), scope: spanOf(r.scope), inner: spanOf(r.inner), callee: spanOf(r.callee),
			body: int(r.body), which: int(r.which),
			part: r.flags&C.RECORD_PART != 0, makes: r.flags&C.RECORD_DEFINES != 0,
		}
		if r.flags&C.RECORD_ERROR == 0 {
			records[i].rule = g.byNumber[r.rule]
		}
	}
	return records
}

func (t *Tree) spansOf(raw []C.walk_span) []text.Span {
	frame := t.language.frame
	n := int(t.tree.RootNode().EndByte()) - len(frame.Before) - len(frame.After)
	spans := make([]text.Span, len(raw))
	for i, s := range raw {
		spans[i] = frame.inText(spanOf(s), n)
	}
	return spans
}

func spanOf(s C.walk_span) text.Span { return text.Span{Start: int(s.start), End: int(s.end)} }

// isOf tells that there is a tree, in the language l.
func (t *Tree) isOf(l *Language) bool { return t != nil && t.language == l }
