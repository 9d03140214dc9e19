package atomicfile

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// planner turns operations into steps: which names in which folders change.
type planner struct {
	gate    *workspace.Gate
	change  *diskChange
	known   map[fsys.ID]*txnFolder // by Dev and Ino
	missing map[slot]*txnFolder    // folders to be made
	claimed map[slot]map[purpose]bool
}

// slot is a name in a folder.
type slot struct {
	in   *txnFolder
	name string
}

type purpose uint8

const (
	asSource purpose = iota // what is there changes or goes
	asTarget                // something comes there
)

// plan makes the steps of all operations, in the order in which they are to
// be done. The path is the one that an error is about.
func (t *Transaction) plan() (at workspace.Path, err error) {
	p := planner{t.gate, &t.disk, make(map[fsys.ID]*txnFolder), make(map[slot]*txnFolder), make(map[slot]map[purpose]bool)}
	for i := range t.wanted {
		if at, err = p.add(i, &t.wanted[i]); err != nil {
			return at, err
		}
	}
	slices.SortStableFunc(t.disk.steps, func(a, b *step) int { return cmp.Compare(a.kind, b.kind) })
	return workspace.Path{}, nil
}

func (p *planner) add(i int, o *operation) (at workspace.Path, err error) {
	var from *step
	if o.kind != opCreate {
		if from, err = p.source(i, o); err != nil {
			return o.path, err
		}
	}
	switch o.kind {
	case opReplace:
		return o.path, p.claim(from, asTarget)
	case opDelete:
		return o.path, nil
	case opMove:
		return o.to, p.target(i, o.to, o, from)
	}
	return o.path, p.target(i, o.path, o, nil)
}

// source adds the step for what is there.
func (p *planner) source(i int, o *operation) (*step, error) {
	in, name, err := p.find(o.path, o.kind == opReplace, false)
	if err != nil {
		return nil, err
	}
	s := &step{kind: stepRenameAway, op: i, path: o.path, in: in, name: name, old: o.guard, away: exchangeName(o.guard)}
	if o.kind == opReplace {
		s.kind, s.home, s.temp, s.data, s.like = stepExchange, in, exchangeName(o.guard), o.data, s
		s.copy, s.mode = o.same, o.mode
	}
	p.change.steps = append(p.change.steps, s)
	return s, p.claim(s, asSource)
}

// target adds the step for what is to be there. from is the step of the file
// that moves there; nil for a creation.
func (p *planner) target(i int, to workspace.Path, o *operation, from *step) error {
	in, name, err := p.find(to, false, true)
	if err != nil {
		return err
	}
	if from != nil && from.in == in && from.name == name {
		return workspace.AlreadyExists(workspace.WriteTarget{})
	}
	s := &step{kind: stepRenameIn, op: i, path: to, in: in, name: name, home: in.existing(), temp: newName(), data: o.data, like: from, mode: o.mode}
	if o.same && o.mode.IsNone() && !p.change.crosses(from.in, s.home) {
		s.home, s.temp, s.moved, from.moved = from.in, from.away, true, true
	}
	s.copy = o.same && !s.moved
	p.change.steps = append(p.change.steps, s)
	return p.claim(s, asTarget)
}

// claim refuses a second change of one name.
func (p *planner) claim(s *step, as purpose) error {
	at := slot{s.in, s.name}
	if p.claimed[at][as] {
		return fault.New(fault.InvalidParams, "two changes of one call are about this file").
			Advise("make one change of them, or two calls")
	}
	if p.claimed[at] == nil {
		p.claimed[at] = make(map[purpose]bool, 1)
	}
	p.claimed[at][as] = true
	return nil
}

// find follows a path to a name in a folder. With follow its last name may be
// a link; with fresh, nothing needs to be there, nor its folder.
func (p *planner) find(path workspace.Path, follow, fresh bool) (in *txnFolder, name string, err error) {
	for range fsys.MaxTries {
		in, name, err = p.tryFind(path, follow, fresh)
		if !errors.Is(err, fsys.ErrPathChanged) {
			break
		}
	}
	return in, name, err
}

func (p *planner) tryFind(path workspace.Path, follow, fresh bool) (*txnFolder, string, error) {
	to, err := p.gate.FindWriteTarget(path)
	if err != nil {
		return nil, "", err
	}
	if !follow {
		if err := notThroughLink(path, to, fresh); err != nil {
			return nil, "", err
		}
	}
	switch {
	case !to.Exists && !fresh:
		return nil, "", fault.New(fault.NotFound, "no such file")
	case to.Dangles:
		return nil, "", workspace.AlreadyExists(to)
	}
	// Once more: the links may have led elsewhere when the path was checked.
	if err := p.gate.CheckPlaces(path, []workspace.Place{to.Place}); err != nil {
		return nil, "", err
	}
	in, err := p.open(to.Dir, filepath.Dir(to.Rel), fresh)
	return in, filepath.Base(to.Rel), err
}

// notThroughLink refuses a path whose last name is a link.
func notThroughLink(path workspace.Path, to workspace.WriteTarget, fresh bool) error {
	parent, err := fsys.FollowLinks(filepath.Dir(path.Abs))
	if err != nil {
		return err
	}
	switch linked := to.Path != filepath.Join(parent.Path, filepath.Base(path.Abs)); {
	case !linked:
		return nil
	case fresh:
		return workspace.AlreadyExists(to)
	}
	return fault.New(fault.NotAFile, "a symbolic link, which is neither deleted nor moved").
		Advise("delete or move the file that it leads to, %s, or let the person change the link", to.Path)
}

// open opens the folder at rel, a path without links below o. With fresh,
// what is missing of it is left to be made.
func (p *planner) open(o *fsys.Dir, rel string, fresh bool) (*txnFolder, error) {
	dir, err := o.Root.OpenFile(rel, fsys.OpenDirFlags, 0)
	switch {
	case fsys.IsEscape(err):
		return nil, fsys.ErrPathChanged
	case fault.KindOf(err) == fault.NotFound && fresh && rel != ".":
		parent, err := p.open(o, filepath.Dir(rel), true)
		if err != nil {
			return nil, err
		}
		return p.toBeMade(parent, filepath.Base(rel)), nil
	case err != nil:
		return nil, err
	}
	if err := fsys.CheckAt(dir, filepath.Join(o.Real, rel)); err != nil {
		dir.Close()
		return nil, err
	}
	return p.opened(dir, o.Real, rel)
}

func (p *planner) opened(dir *os.File, root, rel string) (*txnFolder, error) {
	st, err := fsys.StatFile(dir)
	key := fsys.ID{Dev: st.ID.Dev, Ino: st.ID.Ino}
	if f := p.known[key]; f != nil || err != nil {
		dir.Close()
		return f, err
	}
	f := &txnFolder{root: root, rel: rel, dir: dir, dev: st.ID.Dev, ino: st.ID.Ino}
	p.known[key] = f
	p.change.folders = append(p.change.folders, f)
	return f, nil
}

func (p *planner) toBeMade(parent *txnFolder, name string) *txnFolder {
	at := slot{parent, name}
	f := p.missing[at]
	if f == nil {
		f = &txnFolder{parent: parent, name: name}
		p.missing[at] = f
		p.change.folders = append(p.change.folders, f)
	}
	return f
}

// existing is the folder itself or the nearest one above that exists.
func (f *txnFolder) existing() *txnFolder {
	for f.dir == nil {
		f = f.parent
	}
	return f
}

// crosses reports whether files cannot be moved between two folders because
// they are on different file systems, or mounts: the system sees that before
// it sees that there is nothing of the name.
func (c *diskChange) crosses(from, to *txnFolder) bool {
	return from.dev != to.dev || c.at(from).RenameNew(newName(), c.at(to).DirCalls, newName()) == syscall.EXDEV
}
