package change

import (
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/history"
)

// All requests of a call refer to the files as they are before it. So a name
// that one of them gives up is there for another one: two files may change
// their names with each other.

// findFreedNames notes which names the call gives up.
func (b *batch) findFreedNames() {
	b.freed = make(map[string]bool)
	for i := range b.Files {
		w := &b.Files[i]
		if w.Kind != KindDelete && w.Kind != KindMove {
			continue
		}
		if p, err := b.env.Snapshot.Resolve(w.Path); err == nil {
			b.freed[p.Key()] = true
		}
	}
}

// takesName returns the key of the name that the change gives to a file; "" when
// it gives none.
func (c *fileChange) takesName() string {
	switch c.action {
	case history.Created:
		return c.path.Key()
	case history.Moved:
		return c.to.Key()
	}
	return ""
}

// freesName reports whether the change gives up the file's name.
func (c *fileChange) freesName() bool {
	return c.action == history.Deleted || c.action == history.Moved
}

// checkNames refuses calls that want two things of one file, by whatever names,
// or give one name twice.
func (b *batch) checkNames() error {
	if len(b.changes) == 1 {
		return nil
	}
	there, given := make(map[string]bool, len(b.changes)), make(map[string]bool)
	for _, c := range b.changes {
		twice := false
		note := func(in map[string]bool, key string) {
			twice = twice || in[key]
			in[key] = true
		}
		if key := c.takesName(); key != "" {
			note(given, key)
		}
		if c.action != history.Created {
			note(there, c.path.Key())
			if real := c.file.Real; real != "" && real != c.path.Key() {
				note(there, real)
			}
		}
		if twice {
			return fault.New(fault.InvalidParams, "the file is changed twice in one call").At(c.path.Rel).
				Advise("Put all that is to become of a file together, or make two calls.")
		}
	}
	return b.checkFolders(given)
}

// checkFolders refuses a call that makes one name a file and, for another file, a
// folder.
func (b *batch) checkFolders(given map[string]bool) error {
	for _, c := range b.changes {
		key := c.takesName()
		for dir := filepath.Dir(key); key != "" && len(dir) < len(key); key, dir = dir, filepath.Dir(dir) {
			if given[dir] {
				return fault.New(fault.InvalidParams, "it is to be in %s, which the same call makes a file; nothing was changed", filepath.Base(dir)).
					At(c.afterwards().Rel).Advise("Choose another name for one of them.")
			}
		}
	}
	return nil
}

// applyOrder returns the changes in an order in which the editor, which moves
// one file after the other, has freed a name before another file is to have it.
// Where no order does that, as for two files that change names with each other,
// a file is moved aside: the editor moves it to a name of its own first. So it is
// where the disk needs the name, which moves all at once and before the editor.
func applyOrder(changes []*fileChange) ([]*fileChange, error) {
	held := make(map[string]*fileChange) // the names that the editor has still to free
	for _, c := range changes {
		if c.open() && c.freesName() {
			held[c.path.Key()] = c
		}
	}
	for _, c := range changes {
		holder := held[c.takesName()]
		switch {
		case holder == nil || c.open():
		case holder.action == history.Deleted:
			return nil, notFreed(c, holder)
		default:
			holder.movesAside = true
			delete(held, c.takesName())
		}
	}
	order := make([]*fileChange, 0, len(changes))
	for waiting := changes; len(waiting) > 0; {
		var still []*fileChange
		for _, c := range waiting {
			if held[c.takesName()] != nil {
				still = append(still, c)
				continue
			}
			delete(held, c.path.Key())
			order = append(order, c)
		}
		if len(still) == len(waiting) { // a ring of open files
			still[0].movesAside = true
			delete(held, still[0].path.Key())
		}
		waiting = still
	}
	return order, nil
}

func notFreed(c, holder *fileChange) error {
	return fault.New(fault.NotApplied, "%s has the name that it is to get, is open, and is deleted only after the disk was changed; nothing was changed", holder.path.Rel).
		At(c.path.Rel).Advise("Make two calls of it, or ask the person to close the file.")
}
