package workspace

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// maxLinks bounds the symbolic links followed in one path, as Linux does.
const maxLinks = 40

// followed is where a path leads once its links are resolved.
type followed struct {
	path    string // absolute, clean; what does not exist stands as written
	exists  bool
	dangles bool // a link leads to what does not exist
}

// followLinks resolves the links of a clean absolute path by looking at each
// name on the way. What it says may be outdated at once: it chooses the
// folder to open and the rules to match, and the descriptor that is opened
// then has the last word.
func followLinks(abs string) (followed, error) {
	if len(abs) > maxPathBytes { // nothing has such a name, and to follow it would take long
		return followed{path: abs}, &fs.PathError{Op: "lstat", Path: abs, Err: syscall.ENAMETOOLONG}
	}
	top := topOf(abs)
	at := followed{path: top, exists: true}
	pending := splitNames(abs[len(top):])
	tail := math.MaxInt // how many of the pending names no link brought
	for links := 0; len(pending) > 0; {
		name := pending[0]
		pending = pending[1:]
		target, err := at.step(name)
		if err != nil {
			return at, err
		}
		if target == "" {
			at.dangles = at.dangles || !at.exists && len(pending) >= tail
			continue
		}
		if links++; links > maxLinks {
			return at, &fs.PathError{Op: "readlink", Path: abs, Err: syscall.ELOOP}
		}
		tail = min(tail, len(pending))
		if filepath.IsAbs(target) {
			at.path = topOf(target)
			target = target[len(at.path):]
		}
		pending = append(splitNames(target), pending...)
	}
	return at, nil
}

// topOf returns where an absolute path begins: "/", or a drive.
func topOf(abs string) string { return filepath.VolumeName(abs) + string(filepath.Separator) }

// step goes on to name, or returns the target of the link that it is.
func (at *followed) step(name string) (target string, err error) {
	if name == ".." {
		at.path = filepath.Dir(at.path)
		return "", nil
	}
	next := filepath.Join(at.path, name)
	if !at.exists {
		at.path = next
		return "", nil
	}
	info, err := os.Lstat(next)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		at.path, at.exists = next, false
		return "", nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink == 0:
		at.path = next
		return "", nil
	}
	target, err = os.Readlink(next)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) {
		return "", errSwapped // it was a link a moment ago
	}
	return target, err
}

func splitNames(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool {
		return r < 0x80 && os.IsPathSeparator(uint8(r))
	})
}
