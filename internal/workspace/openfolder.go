package workspace

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// OpenedFolder is a folder that is open and may be read.
type OpenedFolder struct {
	Dir  fsys.DirHandle
	Root *Root
	Open *fsys.Dir // of Root
	Rel  string    // its place below Open, without links, with slashes; "" is the top
}

// Path returns the real path of the folder.
func (at OpenedFolder) Path() string { return filepath.Join(at.Open.Real, filepath.FromSlash(at.Rel)) }

// OpenFolder opens the folder at p for looking at its names. The caller
// closes it.
func (g *Gate) OpenFolder(p Path) (OpenedFolder, error) {
	r, rel, err := g.forReading(p)
	if err != nil {
		return OpenedFolder{}, err
	}
	var at OpenedFolder
	for range fsys.MaxTries {
		at, err = r.OpenFolder(rel)
		if err != nil && fsys.IsNotFolder(err) {
			at, err = g.openLinkedFolder(p)
		}
		if err == nil {
			return at, nil
		}
		if !errors.Is(err, fsys.ErrPathChanged) && (fault.KindOf(err) != fault.NotFound || !r.Dir.Renew()) {
			break
		}
	}
	return OpenedFolder{}, g.explainFolder(p, err)
}

// OpenFolder opens the folder rel, in system form, below r; no name in rel may
// be a link. The caller closes it.
func (r *Root) OpenFolder(rel string) (OpenedFolder, error) {
	o := r.Dir.Now()
	if o == nil {
		return OpenedFolder{}, fault.New(fault.NotFound, "the workspace folder %s does not exist", r.Path)
	}
	if rel == "." {
		rel = ""
	}
	rel = filepath.ToSlash(rel)
	d, err := o.OpenBelow(rel)
	if err != nil {
		return OpenedFolder{}, err
	}
	return OpenedFolder{Dir: d, Root: r, Open: o, Rel: rel}, nil
}

// openLinkedFolder opens the folder that p leads to by links, where that is.
func (g *Gate) openLinkedFolder(p Path) (OpenedFolder, error) {
	to, err := fsys.FollowLinks(p.Abs)
	r, rel, ok := g.LocateReal(to.Path)
	switch {
	case !ok:
		return OpenedFolder{}, ErrLeadsOut
	case err != nil:
		return OpenedFolder{}, err
	}
	if rule, ok := g.hidden(r.placeAt(rel)); ok {
		return OpenedFolder{}, denied(p, rule)
	}
	at, err := r.OpenFolder(rel)
	if err == nil || !fsys.IsNotFolder(err) {
		return at, err
	}
	if st, err := fsys.StatPath(to.Path); err == nil && st.Mode.IsDir() {
		return OpenedFolder{}, fsys.ErrPathChanged
	}
	return OpenedFolder{}, errNoFolder
}

var errNoFolder = fault.New(fault.NotDirectory, "a file, not a folder").
	Advise("read_file reads a file; name the folder it is in to list that")

// explainFolder turns an error of opening a folder into what a caller is
// told.
func (g *Gate) explainFolder(p Path, err error) error {
	if errors.Is(err, errNoFolder) {
		return errNoFolder.At(p.Rel)
	}
	err = g.Explain(p, err)
	if e := fault.From(err); e.Kind == fault.NotFound && strings.HasPrefix(e.Message, "no such file") {
		e = e.At(p.Rel)
		e.Message = "no such folder"
		return e
	}
	return err
}
