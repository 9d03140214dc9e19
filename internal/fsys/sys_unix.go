//go:build linux || darwin

package fsys

import (
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Flags for opening.
const (
	// OpenFileFlags never wait for a FIFO's writer and never take a terminal
	// over.
	OpenFileFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
	OpenDirFlags  = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_DIRECTORY
)

// OpenRoot is [os.OpenRoot].
func OpenRoot(path string) (*os.Root, error) { return os.OpenRoot(path) }

// StatFile returns the state of an open file.
func StatFile(f *os.File) (Status, error) {
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstat(int(f.Fd()), &st) })
	runtime.KeepAlive(f)
	if err != nil {
		return Status{}, &fs.PathError{Op: "fstat", Path: f.Name(), Err: err}
	}
	return StatusOf(&st), nil
}

// StatPath returns the state of what a path names, links followed.
func StatPath(path string) (Status, error) {
	var st unix.Stat_t
	if err := retryInterrupted(func() error { return unix.Stat(path, &st) }); err != nil {
		return Status{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return StatusOf(&st), nil
}

// StatBelow returns the state of what rel, a slash path, names below the
// directory; "" is the directory. Links are followed wherever they lead: it is
// for policy to look at, never for what a caller is told.
func (o *Dir) StatBelow(rel string) (Status, error) {
	if rel == "" {
		rel = "."
	}
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstatat(int(o.File.Fd()), rel, &st, 0) })
	runtime.KeepAlive(o)
	if err != nil {
		return Status{}, err
	}
	return StatusOf(&st), nil
}

func retryInterrupted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// StatusOf returns the state that the system told.
func StatusOf(st *unix.Stat_t) Status {
	return Status{ID: idFrom(st), Mode: fileMode(uint32(st.Mode)), Links: uint64(st.Nlink)}
}

func idFrom(st *unix.Stat_t) ID {
	return ID{
		Dev:   uint64(st.Dev),
		Ino:   st.Ino,
		Size:  st.Size,
		Mtime: st.Mtim.Nano(),
		Ctime: st.Ctim.Nano(),
	}
}

// fileMode keeps of the type bits what tells files and directories from the
// rest.
func fileMode(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	default:
		m |= fs.ModeIrregular
	}
	if mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// removeFolder removes the empty folder name in an open one, and nothing that
// is no folder.
func removeFolder(in *os.Root, name string) error {
	dir, err := in.OpenFile(".", OpenDirFlags, 0)
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Unlinkat(int(dir.Fd()), name, unix.AT_REMOVEDIR)
}
