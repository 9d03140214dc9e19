package atomicfile

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Replace puts data in the place of the file at p if the file's bytes still
// have the hash guard. A symbolic link stays one and its target is replaced,
// as far as that lies in the workspace.
//
// The guard decides at the moment of the exchange. Callers compare it before
// too, so that a stale edit does not show in the file for an instant.
//
// Errors: those of [workspace.Gate.Open] and [workspace.Gate.CheckWrite]; stale_file with the
// detail "actual" when the bytes are others; read_only and disk_full from the
// system. After an error the file is as it was, or as another program made it
// since; the detail "kept" names a file that had to be left beside it.
//
// journal may be nil; then what is beside the file for a moment stays there if
// this process dies meanwhile.
func Replace(g *workspace.Gate, journal *Journal, p workspace.Path, guard text.Hash, data []byte) (Written, error) {
	if err := g.CheckWritePath(p); err != nil {
		return Written{}, err
	}
	at, err := destinationOf(g, p)
	if err != nil {
		return Written{}, g.Explain(p, err)
	}
	defer at.close()
	w, err := replaceAt(journal.notes(at.root, at.rel, at.dir), at.dir, at.name, guard, data)
	if err != nil {
		return w, g.Explain(p, err)
	}
	return w, nil
}

// Create makes the file at p, and the folders it is to be in, with the bytes
// of data. What exists is never replaced, a symbolic link to nothing
// included.
//
// Errors: already_exists, outside_workspace, not_directory, those of
// [workspace.Gate.CheckWrite], and the system's. After an error nothing is there that
// was not before.
//
// journal is that of [Replace].
func Create(g *workspace.Gate, journal *Journal, p workspace.Path, data []byte) (Written, error) {
	if err := g.CheckWritePath(p); err != nil {
		return Written{}, err
	}
	at, err := newDestination(g, p)
	if err != nil {
		return Written{}, g.Explain(p, err)
	}
	defer at.close()
	w, err := createAt(journal.notes(at.root, at.rel, at.dir), at.dir, at.name, data)
	if err != nil {
		at.way.Undo()
		return w, g.Explain(p, err)
	}
	at.way.Persist()
	return w, nil
}

// destination is where a file is written: a name in an open folder, both free of
// links.
type destination struct {
	dir  *os.File
	root string // the workspace folder's real path
	rel  string // dir's path there
	name string
	way  *fsys.FolderChain // to a new file; nil for one that exists
}

func (at destination) close() {
	at.dir.Close()
	if at.way != nil {
		at.way.Close()
	}
}

// destinationOf follows p to the file that is replaced and opens its folder.
func destinationOf(g *workspace.Gate, p workspace.Path) (at destination, err error) {
	for range fsys.MaxTries {
		at, err = tryDestination(g, p)
		if !errors.Is(err, fsys.ErrPathChanged) {
			break
		}
	}
	return at, err
}

func tryDestination(g *workspace.Gate, p workspace.Path) (destination, error) {
	to, err := g.FindWriteTarget(p)
	switch {
	case err != nil:
		return destination{}, err
	case !to.Exists:
		return destination{}, fault.New(fault.NotFound, "no such file")
	}
	return openDestination(g, p, to)
}

// newDestination follows p to where a file is made, and makes its folders.
func newDestination(g *workspace.Gate, p workspace.Path) (at destination, err error) {
	for range fsys.MaxTries {
		at, err = tryNewDestination(g, p)
		if !errors.Is(err, fsys.ErrPathChanged) {
			break
		}
	}
	return at, err
}

func tryNewDestination(g *workspace.Gate, p workspace.Path) (destination, error) {
	to, err := g.FindWriteTarget(p)
	switch {
	case err != nil:
		return destination{}, err
	case to.Exists || to.Dangles:
		return destination{}, workspace.AlreadyExists(to)
	}
	// Once more: the links may have led elsewhere when p was checked.
	if err := g.CheckPlaces(p, []workspace.Place{to.Place}); err != nil {
		return destination{}, err
	}
	dir, way, err := to.Dir.MakeFolders(filepath.Dir(to.Rel))
	if err != nil {
		way.Undo()
		way.Close()
		return destination{}, err
	}
	return destination{dir: dir, root: to.Dir.Real, rel: filepath.Dir(to.Rel), name: filepath.Base(to.Rel), way: way}, nil
}

// openDestination opens the folder of an aim and makes sure that it is the one
// that was checked: a link put in between is [fsys.ErrPathChanged].
func openDestination(g *workspace.Gate, p workspace.Path, to workspace.WriteTarget) (destination, error) {
	rel := filepath.Dir(to.Rel)
	dir, err := to.Dir.Root.OpenFile(rel, fsys.OpenDirFlags, 0)
	if fsys.IsEscape(err) {
		return destination{}, fsys.ErrPathChanged
	}
	if err != nil {
		return destination{}, err
	}
	if err := fsys.CheckAt(dir, filepath.Join(to.Dir.Real, rel)); err != nil {
		dir.Close()
		return destination{}, err
	}
	// Once more: the links may have led elsewhere when p was checked.
	if err := g.CheckPlaces(p, []workspace.Place{to.Place}); err != nil {
		dir.Close()
		return destination{}, err
	}
	return destination{dir: dir, root: to.Dir.Real, rel: rel, name: filepath.Base(to.Rel)}, nil
}
