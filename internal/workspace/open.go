package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Open opens the regular file at p for reading. It never waits for anything
// but the disk.
//
// Errors, all naming p: not_found with near names, is_directory,
// not_directory, not_a_file (FIFO, socket, device, files of /proc and its
// like), permission_denied (the rule, as detail "rule", or the system),
// outside_workspace (in no folder and no policy.readOnlyRoots, or a link leads
// there), invalid_params (a name too long), io_error.
func (g *Gate) Open(p Path) (*fsys.Handle, error) {
	r, rel, err := g.forReading(p)
	if err != nil {
		return nil, err
	}
	h, err := g.openBelow(r, rel, p)
	if err != nil {
		return nil, g.Explain(p, err)
	}
	return h, nil
}

// Stat returns the state of the regular file at p, links followed. Its checks
// and errors are those of [Gate.Open]; that the system lets the file be read
// is not among them.
func (g *Gate) Stat(p Path) (fsys.ID, error) {
	r, rel, err := g.forReading(p)
	if err != nil {
		return fsys.ID{}, err
	}
	if o := r.Dir.Now(); o != nil && !o.Pseudo {
		if st, ok := o.StatPlain(rel); ok && st.Mode.IsRegular() {
			return st.ID, nil
		}
	}
	return idOf(g.Open(p))
}

// OpenDocument opens the file of a document that the editor itself has open,
// to learn what its buffer was read from. The document may lie outside all
// folders: only the caller can know that the editor has it open, so no
// argument of a tool may come here unchecked. All other checks are those of
// [Gate.Open].
func (g *Gate) OpenDocument(p Path) (*fsys.Handle, error) {
	if err := g.checkWritten(p); err != nil {
		return nil, err
	}
	f, err := fsys.OpenToRead(p.Abs)
	if err != nil {
		return nil, g.Explain(p, err)
	}
	h, err := fsys.NewHandle(f, p.Abs, nil)
	if err != nil {
		return nil, g.Explain(p, err)
	}
	if rule, ok := g.hidden(g.placeOfReal(h.Real)); ok {
		h.Close()
		return nil, denied(p, rule)
	}
	return h, nil
}

// StatDocument returns the state of a document's file under the conditions of
// [Gate.OpenDocument].
func (g *Gate) StatDocument(p Path) (fsys.ID, error) {
	if _, _, ok := g.locate(p.Abs); ok {
		if id, err := g.Stat(p); err == nil {
			return id, nil
		}
	}
	return idOf(g.OpenDocument(p))
}

func idOf(h *fsys.Handle, err error) (fsys.ID, error) {
	if err != nil {
		return fsys.ID{}, err
	}
	return h.ID, h.Close()
}

// forReading finds the folder that p is written below and applies the policy to
// the path as written.
func (g *Gate) forReading(p Path) (r *Root, rel string, err error) {
	if p.Untitled() {
		return nil, "", fault.New(fault.NotFound, "the document has no file: it exists in the editor only").At(p.Rel)
	}
	r, rel, ok := g.LocateReadable(p.Abs)
	if !ok {
		return nil, "", g.outside(p.Rel)
	}
	if r == g.outputs {
		return r, rel, nil
	}
	if rule, ok := g.hidden(r.placeAt(rel)); ok {
		return nil, "", denied(p, rule)
	}
	return r, rel, nil
}

// checkWritten applies the policy to the path as written, wherever it is.
func (g *Gate) checkWritten(p Path) error {
	_, _, err := g.forReading(p)
	if fault.KindOf(err) != fault.OutsideWorkspace {
		return err
	}
	if rule, ok := g.hidden(g.placeElsewhere(p.Abs, givenPath)); ok {
		return denied(p, rule)
	}
	return nil
}

// openBelow opens rel below r and applies the policy to what was opened. A
// link that os.Root does not follow, because it is absolute or leads through
// another folder, is resolved and opened in the folder where it ends.
func (g *Gate) openBelow(r *Root, rel string, p Path) (h *fsys.Handle, err error) {
	for range fsys.MaxTries {
		h, err = r.openFile(rel)
		if fsys.IsEscape(err) && r != g.outputs {
			h, err = g.openLinked(p.Abs)
		}
		switch {
		case err == nil:
			return g.checkOpened(h, r, rel, p)
		case errors.Is(err, fsys.ErrPathChanged):
			continue
		case fault.KindOf(err) == fault.NotFound && r.Dir.Renew():
			continue
		}
		return nil, err
	}
	return nil, err
}

// openFile opens rel through r's os.Root, which follows links only as far as
// they stay below r.
func (r *Root) openFile(rel string) (*fsys.Handle, error) {
	o := r.Dir.Now()
	if o == nil {
		return nil, fault.New(fault.NotFound, "the workspace folder %s does not exist", r.Path)
	}
	f, err := o.OpenFile(rel)
	if err != nil {
		return nil, err
	}
	return fsys.NewHandle(f, filepath.Join(o.Real, rel), o)
}

// openLinked opens a path that has links which os.Root does not follow. Only
// the place where they end is taken from looking at the path; it is opened
// below the folder that holds it.
func (g *Gate) openLinked(abs string) (*fsys.Handle, error) {
	at, err := fsys.FollowLinks(abs)
	r, rel, ok := g.LocateReal(at.Path)
	switch {
	case !ok:
		// Also when there is nothing, so that nobody can feel around outside.
		return nil, ErrLeadsOut
	case err != nil:
		return nil, err
	}
	h, err := r.openFile(rel)
	if fsys.IsEscape(err) {
		return nil, fsys.ErrPathChanged
	}
	return h, err
}

// ErrLeadsOut is the error for a link that leads out of all folders.
var ErrLeadsOut = fault.New(fault.OutsideWorkspace, "a symbolic link leads out of the workspace").
	Advise("the person can open that folder too, or name it in policy.readOnlyRoots")

// checkOpened applies the policy to the real path of what was opened as rel
// below r.
func (g *Gate) checkOpened(h *fsys.Handle, r *Root, rel string, p Path) (*fsys.Handle, error) {
	if real, ok := fsys.Below(r.Real(), h.Real); ok && real == rel {
		return h, nil
	}
	if r == g.outputs { // a link: nothing of ours
		h.Close()
		return nil, ErrLeadsOut
	}
	if rule, ok := g.hidden(g.placeOfReal(h.Real)); ok {
		h.Close()
		return nil, denied(p, rule)
	}
	return h, nil
}

// Mode returns the permission bits of the file at p. Errors are those of
// [Gate.Open].
func (g *Gate) Mode(p Path) (fs.FileMode, error) {
	h, err := g.Open(p)
	if err != nil {
		return 0, err
	}
	return h.Mode.Perm(), h.Close()
}
