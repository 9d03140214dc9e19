package workspace

import (
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// CheckWritePath refuses what is plain from the path as written.
func (g *Gate) CheckWritePath(p Path) error {
	if p.Untitled() {
		return fault.New(fault.InvalidParams, "an untitled document has no file").At(p.Rel)
	}
	if err := g.CheckWrite(p); err != nil {
		return err
	}
	if _, _, ok := g.LocateReadable(p.Abs); !ok {
		return g.outside(p.Rel)
	}
	return nil
}

// AlreadyExists returns the error for a new file whose place is taken.
func AlreadyExists(to WriteTarget) error {
	if to.Dangles {
		return fault.New(fault.AlreadyExists, "a symbolic link to something that does not exist is there").
			Advise("nothing is made through such a link; remove it, or make the file it leads to").With("dangling", true)
	}
	return fault.New(fault.AlreadyExists, "something is there already").
		Advise("read it first, then give its content_hash to change it")
}

// WriteTarget is where a path that is to be written leads.
type WriteTarget struct {
	fsys.Followed
	Dir   *fsys.Dir // the open folder it is in
	Rel   string    // its path there
	Place Place     // the same for rules
}

// FindWriteTarget follows p's links to a place in a workspace folder.
func (g *Gate) FindWriteTarget(p Path) (WriteTarget, error) {
	to, err := fsys.FollowLinks(p.Abs)
	r, rel, ok := g.LocateReal(to.Path)
	switch {
	case !ok:
		return WriteTarget{}, ErrLeadsOut
	case err != nil:
		return WriteTarget{}, err
	case r.readOnly:
		return WriteTarget{}, readOnlyPlace(p, r)
	case rel == ".":
		return WriteTarget{}, fault.New(fault.IsDirectory, "a folder, not a file")
	}
	r.Dir.Renew()
	return WriteTarget{Followed: to, Dir: r.Dir.Now(), Rel: rel, Place: r.placeAt(rel)}, nil
}
