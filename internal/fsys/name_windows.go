package fsys

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// IsName reports whether a single name can be a file's: no device ("CON",
// "NUL.txt"), no stream ("a:b"), and none that the Win32 layer changes (trailing
// dots and blanks), so that every program opens the same file by it.
func IsName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `<>:"/\|?*`) && strings.TrimRight(name, ". ") == name &&
		strings.IndexFunc(name, func(r rune) bool { return r < ' ' }) < 0
}

// spelled returns path in the disk's own spelling of its last name: its case, and
// the long form of a short name. What is not there stays as it is, and so does the
// case of the last name, which a file may be about to get.
func spelled(path string, last bool) string {
	if !IsName(filepath.Base(path)) {
		return path
	}
	wide, err := windows.UTF16PtrFromString(extended(path))
	if err != nil {
		return path
	}
	var found windows.Win32finddata
	h, err := windows.FindFirstFile(wide, &found)
	if err != nil {
		return path
	}
	_ = windows.FindClose(h)
	name := windows.UTF16ToString(found.FileName[:])
	if last && strings.EqualFold(name, filepath.Base(path)) {
		return path
	}
	return filepath.Join(filepath.Dir(path), name)
}

// extended marks a long path to be taken as it is, by which more than 260
// characters are possible.
func extended(path string) string {
	switch {
	case len(path) < windows.MAX_PATH-12 || strings.HasPrefix(path, `\\?\`):
		return path
	case strings.HasPrefix(path, `\\`):
		return `\\?\UNC\` + path[2:]
	}
	return `\\?\` + path
}

// isLink reports whether a name stands for another place: a symbolic link, or a
// junction.
func isLink(info fs.FileInfo) bool {
	if info.Mode()&fs.ModeSymlink != 0 {
		return true
	}
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	return ok && info.Mode()&fs.ModeIrregular != 0 && data.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 && data.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0
}

// OpenToRead opens the file at a path for reading, and lets others replace and remove
// it meanwhile.
func OpenToRead(path string) (*os.File, error) {
	wide, err := windows.UTF16PtrFromString(extended(path))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	h, err := windows.CreateFile(wide, windows.GENERIC_READ, shareAll, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
