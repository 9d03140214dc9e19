package atomicfile

import (
	"errors"
	"fmt"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

func (t *Transaction) apply() error {
	if err := t.disk.do(); err != nil {
		return t.failed(err, t.disk.rollBack())
	}
	return nil
}

func (t *Transaction) rollback() error {
	r := t.disk.rollBack()
	if r.clean() {
		return nil
	}
	return r.tell(fault.New(fault.PartiallyApplied, "the changes were undone"))
}

// do does all steps and flushes the folders.
func (c *diskChange) do() error {
	for _, f := range c.folders {
		if err := c.make(f); err != nil {
			return fmt.Errorf("make the folder %s: %w", f.path(""), err)
		}
	}
	for _, s := range c.steps {
		if err := c.doStep(s); err != nil {
			return &stepError{s, err}
		}
	}
	return c.flushFolders()
}

// make makes a folder that is missing. Somebody else may have done so since.
func (c *diskChange) make(f *txnFolder) error {
	if f.dir != nil {
		return nil
	}
	d := c.at(f.parent)
	err := d.MakeFolder(f.name)
	f.made = err == nil
	if err != nil && err != syscall.EEXIST {
		return err
	}
	f.parent.dirty = true
	f.dir, err = d.OpenFolder(f.name)
	return err
}

func (c *diskChange) doStep(s *step) error {
	s.in.dirty = true
	s.kin().dirty = true
	switch s.kind {
	case stepRenameAway:
		return c.renameAway(s)
	case stepExchange:
		return c.exchange(s)
	}
	return c.renameIn(s)
}

func (c *diskChange) renameAway(s *step) error {
	defer c.at(s.in).Lock()()
	return c.renameAwayLocked(s)
}

// renameAwayLocked is renameAway for who has the lock on the folder.
func (c *diskChange) renameAwayLocked(s *step) error {
	d := c.at(s.in)
	if err := d.unchanged(s.name, target{stat: s.was}, s.old); err != nil {
		return err
	}
	out, err := d.renameAway(s.name, s.away, s.old)
	d.Close(out.fd)
	return err
}

func (c *diskChange) renameIn(s *step) error {
	var w Written
	err := c.at(s.home).renameIn(s.temp, c.at(s.in), s.name, &w) // a second name goes at the end
	s.occupied = fault.KindOf(err) == fault.AlreadyExists
	return err
}

// exchange exchanges old and new. Where names cannot be exchanged, the file is
// away for a moment.
func (c *diskChange) exchange(s *step) error {
	defer c.at(s.in).Lock()()
	err := c.exchangeNames(s)
	if isAny(err, unsupported) {
		if err = c.renameAwayLocked(s); err == nil {
			err = c.renameIn(s)
		}
	}
	return asObstacle(err)
}

func (c *diskChange) exchangeNames(s *step) error {
	if !fsys.Exchanges {
		return syscall.ENOTSUP
	}
	d := c.at(s.in)
	ours, err := d.beforeExchange(s.name, s.temp, target{stat: s.was}, s.old)
	defer d.Close(ours.fd)
	if err == nil {
		err = d.exchangeNames(s.name, s.temp)
	}
	if err == nil {
		err = c.checkExchange(d, s, ours)
	}
	return err
}

func (c *diskChange) checkExchange(d dirWriter, s *step, ours found) error {
	out, err := d.examineReplaced(s.temp, s.old)
	defer d.Close(out.fd)
	if err != nil {
		ours.hash = s.new
		return fault.From(d.exchangeBack(s.name, s.temp, ours, out, err))
	}
	d.keepRights(&s.left, ours, target{stat: s.was}, out)
	return nil
}

// flushFolders makes what happened to names lasting.
func (c *diskChange) flushFolders() error {
	for _, f := range c.folders {
		if f.dir == nil || !f.dirty {
			continue
		}
		if err := c.at(f).SyncFolder(); err != nil && !isAny(err, unsupported) {
			return fmt.Errorf("flush the folder %s: %w", f.path(""), err)
		}
		f.dirty = false
	}
	return nil
}

// commit cannot go back once the mark is written.
func (t *Transaction) commit() ([]Written, error) {
	c := &t.disk
	switch err := c.log.commit(); {
	case errors.Is(err, errUndecided):
		c.keepJournal()
		return nil, err
	case err != nil:
		return nil, t.failed(err, c.rollBack())
	}
	written := make([]Written, len(t.wanted))
	r := c.finish(func(s *step, w Written) {
		of := &written[s.op]
		of.Notes = append(of.Notes, w.Notes...)
		if s.kind != stepRenameAway {
			of.ID = w.ID
		}
	})
	c.end(r)
	return written, nil
}

// finish removes the old texts. done, which may be nil, is told of each step.
func (c *diskChange) finish(done func(*step, Written)) (r leftovers) {
	for _, s := range c.steps {
		w := s.left
		if s.kind != stepRenameIn {
			c.dropOld(s, s.away, s.old, &w, &r)
		}
		if s.kind == stepExchange {
			c.dropOld(s, s.temp, s.old, &w, &r)
		}
		if s.kind == stepRenameIn { // only where a name was made by linking
			c.dropOld(s, s.temp, s.new, &w, &r)
		}
		if done != nil {
			w.ID = c.present(s)
			done(s, w)
		}
	}
	return r
}

// dropOld unlinks the file under a temporary name, if there is one and it
// still holds its text. A program that wrote to it was held up, in its open
// call, since before the file was renamed away.
func (c *diskChange) dropOld(s *step, name string, holds text.Hash, w *Written, r *leftovers) {
	if s.kin().dir == nil {
		return
	}
	d := c.at(s.kin())
	if _, err := d.StatName(name); err == syscall.ENOENT {
		return
	}
	out, err := d.examineReplaced(name, holds)
	defer d.Close(out.fd)
	if err == nil {
		err = d.Unlink(name)
	}
	switch {
	case fault.KindOf(err) == fault.StaleFile:
		w.note("Another program wrote to the old text at the same time; what it wrote is kept as %s.", name)
		r.keep(s.kin(), name)
	case err != nil:
		w.note("The old text is still there as %s: %v.", name, err)
		r.left(s.kin(), name, err)
	case out.stat.Nlink > 1 && s.kind != stepRenameIn && !s.moved:
		w.note("The file had %d hard links; its other names keep the old text.", out.stat.Nlink)
	}
}

// present is the written file's ID, as it was when only names had still to
// change if a program has written since.
func (c *diskChange) present(s *step) fsys.ID {
	if s.kind == stepRenameAway {
		return fsys.ID{}
	}
	now, err := c.at(s.in).StatName(s.name)
	if err != nil || !sameText(now, s.made.stat) {
		now = s.made.stat
	}
	return fsys.StatusOf(&now).ID
}
