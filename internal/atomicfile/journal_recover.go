package atomicfile

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Recover finishes or undoes the transactions that processes left unfinished,
// removes what single writes left beside their files, and tells of each. Those of living processes, this one included, are left
// alone; so is everything that no journal names. It goes by the texts that it
// finds: one that is neither the old nor the new one stays where it is, and is
// told. It can be interrupted at any time, and be repeated.
//
// It touches files in folders that were workspace folders when the journal was
// written, whether they are now or not; and of those only what the default
// policy lets be changed without consent. own are the program's own files, as for
// [workspace.Gate.WithOwn].
//
// It believes a journal that lies in a file of this user's own, which nobody
// else has rights to, and that is sealed with the key beside it; of what that
// names it moves only files that hold what it tells of, in folders that have
// the numbers that it tells of.
func (j *Journal) Recover(own ...string) []Recovered { return j.recover(fsys.PlainCall, own...) }

func (j *Journal) recover(call fsys.Caller, own ...string) []Recovered {
	dir, err := j.folder.Root().OpenFile(".", fsys.OpenDirFlags, 0)
	if err != nil {
		return []Recovered{{Outcome: RecoveryPostponed, Journal: j.folder.Path(""), Err: fault.From(err)}}
	}
	defer dir.Close()
	files, err := j.folder.Files()
	if err != nil {
		return []Recovered{{Outcome: RecoveryPostponed, Journal: j.folder.Path(""), Err: err}}
	}
	slices.SortFunc(files, func(a, b statedir.KeptFile) int { return strings.Compare(a.Name, b.Name) })
	var all []Recovered
	for _, f := range files {
		if r, ok := j.recoverFile(dirWriter{DirCalls: fsys.NewDirCalls(dir, call)}, f.Name, own); ok {
			all = append(all, r)
		}
	}
	return all
}

// recoverFile is not ok where there is nothing to tell.
func (j *Journal) recoverFile(d dirWriter, name string, own []string) (r Recovered, ok bool) {
	started, single := strings.HasSuffix(name, startedSuffix), strings.HasSuffix(name, writeSuffix)
	if !started && !single && !strings.HasSuffix(name, journalSuffix) {
		return r, false
	}
	l, err := openJournalFile(d, name)
	switch {
	case isAny(err, []error{syscall.ENOENT}): // somebody else's, or gone
		return r, false
	case err != nil:
		return Recovered{Outcome: RecoveryPostponed, Journal: j.folder.Path(name), Err: typed(err)}, true
	case started:
		l.end(true)
		return r, false
	}
	l.seal = journalSeal{j.key, name}
	if single {
		return l.sweep(j.folder.Path(name))
	}
	return l.recover(j.folder.Path(name), own), true
}

// openJournalFile opens and locks a journal that nobody works with. The error
// is ENOENT for another one.
func openJournalFile(d dirWriter, name string) (*journalFile, error) {
	fd, err := d.Open(name, syscall.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	l := &journalFile{at: d, name: name, fd: fd, live: true}
	if err = d.lockOpen(fd); err == nil {
		err = l.stillNamed()
	}
	if err != nil {
		d.Close(fd)
		return nil, err
	}
	return l, nil
}

// stillNamed is ENOENT when somebody was done with the journal before it was
// locked.
func (l *journalFile) stillNamed() error {
	open, err := l.at.Stat(l.fd)
	if err != nil {
		return err
	}
	named, err := l.at.StatName(l.name)
	if err == nil && !sameFile(open, named) {
		err = syscall.ENOENT
	}
	return err
}

// maxJournalBytes bounds what is read of a journal: more than that is not
// written for maxOperations with the longest of names.
const maxJournalBytes = 256 << 20

// recover works off one journal and closes it.
func (l *journalFile) recover(path string, own []string) Recovered {
	c, committed, r := l.open(path)
	if c == nil {
		return r
	}
	c.ask(own)
	return c.recover(committed, r, path)
}

// open reads a journal and opens the folders that it names. c is nil, and the
// journal closed, where that cannot be done, as r tells.
func (l *journalFile) open(path string) (c *diskChange, committed bool, r Recovered) {
	c, committed, err := l.read()
	switch {
	case fault.KindOf(err) == fault.InvalidParams:
		return nil, false, l.moveAside(path)
	case err == nil:
		c.call, r.Files = l.at.Call, c.files()
		err = c.reopen()
	}
	if err != nil {
		l.end(false)
		if c != nil {
			c.close()
		}
		r.Outcome, r.Journal, r.Err = RecoveryPostponed, path, typed(err)
		return nil, false, r
	}
	c.log = l
	return c, committed, r
}

// ask marks the steps that policy does not let be undone without consent. What moves
// is one thing.
func (c *diskChange) ask(own []string) {
	var folders []workspace.Folder
	for _, f := range c.folders {
		if f.parent == nil {
			folders = append(folders, workspace.Folder{Path: f.root})
		}
	}
	gate, _ := workspace.NewGate(nil, folders, settings.Default()) // of one that is gone nothing is undone
	gate = gate.WithOwn(own...)
	for _, s := range c.steps {
		s.refused = s.in.dir != nil && gate.CheckWrite(gate.Path(s.file())) != nil
	}
	for _, s := range c.steps {
		if s.kind == stepRenameIn && s.like != nil {
			s.refused = s.refused || s.like.refused
			s.like.refused = s.refused
		}
	}
}

func (c *diskChange) recover(committed bool, r Recovered, path string) Recovered {
	var left leftovers
	if r.Outcome = RecoveryFinished; committed {
		left = c.finish(nil)
	} else {
		r.Outcome = RecoveryUndone
		left = c.undo()
		c.countGone(&left)
	}
	r.Kept, r.NotRestored, r.Refused = left.keptPaths(), left.unrestored, left.refused
	if left.failed != nil {
		r.Outcome, r.Journal, r.Err = RecoveryPostponed, path, typed(left.failed)
	}
	c.end(left)
	return r
}

func (l *journalFile) read() (*diskChange, bool, error) {
	raw, err := l.raw()
	if err != nil {
		return nil, false, err
	}
	return readJournal(raw, l.seal)
}

// raw returns the bytes of a journal.
func (l *journalFile) raw() ([]byte, error) {
	st, err := l.at.Stat(l.fd)
	if err != nil {
		return nil, err
	}
	if st.Size > maxJournalBytes || !l.at.IsOwn(l.fd, st) {
		return nil, errBadJournal
	}
	raw := make([]byte, st.Size)
	n, err := l.at.Read(l.fd, raw, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return raw[:n], err
}

// moveAside gives a journal that cannot be read a name that nobody looks for.
func (l *journalFile) moveAside(path string) Recovered {
	r := Recovered{Outcome: RecoveryUnreadable, Journal: path, Err: errBadJournal}
	aside := strings.TrimSuffix(l.name, filepath.Ext(l.name)) + damagedSuffix
	if l.at.Rename(l.name, aside) == nil {
		r.Journal = filepath.Join(filepath.Dir(path), aside)
	}
	l.end(false)
	return r
}

// reopen opens the folders that a journal names. One that is gone, or is
// another one now, stays nil: what was in it is not where we left it. The
// error is for what may be otherwise the next time: a workspace folder that
// is not there, or a failing system.
func (c *diskChange) reopen() error {
	for _, f := range c.folders {
		var err error
		if f.parent == nil {
			f.dir, err = f.reopen()
		} else if f.parent.dir != nil {
			f.dir, err = c.at(f.parent).OpenFolder(f.name)
		}
		if err != nil && !isGoneFolder(err) {
			return err
		}
	}
	return nil
}

func reopenBelow(root, rel string) (*os.File, error) {
	o, err := fsys.OpenDir(root)
	if err != nil {
		return nil, fault.New(fault.IO, "the workspace folder cannot be opened: %s", fault.From(err).Message).At(root)
	}
	defer o.Root.Close()
	defer o.File.Close()
	if o.Real != root {
		return nil, fault.New(fault.IO, "a link stands in the place of the workspace folder").At(root)
	}
	dir, err := o.Root.OpenFile(rel, fsys.OpenDirFlags, 0)
	if err != nil {
		return nil, err
	}
	if err := fsys.CheckAt(dir, filepath.Join(root, rel)); err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

// reopen opens a folder that existed; fsys.ErrPathChanged is another one at its place.
func (f *txnFolder) reopen() (*os.File, error) {
	dir, err := reopenBelow(f.root, f.rel)
	if err != nil {
		return nil, err
	}
	if st, err := fsys.StatFile(dir); err != nil || st.ID.Ino != f.ino {
		dir.Close()
		return nil, cmp.Or(err, fsys.ErrPathChanged)
	}
	return dir, nil
}

// isGoneFolder tells that a name stands for no folder, or not for the one that
// it stood for.
func isGoneFolder(err error) bool {
	return fsys.IsEscape(err) || errors.Is(err, fsys.ErrPathChanged) || fsys.IsNotFolder(err) || isAny(err, []error{syscall.ENOENT})
}

// files are the paths that a transaction is about.
func (c *diskChange) files() []string {
	var files []string
	for _, s := range c.steps {
		files = append(files, s.file())
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// countGone tells of files whose folders existed and are gone.
func (c *diskChange) countGone(r *leftovers) {
	for _, s := range c.steps {
		if c.staged && s.in.dir == nil && s.in.parent == nil {
			r.changed(s, nil)
		}
	}
}
