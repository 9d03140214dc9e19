package fsys

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"syscall"
	"unicode/utf16"

	"golang.org/x/sys/windows"
)

// forThisUser returns the rights of what nobody else may see.
func forThisUser() (*windows.SECURITY_DESCRIPTOR, error) {
	user, err := UserSID()
	if err != nil {
		return nil, err
	}
	return windows.SecurityDescriptorFromString("D:P(A;;FA;;;" + user + ")")
}

// CopyRights gives an open file the access list, the attributes, the time of
// creation and the alternate streams of another one. E2BIG says that the
// streams hold too much.
func (d DirCalls) CopyRights(from, to int) error {
	steps := []struct {
		what string
		copy func(from, to windows.Handle) error
	}{{"streams", copyStreams}, {"attributes", copyAttributes}, {"access list", copyAccess}}
	for _, s := range steps {
		if err := d.Call("copy "+s.what, func() error { return s.copy(windows.Handle(from), windows.Handle(to)) }); err != nil {
			return fmt.Errorf("keep the file's %s: %w", s.what, err)
		}
	}
	return nil
}

func copyAccess(from, to windows.Handle) error {
	sd, err := windows.GetSecurityInfo(from, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return winError(err)
	}
	dacl, _, err := sd.DACL()
	if err != nil { // no list at all: everybody may do everything
		dacl = nil
	}
	control, _, err := sd.Control()
	if err != nil {
		return err
	}
	what := windows.SECURITY_INFORMATION(windows.DACL_SECURITY_INFORMATION | windows.UNPROTECTED_DACL_SECURITY_INFORMATION)
	if control&windows.SE_DACL_PROTECTED != 0 {
		what = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
	}
	return winError(windows.SetSecurityInfo(to, windows.SE_FILE_OBJECT, what, nil, nil, dacl, nil))
}

// keptAttributes are those that are set with a file's times; what is compressed
// or encrypted its folder decides.
const keptAttributes = windows.FILE_ATTRIBUTE_READONLY | windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM |
	windows.FILE_ATTRIBUTE_ARCHIVE | windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED

func copyAttributes(from, to windows.Handle) error {
	basic := make([]byte, 40) // FILE_BASIC_INFO: four times and the attributes
	if err := windows.GetFileInformationByHandleEx(from, windows.FileBasicInfo, &basic[0], uint32(len(basic))); err != nil {
		return winError(err)
	}
	clear(basic[8:32]) // but for the first, the time of creation, as they are
	attributes := binary.LittleEndian.Uint32(basic[32:]) & keptAttributes
	if attributes == 0 {
		attributes = windows.FILE_ATTRIBUTE_NORMAL
	}
	binary.LittleEndian.PutUint32(basic[32:], attributes)
	return winError(windows.SetFileInformationByHandle(to, windows.FileBasicInfo, &basic[0], uint32(len(basic))))
}

// maxStreamBytes bounds what is copied of the alternate streams of one file.
const maxStreamBytes = 1 << 20

func copyStreams(from, to windows.Handle) error {
	names, err := alternateStreams(from)
	left := int64(maxStreamBytes)
	for _, name := range names {
		if err = copyStream(from, to, name, &left); err != nil {
			break
		}
	}
	return err
}

// alternateStreams returns the names of a file's streams but its text, ":name".
// File systems without streams have none.
func alternateStreams(h windows.Handle) (names []string, err error) {
	list := make([]byte, 64<<10)
	if windows.GetFileInformationByHandleEx(h, windows.FileStreamInfo, &list[0], uint32(len(list))) != nil {
		return nil, nil
	}
	const header = 24 // next, length of the name, size, allocated
	for len(list) >= header {
		next, length := binary.LittleEndian.Uint32(list), binary.LittleEndian.Uint32(list[4:])
		if int(length) > len(list)-header {
			return nil, syscall.E2BIG
		}
		wide := make([]uint16, length/2)
		for i := range wide {
			wide[i] = binary.LittleEndian.Uint16(list[header+2*i:])
		}
		if name, isData := strings.CutSuffix(string(utf16.Decode(wide)), ":$DATA"); isData && len(name) > 1 {
			names = append(names, name)
		}
		if next == 0 || int(next) > len(list) {
			break
		}
		list = list[next:]
	}
	return names, nil
}

func copyStream(from, to windows.Handle, name string, left *int64) error {
	in, err := ntOpen{access: windows.FILE_GENERIC_READ, share: shareAll, create: windows.FILE_OPEN}.stream(from, name)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(in)
	out, err := ntOpen{access: windows.FILE_GENERIC_WRITE, share: shareAll, create: windows.FILE_OVERWRITE_IF}.stream(to, name)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(out)
	d := DirCalls{Call: PlainCall}
	b := make([]byte, *left+1)
	n, err := d.Read(int(in), b, 0)
	switch *left -= int64(n); {
	case *left < 0:
		return syscall.E2BIG
	case err != io.EOF:
		return err
	}
	return d.WriteAt(int(out), b[:n], 0)
}

// IsOwn reports whether an open file is this user's, or of the administrators
// that this user is one of.
func (d DirCalls) IsOwn(fd int, st RawStat) bool {
	if st.Nlink != 1 || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return false
	}
	sd, err := windows.GetSecurityInfo(windows.Handle(fd), windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return false
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return false
	}
	if owner.Equals(user.User.Sid) {
		return true
	}
	isMember, err := windows.Token(0).IsMember(owner)
	return err == nil && isMember && owner.IsWellKnown(windows.WinBuiltinAdministratorsSid)
}
