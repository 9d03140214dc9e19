package tools

import (
	"context"
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// withMode returns permission bits with what a mode of git says: who may read
// a file may also run it, or nobody may. now is 0 for a new file, of whose bits
// the umask takes some away.
func withMode(now fs.FileMode, mode diff.FileMode) fs.FileMode {
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

// oldMode returns the permission bits that a file had before a change: all of
// them if they are as the change made them, else what git keeps of them.
func (f pastFile) oldMode(now fs.FileMode) fs.FileMode {
	if now == f.mode.To {
		return f.mode.From
	}
	return withMode(now, gitMode(f.mode.From))
}

// planMode works out the change of a file's mode alone. Its text may be any,
// and the editor may have unsaved changes of it.
func (b *batch) planMode(ctx context.Context, w *wish) (*change, error) {
	f, err := b.env.file(ctx, w.path, "")
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
	c := &change{file: f, path: p, action: actionModified, hash: f.Hash}
	if err := b.same(c, w); err != nil && (fault.KindOf(err) != fault.StaleFile || !b.merges(b.env)) {
		return nil, err
	}
	return c, b.findMode(c, w)
}

// findMode settles how the mode of a change's file changes.
func (b *batch) findMode(c *change, w *wish) (err error) {
	switch {
	case w.mode == nil:
		return nil
	case !atomicfile.HasModes && c.action == actionCreated && gitMode(w.mode(0)) != diff.ModeExecutable:
		return nil // what every file is
	case !atomicfile.HasModes:
		c.note("This system has no modes of files: none was set.")
		return nil
	case c.action == actionCreated:
		if c.mode.To = w.mode(0); gitMode(c.mode.To) == diff.ModeExecutable {
			c.note("It is executable.")
		}
		return nil
	}
	if c.mode.From, err = b.env.Snapshot.Gate.Mode(c.path); err != nil {
		return at(err, c.path.Rel)
	}
	if to := w.mode(c.mode.From); to != c.mode.From {
		c.mode.To = to
	}
	return nil
}

// modeLines are the lines of a diff that tell of the mode, as git writes them.
func (c *change) modeLines() string {
	from, to := gitMode(c.mode.From), gitMode(c.mode.To)
	switch {
	case c.mode.IsNone(), from == to:
		return ""
	case c.action == actionCreated:
		return diff.GitLine(c.path.Rel, c.path.Rel) + "new file mode " + string(to) + "\n"
	}
	return diff.GitLine(c.path.Rel, c.afterwards().Rel) + "old mode " + string(from) + "\nnew mode " + string(to) + "\n"
}

// setModes sets the modes of files that the editor has open.
func (l *landing) setModes(context.Context) error {
	for _, c := range l.todo {
		if !c.open() || c.mode.IsNone() {
			continue
		}
		if err := atomicfile.SetMode(l.env.Snapshot.Gate, c.afterwards(), c.mode); err != nil {
			return c.diskError(err)
		}
		c.modeSet = true
		c.note("The mode was set on disk; the text is the editor's.")
		l.env.touched(c.afterwards())
	}
	return nil
}

// undoModes gives files that the editor has open their old modes.
func (l *landing) undoModes() {
	for _, c := range l.todo {
		if !c.modeSet {
			continue
		}
		back := atomicfile.ModeChange{From: c.mode.To, To: c.mode.From}
		c.modeSet = atomicfile.SetMode(l.env.Snapshot.Gate, c.afterwards(), back) != nil
		l.env.touched(c.afterwards())
	}
}

// hasMode reports whether the file has the mode that the change gives it.
func (c *change) hasMode(env *Env) bool {
	if c.mode.IsNone() {
		return false
	}
	now, err := env.Snapshot.Gate.Mode(c.path)
	return err == nil && now == c.mode.To
}
