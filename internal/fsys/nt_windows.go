package fsys

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"

	"golang.org/x/sys/windows"
)

// What stands here calls the system below the Win32 layer, as only there a name
// is opened in an open folder. That layer's rules for names do not hold there, so
// [CheckName] has to pass a name first.

const (
	shareAll     = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	shareReaders = windows.FILE_SHARE_READ | windows.FILE_SHARE_DELETE

	plainOptions = windows.FILE_SYNCHRONOUS_IO_NONALERT | windows.FILE_OPEN_REPARSE_POINT | windows.FILE_OPEN_FOR_BACKUP_INTENT
)

// ntOpen is how a name in a folder is opened.
type ntOpen struct {
	access, share, create, options uint32
	security                       *windows.SECURITY_DESCRIPTOR
}

// at opens name in the open folder dir; "" is the folder itself. Links are not
// followed.
func (how ntOpen) at(dir windows.Handle, name string) (h windows.Handle, err error) {
	if name == "." {
		name = ""
	}
	if strings.ContainsAny(name, `\/:`) {
		return windows.InvalidHandle, syscall.ENOENT
	}
	return how.open(dir, name)
}

// stream opens an alternate stream, ":name", of an open file.
func (how ntOpen) stream(of windows.Handle, name string) (windows.Handle, error) {
	return how.open(of, name)
}

func (how ntOpen) open(dir windows.Handle, name string) (h windows.Handle, err error) {
	of, err := windows.NewNTUnicodeString(name)
	if err != nil {
		return windows.InvalidHandle, syscall.ENOENT
	}
	const words = 6 // of an OBJECT_ATTRIBUTES
	attributes := windows.OBJECT_ATTRIBUTES{
		Length: words * bits.UintSize / 8, RootDirectory: dir, ObjectName: of,
		Attributes: windows.OBJ_CASE_INSENSITIVE, SecurityDescriptor: how.security,
	}
	err = patiently(func() error {
		var io windows.IO_STATUS_BLOCK
		return ntError(windows.NtCreateFile(&h, how.access|windows.SYNCHRONIZE, &attributes, &io, nil, windows.FILE_ATTRIBUTE_NORMAL, how.share, how.create, how.options|plainOptions, 0, 0))
	})
	if err != nil {
		return windows.InvalidHandle, err
	}
	return h, nil
}

// held is the error for a file that another program has open and does not share.
type held struct{}

func (held) Error() string { return "another program has the file open and does not share it" }
func (held) Unwrap() error { return syscall.EBUSY }

// Scanners and indexers hold a file for moments: how often, and after what
// pause, it is tried again.
const (
	heldTries = 60
	heldPause = 10 * time.Millisecond
)

// patiently makes a call again for a while where another program holds the file.
func patiently(do func() error) error {
	err := do()
	for try := 0; try < heldTries && errors.Is(err, syscall.EBUSY); try++ {
		time.Sleep(heldPause)
		err = do()
	}
	return err
}

// ntError returns the error by which the packages above know a status, the one
// that Unix has for it; nil for success.
func ntError(err error) error {
	status, ok := err.(windows.NTStatus)
	if !ok {
		return err
	}
	switch status {
	case windows.STATUS_SHARING_VIOLATION, windows.STATUS_FILE_LOCK_CONFLICT, windows.STATUS_USER_MAPPED_FILE:
		return held{}
	}
	for _, m := range ntErrors {
		if m.status == status {
			return m.err
		}
	}
	return status.Errno()
}

var ntErrors = []struct {
	status windows.NTStatus
	err    syscall.Errno
}{
	{windows.STATUS_OBJECT_NAME_NOT_FOUND, syscall.ENOENT},
	{windows.STATUS_OBJECT_PATH_NOT_FOUND, syscall.ENOENT},
	{windows.STATUS_NO_SUCH_FILE, syscall.ENOENT},
	{windows.STATUS_DELETE_PENDING, syscall.ENOENT},
	{windows.STATUS_FILE_DELETED, syscall.ENOENT},
	{windows.STATUS_OBJECT_NAME_COLLISION, syscall.EEXIST},
	{windows.STATUS_ACCESS_DENIED, syscall.EACCES},
	{windows.STATUS_CANNOT_DELETE, syscall.EACCES},
	{windows.STATUS_PRIVILEGE_NOT_HELD, syscall.EPERM},
	{windows.STATUS_MEDIA_WRITE_PROTECTED, syscall.EROFS},
	{windows.STATUS_DISK_FULL, syscall.ENOSPC},
	{windows.STATUS_QUOTA_EXCEEDED, syscall.EDQUOT},
	{windows.STATUS_NOT_A_DIRECTORY, windows.ERROR_DIRECTORY},
	{windows.STATUS_FILE_IS_A_DIRECTORY, syscall.EISDIR},
	{windows.STATUS_NOT_SAME_DEVICE, syscall.EXDEV},
	{windows.STATUS_DIRECTORY_NOT_EMPTY, syscall.ENOTEMPTY},
	{windows.STATUS_REPARSE_POINT_ENCOUNTERED, syscall.ELOOP},
	{windows.STATUS_STOPPED_ON_SYMLINK, syscall.ELOOP},
	{windows.STATUS_NOT_SUPPORTED, syscall.ENOTSUP},
	{windows.STATUS_NOT_IMPLEMENTED, syscall.ENOTSUP},
	{windows.STATUS_INVALID_DEVICE_REQUEST, syscall.ENOTSUP},
	{windows.STATUS_INVALID_INFO_CLASS, syscall.ENOTSUP},
	{windows.STATUS_INVALID_PARAMETER, syscall.ENOTSUP},
	{windows.STATUS_TOO_MANY_OPENED_FILES, syscall.EMFILE},
}

// ntSet sets what class tells of an open file.
func ntSet(h windows.Handle, class uint32, info []byte) error {
	var io windows.IO_STATUS_BLOCK
	return ntError(windows.NtSetInformationFile(h, &io, &info[0], uint32(len(info)), class))
}

// Classes of information that x/sys does not name in full.
const (
	classRename        = 10
	classDisposition   = 13
	classDispositionEx = 64
	classRenameEx      = 65
)

// destination is the form in which a new name in the folder dir is told.
func destination(flags uint32, dir windows.Handle, name string) []byte {
	const word = bits.UintSize / 8
	wide := utf16.Encode([]rune(name))
	b := make([]byte, 2*word+4, 2*word+4+2*len(wide)+2)
	binary.LittleEndian.PutUint32(b, flags)
	if word == 8 {
		binary.LittleEndian.PutUint64(b[word:], uint64(dir))
	} else {
		binary.LittleEndian.PutUint32(b[word:], uint32(dir))
	}
	binary.LittleEndian.PutUint32(b[2*word:], uint32(2*len(wide)))
	for _, c := range wide {
		b = binary.LittleEndian.AppendUint16(b, c)
	}
	return append(b, 0, 0)
}

// ntRename gives an open file the name in the folder dir. Where replace is not
// set, the name must be free.
func ntRename(h, dir windows.Handle, name string, replace bool) error {
	var flags uint32 = windows.FILE_RENAME_POSIX_SEMANTICS | windows.FILE_RENAME_IGNORE_READONLY_ATTRIBUTE
	var old uint32
	if replace {
		flags |= windows.FILE_RENAME_REPLACE_IF_EXISTS
		old = 1
	}
	err := ntSet(h, classRenameEx, destination(flags, dir, name))
	if errors.Is(err, syscall.ENOTSUP) { // FAT, some network drives, Windows before 10
		err = ntSet(h, classRename, destination(old, dir, name))
	}
	return err
}

// ntRemove removes the name by which a file was opened.
func ntRemove(h windows.Handle) error {
	flags := binary.LittleEndian.AppendUint32(nil, windows.FILE_DISPOSITION_DELETE|windows.FILE_DISPOSITION_POSIX_SEMANTICS|windows.FILE_DISPOSITION_IGNORE_READONLY_ATTRIBUTE)
	err := ntSet(h, classDispositionEx, flags)
	if errors.Is(err, syscall.ENOTSUP) {
		err = ntSet(h, classDisposition, []byte{1})
	}
	return err
}
