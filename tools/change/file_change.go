package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// fileChange is what becomes of one file.
type fileChange struct {
	request *FileRequest
	action  history.Action
	file    *buffers.File
	path    workspace.Path // of file, consented to where a person agreed
	to      workspace.Path // where a move leads

	old   text.Text
	edits []diff.Edit // of old; after prepare each as small as it can be
	fresh text.Text   // old with the edits
	// bytes is what is written, nil for open documents and for moves that
	// change nothing; of a deleted file it is what to bring it back with.
	bytes []byte
	hash  text.Hash // of the file afterwards

	// later is what a formatter or a person made of fresh before the call was
	// answered; nothing where laterHash is zero.
	later     text.Text
	laterHash text.Hash

	// mode is how the file's mode changes; of a deleted file From is what to
	// bring it back with. modeSet: that of an open document's file is set.
	mode    atomicfile.ModeChange
	modeSet bool

	done    ChangedFile
	reached reached
	left    fileState     // of a call that failed; "" when nothing was done
	version int32         // of the document with the edits
	moved   *buffers.File // the open document at its new place, once edited
	// movesAside: the editor has to give the file another name first; aside is that
	// name, from when it is asked to.
	movesAside bool
	aside      workspace.Path
}

// reached says how far a change has come into the editor.
type reached int

const (
	reachedNothing reached = iota
	reachedText            // the document has the edits
	reachedUnknown         // it may have them
	reachedFile            // the editor deleted or moved the file
)

// prepare works out the new text and its bytes. Errors are encoding_error, for
// a character that the file's encoding cannot hold or, where that encoding was
// only guessed, for any that is not ASCII.
func (c *fileChange) prepare() error {
	edits := make([]diff.Edit, 0, len(c.edits))
	for _, e := range c.edits {
		if e, changes := diff.Minimal(c.old, e); changes {
			edits = append(edits, e)
		}
	}
	c.edits = edits
	c.fresh = diff.Apply(c.old, edits)
	if err := c.staysText(); err != nil {
		return err
	}
	if c.file.Detected {
		if err := onlyASCII(edits); err != nil {
			return err
		}
	}
	var err error
	if c.open() {
		c.hash, err = c.file.Format.Hash(c.fresh)
		return err
	}
	if c.bytes, err = c.file.Format.Encode(c.fresh); err == nil {
		c.hash = text.HashBytes(c.bytes)
	}
	return err
}

// open reports whether the editor has the file.
func (c *fileChange) open() bool { return c.file.Source == buffers.FromBuffer }

// staysText refuses what would make the file another kind of file: a NUL
// makes it binary, and a mark at its beginning is taken for one.
func (c *fileChange) staysText() error {
	for _, e := range c.edits {
		if strings.Contains(e.New, "\x00") {
			return fault.New(fault.EncodingError, "the new text holds a NUL character, which would make the file a binary one")
		}
	}
	const mark = "\uFEFF"
	first := text.Span{End: len(mark)}
	if c.fresh.Slice(first) == mark && c.old.Slice(first) != mark {
		return fault.New(fault.EncodingError, "the new text would begin the file with a byte-order mark")
	}
	return nil
}

func onlyASCII(edits []diff.Edit) error {
	for _, e := range edits {
		for _, r := range e.New {
			if r >= 0x80 {
				return fault.New(fault.EncodingError, "the file's encoding was only guessed, and the new text holds %q", r).
					Advise(`Name the encoding with "encoding", or use ASCII only.`).With("character", string(r))
			}
		}
	}
	return nil
}

// same refuses to take a file as it is when it is another than the request names.
func (b *batch) same(c *fileChange, w *FileRequest) error {
	expected, err := b.guard(w, c.file)
	if err == nil && expected != c.file.Hash {
		err = stale(c.file.Path.Rel, expected.String(), c.file.Hash.String())
	}
	return err
}

// maxKeptBytes is the largest deleted file that can be brought back, in bytes.
const maxKeptBytes = 8 << 20

// keepBytes takes what a file that is to be deleted holds, so that it can be
// brought back.
func (c *fileChange) keepBytes() (err error) {
	f := c.file
	switch {
	case f.SizeBytes > maxKeptBytes:
		c.done.Notes = append(c.done.Notes, fmt.Sprintf("The file is too large to be brought back by revert_edit (%d bytes).", f.SizeBytes))
		return nil
	case c.open():
		c.old = f.Document.Text
		c.bytes, err = f.Format.Encode(c.old)
	default:
		if c.bytes, err = f.ReadRaw(nil, 0, int(f.SizeBytes)); err == nil && !f.Binary && !f.Lossy {
			c.old, err = toolcall.WholeText(f)
		}
	}
	if err != nil {
		return at(err, f.Path.Rel)
	}
	if c.bytes == nil {
		c.bytes = []byte{} // of an empty file; nil is what was not kept
	}
	if actual := text.HashBytes(c.bytes); actual != f.Hash {
		return stale(f.Path.Rel, f.Hash.String(), actual.String())
	}
	return nil
}

// isNoOp reports whether the change changes nothing.
func (c *fileChange) isNoOp() bool {
	return c.action == history.Modified && len(c.edits) == 0 && c.mode.IsNone()
}

// shown is the file's path as people are told it, with where it is moved to.
func (c *fileChange) shown() string {
	if c.action == history.Moved {
		return c.path.Rel + " → " + c.to.Rel
	}
	return c.path.Rel
}

// describe tells of the change what is known before it is made.
func (c *fileChange) describe() {
	f, d := c.file, &c.done
	d.Path, d.Action, d.Source = f.Path.Rel, c.action, f.Source
	if c.action != history.Created {
		d.PreviousHash = f.Hash.String()
	}
	if c.action != history.Deleted {
		d.ContentHash = c.hash.String()
	}
	if c.action == history.Moved {
		d.Path, d.From = c.to.Rel, f.Path.Rel
	}
	if c.action == history.Modified || c.action == history.Moved {
		d.setDiff(c.diff())
	}
	if c.isNoOp() {
		d.Action, d.ContentHash, d.Saved = history.Unchanged, f.Hash.String(), !f.Dirty
	}
}

// maxDiff is the longest diff in an answer, in bytes.
const maxDiff = 32 << 10

// nowhere is what diffs call the file that is not there.
const nowhere = "/dev/null"

// diff returns the change as a unified diff, as git writes it.
func (c *fileChange) diff() string { return c.modeLines() + c.textDiff() }

func (c *fileChange) textDiff() string {
	old, edits, path := c.old, c.edits, c.path.Rel
	switch c.action {
	case history.Created:
		if c.edits == nil {
			return fmt.Sprintf("A new file of %d bytes.\n", len(c.bytes))
		}
		return oneSided(diff.Unified(path, old, edits, toolcall.DiffContext), 0)
	case history.Deleted:
		if old.Len() == 0 {
			return fmt.Sprintf("The file, of %d bytes, is deleted.\n", c.file.SizeBytes)
		}
		all := []diff.Edit{{Span: text.Span{End: old.Len()}}}
		return oneSided(diff.Unified(path, old, all, toolcall.DiffContext), 1)
	case history.Moved:
		return "rename from " + path + "\nrename to " + c.to.Rel + "\n" + c.movedDiff()
	}
	return diff.Unified(path, old, edits, toolcall.DiffContext)
}

// hunks shows what became of the text where that is not what was asked for to
// the letter: merged, formatted, or found but for blanks or indentation.
func (c *fileChange) hunks() string {
	edits := c.edits
	switch {
	case c.laterHash != (text.Hash{}):
		edits = diff.Compute(c.old.String(), c.later.String())
	case !c.done.Merged && !c.request.edited && !slices.Contains([]locate.Match{locate.MatchBlanks, locate.MatchIndentation, locate.MatchGuess}, c.done.Match):
		return ""
	}
	d := diff.Unified(c.path.Rel, c.old, edits, 0)
	return d[max(0, strings.Index(d, "@@")):]
}

// movedDiff names the file before by its old path, and after by its new one.
func (c *fileChange) movedDiff() string {
	if len(c.edits) == 0 {
		return ""
	}
	before, _, _ := strings.Cut(diff.Unified(c.path.Rel, c.old, c.edits, 0), "\n")
	_, after, _ := strings.Cut(diff.Unified(c.to.Rel, c.old, c.edits, toolcall.DiffContext), "\n")
	return before + "\n" + after
}

// oneSided puts nowhere in the place of the file in one of a diff's first two
// lines.
func oneSided(d string, line int) string {
	lines := strings.SplitN(d, "\n", 3)
	if len(lines) < 3 {
		return d
	}
	lines[line] = lines[line][:len("--- ")] + nowhere
	return strings.Join(lines, "\n")
}

// CutDiff returns the whole lines of a diff that fit into limit bytes.
func CutDiff(d string, limit int) string {
	if len(d) <= limit {
		return d
	}
	return d[:strings.LastIndexByte(d[:limit], '\n')+1]
}

// setDiff sets the diff, cut at a line when it is too long for an answer.
func (f *ChangedFile) setDiff(d string) {
	if f.Diff = CutDiff(d, maxDiff); len(f.Diff) < len(d) {
		f.Diff += fmt.Sprintf("\\ %d of %d bytes are shown.\n", len(f.Diff), len(d))
	}
}
