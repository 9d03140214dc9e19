package fsys

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// OpenPrivate opens a folder of this user's own that lies outside of all
// workspaces, for what others must neither read nor replace: the folder's
// owner is this user, nobody else has rights to it, and its path is no link.
// With make it is made when there is none, but not the folders above.
//
// Errors: not_found, permission_denied for a folder that others own or may
// enter, not_directory, invalid_params, io_error.
func OpenPrivate(path string, make bool) (*os.Root, error) {
	if !filepath.IsAbs(path) || CheckPath(path) != nil {
		return nil, fault.New(fault.InvalidParams, "not an absolute path").At(path)
	}
	if make {
		if err := os.Mkdir(path, 0o700); err != nil && !os.IsExist(err) {
			return nil, fault.From(err).At(path)
		}
	}
	named, err := os.Lstat(path)
	if err != nil {
		return nil, fault.From(err).At(path)
	}
	if !named.IsDir() {
		return nil, fault.New(fault.NotDirectory, "not a folder").At(path).Advise("Remove it.")
	}
	if err := checkPrivate(named, named); err != nil { // before the system refuses to open it
		return nil, fault.From(err).At(path)
	}
	root, err := OpenRoot(path)
	if err != nil {
		return nil, fault.From(err).At(path)
	}
	opened, err := root.Stat(".")
	if err == nil {
		err = checkPrivate(named, opened)
	}
	if err != nil {
		root.Close()
		return nil, fault.From(err).At(path)
	}
	return root, nil
}

func checkPrivate(named, opened os.FileInfo) error {
	switch {
	case !os.SameFile(named, opened):
		return fault.New(fault.PermissionDenied, "the folder was exchanged while it was opened")
	case !OwnedByUser(opened):
		return fault.New(fault.PermissionDenied, "the folder belongs to another user").
			Advise("Remove it, have its owner do so, or mend the variable that leads there (XDG_RUNTIME_DIR, TMPDIR, HOME).")
	case opened.Mode().Perm()&0o077 != 0 && HasPermissions:
		return fault.New(fault.PermissionDenied, "others have rights to the folder: its mode is %#o", opened.Mode().Perm()).
			Advise("If it is yours: chmod 700 it.")
	}
	return nil
}

// RealPath returns an absolute path with all links resolved; names that do not
// exist stay as they are. It may be outdated at once: it tells which things are
// likely the same, never what may be opened.
func RealPath(abs string) (string, error) {
	at, err := FollowLinks(filepath.Clean(abs))
	return at.Path, err
}

// Modified returns when the entries of a folder changed last, at an absolute
// path.
func Modified(folder string) (time.Time, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Identify returns an absolute path's [RealPath], the path itself where that
// cannot be told, and the device and inode of what is there; 0 when nothing is.
func Identify(abs string) (real string, dev, ino uint64) {
	real, err := RealPath(abs)
	if err != nil {
		real = abs
	}
	st, err := StatPath(abs)
	if err != nil {
		return real, 0, 0
	}
	return real, st.ID.Dev, st.ID.Ino
}

// MakePrivate takes the folder from everybody but its owner, and refuses one
// that others could write to and that cannot be taken from them.
func (o *Dir) MakePrivate() error {
	info, err := o.File.Stat()
	switch {
	case err != nil:
		return err
	case !OwnedByUser(info):
		return fault.New(fault.PermissionDenied, "the folder belongs to another user")
	case info.Mode().Perm()&0o077 == 0:
		return nil
	}
	if err := o.File.Chmod(0o700); err != nil {
		return fmt.Errorf("make the folder private: %w", err)
	}
	return nil
}
