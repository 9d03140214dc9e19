package locate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Item is one edit as a caller names it: by text, by lines, or by a symbol.
type Item struct {
	OldText    *string   `json:"old_text,omitempty" brief:"exact, without line numbers" jsonschema:"The text to replace, exactly as it stands."`
	NewText    *string   `json:"new_text,omitempty" jsonschema:"What replaces it; empty deletes."`
	ReplaceAll bool      `json:"replace_all,omitempty" jsonschema:"Replace every occurrence."`
	NearLine   *uint64   `json:"near_line,omitempty" jsonschema:"Of several occurrences take the one nearest to this line."`
	Symbol     string    `json:"symbol,omitempty" jsonschema:"Instead of old_text: the definition to replace, with its comments and attributes: name, Type.method, or path/of/headings/or/keys."`
	Place      PlaceMode `json:"place,omitempty" jsonschema:"Insert new_text before or after symbol instead, in its indentation."`
	StartLine  *uint64   `json:"start_line,omitempty" jsonschema:"Instead of old_text: first line to replace, 1-based."`
	EndLine    *uint64   `json:"end_line,omitempty" jsonschema:"Last line to replace, inclusive."`
}

// ByLine reports whether the item names lines, which are those of one text.
func (item Item) ByLine() bool { return item.StartLine != nil || item.EndLine != nil }

// located is one edit of a text and the item of the call that asked for it.
type located struct {
	diff.Edit
	item int
}

// Edits turns the asked edits into edits of old, sorted and free of overlap.
// The match is the least literal that one of them needed.
func Edits(ctx context.Context, hay *Haystack, items []Item) ([]diff.Edit, Match, error) {
	old := hay.Text
	if len(items) > maxItems {
		return nil, "", fault.New(fault.InvalidParams, "%d edits in one call; at most %d are taken", len(items), maxItems)
	}
	var all []located
	match := MatchNone
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
		match = LessLiteral(match, r)
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
	return edits, match, diff.Check(old, edits)
}

// removes reports whether an item takes a symbol away.
func (item Item) removes() bool {
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

// WithText returns s, nil where it is empty.
func WithText(s *string) *string {
	if s != nil && *s == "" {
		return nil
	}
	return s
}

// Given returns the item without what some hosts send empty for what is not
// given: no line has the number 0, but for the end of an insertion before the first.
func (item Item) Given() Item {
	item.NearLine = toolcall.NonZero(item.NearLine)
	switch {
	case item.Symbol != "":
		item.OldText, item.StartLine, item.EndLine = WithText(item.OldText), toolcall.NonZero(item.StartLine), toolcall.NonZero(item.EndLine)
	case toolcall.NumberOr(item.StartLine, 0) > 0:
		item.OldText = WithText(item.OldText)
	case toolcall.NumberOr(item.EndLine, 0) == 0 && WithText(item.OldText) != nil:
		item.StartLine, item.EndLine = nil, nil
	}
	return item
}

func (item Item) locate(hay *Haystack) ([]diff.Edit, Match, error) {
	item = item.Given()
	byLine := item.ByLine()
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
		edit, err := item.locateLines(hay.Text)
		return []diff.Edit{edit}, MatchNone, err
	case item.OldText == nil:
		return nil, "", fault.New(fault.InvalidParams, `"old_text" is missing`)
	case *item.OldText == "":
		return nil, "", fault.New(fault.InvalidParams, `"old_text" is empty`).
			Advise("To insert, give start_line and end_line = start_line - 1, or an old_text beside which to insert.")
	}
	return item.locateText(hay)
}
