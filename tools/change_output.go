package tools

import (
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
)

// changeOutput is what a tool that changes files gives.
type changeOutput struct {
	ID     string        `json:"id,omitempty" jsonschema:"Names this change for edit_history and revert_edit."`
	Files  []changedFile `json:"files"`
	DryRun bool          `json:"dry_run,omitzero"`
}

// changedFile describes one file as it is after the call.
type changedFile struct {
	Path         string         `json:"path"`
	From         string         `json:"from,omitempty" jsonschema:"Where the file was, when it was moved."`
	Action       changeAction   `json:"action" jsonschema:"modified, created, deleted, moved or unchanged"`
	Source       buffers.Source `json:"source" jsonschema:"buffer: changed in the editor; disk: on disk"`
	PreviousHash string         `json:"previous_hash,omitempty" jsonschema:"Hash of the text that was edited."`
	ContentHash  string         `json:"content_hash,omitempty" jsonschema:"Hash of the text as it is now; good for the next edit."`
	Diff         string         `json:"diff,omitempty" jsonschema:"Unified diff of all that changed; of files that were created or deleted there is none."`
	Merged       bool           `json:"merged,omitzero" jsonschema:"The edit was made for an older text and merged into the present one."`
	Saved        bool           `json:"saved" jsonschema:"The file on disk holds the text."`
	Match        matchRung      `json:"match,omitempty" jsonschema:"How literally old_text was found: exact, line_endings, trailing_blanks or indentation."`
	Notes        []string       `json:"notes,omitempty"`
}

type changeAction string

const (
	actionModified  changeAction = "modified"
	actionCreated   changeAction = "created"
	actionDeleted   changeAction = "deleted"
	actionMoved     changeAction = "moved"
	actionUnchanged changeAction = "unchanged"
)

// maxShownDiff is how much of a diff a model reads, in bytes: it knows what it
// asked for, and has to see whether that is what came out.
const maxShownDiff = 8 << 10

func (o *changeOutput) render(show showHash) Rendering {
	var head, body strings.Builder
	for i := range o.Files {
		if i > 0 {
			head.WriteString("\n")
		}
		o.Files[i].writeHead(&head, show, o.DryRun)
		body.WriteString(o.Files[i].Diff)
	}
	if o.ID != "" {
		head.WriteString("\nedit: " + o.ID)
	}
	shown := cutDiff(body.String(), maxShownDiff)
	if len(shown) < body.Len() {
		fmt.Fprintf(&head, "; note: %d of %d bytes of the diff are shown", len(shown), body.Len())
		if o.ID != "" {
			head.WriteString(", edit_history with the id shows more")
		}
	}
	return Rendering{Header: head.String(), Body: shown}
}

func (f *changedFile) writeHead(head *strings.Builder, show showHash, dryRun bool) {
	fmt.Fprintf(head, "%s: %s", oneLine(f.Path), f.Action)
	if f.From != "" {
		head.WriteString(" from " + oneLine(f.From))
	}
	fmt.Fprintf(head, " [%s]", f.where(dryRun))
	if f.ContentHash != "" {
		hash := "\nhash: "
		if dryRun {
			hash = "\nhash after the edit: "
		}
		head.WriteString(hash + show(f.Path, f.ContentHash))
	}
	if f.Merged {
		head.WriteString("; merged with what changed since")
	}
	for _, n := range f.Notes {
		head.WriteString("; note: " + n)
	}
}

func (f *changedFile) where(dryRun bool) string {
	switch {
	case dryRun:
		return "dry run, nothing was changed"
	case f.Source == buffers.FromDisk:
		return "on disk"
	case f.Action == actionDeleted:
		return "in the editor"
	case f.Saved:
		return "in the editor, saved"
	}
	return "in the editor, not saved"
}
