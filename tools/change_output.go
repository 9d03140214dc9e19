package tools

import (
	"fmt"
	"path"
	"slices"
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

	foreseen bool // the caller said how many replacements it expects
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

	asked   string // the path by which the call names the one file; "" where it names none
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
	summary := o.writeHead(&head, show)
	if o.ID != "" && !o.showsHash() {
		head.WriteString("; " + o.ID)
	}
	if len(o.Files) == 1 {
		if n := o.Files[0].Replacements; n > 0 && !o.foreseen {
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
		if len(out.Files) == 1 && out.Files[0].isNamed() {
			r.Header = oneLine(out.Files[0].Path) + ": " + r.Header
		}
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

// writeHead tells of one file what became of it, of several what they have in
// common. It returns what a person is told.
func (o *changeOutput) writeHead(head *strings.Builder, show showHash) (summary string) {
	if len(o.Files) == 1 {
		f := &o.Files[0]
		f.writeHead(head, o.DryRun)
		f.writeHash(head, show, o.DryRun)
		return fmt.Sprintf("%s: %s [%s]", oneLine(f.Path), f.became(), f.where(o.DryRun))
	}
	changed := 0
	for i := range o.Files {
		if o.Files[i].Action != actionUnchanged {
			changed++
		}
	}
	what, files, where := "changed", plural(changed, "file", "files"), o.where()
	if o.Replacements > 0 {
		what = plural(o.Replacements, "replacement", "replacements")
		files = what + " in " + files
	} else {
		files += " changed"
	}
	if where != "" {
		what, files = what+" "+where, files+" "+where
	}
	if changed < len(o.Files) || changed == 0 {
		what = files
	}
	head.WriteString(what)
	return files
}

// showsHash reports whether the answer shows a hash, by which the change can be
// taken back.
func (o *changeOutput) showsHash() bool {
	if len(o.Files) > 1 && o.Replacements > 0 {
		return false
	}
	return slices.ContainsFunc(o.Files, func(f changedFile) bool { return f.ContentHash != "" })
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
		head.WriteString("\n")
		if f.Action != actionModified {
			head.WriteString(string(f.Action) + " ")
		}
		head.WriteString(oneLine(f.Path))
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
	var counts fileCounts
	for i := range o.Files {
		f := &o.Files[i]
		if i >= maxTabled && len(f.Notes) == 0 && f.hunks == "" {
			left++
			continue
		}
		var more strings.Builder
		if apart {
			more.WriteString(" " + f.where(o.DryRun))
		}
		if f.Action == actionUnchanged {
			more.WriteString(" unchanged")
		}
		f.writeNotes(&more, show)
		counts.add(f.Path, f.Replacements, more.String())
	}
	for _, line := range counts.lines {
		head.WriteString("\n" + line)
	}
	if left > 0 {
		head.WriteString("\n… and " + plural(left, "file", "files"))
	}
}

// writeHead tells what became of the file, and where. The file that the call
// names is not named again.
func (f *changedFile) writeHead(head *strings.Builder, dryRun bool) {
	if !f.isNamed() {
		head.WriteString(oneLine(f.Path) + ": ")
	}
	head.WriteString(f.became() + " " + f.where(dryRun))
}

// isNamed reports whether the call names the file: by its path as it is shown, or by
// an absolute path or a URI that ends with that.
func (f *changedFile) isNamed() bool {
	return f.asked == f.Path || strings.HasSuffix(f.asked, "/"+f.Path)
}

// became tells what became of the file.
func (f *changedFile) became() string {
	if f.From == "" {
		return string(f.Action)
	}
	return string(f.Action) + " from " + oneLine(f.From)
}

// writeHash tells the file's hash, and where the caller did not say it that of the
// text that was edited.
func (f *changedFile) writeHash(head *strings.Builder, show showHash, dryRun bool) {
	if f.ContentHash != "" {
		hash := "; hash "
		if dryRun {
			hash = "; hash after the edit: "
		}
		head.WriteString(hash + show(f.Path, f.ContentHash))
	}
	if f.madeFor != "" && !f.Merged {
		head.WriteString("; was " + show(f.Path, f.madeFor))
	}
}

// writeNotes tells how what was asked for was understood, where that is not to
// the letter, and what else is to be known.
func (f *changedFile) writeNotes(head *strings.Builder, show showHash) {
	if f.madeFor != "" && f.Merged {
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

// fileCounts are lines that tell a number of each file. Files of one folder that
// follow each other share a line.
type fileCounts struct {
	lines  []string
	folder string // of the last line; "" where no other file can join it
}

// add tells a file's number, and more of it behind that.
func (c *fileCounts) add(name string, count int, more string) {
	folder, base := path.Split(name)
	plain := more == "" && oneLine(name) == name && !strings.Contains(base, ", ")
	if !plain || folder == "" {
		c.lines, c.folder = append(c.lines, fmt.Sprintf("%s %d%s", oneLine(name), count, more)), ""
		return
	}
	last := len(c.lines) - 1
	if folder != c.folder {
		c.lines, c.folder = append(c.lines, fmt.Sprintf("%s %d", name, count)), folder
		return
	}
	if line, alone := strings.CutPrefix(c.lines[last], folder); alone && !strings.HasPrefix(line, ": ") {
		c.lines[last] = folder + ": " + line
	}
	c.lines[last] += fmt.Sprintf(", %s %d", base, count)
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
