package fsys

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// CanWatch is empty: a watch costs one number in the kernel, and none a descriptor.
const CanWatch = ""

// OpenBelow opens the folder rel, a slash path, below o, in one step where
// the kernel can. No name in rel may be a link.
func (o *Dir) OpenBelow(rel string) (DirHandle, error) {
	if rel == "" {
		rel = "."
	}
	how := unix.OpenHow{Flags: listDirFlags, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(int(o.File.Fd()), rel, &how)
		runtime.KeepAlive(o)
		switch {
		case err == nil:
			return DirHandle{fd}, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINVAL):
			// An old kernel, a sandbox that does not know the call, or a name
			// that moved while it was followed.
			return o.openStepwise(rel)
		}
		return DirHandle{-1}, &fs.PathError{Op: "open", Path: rel, Err: err}
	}
}

// direntHeader is where the name begins in a linux_dirent64.
const direntHeader = 19

// Entries appends the folder's entries to into, using buf, which it returns
// for further use.
func (d DirHandle) Entries(buf []byte, into []DirEntry) ([]byte, []DirEntry, error) {
	buf = buf[:0]
	for {
		buf = slices.Grow(buf, 32<<10)
		n, err := unix.Getdents(d.fd, buf[len(buf):cap(buf)])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return buf, into, &fs.PathError{Op: "readdir", Path: ".", Err: err}
		}
		if n <= 0 {
			return buf, parseEntries(buf, into), nil
		}
		buf = buf[:len(buf)+n]
	}
}

func parseEntries(buf []byte, into []DirEntry) []DirEntry {
	const usual = 40 // bytes of an entry
	into = slices.Grow(into, len(buf)/usual)
	for len(buf) > direntHeader {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		if size <= direntHeader || size > len(buf) {
			break
		}
		name := buf[direntHeader:size]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if s := string(name); s != "." && s != ".." && s != "" {
			into = append(into, DirEntry{Name: name, Kind: kindOf(buf[18]), Ino: binary.NativeEndian.Uint64(buf)})
		}
		buf = buf[size:]
	}
	return into
}

func kindOf(t byte) Kind {
	switch t {
	case unix.DT_UNKNOWN:
		return UnknownKind
	case unix.DT_REG:
		return FileKind
	case unix.DT_DIR:
		return FolderKind
	case unix.DT_LNK:
		return LinkKind
	}
	return otherKind
}

// remoteSystems are file systems on which others change things that this
// kernel does not learn of, so that watching them is not enough.
var remoteSystems = []int64{
	unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC,
	unix.FUSE_SUPER_MAGIC, unix.V9FS_MAGIC, unix.CEPH_SUPER_MAGIC, unix.AFS_SUPER_MAGIC,
	unix.AFS_FS_MAGIC, unix.CODA_SUPER_MAGIC, unix.NCP_SUPER_MAGIC, unix.OCFS2_SUPER_MAGIC,
}

// System tells on what sort of file system the directory is.
func (d DirHandle) System() (pseudo, remote bool) {
	var st unix.Statfs_t
	if err := retryInterrupted(func() error { return unix.Fstatfs(d.fd, &st) }); err != nil {
		return false, true
	}
	return slices.Contains(pseudoSystems, int64(st.Type)), slices.Contains(remoteSystems, int64(uint32(st.Type)))
}

// IsPseudoFile reports whether a name in the directory is a file of a pseudo
// file system that is mounted on it.
func (d DirHandle) IsPseudoFile(name string) bool {
	fd, err := openatPlain(d.fd, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	pseudo, _ := DirHandle{fd}.System()
	return pseudo
}
