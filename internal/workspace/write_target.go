package workspace

import "github.com/agent-lsp/agent-lsp/internal/fault"

// checkLanding refuses what is plain from the path as written.
func (g *Gate) checkLanding(p Path) error {
	if p.Untitled() {
		return fault.New(fault.InvalidParams, "an untitled document has no file").At(p.Rel)
	}
	if err := g.CheckWrite(p); err != nil {
		return err
	}
	if _, _, ok := g.locateReadable(p.Abs); !ok {
		return g.outside(p.Rel)
	}
	return nil
}

func alreadyExists(to aim) error {
	if to.dangles {
		return fault.New(fault.AlreadyExists, "a symbolic link to something that does not exist is there").
			Advise("nothing is made through such a link; remove it, or make the file it leads to").With("dangling", true)
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
	r.dir.renew()
	return aim{followed: to, below: r.dir.now(), rel: rel, place: r.placeAt(rel)}, nil
}
