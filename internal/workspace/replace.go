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
func (g *Gate) Replace(p Path, guard text.Hash, data []byte) (Written, error) {
	if err := g.checkLanding(p); err != nil {
		return Written{}, err
	}
	at, err := g.landing(p)
	if err != nil {
		return Written{}, g.explain(p, err)
	}
	defer at.dir.Close()
	w, err := replaceAt(at.dir, at.name, guard, data)
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
func (g *Gate) Create(p Path, data []byte) (Written, error) {
	if err := g.checkLanding(p); err != nil {
		return Written{}, err
	}
	at, err := g.newLanding(p)
	if err != nil {
		return Written{}, g.explain(p, err)
	}
	defer at.dir.Close()
	w, err := createAt(at.dir, at.name, data)
	if err != nil {
		at.unmake()
		return w, g.explain(p, err)
	}
	at.persist()
	return w, nil
}

// checkLanding refuses what is plain from the path as written.
func (g *Gate) checkLanding(p Path) error {
	if p.Untitled() {
		return fault.New(fault.InvalidParams, "an untitled document has no file").At(p.Rel)
	}
	if err := g.CheckWrite(p); err != nil {
		return err
	}
	if _, _, ok := g.locate(p.Abs); !ok {
		return g.outside(p.Rel)
	}
	return nil
}

// landing is where a file is written: a name in an open directory, both free
// of links.
type landing struct {
	dir  *os.File
	name string

	below *openDir
	made  []string // folders made for it, outermost first, relative to below
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
	made, err := to.below.makeFolders(filepath.Dir(to.rel))
	at := landing{below: to.below, made: made}
	if err == nil {
		at, err = g.openLanding(p, to)
		at.made = made
	}
	if err != nil {
		at.below = to.below
		at.unmake()
	}
	return at, err
}

func alreadyExists(to aim) error {
	if to.dangles {
		return fault.New(fault.AlreadyExists, "a symbolic link to something that does not exist is there").
			Advise("nothing is made through such a link; remove it, or make the file it leads to")
	}
	return fault.New(fault.AlreadyExists, "something is there already").
		Advise("read it first, then give its content_hash to change it")
}

// aim is where a path that is to be written leads.
type aim struct {
	followed
	below *openDir // the open folder it is in
	rel   string   // its path there
	place place    // the same for rules
}

// writable follows p's links to a place in a workspace folder.
func (g *Gate) writable(p Path) (aim, error) {
	to, err := followLinks(p.Abs)
	r, rel, ok := g.locateReal(to.path)
	switch {
	case !ok:
		return aim{}, errLeadsOut
	case err != nil:
		return aim{}, err
	case r.readOnly:
		return aim{}, readOnlyPlace(p, r)
	case rel == ".":
		return aim{}, fault.New(fault.IsDirectory, "a folder, not a file")
	}
	return aim{followed: to, below: r.dir.now.Load(), rel: rel, place: r.placeAt(rel)}, nil
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
	want := filepath.Join(to.below.real, rel)
	if real, err := descriptorPath(dir, want); err != nil || real != want {
		dir.Close()
		return landing{}, errSwapped
	}
	// Once more: the links may have led elsewhere when p was checked.
	if err := g.checkWrite(p, []place{to.place}); err != nil {
		dir.Close()
		return landing{}, err
	}
	return landing{dir: dir, name: filepath.Base(to.rel), below: to.below}, nil
}

// makeFolders makes the folders of rel that are missing and returns those it
// made, outermost first.
func (o *openDir) makeFolders(rel string) (made []string, err error) {
	if rel == "." || o.has(rel) {
		return nil, nil
	}
	made, err = o.makeFolders(filepath.Dir(rel))
	if err != nil {
		return made, err
	}
	err = o.root.Mkdir(rel, 0o777)
	switch {
	case err == nil:
		made = append(made, rel)
	case fault.KindOf(err) == fault.AlreadyExists: // somebody else was quicker
		err = nil
	}
	return made, err
}

// unmake removes the folders that were made, as far as they are empty.
func (at landing) unmake() {
	for i := len(at.made) - 1; i >= 0; i-- {
		if at.below.root.Remove(at.made[i]) != nil {
			return
		}
	}
}

// persist writes the names of the folders that were made to the disk. That
// fails where folders cannot be synced, and then nothing can be done.
func (at landing) persist() {
	for _, rel := range at.made {
		if dir, err := at.below.root.OpenFile(filepath.Dir(rel), openDirFlags, 0); err == nil {
			dir.Sync()
			dir.Close()
		}
	}
}
