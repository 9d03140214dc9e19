package atomicfile

import (
	"context"
	"errors"
	"fmt"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

func (t *Transaction) stage() error {
	at, err := t.plan()
	if err != nil {
		t.disk.close()
		return t.gate.Explain(at, typed(err))
	}
	if err := t.disk.prepare(t.journal); err != nil {
		return t.failed(err, t.disk.abandon())
	}
	for i := range t.wanted {
		t.wanted[i].data = nil
	}
	return nil
}

// stepError is a failure of one step.
type stepError struct {
	step *step
	error
}

func (e *stepError) Unwrap() error { return e.error }

// failed is what a caller is told of a failure, and of what could not be
// undone.
func (t *Transaction) failed(cause error, r leftovers) error {
	e := fault.From(typed(cause))
	if of, ok := errors.AsType[*stepError](cause); ok {
		of.error = alone(of.error)
		if name, ok := e.Details["kept"].(string); ok {
			r.keep(of.step.kin(), name)
		}
		e = fault.From(t.gate.Explain(of.step.path, typed(of.error)))
	}
	return r.tell(e)
}

// prepare checks every step and writes all temporary files.
func (c *diskChange) prepare(journal *Journal) error {
	if err := c.each(c.check); err != nil {
		return err
	}
	for _, s := range c.steps {
		if err := c.checkFree(s); err != nil {
			return &stepError{s, err}
		}
	}
	if err := c.begin(journal); err != nil {
		return err
	}
	if err := c.each(c.write); err != nil {
		return err
	}
	c.staged = true
	return c.log.staged(c.steps)
}

// each calls f with every step, several at a time.
func (c *diskChange) each(f func(*step) error) error {
	return parallel.ForEach(context.Background(), c.workers, len(c.steps), func(_ context.Context, i int) error {
		if err := f(c.steps[i]); err != nil {
			return &stepError{c.steps[i], err}
		}
		return nil
	})
}

// check makes sure that a step finds what it is to change.
func (c *diskChange) check(s *step) error {
	if !s.moved && !s.copy && s.kind != stepRenameAway {
		s.new = text.HashBytes(s.data)
	}
	if s.kind == stepRenameIn {
		return nil
	}
	if s.kind == stepExchange && s.copy {
		s.new = s.old
	}
	d := c.at(s.in)
	old, err := d.openTarget(s.name)
	if err != nil {
		return err
	}
	defer d.Close(old.fd)
	s.was = old.stat
	hash, err := d.hash(old.fd, old.stat.Size)
	if err == nil && hash != s.old {
		err = stale(hash)
	}
	return err
}

// checkFree makes sure that a rename in finds its name free, or that it will be.
func (c *diskChange) checkFree(s *step) error {
	if s.kind != stepRenameIn {
		return nil
	}
	if s.moved || s.copy {
		s.new = s.like.old
	}
	if s.moved {
		s.made = tempFile{s.temp, s.like.was}
	}
	if s.in.dir == nil {
		return nil
	}
	st, err := c.at(s.in).StatName(s.name)
	switch {
	case err == syscall.ENOENT:
		return nil
	case err != nil:
		return fmt.Errorf("look whether the name is free: %w", err)
	case c.makesFree(s.in, s.name), s.respells(st):
		return nil
	}
	return workspace.AlreadyExists(workspace.WriteTarget{})
}

// makesFree reports whether a step makes the name free.
func (c *diskChange) makesFree(in *txnFolder, name string) bool {
	for _, s := range c.steps {
		if s.kind == stepRenameAway && s.in == in && s.name == name {
			return true
		}
	}
	return false
}

// respells reports whether what has the name is the file that is to have it, by
// another spelling: on a disk that does not tell case apart. Where the file has
// hard links, the name may be one of them.
func (s *step) respells(there fsys.RawStat) bool {
	return there.Nlink == 1 && s.like != nil && s.like.in == s.in && s.like.name != s.name && fsys.FoldName(s.like.name) == fsys.FoldName(s.name) && sameFile(there, s.like.was)
}

// maxCopyBytes bounds what is copied of a file that moves to another file
// system or gets another mode, as it passes through memory.
const maxCopyBytes = 64 << 20

// write makes the step's temporary file.
func (c *diskChange) write(s *step) error {
	if s.temp == "" || s.moved {
		return nil
	}
	var like *target
	mode := uint32(modeCreated)
	if s.like == nil && !s.mode.IsNone() {
		mode = uint32(s.mode.To)
	}
	if s.like != nil {
		d := c.at(s.like.in)
		old, err := d.openTarget(s.like.name)
		if err != nil {
			return err
		}
		defer d.Close(old.fd)
		if err := old.with(s.mode); err != nil {
			return err
		}
		if s.data, err = c.content(s, old); err != nil {
			return err
		}
		like, mode = &old, modePrivate
	}
	made, err := c.at(s.home).makeTemp(s.temp, mode, s.data, like)
	s.made, s.data = made, nil
	if s.kind == stepExchange {
		err = asObstacle(err)
	}
	return err
}

// content is what is written: of a file that is copied, its bytes.
func (c *diskChange) content(s *step, old target) ([]byte, error) {
	switch {
	case !s.copy:
		return s.data, nil
	case old.stat.Size > maxCopyBytes:
		return nil, fault.New(fault.FileTooLarge, "files of over %d MiB are neither moved to another file system nor given another mode", maxCopyBytes>>20)
	}
	return c.at(s.like.in).readGuarded(old.fd, s.like.old)
}

// alone says of a file that cannot be exchanged for another one, though it may
// be written in place, that it must be changed by itself: what is written in
// place is undone after a crash by nobody.
func alone(err error) error {
	o, ok := errors.AsType[*obstacle](err)
	if !ok || isAny(err, []error{syscall.EACCES, syscall.EROFS}) { // nothing can be made beside it either
		return err
	}
	e := fault.From(o.cause)
	return fault.New(e.Kind, "the file cannot be exchanged for a new one: %s", e.Message).
		Advise("change this file in a call of its own").With("rule", "file permissions")
}
