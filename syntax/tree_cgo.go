//go:build cgo

package syntax

/*
#include "walk.h"
*/
import "C"

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// parseMicros is the last guard against a text that parses without end, in
// microseconds.
const parseMicros = 20_000_000

// Tree is the parse of one text, kept so that parsing the next one costs what
// changed. It holds C memory until it is closed, and belongs to one goroutine
// at a time. A nil Tree is none.
type Tree struct {
	language *Language
	tree     *sitter.Tree
	text     text.Text // what the tree is of, or has been told to become; see follow
	walked   C.walk_result
	recast   []recastPlace // where the grammar was shown something else
	blanks   []blank       // … and where nothing
}

// nodeBytes is what a node takes of C memory, measured over Go, JavaScript and
// Python.
const nodeBytes = 120

// Weight returns about how many bytes of memory the tree takes.
func (t *Tree) Weight() int { return int(C.walk_nodes(t.root())) * nodeBytes }

// Close frees the tree.
func (t *Tree) Close() {
	if t != nil {
		C.walk_free(t.walked)
		t.walked = C.walk_result{}
		t.tree.Close()
	}
}

// root returns the root as C sees it. The binding keeps it in an unexported
// field, the first of a Node.
func (t *Tree) root() C.TSNode {
	return *(*C.TSNode)(unsafe.Pointer(t.tree.RootNode()))
}

// follow tells the tree how its text became t, so that parsing t reuses what
// did not change.
func (t *Tree) follow(now text.Text) {
	lf := text.Coord{Encoding: text.UTF8, Lines: text.OnlyLF}
	before := t.language.frame.Before
	by, rows := len(before), uint32(strings.Count(before, "\n"))
	point := func(of text.Text, o text.Offset) C.TSPoint {
		p := of.PositionAt(o, lf)
		return C.TSPoint{row: C.uint32_t(p.Line + rows), column: C.uint32_t(p.Character)}
	}
	// From the last to the first, so that what is before an edit is still as
	// in the earlier text.
	changes := t.language.inLines(now.ChangesSince(t.text), t.text, now)
	for _, c := range slices.Backward(changes) {
		edit := C.TSInputEdit{
			start_byte: C.uint32_t(by + c.Old.Start), old_end_byte: C.uint32_t(by + c.Old.End),
			new_end_byte: C.uint32_t(by + c.Old.Start + c.New.Len()),
			start_point:  point(t.text, c.Old.Start), old_end_point: point(t.text, c.Old.End),
		}
		edit.new_end_point = edit.start_point
		start, end := now.PositionAt(c.New.Start, lf), now.PositionAt(c.New.End, lf)
		edit.new_end_point.row += C.uint32_t(end.Line - start.Line)
		if end.Line > start.Line {
			edit.new_end_point.column = C.uint32_t(end.Character)
		} else {
			edit.new_end_point.column += C.uint32_t(c.New.Len())
		}
		C.walk_edit(t.root(), edit)
	}
	t.text, t.blanks = now, carried(t.blanks, changes)
}

// show tells the tree what the grammar is not shown now.
func (t *Tree) show(blanks []blank) {
	point := func(o text.Offset) C.TSPoint {
		p := t.text.PositionAt(o, text.Coord{Encoding: text.UTF8, Lines: text.OnlyLF})
		return C.TSPoint{row: C.uint32_t(p.Line), column: C.uint32_t(p.Character)}
	}
	for _, s := range differing(t.blanks, blanks) {
		end, at := C.uint32_t(s.End), point(s.End)
		C.walk_edit(t.root(), C.TSInputEdit{
			start_byte: C.uint32_t(s.Start), old_end_byte: end, new_end_byte: end,
			start_point: point(s.Start), old_end_point: at, new_end_point: at,
		})
	}
	t.blanks = blanks
}

// parse parses src, going on from the tree of an earlier text, which has been
// told the difference, or from nil. Without a tree it tells why.
func parse(ctx context.Context, l *Language, src []byte, earlier *Tree) (t *Tree, why string) {
	if ctx.Err() != nil {
		return nil, "the call was cancelled"
	}
	// A parser that gave up goes on with the old text unless it is reset; a
	// new one costs next to nothing.
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(grammars[l.Name]().language)
	parser.SetOperationLimit(parseMicros)
	blanks := l.blanks(src)
	shown, recast := grammars[l.Name]().recaster.show(blankOut(src, blanks))
	var from *sitter.Tree
	if earlier != nil && len(recast)+len(earlier.recast) == 0 { // else more differs than was edited
		from = earlier.tree
		earlier.show(blanks)
	}
	tree, err := parser.ParseCtx(ctx, from, l.shown(shown))
	switch {
	case ctx.Err() != nil:
		if tree != nil {
			tree.Close()
		}
		return nil, "the call was cancelled"
	case err != nil:
		return nil, "parsing took too long"
	}
	return &Tree{language: l, tree: tree, recast: recast, blanks: blanks}, ""
}

// next parses the text now, whose bytes are src, and returns its tree. When
// why is not empty that failed. t stays what it is to be closed; if the parse
// was cancelled it can still be gone on from.
func (t *Tree) next(ctx context.Context, l *Language, now text.Text, src []byte) (next *Tree, why string) {
	if t != nil && t.language != l {
		t = nil
	}
	if t != nil {
		t.follow(now)
	}
	next, why = parse(ctx, l, src, t)
	if next != nil {
		next.text = now
	}
	return next, why
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
	if before != nil && before.language == t.language {
		done = before.walked
	}
	C.walk_free(t.walked)
	t.walked = C.walk_tree(t.root(), unsafe.SliceData(g.ruleOf), C.uint32_t(len(g.ruleOf)),
		unsafe.SliceData(g.rules), unsafe.SliceData(g.cases), unsafe.SliceData(g.code), done)
	records := g.records(t.walked)
	t.language.frame.unframe(records, len(src))
	if end := t.end(); len(bytes.TrimSpace(src[min(end, len(src)):])) > 0 {
		records = append(records, record{node: text.Span{Start: end, End: len(src)}})
	}
	result := fromRecords(ctx, t.language, src, records, leads(t.recast, t.blanks))
	result.Statements = t.spansOf(unsafe.Slice(t.walked.statements, int(t.walked.nstatements)))
	return result
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

func (g *grammar) records(walked C.walk_result) []record {
	raw := unsafe.Slice(walked.records, int(walked.nrecords))
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
