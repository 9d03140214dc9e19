package tools

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

var editFile = tool[editInput, *change.Output]{
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
	locate.Item
	Edits    []locate.Item    `json:"edits,omitempty" brief:"several such" shown:"old_text,new_text" jsonschema:"Instead of a single edit several, each with the same arguments; they must not overlap."`
	OnStale  change.StaleMode `json:"on_stale,omitempty" brief:"-" jsonschema:"When the text is another than that of expected_hash: refuse (reject, the default) or merge the edit into the present text (merge)."`
	DryRun   bool             `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save     change.SaveMode  `json:"save,omitempty" brief:"-" jsonschema:"Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. Closed files are always written."`
	Encoding string           `json:"encoding,omitempty" brief:"-" jsonschema:"The encoding of a file on disk, where it was only detected and the new text is not ASCII."`
}

func runEditFile(ctx context.Context, env *toolcall.Env, in editInput) (*change.Output, error) {
	items, err := in.items()
	if err != nil {
		return nil, err
	}
	forced, err := read.EncodingArgument(in.Encoding)
	if err != nil {
		return nil, err
	}
	hay, found := locate.Haystack{Structure: locate.StructureOf(ctx, env, in.Path)}, 0
	find := func(t text.Text) (edits []diff.Edit, match locate.Match, err error) {
		hay = locate.Haystack{Text: t, Structure: hay.Structure}
		edits, match, err = locate.Edits(ctx, &hay, items)
		found = len(edits)
		return edits, match, err
	}
	out, err := change.Request{
		Tool: "edit_file", OnStale: in.OnStale, DryRun: in.DryRun, Save: in.Save, Encoding: forced, Named: true,
		Files: []change.FileRequest{{Kind: change.KindEdit, Path: in.Path, Expected: in.ExpectedHash, LastRead: in.ExpectedHash == "" && !anyByLine(items), Find: find}},
	}.Run(ctx, env)
	if err != nil {
		return nil, err
	}
	if found > len(items) && slices.ContainsFunc(items, func(i locate.Item) bool { return i.ReplaceAll }) {
		out.Files[0].Replacements = found
	}
	out.Files[0].Notes = append(out.Files[0].Notes, hay.Notes...)
	return out, nil
}

// anyByLine reports whether an edit names lines, which are those of one text.
func anyByLine(items []locate.Item) bool {
	return slices.ContainsFunc(items, func(i locate.Item) bool { return i.Given().ByLine() })
}

// items returns the edits that the arguments ask for.
func (in editInput) items() ([]locate.Item, error) {
	if len(in.Edits) > 0 { // "" and 0 beside them are what some hosts send for what is not given
		in.OldText, in.NewText, in.NearLine = locate.WithText(in.OldText), locate.WithText(in.NewText), toolcall.NonZero(in.NearLine)
		in.StartLine, in.EndLine = toolcall.NonZero(in.StartLine), toolcall.NonZero(in.EndLine)
	}
	single := in.OldText != nil || in.NewText != nil || in.Symbol != "" || in.ByLine()
	switch {
	case single && len(in.Edits) > 0:
		return nil, fault.New(fault.InvalidParams, `give either "edits" or a single edit beside "path"`)
	case single:
		return []locate.Item{in.Item}, nil
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
