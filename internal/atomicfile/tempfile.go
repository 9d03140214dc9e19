package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

func exchangeName(guard text.Hash) string {
	return ownName("swap-" + hex.EncodeToString(guard[:8]) + "-")
}
func backupName(guard text.Hash) string {
	return ownName("backup-" + hex.EncodeToString(guard[:8]) + "-")
}
func newName() string { return ownName("new-") }

// ownName returns a name for a file that a write puts beside the one it
// changes. It tells whose it is, what it is for and, in 16 hex digits, which
// text it guards:
//
//	.agent-lsp-swap-0123456789abcdef-RANDOM    the new text, later the old one
//	.agent-lsp-new-RANDOM                      the text of a file being created
//	.agent-lsp-backup-0123456789abcdef-RANDOM  the old text during a write in place
//
// After a crash such a file whose text still has the hash in its name is the
// replaced text and may go; any other text may be somebody's only copy, and a
// backup always may.
func ownName(purpose string) string { return workspace.OwnPrefix + purpose + rand.Text() }

// tempFile is a whole file that this write made and closed again: a program
// cannot be started from a file that is open for writing, and the name of
// this one may soon be a program's.
type tempFile struct {
	name string
	stat fsys.RawStat // when it was finished
}

const (
	modePrivate = 0o600 // for a file that is no other file's successor yet
	modeCreated = 0o666 // less what the umask and the folder's default ACL take
)

// makeTemp writes data to a new file, on the medium. With like it takes over
// that file's attributes, and gets the mode that like is to get.
func (d dirWriter) makeTemp(name string, mode uint32, data []byte, like *target) (tempFile, error) {
	fd, err := d.Open(name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, mode)
	if err != nil {
		return tempFile{}, fmt.Errorf("make a temporary file in the folder: %w", err)
	}
	defer d.Close(fd)
	made, err := d.Stat(fd)
	if err != nil {
		return tempFile{}, d.leftBehind(name, d.Unlink(name), err)
	}
	ready, err := d.fill(fd, data, like)
	if err != nil {
		return tempFile{}, d.discard(tempFile{name, made}, err)
	}
	d.notes.whole(ready.Ino)
	return tempFile{name, ready}, nil
}

func (d dirWriter) fill(fd int, data []byte, like *target) (ready fsys.RawStat, err error) {
	if err := d.Write(fd, data); err != nil {
		return ready, fmt.Errorf("write the new text: %w", err)
	}
	if like != nil {
		if err := d.copyAttributes(like.fd, fd, like.stat); err != nil {
			return ready, err
		}
		if like.perm != 0 {
			if err := d.Chmod(fd, like.mode()); err != nil {
				return ready, fmt.Errorf("change the file's mode: %w", err)
			}
		}
	}
	if err := d.Sync(fd); err != nil {
		return ready, fmt.Errorf("flush the new text: %w", err)
	}
	return d.Stat(fd)
}

// discard removes a temporary file after a failure and returns the failure.
// What stands under the name is removed only if it is the file that was made.
func (d dirWriter) discard(tmp tempFile, cause error) error {
	st, err := d.StatName(tmp.name)
	switch {
	case err == syscall.ENOENT:
		return cause
	case err != nil || !sameFile(st, tmp.stat):
		return kept(cause, tmp.name)
	}
	return d.leftBehind(tmp.name, d.Unlink(tmp.name), cause)
}

// leftBehind is cause, which also names the file if unlinking it failed.
func (d dirWriter) leftBehind(name string, unlinked, cause error) error {
	if unlinked != nil && unlinked != syscall.ENOENT {
		return kept(cause, name)
	}
	return cause
}

// kept is cause with the name of a file that remains in the folder.
func kept(cause error, name string) error {
	e := fault.From(cause)
	c := *e
	c.Message += "; a file was left beside it: " + name
	return c.With("kept", name)
}

func sameFile(a, b fsys.RawStat) bool { return a.Dev == b.Dev && a.Ino == b.Ino }

func modeBits(st fsys.RawStat) uint32 { return uint32(st.Mode) & 0o7777 }

func sameRights(a, b fsys.RawStat) bool {
	return a.Mode == b.Mode && a.Uid == b.Uid && a.Gid == b.Gid
}
