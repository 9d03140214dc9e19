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
	// Replacements and Notes are of all files, where a pattern was replaced.
	Replacements int      `json:"replacements,omitzero" jsonschema:"How many matches of the pattern were replaced."`
	Notes        []string `json:"notes,omitempty"`
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
	Match        matchRung      `json:"match,omitempty" jsonschema:"How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends."`
	Replacements int            `json:"replacements,omitzero" jsonschema:"How many occurrences were replaced, where it may be several."`
	Notes        []string       `json:"notes,omitempty"`

	madeFor string // hash of the text that the edit was held against, where the caller named none
	hunks   string // what landed, where that is not what was asked for
}

type changeAction string

const (
	actionModified  changeAction = "modified"
	actionCreated   changeAction = "created"
	actionDeleted   changeAction = "deleted"
	actionMoved     changeAction = "moved"
	actionUnchanged changeAction = "unchanged"
)

// maxShownDiff is how much of a diff is shown, in bytes: a model knows what it
// asked for, and has to see whether that is what came out.
const maxShownDiff = 8 << 10

// render tells of each file in a line what became of it. Where what landed is
// not what was asked for, hunks show it; a dry run shows the diff.
func (o *changeOutput) render(show showHash) Rendering {
	var head strings.Builder
	if len(o.Files) == 1 {
		o.Files[0].writeHead(&head, o.DryRun)
	} else {
		o.writeHead(&head)
	}
	summary := head.String()
	if len(o.Files) == 1 {
		f := &o.Files[0]
		summary = fmt.Sprintf("%s: %s [%s]", oneLine(f.Path), f.became(), f.where(o.DryRun))
		f.writeHash(&head, show, o.DryRun)
	}
	if o.ID != "" {
		head.WriteString("; " + o.ID)
	}
	if len(o.Files) == 1 {
		if n := o.Files[0].Replacements; n > 0 {
			head.WriteString("; " + plural(n, "place", "places"))
		}
		o.Files[0].writeNotes(&head, show)
	}
	body := o.hunks()
	if o.DryRun {
		body = o.diff()
	}
	most := maxShownDiff
	if o.Replacements > 0 {
		most /= 4 // one place is like another
	}
	shown := cutDiff(body, most)
	if len(shown) < len(body) {
		fmt.Fprintf(&head, "; note: %d of %d bytes of the diff are shown", len(shown), len(body))
		if o.ID != "" {
			head.WriteString(", edit_history with the id shows more")
		}
	}
	switch {
	case len(o.Files) == 1:
	case o.Replacements > 0:
		o.writeCounts(&head, show)
	default:
		o.writeTable(&head, show)
	}
	for _, n := range o.Notes {
		head.WriteString("\nnote: " + n)
	}
	return Rendering{Header: head.String(), Summary: summary, Body: shown}
}

// ForPeople returns r as the command line shows it: who reads that did not write
// what was changed, and sees the diff.
func (r Result) ForPeople() Result {
	if out, ok := r.structured.(*changeOutput); ok && r.Err == nil {
		r.Body = out.diff()
	}
	return r
}

// diff is the diff of all files.
func (o *changeOutput) diff() string {
	var all strings.Builder
	for i := range o.Files {
		all.WriteString(o.Files[i].Diff)
	}
	return all.String()
}

// hunks are those of the files that became something else than was asked for,
// without the lines around them.
func (o *changeOutput) hunks() string {
	var all strings.Builder
	for i := range o.Files {
		f := &o.Files[i]
		if f.hunks != "" && len(o.Files) > 1 {
			all.WriteString(oneLine(f.Path) + "\n")
		}
		all.WriteString(f.hunks)
	}
	return all.String()
}

// writeHead tells of several files how many were changed, and where.
func (o *changeOutput) writeHead(head *strings.Builder) {
	changed := 0
	for i := range o.Files {
		if o.Files[i].Action != actionUnchanged {
			changed++
		}
	}
	if o.Replacements > 0 {
		head.WriteString(plural(o.Replacements, "replacement", "replacements") + " in " + plural(changed, "file", "files"))
	} else {
		head.WriteString(plural(changed, "file", "files") + " changed")
	}
	if where := o.where(); where != "" {
		head.WriteString(" " + where)
	}
}

// where tells where all files were changed; "" where that is not one place.
func (o *changeOutput) where() string {
	if len(o.Files) == 0 {
		return ""
	}
	where := o.Files[0].where(o.DryRun)
	for i := range o.Files {
		if o.Files[i].where(o.DryRun) != where {
			return ""
		}
	}
	return where
}

// writeTable tells of each of several files in a line what became of it.
func (o *changeOutput) writeTable(head *strings.Builder, show showHash) {
	apart := o.where() == ""
	for i := range o.Files {
		f := &o.Files[i]
		fmt.Fprintf(head, "\n%s %s", f.Action, oneLine(f.Path))
		if f.From != "" {
			head.WriteString(" from " + oneLine(f.From))
		}
		if apart {
			head.WriteString(" " + f.where(o.DryRun))
		}
		if f.ContentHash != "" {
			head.WriteString(" " + show(f.Path, f.ContentHash))
		}
		f.writeNotes(head, show)
	}
}

// maxTabled is how many files are told of of which there is nothing to say but
// how many replacements were made.
const maxTabled = 100

// writeCounts tells of each of several files how often a pattern was replaced.
func (o *changeOutput) writeCounts(head *strings.Builder, show showHash) {
	apart, left := o.where() == "", 0
	for i := range o.Files {
		f := &o.Files[i]
		if i >= maxTabled && len(f.Notes) == 0 && f.hunks == "" {
			left++
			continue
		}
		fmt.Fprintf(head, "\n%s %d", oneLine(f.Path), f.Replacements)
		if apart {
			head.WriteString(" " + f.where(o.DryRun))
		}
		if f.Action == actionUnchanged {
			head.WriteString(" unchanged")
		}
		f.writeNotes(head, show)
	}
	if left > 0 {
		head.WriteString("\n… and " + plural(left, "file", "files"))
	}
}

// writeHead tells what became of the file, and where.
func (f *changedFile) writeHead(head *strings.Builder, dryRun bool) {
	fmt.Fprintf(head, "%s: %s %s", oneLine(f.Path), f.became(), f.where(dryRun))
}

// became tells what became of the file.
func (f *changedFile) became() string {
	if f.From == "" {
		return string(f.Action)
	}
	return string(f.Action) + " from " + oneLine(f.From)
}

func (f *changedFile) writeHash(head *strings.Builder, show showHash, dryRun bool) {
	if f.ContentHash != "" {
		hash := "; hash: "
		if dryRun {
			hash = "; hash after the edit: "
		}
		head.WriteString(hash + show(f.Path, f.ContentHash))
	}
}

// writeNotes tells how what was asked for was understood, where that is not to
// the letter, and what else is to be known.
func (f *changedFile) writeNotes(head *strings.Builder, show showHash) {
	if f.madeFor != "" {
		head.WriteString("; made for " + show(f.Path, f.madeFor))
	}
	if f.Match != matchNone && f.Match != matchExact {
		head.WriteString("; match: " + string(f.Match))
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
		return "(dry run, nothing was changed)"
	case f.Source == buffers.FromDisk:
		return "on disk"
	case f.Action == actionDeleted:
		return "in the editor"
	case f.Saved:
		return "in the editor, saved"
	}
	return "in the editor, not saved"
}
