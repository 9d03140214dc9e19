package atomicfile

import (
	"crypto/rand"
	"fmt"
	"os"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// journalFile is the journal of one transaction, locked for as long as that
// goes on, or of single writes, one after the other. A nil one does nothing.
type journalFile struct {
	dir  *os.File
	at   dirWriter
	name string
	fd   int
	seal journalSeal
	line int   // how many there are
	size int64 // bytes
	live bool  // something may be lost if the file is lost or comes back
}

// Names of journals end in one of these.
const (
	journalSuffix = ".journal" // of a transaction
	writeSuffix   = ".write"   // of single writes
	startedSuffix = ".new"     // not locked and written yet
)

// begin writes down what is planned.
func (c *diskChange) begin(j *Journal) (err error) {
	if j != nil {
		c.log, err = j.start(c.call, journalSuffix, c.recorded())
	}
	return err
}

// start makes a file that says what is planned. It gets its name only when it
// is locked and whole, so that nobody takes it for one that was left.
func (j *Journal) start(call fsys.Caller, suffix string, plan recordedPlan) (*journalFile, error) {
	dir, err := j.folder.Root().OpenFile(".", fsys.OpenDirFlags, 0)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	l := &journalFile{dir: dir, at: dirWriter{DirCalls: fsys.NewDirCalls(dir, call)}}
	for range fsys.MaxTries { // Recover may have taken it for one that was left
		if err = l.start(j.key, suffix, plan); err != syscall.ENOENT {
			break
		}
	}
	if err != nil {
		dir.Close()
		return nil, fmt.Errorf("write the journal: %w", err)
	}
	return l, nil
}

func (l *journalFile) start(key []byte, suffix string, plan recordedPlan) (err error) {
	name := rand.Text()
	started := name + startedSuffix
	l.name, l.size, l.line = name+suffix, 0, 0
	l.seal = journalSeal{key, l.name}
	l.fd, err = l.at.Open(started, syscall.O_RDWR|syscall.O_CREAT|syscall.O_EXCL, modePrivate)
	if err != nil {
		return err
	}
	if err = l.at.lockOpen(l.fd); err == nil {
		err = l.append(plan)
	}
	if err == nil {
		err = l.at.Rename(started, l.name)
	}
	if err != nil {
		_ = l.at.Unlink(started)
		l.at.Close(l.fd)
	}
	return err
}

// lockOpen takes the lock of an open file; ENOENT when another process has it.
func (d dirWriter) lockOpen(fd int) error {
	err := d.TryLock(fd)
	if err == syscall.EWOULDBLOCK {
		return syscall.ENOENT
	}
	return err
}

func (l *journalFile) append(record any) error {
	line, err := l.seal.line(l.line, record)
	if err == nil {
		err = l.at.WriteAt(l.fd, line, l.size)
	}
	if err == nil {
		l.size += int64(len(line))
		l.line++
	}
	return err
}

// staged says that all new texts are whole, and flushes the journal: from now
// on names may change.
func (l *journalFile) staged(steps []*step) error {
	if l == nil {
		return nil
	}
	mark := recordedMark{Staged: make([]uint64, len(steps))}
	for i, s := range steps {
		mark.Staged[i] = s.ino()
	}
	l.live = true
	err := l.append(mark)
	if err == nil {
		err = l.at.Sync(l.fd)
	}
	if err == nil {
		err = l.at.SyncFolder()
	}
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

// commit says that the transaction is to be finished, not undone. When that
// fails it may be undone, unless the error is errUndecided.
func (l *journalFile) commit() error {
	if l == nil {
		return nil
	}
	before := l.size
	err := l.append(recordedMark{Committed: true})
	if err == nil {
		err = l.at.Sync(l.fd)
	}
	if err == nil {
		l.live = false
		return nil
	}
	if l.at.Truncate(l.fd, before) != nil {
		return errUndecided
	}
	_ = l.at.Sync(l.fd)
	return fmt.Errorf("write the journal: %w", err)
}

var errUndecided = fault.New(fault.PartiallyApplied,
	"the journal cannot be written: the changes were made, and the next start finishes or undoes them together")

// end removes the journal, unless there is something left to be done by
// [Journal.Recover].
func (l *journalFile) end(done bool) {
	if l == nil {
		return
	}
	if done && l.at.Unlink(l.name) == nil && l.live {
		_ = l.at.SyncFolder() // it must not come back after names were changed anew
	}
	l.at.Close(l.fd)
	l.dir.Close()
}
