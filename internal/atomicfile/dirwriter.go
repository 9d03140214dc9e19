package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// replaceAt makes data the content of the regular file name in the open folder
// dir, provided that it holds the text that guard names. Mode, owner and
// extended attributes stay.
//
// The guard is checked by what the exchange brings out; callers check it once
// before as well, so that a stale edit is never seen in the file, be it for
// microseconds. Errors: stale_file (with "actual", the hash of the text that
// is there, and "kept": see write.go), not_found, is_directory, not_a_file (links
// too), permission_denied and read_only, disk_full, io_error.
//
// A file that nobody may write to by its mode is refused, to root as well.
// notes, which may be nil, tells of the write for as long as it goes on.
func replaceAt(notes *writeNotes, dir *os.File, name string, guard text.Hash, data []byte) (Written, error) {
	defer runtime.KeepAlive(dir)
	defer notes.end()
	d := inFolder(dir)
	d.notes = notes
	w, err := d.replace(name, guard, data)
	return w, typed(err)
}

// createAt makes the new file name with the content data in the open folder
// dir, with the mode that the umask gives. It never replaces anything:
// already_exists. Other errors are those of [replaceAt].
func createAt(notes *writeNotes, dir *os.File, name string, data []byte) (Written, error) {
	defer runtime.KeepAlive(dir)
	defer notes.end()
	d := inFolder(dir)
	d.notes = notes
	w, err := d.create(name, data)
	return w, typed(err)
}

// setModeAt changes the permission bits of the regular file name in the open
// folder dir.
func setModeAt(dir *os.File, name string, m ModeChange) error {
	defer runtime.KeepAlive(dir)
	return typed(inFolder(dir).setMode(name, m))
}

// dirWriter writes files of an open directory.
type dirWriter struct {
	fsys.DirCalls
	notes *writeNotes // of the write that goes on; nil: nothing is written down
}

func inFolder(dir *os.File) dirWriter {
	return dirWriter{DirCalls: fsys.NewDirCalls(dir, fsys.PlainCall)}
}

// typed gives every error that leaves a kind.
func typed(err error) error {
	if err == nil {
		return nil
	}
	return fault.From(err)
}

func (d dirWriter) replace(name string, guard text.Hash, data []byte) (Written, error) {
	old, err := d.openTarget(name)
	if err != nil {
		return Written{}, err
	}
	var w Written
	if fsys.Exchanges {
		w, err = d.replaceByExchange(name, old, guard, data)
		d.Close(old.fd)
	} else {
		d.Close(old.fd)
		w, err = d.replaceByRenames(name, guard, data)
	}
	if o, blocked := errors.AsType[*obstacle](err); blocked {
		return d.replaceInPlace(name, guard, data, o)
	}
	return w, err
}

func (d dirWriter) setMode(name string, m ModeChange) error {
	t, err := d.openTarget(name)
	if err != nil {
		return err
	}
	defer d.Close(t.fd)
	if err := t.with(m); err != nil {
		return err
	}
	if err := d.Chmod(t.fd, t.mode()); err != nil {
		return fmt.Errorf("change the file's mode: %w", err)
	}
	return nil
}

func (d dirWriter) create(name string, data []byte) (Written, error) {
	if err := singleName(name); err != nil {
		return Written{}, err
	}
	temp := newName()
	d.notes.begin(d.Call, &step{kind: stepRenameIn, name: name, temp: temp}, data)
	tmp, err := d.makeTemp(temp, modeCreated, data, nil)
	if err != nil {
		return Written{}, err
	}
	var w Written
	if err := d.renameIn(tmp.name, d, name, &w); err != nil {
		return Written{}, d.discard(tmp, err)
	}
	d.makeDurable(&w, name, tmp.stat)
	return w, nil
}

// renameIn gives the file at tmp a name that must be free, in the folder in.
func (d dirWriter) renameIn(tmp string, in dirWriter, name string, w *Written) error {
	err := d.RenameNew(tmp, in.DirCalls, name)
	if isAny(err, unsupported) {
		if err = d.Link(tmp, in.DirCalls, name); err == nil {
			if err := d.Unlink(tmp); err != nil {
				w.note("The file has a second name, %s: %v.", tmp, err)
			}
		}
	}
	if err == syscall.EEXIST {
		return fault.New(fault.AlreadyExists, "%s exists already", name).
			Advise("Read it first; then its hash allows an edit.")
	}
	return err
}

// renameAway gives the file that holds the guarded text the name tmp, which must
// be free. What holds another text gets its name back. The caller closes
// found.fd, also after an error; until then programs that want to write to the
// file wait.
func (d dirWriter) renameAway(name, tmp string, guard text.Hash) (found, error) {
	if fsys.WatchingExcludes {
		return d.renameWatchedAway(name, tmp, guard)
	}
	if err := d.Rename(name, tmp); err != nil {
		return found{fd: -1}, fmt.Errorf("move the file away: %w", err)
	}
	out, err := d.examineReplaced(tmp, guard)
	if err != nil {
		err = d.renameBack(tmp, name, err)
	}
	return out, err
}

// renameWatchedAway is [dirWriter.renameAway] where nobody can write to a watched
// file: it is hashed while it has its name, so that the name is free for no
// longer than two calls take.
func (d dirWriter) renameWatchedAway(name, tmp string, guard text.Hash) (found, error) {
	out, err := d.examineReplaced(name, guard)
	if err != nil {
		return out, err
	}
	if err := d.Rename(name, tmp); err != nil {
		return out, fmt.Errorf("move the file away: %w", err)
	}
	moved, err := d.StatName(tmp)
	if err == nil && out.watched && sameFile(moved, out.stat) {
		return out, nil
	}
	d.Close(out.fd) // another file took the name meanwhile
	out, err = d.examineReplaced(tmp, guard)
	if err != nil {
		err = d.renameBack(tmp, name, err)
	}
	return out, err
}

// renameBack gives what takeOut moved away its name back because of cause.
func (d dirWriter) renameBack(tmp, name string, cause error) error {
	var w Written
	if d.renameIn(tmp, d, name, &w) != nil || w.Notes != nil { // not free any more, say
		cause = kept(cause, tmp)
	}
	_ = d.SyncFolder()
	return cause
}

// target is the open file that a write is about.
type target struct {
	fd   int // for reading
	stat fsys.RawStat
	perm uint32 // the permission bits that it, or its successor, is to get; 0: those of stat
}

// with notes a change of the mode; stale_file for a file of another mode.
func (t *target) with(m ModeChange) error {
	if !m.IsNone() && modeBits(t.stat)&0o777 != uint32(m.From) {
		return errOtherMode
	}
	t.perm = uint32(m.To)
	return nil
}

// mode is all the bits that the file is to get.
func (t target) mode() uint32 {
	if t.perm == 0 {
		return modeBits(t.stat)
	}
	return modeBits(t.stat)&^0o777 | t.perm
}

// openTarget opens the regular file name and makes sure that this process
// might also write to it.
func (d dirWriter) openTarget(name string) (target, error) {
	if err := singleName(name); err != nil {
		return target{}, err
	}
	fd, err := d.openText(name)
	if err != nil {
		return target{}, err
	}
	t := target{fd: fd}
	if t.stat, err = d.Stat(fd); err == nil {
		err = mustBeRegular(t.stat)
	}
	if err == nil {
		err = d.writable(name, t.stat)
	}
	if err != nil {
		d.Close(fd)
	}
	return t, err
}

// openText opens a file for reading. Its error for a link is not_a_file.
func (d dirWriter) openText(name string) (fd int, err error) {
	fd, err = d.Open(name, syscall.O_RDONLY, 0)
	switch {
	case err == syscall.ELOOP:
		return -1, fault.New(fault.NotAFile, "%s is a symbolic link", name)
	case err != nil:
		return -1, fmt.Errorf("open the file: %w", err)
	}
	return fd, nil
}

func (d dirWriter) writable(name string, st fsys.RawStat) error {
	if modeBits(st)&0o222 == 0 {
		return fault.New(fault.PermissionDenied, "the file is write-protected (mode %#o)", modeBits(st)).
			Advise("If it shall be edited, its owner must make it writable.")
	}
	if err := d.Access(name); err != nil {
		return fmt.Errorf("write to the file: %w", err)
	}
	return nil
}

func mustBeRegular(st fsys.RawStat) error {
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return nil
	case syscall.S_IFDIR:
		return fault.New(fault.IsDirectory, "it is a directory, not a file")
	}
	return fault.New(fault.NotAFile, "it is a device, pipe or socket, not a file")
}

func singleName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") || !fsys.IsName(name) {
		return fault.New(fault.InvalidParams, "%q is not the name of a file in a folder", name)
	}
	return nil
}

// makeDurable makes a finished write lasting and tells the file's ID. ready is its
// stat from when the content was known to be ours: later than that, only the
// change of names may have touched it.
func (d dirWriter) makeDurable(w *Written, name string, ready fsys.RawStat) {
	d.flushFolder(w)
	now, err := d.StatName(name)
	if err != nil || !sameText(now, ready) {
		now = ready // another program has written since
	}
	w.ID = fsys.StatusOf(&now).ID
}

func (d dirWriter) flushFolder(w *Written) {
	if err := d.SyncFolder(); err != nil {
		w.note("The folder could not be flushed (%v): a power failure now may undo the change.", err)
	}
}

func (w *Written) note(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// unsupported are the errors of a file system that lacks an operation.
var unsupported = []error{syscall.EINVAL, syscall.ENOSYS, syscall.ENOTSUP, syscall.EOPNOTSUPP}

func isAny(err error, of []error) bool {
	return slices.ContainsFunc(of, func(e error) bool { return errors.Is(err, e) })
}
