package change

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// Output is what a tool that changes files gives.
type Output struct {
	ID     string        `json:"id,omitempty" jsonschema:"Names this change for edit_history and revert_edit."`
	Files  []ChangedFile `json:"files"`
	DryRun bool          `json:"dry_run,omitzero"`
	// Replacements and Notes are of all files, where a pattern was replaced.
	Replacements int      `json:"replacements,omitzero" jsonschema:"How many matches of the pattern were replaced."`
	Notes        []string `json:"notes,omitempty"`
	// Diagnostics is what language servers had pushed of the change by then.
	Diagnostics *toolcall.Delta `json:"diagnostics,omitempty" jsonschema:"What the change broke and mended, as far as it is known by now."`

	// Offered is what could be changed, where the call asked for that alone.
	Offered []toolcall.Action `json:"offered,omitempty" jsonschema:"Actions that can be applied by their titles."`

	CountExpected bool `json:"-"` // the caller said how many replacements it expects
}

// ChangedFile describes one file as it is after the call.
type ChangedFile struct {
	Path         string         `json:"path"`
	From         string         `json:"from,omitempty" jsonschema:"Where the file was, when it was moved."`
	Action       history.Action `json:"action" jsonschema:"modified, created, deleted, moved or unchanged"`
	Source       buffers.Source `json:"source" jsonschema:"buffer: changed in the editor; disk: on disk"`
	PreviousHash string         `json:"previous_hash,omitempty" jsonschema:"Hash of the text that was edited."`
	ContentHash  string         `json:"content_hash,omitempty" jsonschema:"Hash of the text as it is now; good for the next edit."`
	Diff         string         `json:"diff,omitempty" jsonschema:"Unified diff of all that changed; of files that were created or deleted there is none."`
	Merged       bool           `json:"merged,omitzero" jsonschema:"The edit was made for an older text and merged into the present one."`
	Saved        bool           `json:"saved" jsonschema:"The file on disk holds the text."`
	Match        locate.Match   `json:"match,omitempty" jsonschema:"How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends."`
	Replacements int            `json:"replacements,omitzero" jsonschema:"How many occurrences were replaced, where it may be several."`
	Notes        []string       `json:"notes,omitempty"`

	AskedPath string `json:"-"` // the path by which the call names the one file; "" where it names none
	madeFor   string // hash of the text that the edit was held against, where the caller named none
	hunks     string // what was applied, where that is not what was asked for
	Told      string `json:"-"` // the diff that a person is told, where Diff is not that
}

// MaxShownDiff is how much of a diff is shown, in bytes: a model knows what it
// asked for, and has to see whether that is what came out.
const MaxShownDiff = 8 << 10

// Render tells of each file in a line what became of it. Where what was applied is
// not what was asked for, hunks show it; a dry run shows the diff.
func (o *Output) Render(show toolcall.ShowHash) toolcall.Rendering {
	if o.Offered != nil {
		return o.renderOffered()
	}
	var head strings.Builder
	summary := o.writeHead(&head, show)
	if o.ID != "" && !o.showsHash() {
		head.WriteString("; " + o.ID)
	}
	if len(o.Files) == 1 {
		if n := o.Files[0].Replacements; n > 0 && !o.CountExpected {
			head.WriteString("; " + wording.Plural(n, "place", "places"))
		}
		o.Files[0].writeNotes(&head, show)
	}
	body := o.hunks()
	if o.DryRun {
		body = o.Diff()
	}
	most := MaxShownDiff
	if o.Replacements > 0 {
		most /= 4 // one place is like another
	}
	shown := CutDiff(body, most)
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
	for _, line := range o.Diagnostics.Lines([]string{o.ID}) {
		head.WriteString("\n" + line)
	}
	return toolcall.Rendering{Header: head.String(), Summary: summary, Body: shown}
}

// ForPeople returns the rendering r of o with the diff, and with the file's name.
func (o *Output) ForPeople(r toolcall.Rendering) toolcall.Rendering {
	r.Body = o.Diff()
	if len(o.Files) == 1 && o.Files[0].isNamed() {
		r.Header = wording.OneLine(o.Files[0].Path) + ": " + r.Header
	}
	return r
}

// Diff is the diff of all files.
func (o *Output) Diff() string {
	var all strings.Builder
	for i := range o.Files {
		all.WriteString(o.Files[i].Diff)
	}
	return all.String()
}

// hunks are those of the files that became something else than was asked for,
// without the lines around them.
func (o *Output) hunks() string {
	var all strings.Builder
	for i := range o.Files {
		f := &o.Files[i]
		if f.hunks != "" && len(o.Files) > 1 {
			all.WriteString(wording.OneLine(f.Path) + "\n")
		}
		all.WriteString(f.hunks)
	}
	return all.String()
}

// writeHead tells of one file what became of it, of several what they have in
// common. It returns what a person is told.
func (o *Output) writeHead(head *strings.Builder, show toolcall.ShowHash) (summary string) {
	if len(o.Files) == 1 {
		f := &o.Files[0]
		f.writeHead(head, o.DryRun)
		f.writeHash(head, show, o.DryRun)
		return fmt.Sprintf("%s: %s [%s]", wording.OneLine(f.Path), f.became(), f.where(o.DryRun))
	}
	changed := 0
	for i := range o.Files {
		if o.Files[i].Action != history.Unchanged {
			changed++
		}
	}
	what, files, where := "changed", wording.Plural(changed, "file", "files"), o.where()
	if o.Replacements > 0 {
		what = wording.Plural(o.Replacements, "replacement", "replacements")
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
// reverted.
func (o *Output) showsHash() bool {
	if len(o.Files) > 1 && o.Replacements > 0 {
		return false
	}
	return slices.ContainsFunc(o.Files, func(f ChangedFile) bool { return f.ContentHash != "" })
}

// where reports where all files were changed; "" where that is not one place.
func (o *Output) where() string {
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
func (o *Output) writeTable(head *strings.Builder, show toolcall.ShowHash) {
	apart := o.where() == ""
	for i := range o.Files {
		f := &o.Files[i]
		head.WriteString("\n")
		if f.Action != history.Modified {
			head.WriteString(string(f.Action) + " ")
		}
		head.WriteString(wording.OneLine(f.Path))
		if f.From != "" {
			head.WriteString(" from " + wording.OneLine(f.From))
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
func (o *Output) writeCounts(head *strings.Builder, show toolcall.ShowHash) {
	apart, left := o.where() == "", 0
	var counts FileCounts
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
		if f.Action == history.Unchanged {
			more.WriteString(" unchanged")
		}
		f.writeNotes(&more, show)
		counts.Add(f.Path, f.Replacements, more.String())
	}
	for _, line := range counts.Lines {
		head.WriteString("\n" + line)
	}
	if left > 0 {
		head.WriteString("\n… and " + wording.Plural(left, "file", "files"))
	}
}

// writeHead reports what became of the file, and where. The file that the call
// names is not named again.
func (f *ChangedFile) writeHead(head *strings.Builder, dryRun bool) {
	if !f.isNamed() {
		head.WriteString(wording.OneLine(f.Path) + ": ")
	}
	head.WriteString(f.became() + " " + f.where(dryRun))
}

// isNamed reports whether the call names the file: by its path as it is shown, or by
// an absolute path or a URI that ends with that.
func (f *ChangedFile) isNamed() bool {
	return f.AskedPath == f.Path || strings.HasSuffix(f.AskedPath, "/"+f.Path)
}

// became reports what became of the file.
func (f *ChangedFile) became() string {
	if f.From == "" {
		return string(f.Action)
	}
	return string(f.Action) + " from " + wording.OneLine(f.From)
}

// writeHash tells the file's hash, and where the caller did not say it that of the
// text that was edited.
func (f *ChangedFile) writeHash(head *strings.Builder, show toolcall.ShowHash, dryRun bool) {
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

// writeNotes reports how what was asked for was understood, where that is not to
// the letter, and what else is to be known.
func (f *ChangedFile) writeNotes(head *strings.Builder, show toolcall.ShowHash) {
	if f.madeFor != "" && f.Merged {
		head.WriteString("; made for " + show(f.Path, f.madeFor))
	}
	if f.Match != locate.MatchNone && f.Match != locate.MatchExact {
		head.WriteString("; match: " + string(f.Match))
	}
	if f.Merged {
		head.WriteString("; merged with what changed since")
	}
	for _, n := range f.Notes {
		head.WriteString("; note: " + n)
	}
}

// FileCounts are lines that tell a number of each file. Files of one folder that
// follow each other share a line.
type FileCounts struct {
	Lines  []string
	folder string // of the last line; "" where no other file can join it
}

// Add tells a file's number, and more of it behind that.
func (c *FileCounts) Add(name string, count int, more string) {
	folder, base := path.Split(name)
	plain := more == "" && wording.OneLine(name) == name && !strings.Contains(base, ", ")
	if !plain || folder == "" {
		c.Lines, c.folder = append(c.Lines, fmt.Sprintf("%s %d%s", wording.OneLine(name), count, more)), ""
		return
	}
	last := len(c.Lines) - 1
	if folder != c.folder {
		c.Lines, c.folder = append(c.Lines, fmt.Sprintf("%s %d", name, count)), folder
		return
	}
	if line, alone := strings.CutPrefix(c.Lines[last], folder); alone && !strings.HasPrefix(line, ": ") {
		c.Lines[last] = folder + ": " + line
	}
	c.Lines[last] += fmt.Sprintf(", %s %d", base, count)
}

func (f *ChangedFile) where(dryRun bool) string {
	switch {
	case dryRun:
		return "(dry run, nothing was changed)"
	case f.Source == buffers.FromDisk:
		return "on disk"
	case f.Action == history.Deleted:
		return "in the editor"
	case f.Saved:
		return "in the editor, saved"
	}
	return "in the editor, not saved"
}
