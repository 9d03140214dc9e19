package atomicfile

import (
	"slices"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// leftovers is what undoing or finishing could not bring in order.
type leftovers struct {
	kept       []slot   // files of ours that are left, for what they hold
	unrestored []string // files that are not as they were before
	refused    []string // and such that policy does not let be undone without consent
	failed     error    // the system's, so that trying again may help
}

func (r *leftovers) clean() bool { return len(r.kept)+len(r.unrestored) == 0 && r.failed == nil }

func (r *leftovers) keep(in *txnFolder, name string) {
	if at := (slot{in, name}); !slices.Contains(r.kept, at) {
		r.kept = append(r.kept, at)
	}
}

// keptPaths are absolute.
func (r *leftovers) keptPaths() (paths []string) {
	for _, k := range r.kept {
		paths = append(paths, k.in.path(k.name))
	}
	return paths
}

// left tells why a file of ours is still there.
func (r *leftovers) left(in *txnFolder, name string, why error) {
	r.keep(in, name)
	r.because(why)
}

// because notes an error of the system. What another program did is none:
// trying again would find the same.
func (r *leftovers) because(err error) {
	switch fault.KindOf(err) {
	case "", fault.StaleFile, fault.NotFound, fault.AlreadyExists, fault.NotAFile, fault.IsDirectory:
	default:
		r.failed = err
	}
}

// changed tells of a file that another program changed, or that could not be
// restored because of err.
func (r *leftovers) changed(s *step, err error) {
	r.because(err)
	if !slices.Contains(r.unrestored, s.file()) {
		r.unrestored = append(r.unrestored, s.file())
	}
	if s.kind == stepRenameIn && s.moved { // then it is not where it was
		r.changed(s.like, nil)
	}
}

// tell is e with what is left over.
func (r *leftovers) tell(e *fault.Error) error {
	if r.failed != nil {
		e = e.With("undo_failed", fault.From(typed(r.failed)).Message)
	}
	if r.unrestored != nil {
		c := *e
		c.Kind = fault.PartiallyApplied
		c.Message += "; not every file could be restored"
		e = c.With("not_restored", r.unrestored)
	}
	if len(r.kept) > 0 {
		e = e.With("kept", r.keptPaths())
	}
	return e
}

// rollBack undoes everything and ends the change.
func (c *diskChange) rollBack() leftovers {
	r := c.undo()
	c.end(r)
	return r
}

// abandon ends a change of which no step was done.
func (c *diskChange) abandon() leftovers {
	c.staged = false
	return c.rollBack()
}

// undo brings back what was there before the steps, as far as no other
// program has changed it since. It goes by what it finds on the disk.
func (c *diskChange) undo() (r leftovers) {
	if c.staged {
		r = undoTwice(c.undoSteps)
	}
	rest := undoTwice(c.tidy)
	for _, k := range rest.kept {
		r.keep(k.in, k.name)
	}
	r.unrestored = append(r.unrestored, rest.unrestored...)
	r.refused = append(r.refused, rest.refused...)
	if r.failed == nil {
		r.failed = rest.failed
	}
	r.kept = slices.DeleteFunc(r.kept, func(k slot) bool { // where looking failed once
		_, err := c.at(k.in).StatName(k.name)
		return err == syscall.ENOENT
	})
	return r
}

// undoTwice tries again where something was left: what fails once should not
// leave a file as it should not be.
func undoTwice(undo func(*leftovers)) (r leftovers) {
	if undo(&r); !r.clean() {
		r = leftovers{}
		undo(&r)
	}
	return r
}

func (c *diskChange) undoSteps(r *leftovers) {
	for _, s := range c.backward() {
		c.undoStep(s, r)
	}
}

// tidy removes what was made: new texts, then folders.
func (c *diskChange) tidy(r *leftovers) {
	for _, s := range c.steps {
		c.discardTemp(s, r)
	}
	for _, f := range slices.Backward(c.folders) {
		c.unmake(f, r)
	}
	if err := c.flushFolders(); err != nil {
		r.failed = err
	}
}

func (c *diskChange) undoStep(s *step, r *leftovers) {
	if s.in.dir == nil || s.kin().dir == nil {
		return
	}
	if s.refused {
		c.leaveStep(s, r)
		return
	}
	switch s.kind {
	case stepRenameAway:
		c.undoRenameAway(s, r)
	case stepExchange:
		if c.isExchanged(s, r) {
			c.undoExchange(s, r)
			return
		}
		if c.hasOldAside(s, r) {
			c.undoRenameIn(s, r)
			c.undoRenameAway(s, r)
		}
	case stepRenameIn:
		c.undoRenameIn(s, r)
	}
}

// hasOldAside reports whether the new text may be taken away again, of a file that was
// exchanged by renaming: not where the old one, which was put aside, is gone or is
// another one by now.
func (c *diskChange) hasOldAside(s *step, r *leftovers) bool {
	if !c.found {
		return true
	}
	d := c.at(s.in)
	aside, err := d.examine(s.away)
	d.Close(aside.fd)
	if err == nil && c.isOld(s, aside) {
		return true
	}
	if fault.KindOf(err) != fault.NotFound {
		r.lost(s, s.away, err)
		return false
	}
	there, err := d.StatName(s.name)
	if err == nil && there.Ino == s.ino() {
		r.changed(s, nil)
		return false
	}
	return true // it never was put aside
}

// leaveStep leaves a step as it is that policy does not let be undone without consent,
// and tells of it if it was done.
func (c *diskChange) leaveStep(s *step, r *leftovers) {
	done := false
	if s.kind == stepRenameIn {
		there, err := c.at(s.in).StatName(s.name)
		done = err == nil && there.Ino == s.ino()
	}
	for _, name := range []string{s.away, s.temp} {
		if name == "" {
			continue
		}
		if st, err := c.at(s.kin()).StatName(name); err == nil && (name == s.away || st.Ino != s.ino()) {
			done = true
			r.keep(s.kin(), name)
		}
	}
	if done && !slices.Contains(r.refused, s.file()) {
		r.refused = append(r.refused, s.file())
	}
}

// isOld reports whether a file found under one of our names may be brought
// back. Of a journal's nothing else shows that it is what was put there than
// what it holds: numbers of files are given anew.
func (c *diskChange) isOld(s *step, f found) bool { return !c.found || f.hash == s.old }

// isExchanged reports whether the temporary name stands for something other than
// the new text.
func (c *diskChange) isExchanged(s *step, r *leftovers) bool {
	st, err := c.at(s.home).StatName(s.temp)
	if err != nil && err != syscall.ENOENT {
		r.lost(s, s.temp, err)
	}
	return err == nil && st.Ino != s.ino()
}

// errUndone is why changes that were made are undone.
var errUndone = fault.New(fault.StaleFile, "the changes are undone")

// undoExchange exchanges the names back if the new text still has the file's.
func (c *diskChange) undoExchange(s *step, r *leftovers) {
	defer c.at(s.in).Lock()()
	s.in.dirty = true
	if err := c.exchangeBack(s); err != nil && c.isExchanged(s, r) {
		r.lost(s, s.temp, err)
	}
}

func (c *diskChange) exchangeBack(s *step) error {
	d := c.at(s.in)
	placed, err := d.examine(s.name)
	defer d.Close(placed.fd)
	if err == nil && placed.hash != s.new {
		err = stale(placed.hash)
	}
	if err != nil {
		return err
	}
	held, err := d.examine(s.temp)
	defer d.Close(held.fd)
	if err != nil {
		return err
	}
	if !c.isOld(s, held) {
		return stale(held.hash)
	}
	if err := d.exchangeBack(s.name, s.temp, placed, held, errUndone); fault.From(err).Details["kept"] != nil {
		return err
	}
	return nil
}

// lost tells of a file that is not as it was, of which a text is left.
func (r *leftovers) lost(s *step, name string, err error) {
	r.left(s.kin(), name, err)
	r.changed(s, nil)
}

// undoRenameIn takes the new file away again.
func (c *diskChange) undoRenameIn(s *step, r *leftovers) {
	d, home := c.at(s.in), c.at(s.home)
	there, err := d.StatName(s.name)
	if err == syscall.ENOENT {
		return
	}
	temp, tempErr := home.StatName(s.temp)
	switch {
	case err != nil:
		r.changed(s, err)
	case tempErr == nil && sameFile(there, temp) && !s.occupied: // a name by linking
		s.in.dirty = true
		if err := d.Unlink(s.name); err != nil {
			r.changed(s, err)
		}
	case tempErr == nil: // it never came here
	case tempErr != syscall.ENOENT:
		r.changed(s, tempErr)
	case there.Ino != s.ino():
		if s.kind == stepRenameIn && !c.makesFree(s.in, s.name) && !c.atHome(s) {
			r.changed(s, nil)
		}
	default:
		c.renameBack(s, r)
	}
}

// atHome reports whether a file that moves has the name that it moves from.
func (c *diskChange) atHome(s *step) bool {
	if !s.moved {
		return false
	}
	st, err := c.at(s.like.in).StatName(s.like.name)
	return err == nil && st.Ino == s.ino()
}

// renameBack gives the file its temporary name if it still holds the new text.
func (c *diskChange) renameBack(s *step, r *leftovers) {
	d, home := c.at(s.in), c.at(s.home)
	defer d.Lock()()
	s.in.dirty, s.home.dirty = true, true
	var w Written
	if err := d.renameIn(s.name, home, s.temp, &w); err != nil {
		r.changed(s, err)
		return
	}
	out, err := home.examineReplaced(s.temp, s.new)
	home.Close(out.fd)
	if err == nil {
		return
	}
	r.changed(s, err)
	if home.renameIn(s.temp, d, s.name, &w) != nil {
		r.keep(s.home, s.temp)
	}
}

// undoRenameAway gives the old file its name back.
func (c *diskChange) undoRenameAway(s *step, r *leftovers) {
	d := c.at(s.in)
	_, err := d.StatName(s.away)
	switch {
	case err == syscall.ENOENT:
		return
	case err != nil && s.kind == stepExchange: // it is hardly there
		r.changed(s, err)
		return
	}
	if c.found {
		away, err := d.examine(s.away)
		d.Close(away.fd)
		if err != nil || !c.isOld(s, away) {
			r.lost(s, s.away, err)
			return
		}
	}
	s.in.dirty = true
	var w Written
	if err := d.renameIn(s.away, d, s.name, &w); err != nil {
		r.lost(s, s.away, err)
	}
}

// discardTemp unlinks the new text if it is under its temporary name still. A
// program may have written to it while it had the file's name for a moment;
// not so before all was staged.
func (c *diskChange) discardTemp(s *step, r *leftovers) {
	if s.temp == "" || s.moved || s.home.dir == nil {
		return
	}
	d := c.at(s.home)
	st, err := d.StatName(s.temp)
	if err == syscall.ENOENT {
		return
	}
	if err == nil && c.staged {
		if st.Ino != s.ino() {
			return // told already
		}
		var out found
		out, err = d.examineReplaced(s.temp, s.new)
		defer d.Close(out.fd)
	}
	if err == nil {
		err = d.Unlink(s.temp)
	}
	s.home.dirty = true
	switch {
	case err == nil:
	case c.staged || s.made.name != "":
		r.left(s.home, s.temp, err)
	default: // nobody knows whether it was made
		r.failed = err
	}
}

// unmake removes a folder that was made, if nothing is in it.
func (c *diskChange) unmake(f *txnFolder, r *leftovers) {
	if !f.made || f.parent.dir == nil {
		return
	}
	err := c.at(f.parent).RemoveFolder(f.name)
	f.parent.dirty = true
	f.dirty = f.dirty && err != nil
	if err != nil && !fsys.IsNotFolder(err) && !isAny(err, []error{syscall.ENOENT, syscall.ENOTEMPTY, syscall.EEXIST}) {
		r.failed, r.unrestored = err, append(r.unrestored, f.path(""))
	}
}
