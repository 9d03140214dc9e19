package fsys

import (
	"path/filepath"
	"strings"
)

// IsName reports whether a single name can be a file's: no device ("CON",
// "NUL.txt"), no stream ("a:b"), and none that the Win32 layer changes (trailing
// dots and blanks), so that every program opens the same file by it.
func IsName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `<>:"/\|?*`) && strings.TrimRight(name, ". ") == name &&
		strings.IndexFunc(name, func(r rune) bool { return r < ' ' }) < 0
}
