package atomicfile

import (
	"errors"
	"fmt"
	"io"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// obstacle is why a file cannot be exchanged for another one though it may
// well be writable: a file system without exchange, a file that is a mount
// point, an owner that this process may not give to another file.
type obstacle struct{ cause error }

func (o *obstacle) Error() string { return o.cause.Error() }
func (o *obstacle) Unwrap() error { return o.cause }

// asObstacle turns the system errors that stand for one into an *obstacle. An
// error that already has a kind, as when a file was left behind, is final.
func asObstacle(err error) error {
	if _, final := errors.AsType[*fault.Error](err); final {
		return err
	}
	if isAny(err, unsupported) || isAny(err, forbidden) {
		return &obstacle{err}
	}
	return err
}

// forbidden are the errors of an operation that other files would allow.
var forbidden = []error{syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.EBUSY, syscall.EXDEV, syscall.E2BIG}

// replaceInPlace overwrites the file, with the old text in a backup beside it
// until the new one is on the medium. It is the last resort: for a moment the
// file is neither old nor new, and where the system cannot keep other programs
// waiting, one that writes at the same time is noticed only afterwards. Where
// no backup can be made it refuses.
func (d dirWriter) replaceInPlace(name string, guard text.Hash, data []byte, why *obstacle) (Written, error) {
	defer d.Lock()()
	if err := d.guarded(name, guard); err != nil {
		return Written{}, err
	}
	fd, err := d.Open(name, syscall.O_RDWR, 0)
	if err != nil {
		return Written{}, fmt.Errorf("write in place (%w): %w", why, err)
	}
	defer d.Close(fd)
	d.KeepOthersOut(fd)
	old, err := d.readGuarded(fd, guard)
	if err != nil {
		return Written{}, err
	}
	temp := backupName(guard)
	d.notes.begin(d.Call, &step{kind: stepExchange, name: name, temp: temp, old: guard}, data)
	backup, err := d.backUp(temp, old)
	if err != nil {
		return Written{}, fmt.Errorf("the file can neither be exchanged (%w) nor backed up before writing in place: %w", why, err)
	}
	if _, err := d.readGuarded(fd, guard); err != nil { // the backup took its time
		return Written{}, d.discard(backup, err)
	}
	if err := d.overwrite(fd, data); err != nil {
		err = fmt.Errorf("write in place: %w", err)
		if d.overwrite(fd, old) != nil {
			return Written{}, kept(err, backup.name)
		}
		return Written{}, d.discard(backup, err)
	}
	return d.finishInPlace(name, fd, data, backup, why)
}

// finishInPlace removes the backup unless another program wrote at the same
// time. The new text is in place, so only that is an error.
func (d dirWriter) finishInPlace(name string, fd int, data []byte, backup tempFile, why *obstacle) (Written, error) {
	var w Written
	w.note("The file was written in place, not exchanged for a new one: %v.", why)
	ready, err := d.Stat(fd)
	if err == nil {
		err = d.checkInPlace(name, fd, ready, text.HashBytes(data))
	}
	if fault.KindOf(err) == fault.StaleFile {
		return Written{}, kept(err, backup.name)
	}
	if err != nil {
		w.note("Whether another program wrote at the same time could not be found out: %v.", err)
	}
	if err := d.Unlink(backup.name); err != nil {
		w.note("The old text is still there as %s: %v.", backup.name, err)
	}
	d.makeDurable(&w, name, ready)
	return w, nil
}

// checkInPlace is nil when the open file still has its name, and the text that
// was written to it.
func (d dirWriter) checkInPlace(name string, fd int, ready fsys.RawStat, want text.Hash) error {
	named, err := d.StatName(name)
	if err != nil {
		return err
	}
	actual, err := d.hash(fd, ready.Size)
	if err != nil {
		return err
	}
	if !sameFile(named, ready) || actual != want {
		return stale(actual)
	}
	return nil
}

// readGuarded reads the whole file, which must be the regular file that holds
// the guarded text.
func (d dirWriter) readGuarded(fd int, guard text.Hash) ([]byte, error) {
	st, err := d.Stat(fd)
	if err != nil {
		return nil, err
	}
	if err := mustBeRegular(st); err != nil {
		return nil, err
	}
	raw := make([]byte, st.Size+1) // one more: to see whether the file grows
	n, err := d.Read(fd, raw, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	if text.HashBytes(raw[:n]) == guard {
		return raw[:n], nil
	}
	actual, err := d.hash(fd, st.Size)
	if err != nil {
		return nil, err
	}
	return nil, stale(actual)
}

// backUp writes the old text beside the file, on the medium.
func (d dirWriter) backUp(temp string, old []byte) (tempFile, error) {
	backup, err := d.makeTemp(temp, modePrivate, old, nil)
	if err != nil {
		return tempFile{}, err
	}
	if err := d.SyncFolder(); err != nil {
		return tempFile{}, d.discard(backup, err)
	}
	return backup, nil
}

// overwrite makes b the content of the file, on the medium.
func (d dirWriter) overwrite(fd int, b []byte) error {
	if err := d.Write(fd, b); err != nil {
		return err
	}
	if err := d.Truncate(fd, int64(len(b))); err != nil {
		return err
	}
	return d.Sync(fd)
}
