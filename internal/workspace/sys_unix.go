//go:build linux || darwin

package workspace

import (
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

const (
	// openFileFlags never wait for a FIFO's writer and never take a terminal
	// over.
	openFileFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
	openDirFlags  = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_DIRECTORY
)

// identify returns the state of an open file.
func identify(f *os.File) (status, error) {
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstat(int(f.Fd()), &st) })
	runtime.KeepAlive(f)
	if err != nil {
		return status{}, &fs.PathError{Op: "fstat", Path: f.Name(), Err: err}
	}
	return statusOf(&st), nil
}

// statPath returns the state of what a path names, links followed.
func statPath(path string) (status, error) {
	var st unix.Stat_t
	if err := retryInterrupted(func() error { return unix.Stat(path, &st) }); err != nil {
		return status{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return statusOf(&st), nil
}

// statBelow returns the state of what rel, a slash path, names below the
// directory; "" is the directory. Links are followed wherever they lead: it is
// for policy to look at, never for what a caller is told.
func (o *openDir) statBelow(rel string) (status, error) {
	if rel == "" {
		rel = "."
	}
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstatat(int(o.fd.Fd()), rel, &st, 0) })
	runtime.KeepAlive(o)
	if err != nil {
		return status{}, err
	}
	return statusOf(&st), nil
}

func retryInterrupted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func statusOf(st *unix.Stat_t) status {
	return status{id: idFrom(st), mode: modeOf(uint32(st.Mode)), links: uint64(st.Nlink)}
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

// modeOf keeps of the type bits what tells files and directories from the
// rest.
func modeOf(mode uint32) fs.FileMode {
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
	dir, err := in.OpenFile(".", openDirFlags, 0)
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Unlinkat(int(dir.Fd()), name, unix.AT_REMOVEDIR)
}
