package fsys

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Below returns path's place below dir in slash or system form as given, "."
// for dir itself. Both are clean absolute paths.
func Below(dir, path string) (rel string, ok bool) {
	rest, ok := strings.CutPrefix(path, dir)
	switch {
	case !ok:
		return "", false
	case rest == "":
		return ".", true
	case os.IsPathSeparator(dir[len(dir)-1]): // dir is "/" or a drive
		return rest, true
	case os.IsPathSeparator(rest[0]):
		return rest[1:], true
	}
	return "", false
}

// IsEscape tells os.Root's refusal to leave its directory, which it does not
// export, from the errors of the system, all of which carry an error number.
func IsEscape(err error) bool {
	pe, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return false
	}
	_, system := errors.AsType[syscall.Errno](pe.Err)
	return !system && !errors.Is(pe.Err, fs.ErrClosed) && !errors.Is(pe.Err, fs.ErrInvalid)
}

// MaxPathBytes bounds a path as the system does: beyond it the real path of
// an open file could not be asked for.
const MaxPathBytes = 4095

// CheckPath refuses what no system can mean as a path.
func CheckPath(arg string) error {
	switch {
	case arg == "":
		return fault.New(fault.InvalidParams, "the path is empty").
			Advise(`give a path relative to the workspace folder ("." is the folder itself), or an absolute one`)
	case strings.Contains(arg, "\x00"):
		return fault.New(fault.InvalidParams, "the path contains a NUL byte")
	case len(arg) > MaxPathBytes:
		return fault.New(fault.InvalidParams, "the path is %d bytes long; at most %d are possible", len(arg), MaxPathBytes)
	}
	return nil
}

// IsNoDevice reports whether err is of opening a socket, or a device that
// nothing drives.
func IsNoDevice(err error) bool {
	return errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.EOPNOTSUPP)
}

// JoinSlash returns name below folder, a slash path; "" is the top.
func JoinSlash(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

// SlashDir returns the folder that a slash path is in, "" for the top.
func SlashDir(rel string) string {
	if dir := path.Dir(rel); dir != "." {
		return dir
	}
	return ""
}

// IsBehindFile reports whether a part of an absolute path is a file, so that nothing
// can be at it. Not every system says so itself.
func IsBehindFile(path string) bool {
	for at := filepath.Dir(path); at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil {
			return !info.IsDir()
		}
	}
	return false
}
