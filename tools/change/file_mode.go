package change

import (
	"context"
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// WithMode returns permission bits with what a mode of git says: who may read
// a file may also run it, or nobody may. now is 0 for a new file, of whose bits
// the umask takes some away.
func WithMode(now fs.FileMode, mode diff.FileMode) fs.FileMode {
	if now == 0 {
		now = 0o666
	}
	if mode == diff.ModeExecutable {
		return now | now>>2&0o111
	}
	return now &^ 0o111
}

// gitMode is what git keeps of permission bits.
func gitMode(bits fs.FileMode) diff.FileMode {
	if bits&0o100 != 0 {
		return diff.ModeExecutable
	}
	return diff.ModePlain
}

// planMode works out the change of a file's mode alone. Its text may be any,
// and the editor may have unsaved changes of it.
func (b *batch) planMode(ctx context.Context, w *FileRequest) (*fileChange, error) {
	f, err := b.env.File(ctx, w.Path, "")
	if err != nil {
		return nil, err
	}
	if err := mayTouch(f); err != nil {
		return nil, err
	}
	p, err := b.writable(f.Path)
	if err != nil {
		return nil, err
	}
	c := &fileChange{file: f, path: p, action: history.Modified, hash: f.Hash}
	if err := b.same(c, w); err != nil && (fault.KindOf(err) != fault.StaleFile || !b.merges(b.env)) {
		return nil, err
	}
	return c, b.findMode(c, w)
}

// findMode works out how the mode of a change's file changes.
func (b *batch) findMode(c *fileChange, w *FileRequest) (err error) {
	switch {
	case w.Mode == nil:
		return nil
	case !atomicfile.HasModes && c.action == history.Created && gitMode(w.Mode(0)) != diff.ModeExecutable:
		return nil // what every file is
	case !atomicfile.HasModes:
		c.note("This system has no modes of files: none was set.")
		return nil
	case c.action == history.Created:
		if c.mode.To = w.Mode(0); gitMode(c.mode.To) == diff.ModeExecutable {
			c.note("It is executable.")
		}
		return nil
	}
	if c.mode.From, err = b.env.Snapshot.Gate.Mode(c.path); err != nil {
		return at(err, c.path.Rel)
	}
	if to := w.Mode(c.mode.From); to != c.mode.From {
		c.mode.To = to
	}
	return nil
}

// modeLines are the lines of a diff that tell of the mode, as git writes them.
func (c *fileChange) modeLines() string {
	from, to := gitMode(c.mode.From), gitMode(c.mode.To)
	switch {
	case c.mode.IsNone(), from == to:
		return ""
	case c.action == history.Created:
		return diff.GitLine(c.path.Rel, c.path.Rel) + "new file mode " + string(to) + "\n"
	}
	return diff.GitLine(c.path.Rel, c.afterwards().Rel) + "old mode " + string(from) + "\nnew mode " + string(to) + "\n"
}

// setModes sets the modes of files that the editor has open.
func (l *applier) setModes(context.Context) error {
	for _, c := range l.todo {
		if !c.open() || c.mode.IsNone() {
			continue
		}
		if err := atomicfile.SetMode(l.env.Snapshot.Gate, c.afterwards(), c.mode); err != nil {
			return c.diskError(err)
		}
		c.modeSet = true
		c.note("The mode was set on disk; the text is the editor's.")
		l.env.Touched(c.afterwards())
	}
	return nil
}

// undoModes gives files that the editor has open their old modes.
func (l *applier) undoModes() {
	for _, c := range l.todo {
		if !c.modeSet {
			continue
		}
		back := atomicfile.ModeChange{From: c.mode.To, To: c.mode.From}
		c.modeSet = atomicfile.SetMode(l.env.Snapshot.Gate, c.afterwards(), back) != nil
		l.env.Touched(c.afterwards())
	}
}

// hasMode reports whether the file has the mode that the change gives it.
func (c *fileChange) hasMode(env *toolcall.Env) bool {
	if c.mode.IsNone() {
		return false
	}
	now, err := env.Snapshot.Gate.Mode(c.path)
	return err == nil && now == c.mode.To
}

// OldMode returns the permission bits that a file had before a change: all of
// them if they are as the change made them, else what git keeps of them.
func OldMode(change atomicfile.ModeChange, now fs.FileMode) fs.FileMode {
	if now == change.To {
		return change.From
	}
	return WithMode(now, gitMode(change.From))
}
