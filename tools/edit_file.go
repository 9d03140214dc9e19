package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

var editFile = tool[editInput, *changeOutput]{
	name: "edit_file",
	doc: `Edit a file in the editor as one undo step: replace old_text by new_text, a definition by its symbol, or lines. expected_hash guards it: a changed file is refused. ` +
		`old_text must occur exactly once, or give near_line or replace_all. symbol with new_text replaces a definition with its comments; place inserts beside it. ` +
		`start_line, end_line replace lines; end_line = start_line - 1 inserts. All edits refer to one text. The answer's hash is good for the next.`,
	changes:  true,
	about:    aboutPath,
	once:     true,
	terminal: Terminal{Arguments: []string{"path"}, Stdin: []string{"old_text", "new_text", "edits"}},
	run:      runEditFile,
}

type editInput struct {
	Path         string `json:"path" jsonschema:"File to change: relative to the workspace root, absolute, or a file:// or untitled: URI."`
	ExpectedHash string `json:"expected_hash,omitempty" brief:"for lines; else last read" jsonschema:"The hash of the text that the edits refer to. Without it edits by old_text refer to what you last read of the file; edits of lines need it."`
	editItem
	Edits    []editItem `json:"edits,omitempty" brief:"several such" shown:"old_text,new_text" jsonschema:"Instead of a single edit several, each with the same arguments; they must not overlap."`
	OnStale  staleMode  `json:"on_stale,omitempty" brief:"-" jsonschema:"When the text is another than that of expected_hash: refuse (reject, the default) or merge the edit into the present text (merge)."`
	DryRun   bool       `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save     saveMode   `json:"save,omitempty" brief:"-" jsonschema:"Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. Closed files are always written."`
	Encoding string     `json:"encoding,omitempty" brief:"-" jsonschema:"The encoding of a file on disk, where it was only detected and the new text is not ASCII."`
}

type editItem struct {
	OldText    *string   `json:"old_text,omitempty" brief:"exact, without line numbers" jsonschema:"The text to replace, exactly as it stands."`
	NewText    *string   `json:"new_text,omitempty" jsonschema:"What replaces it; empty deletes."`
	ReplaceAll bool      `json:"replace_all,omitempty" jsonschema:"Replace every occurrence."`
	NearLine   *uint64   `json:"near_line,omitempty" jsonschema:"Of several occurrences take the one nearest to this line."`
	Symbol     string    `json:"symbol,omitempty" jsonschema:"Instead of old_text: the definition to replace, with its comments and attributes: name, Type.method, or path/of/headings/or/keys."`
	Place      placeMode `json:"place,omitempty" jsonschema:"Insert new_text before or after symbol instead, in its indentation."`
	StartLine  *uint64   `json:"start_line,omitempty" jsonschema:"Instead of old_text: first line to replace, 1-based."`
	EndLine    *uint64   `json:"end_line,omitempty" jsonschema:"Last line to replace, inclusive."`
}

func runEditFile(ctx context.Context, env *Env, in editInput) (*changeOutput, error) {
	items, err := in.items()
	if err != nil {
		return nil, err
	}
	forced, err := encodingArgument(in.Encoding)
	if err != nil {
		return nil, err
	}
	hay, found := haystack{structure: structureOf(ctx, env, in.Path)}, 0
	find := func(t text.Text) (edits []diff.Edit, rung matchRung, err error) {
		hay = haystack{text: t, structure: hay.structure}
		edits, rung, err = locate(ctx, &hay, items)
		found = len(edits)
		return edits, rung, err
	}
	out, err := wishes{
		tool: "edit_file", onStale: in.OnStale, dryRun: in.DryRun, save: in.Save, encoding: forced, named: true,
		files: []wish{{kind: wishEdit, path: in.Path, expected: in.ExpectedHash, lastRead: in.ExpectedHash == "" && !anyByLine(items), find: find}},
	}.run(ctx, env)
	if err != nil {
		return nil, err
	}
	if found > len(items) && slices.ContainsFunc(items, func(i editItem) bool { return i.ReplaceAll }) {
		out.Files[0].Replacements = found
	}
	out.Files[0].Notes = append(out.Files[0].Notes, hay.notes...)
	return out, nil
}

// anyByLine reports whether an edit names lines, which are those of one text.
func anyByLine(items []editItem) bool {
	return slices.ContainsFunc(items, func(i editItem) bool { return i.given().byLine() })
}

func (item editItem) byLine() bool { return item.StartLine != nil || item.EndLine != nil }

// items returns the edits that the arguments ask for.
func (in editInput) items() ([]editItem, error) {
	if len(in.Edits) > 0 { // "" and 0 beside them are what some hosts send for what is not given
		in.OldText, in.NewText, in.NearLine = withText(in.OldText), withText(in.NewText), given(in.NearLine)
		in.StartLine, in.EndLine = given(in.StartLine), given(in.EndLine)
	}
	single := in.OldText != nil || in.NewText != nil || in.Symbol != "" || in.byLine()
	switch {
	case single && len(in.Edits) > 0:
		return nil, fault.New(fault.InvalidParams, `give either "edits" or a single edit beside "path"`)
	case single:
		return []editItem{in.editItem}, nil
	case len(in.Edits) == 0:
		return nil, fault.New(fault.InvalidParams, "there is nothing to edit").
			Advise(`Give "old_text" and "new_text", or "edits".`)
	case in.ReplaceAll:
		return nil, fault.New(fault.InvalidParams, `"replace_all" belongs into each of "edits"`)
	case in.NearLine != nil:
		return nil, fault.New(fault.InvalidParams, `"near_line" belongs into each of "edits"`)
	case in.Place != "":
		return nil, fault.New(fault.InvalidParams, `"place" belongs into each of "edits", beside "symbol"`)
	}
	return in.Edits, nil
}

// located is one edit of a text and the item of the call that asked for it.
type located struct {
	diff.Edit
	item int
}

// locate turns the asked edits into edits of old, sorted and free of overlap.
// The rung is the lowest that one of them needed.
func locate(ctx context.Context, hay *haystack, items []editItem) ([]diff.Edit, matchRung, error) {
	old := hay.text
	if len(items) > maxItems {
		return nil, "", fault.New(fault.InvalidParams, "%d edits in one call; at most %d are taken", len(items), maxItems)
	}
	var all []located
	rung := matchNone
	for i, item := range items {
		if ctx.Err() != nil {
			return nil, "", fault.From(ctx.Err())
		}
		found, r, err := item.locate(hay)
		if err != nil {
			return nil, "", inItem(err, i, len(items))
		}
		for _, e := range found {
			all = append(all, located{e, i})
		}
		rung = lower(rung, r)
	}
	slices.SortStableFunc(all, func(a, b located) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End)
	})
	edits := make([]diff.Edit, len(all))
	for i, e := range all {
		if i > 0 && e.Span.Start < all[i-1].Span.End {
			if !items[e.item].removes() || !items[all[i-1].item].removes() || !e.leaveBlanks(old, all[i-1]) {
				return nil, "", overlapping(old, all[i-1], e)
			}
			all[i] = e
		}
		edits[i] = e.Edit
	}
	joinAppended(old, edits)
	return edits, rung, diff.Check(old, edits)
}

// removes reports whether an item takes a symbol away.
func (item editItem) removes() bool {
	return item.Symbol != "" && item.Place == "" && trimBlankLines(*item.NewText) == ""
}

// leaveBlanks leaves what both e and the removal before it take away to that one.
// It reports whether these are blanks alone.
func (e *located) leaveBlanks(old text.Text, before located) bool {
	both := text.Span{Start: e.Span.Start, End: min(e.Span.End, before.Span.End)}
	if both.End == e.Span.End || strings.Trim(old.Slice(both), " \t\f\r\n") != "" {
		return false
	}
	e.Span.Start = both.End
	return true
}

// maxItems is how many edits a call may hold: each is searched for.
const maxItems = 1000

func overlapping(old text.Text, a, b located) error {
	first, second := min(a.item, b.item), max(a.item, b.item)
	return fault.New(fault.OverlappingEdits, "edits[%d] and edits[%d] change the same text, around line %d; nothing was changed",
		first, second, old.LineAt(b.Span.Start)+1).
		Advise("Make one edit of the two, or narrow them until they no longer touch the same text.").
		With("edits", []int{first, second})
}

// inItem says which of several edits an error is about.
func inItem(err error, i, of int) error {
	if of == 1 {
		return err
	}
	e := *fault.From(err)
	e.Message = fmt.Sprintf("edits[%d]: %s", i, e.Message)
	return e.With("edit", i)
}

// withText returns s, nil where it is empty.
func withText(s *string) *string {
	if s != nil && *s == "" {
		return nil
	}
	return s
}

// given returns the item without what some hosts send empty for what is not
// given: no line has the number 0, but for the end of an insertion before the first.
func (item editItem) given() editItem {
	item.NearLine = given(item.NearLine)
	switch {
	case item.Symbol != "":
		item.OldText, item.StartLine, item.EndLine = withText(item.OldText), given(item.StartLine), given(item.EndLine)
	case number(item.StartLine, 0) > 0:
		item.OldText = withText(item.OldText)
	case number(item.EndLine, 0) == 0 && withText(item.OldText) != nil:
		item.StartLine, item.EndLine = nil, nil
	}
	return item
}

func (item editItem) locate(hay *haystack) ([]diff.Edit, matchRung, error) {
	item = item.given()
	byLine := item.byLine()
	switch {
	case item.NewText == nil:
		return nil, "", fault.New(fault.InvalidParams, `"new_text" is missing`).Advise(`An empty "new_text" deletes.`)
	case item.Symbol != "" && (byLine || item.OldText != nil || item.ReplaceAll):
		return nil, "", fault.New(fault.InvalidParams, `give either "symbol", "old_text" or a range of lines`)
	case item.Symbol != "":
		return item.locateSymbol(hay)
	case item.Place != "":
		return nil, "", fault.New(fault.InvalidParams, `"place" goes with "symbol"`).Advise("Name the definition before or after which to insert.")
	case byLine && item.OldText != nil:
		return nil, "", fault.New(fault.InvalidParams, `give either "old_text" or a range of lines`)
	case item.NearLine != nil && (byLine || item.ReplaceAll):
		return nil, "", fault.New(fault.InvalidParams, `"near_line" chooses one occurrence of "old_text"`)
	case byLine && item.ReplaceAll:
		return nil, "", fault.New(fault.InvalidParams, `"replace_all" goes with "old_text", not with a range of lines`)
	case byLine:
		edit, err := item.locateLines(hay.text)
		return []diff.Edit{edit}, matchNone, err
	case item.OldText == nil:
		return nil, "", fault.New(fault.InvalidParams, `"old_text" is missing`)
	case *item.OldText == "":
		return nil, "", fault.New(fault.InvalidParams, `"old_text" is empty`).
			Advise("To insert, give start_line and end_line = start_line - 1, or an old_text beside which to insert.")
	}
	return item.locateText(hay)
}
