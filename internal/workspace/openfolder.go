package workspace

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// openedFolder is a folder that is open and may be read.
type openedFolder struct {
	dir  dirHandle
	root *root
	open *openDir // of root
	rel  string   // its place below open, without links, with slashes; "" is the top
}

func (at openedFolder) path() string { return filepath.Join(at.open.real, filepath.FromSlash(at.rel)) }

// openFolder opens the folder at p for looking at its names. The caller
// closes it.
func (g *Gate) openFolder(p Path) (openedFolder, error) {
	r, rel, err := g.forReading(p)
	if err != nil {
		return openedFolder{}, err
	}
	var at openedFolder
	for range maxTries {
		at, err = r.openFolder(rel)
		if err != nil && isNoFolder(err) {
			at, err = g.openLinkedFolder(p)
		}
		if err == nil {
			return at, nil
		}
		if !errors.Is(err, errSwapped) && (fault.KindOf(err) != fault.NotFound || !r.dir.renew()) {
			break
		}
	}
	return openedFolder{}, g.explainFolder(p, err)
}

func (r *root) openFolder(rel string) (openedFolder, error) {
	o := r.dir.now()
	if o == nil {
		return openedFolder{}, fault.New(fault.NotFound, "the workspace folder %s does not exist", r.Path)
	}
	if rel == "." {
		rel = ""
	}
	rel = filepath.ToSlash(rel)
	d, err := o.openFolderAt(rel)
	if err != nil {
		return openedFolder{}, err
	}
	return openedFolder{dir: d, root: r, open: o, rel: rel}, nil
}

// openLinkedFolder opens the folder that p leads to by links, where that is.
func (g *Gate) openLinkedFolder(p Path) (openedFolder, error) {
	to, err := followLinks(p.Abs)
	r, rel, ok := g.locateReal(to.path)
	switch {
	case !ok:
		return openedFolder{}, errLeadsOut
	case err != nil:
		return openedFolder{}, err
	}
	if rule, ok := g.hidden(r.placeAt(rel)); ok {
		return openedFolder{}, denied(p, rule)
	}
	at, err := r.openFolder(rel)
	if err == nil || !isNoFolder(err) {
		return at, err
	}
	if st, err := statPath(to.path); err == nil && st.mode.IsDir() {
		return openedFolder{}, errSwapped
	}
	return openedFolder{}, errNoFolder
}

var errNoFolder = fault.New(fault.NotDirectory, "a file, not a folder").
	Advise("read_file reads a file; name the folder it is in to list that")

// explainFolder turns an error of opening a folder into what a caller is
// told.
func (g *Gate) explainFolder(p Path, err error) error {
	if errors.Is(err, errNoFolder) {
		return errNoFolder.At(p.Rel)
	}
	err = g.explain(p, err)
	if e := fault.From(err); e.Kind == fault.NotFound && strings.HasPrefix(e.Message, "no such file") {
		e = e.At(p.Rel)
		e.Message = "no such folder"
		return e
	}
	return err
}
