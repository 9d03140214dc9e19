package fsys

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

// Followed is where a path leads once its links are resolved.
type Followed struct {
	Path    string // absolute, clean; what does not exist stands as written
	Exists  bool
	Dangles bool // a link leads to what does not exist
}

// FollowLinks resolves the links of a clean absolute path by looking at each
// name on the way. What it says may be outdated at once: it chooses the
// folder to open and the rules to match, and the descriptor that is opened
// then has the last word.
func FollowLinks(abs string) (Followed, error) {
	if len(abs) > MaxPathBytes { // nothing has such a name, and to follow it would take long
		return Followed{Path: abs}, &fs.PathError{Op: "lstat", Path: abs, Err: syscall.ENAMETOOLONG}
	}
	top := VolumeRoot(abs)
	at := Followed{Path: top, Exists: true}
	pending := SplitNames(abs[len(top):])
	tail := math.MaxInt // how many of the pending names no link brought
	for links := 0; len(pending) > 0; {
		name := pending[0]
		pending = pending[1:]
		target, err := at.step(name, len(pending) == 0)
		if err != nil {
			return at, err
		}
		if target == "" {
			at.Dangles = at.Dangles || !at.Exists && len(pending) >= tail
			continue
		}
		if links++; links > maxLinks {
			return at, &fs.PathError{Op: "readlink", Path: abs, Err: syscall.ELOOP}
		}
		tail = min(tail, len(pending))
		if filepath.IsAbs(target) {
			at.Path = VolumeRoot(target)
			target = target[len(at.Path):]
		}
		pending = append(SplitNames(target), pending...)
	}
	return at, nil
}

// VolumeRoot returns where an absolute path begins: "/", a drive, or a share.
func VolumeRoot(abs string) string {
	volume := filepath.VolumeName(abs)
	if len(volume) == len(abs) && volume != "" { // a share and nothing below it
		return volume
	}
	return volume + string(filepath.Separator)
}

// step goes on to name, the last one perhaps, or returns the target of the link that
// it is.
func (at *Followed) step(name string, last bool) (target string, err error) {
	if name == ".." {
		at.Path = filepath.Dir(at.Path)
		return "", nil
	}
	next := filepath.Join(at.Path, name)
	if !at.Exists {
		at.Path = next
		return "", nil
	}
	next = spelled(next, last)
	info, err := os.Lstat(next)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		at.Path, at.Exists = next, false
		return "", nil
	case err != nil:
		return "", err
	case !isLink(info):
		at.Path = next
		return "", nil
	}
	target, err = os.Readlink(next)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) {
		return "", ErrPathChanged // it was a link a moment ago
	}
	return target, err
}

// SplitNames returns the names of a path in system form.
func SplitNames(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool {
		return r < 0x80 && os.IsPathSeparator(uint8(r))
	})
}
