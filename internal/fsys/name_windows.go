package fsys

import (
	"io/fs"
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
// the long form of a short name. What is not there stays as it is.
func spelled(path string) string {
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
	return filepath.Join(filepath.Dir(path), windows.UTF16ToString(found.FileName[:]))
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
