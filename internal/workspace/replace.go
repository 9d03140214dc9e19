package workspace

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Replace puts data in the place of the file at p if the file's bytes still
// have the hash guard. A symbolic link stays one and its target is replaced,
// as far as that lies in the workspace.
//
// The guard decides at the moment of the exchange. Callers compare it before
// too, so that a stale edit does not show in the file for an instant.
//
// Errors: those of [Gate.Open] and [Gate.CheckWrite]; stale_file with the
// detail "actual" when the bytes are others; read_only and disk_full from the
// system. After an error the file is as it was, or as another program made it
// since; the detail "kept" names a file that had to be left beside it.
//
// journal may be nil; then what is beside the file for a moment stays there if
// this process dies meanwhile.
func (g *Gate) Replace(journal *Journal, p Path, guard text.Hash, data []byte) (Written, error) {
	if err := g.checkLanding(p); err != nil {
		return Written{}, err
	}
	at, err := g.landing(p)
	if err != nil {
		return Written{}, g.explain(p, err)
	}
	defer at.close()
	w, err := replaceAt(journal.notes(at.root, at.rel, at.dir), at.dir, at.name, guard, data)
	if err != nil {
		return w, g.explain(p, err)
	}
	return w, nil
}

// Create makes the file at p, and the folders it is to be in, with the bytes
// of data. What exists is never replaced, a symbolic link to nothing
// included.
//
// Errors: already_exists, outside_workspace, not_directory, those of
// [Gate.CheckWrite], and the system's. After an error nothing is there that
// was not before.
//
// journal is that of [Gate.Replace].
func (g *Gate) Create(journal *Journal, p Path, data []byte) (Written, error) {
	if err := g.checkLanding(p); err != nil {
		return Written{}, err
	}
	at, err := g.newLanding(p)
	if err != nil {
		return Written{}, g.explain(p, err)
	}
	defer at.close()
	w, err := createAt(journal.notes(at.root, at.rel, at.dir), at.dir, at.name, data)
	if err != nil {
		at.way.undo()
		return w, g.explain(p, err)
	}
	at.way.persist()
	return w, nil
}

// landing is where a file is written: a name in an open folder, both free of
// links.
type landing struct {
	dir  *os.File
	root string // the workspace folder's real path
	rel  string // dir's path there
	name string
	way  *folderChain // to a new file; nil for one that exists
}

func (at landing) close() {
	at.dir.Close()
	if at.way != nil {
		at.way.close()
	}
}

// landing follows p to the file that is replaced and opens its folder.
func (g *Gate) landing(p Path) (at landing, err error) {
	for range maxTries {
		at, err = g.tryLanding(p)
		if !errors.Is(err, errSwapped) {
			break
		}
	}
	return at, err
}

func (g *Gate) tryLanding(p Path) (landing, error) {
	to, err := g.writable(p)
	switch {
	case err != nil:
		return landing{}, err
	case !to.exists:
		return landing{}, fault.New(fault.NotFound, "no such file")
	}
	return g.openLanding(p, to)
}

// newLanding follows p to where a file is made, and makes its folders.
func (g *Gate) newLanding(p Path) (at landing, err error) {
	for range maxTries {
		at, err = g.tryNewLanding(p)
		if !errors.Is(err, errSwapped) {
			break
		}
	}
	return at, err
}

func (g *Gate) tryNewLanding(p Path) (landing, error) {
	to, err := g.writable(p)
	switch {
	case err != nil:
		return landing{}, err
	case to.exists || to.dangles:
		return landing{}, alreadyExists(to)
	}
	// Once more: the links may have led elsewhere when p was checked.
	if err := g.checkWrite(p, []place{to.place}); err != nil {
		return landing{}, err
	}
	dir, way, err := to.below.makeFolders(filepath.Dir(to.rel))
	if err != nil {
		way.undo()
		way.close()
		return landing{}, err
	}
	return landing{dir: dir, root: to.below.real, rel: filepath.Dir(to.rel), name: filepath.Base(to.rel), way: way}, nil
}

// openLanding opens the folder of an aim and makes sure that it is the one
// that was checked: a link swapped in between is errSwapped.
func (g *Gate) openLanding(p Path, to aim) (landing, error) {
	rel := filepath.Dir(to.rel)
	dir, err := to.below.root.OpenFile(rel, openDirFlags, 0)
	if isEscape(err) {
		return landing{}, errSwapped
	}
	if err != nil {
		return landing{}, err
	}
	if err := isAt(dir, filepath.Join(to.below.real, rel)); err != nil {
		dir.Close()
		return landing{}, err
	}
	// Once more: the links may have led elsewhere when p was checked.
	if err := g.checkWrite(p, []place{to.place}); err != nil {
		dir.Close()
		return landing{}, err
	}
	return landing{dir: dir, root: to.below.real, rel: rel, name: filepath.Base(to.rel)}, nil
}
