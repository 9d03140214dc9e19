package workspace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// canWatch: a watch costs one number in the kernel, and none a descriptor.
const canWatch = ""

// openFolderAt opens the folder rel, a slash path, below o, in one step where
// the kernel can. No name in rel may be a link.
func (o *openDir) openFolderAt(rel string) (dirHandle, error) {
	if rel == "" {
		rel = "."
	}
	how := unix.OpenHow{Flags: listDirFlags, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(int(o.fd.Fd()), rel, &how)
		runtime.KeepAlive(o)
		switch {
		case err == nil:
			return dirHandle{fd}, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINVAL):
			// An old kernel, a sandbox that does not know the call, or a name
			// that moved while it was followed.
			return o.openStepwise(rel)
		}
		return dirHandle{-1}, &fs.PathError{Op: "open", Path: rel, Err: err}
	}
}

// direntHeader is where the name begins in a linux_dirent64.
const direntHeader = 19

// entries appends the folder's entries to into, using buf, which it returns
// for further use.
func (d dirHandle) entries(buf []byte, into []rawEntry) ([]byte, []rawEntry, error) {
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

func parseEntries(buf []byte, into []rawEntry) []rawEntry {
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
			into = append(into, rawEntry{name: name, kind: kindOf(buf[18]), ino: binary.NativeEndian.Uint64(buf)})
		}
		buf = buf[size:]
	}
	return into
}

func kindOf(t byte) kind {
	switch t {
	case unix.DT_UNKNOWN:
		return unknownKind
	case unix.DT_REG:
		return fileKind
	case unix.DT_DIR:
		return folderKind
	case unix.DT_LNK:
		return linkKind
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

// system tells on what sort of file system the directory is.
func (d dirHandle) system() (pseudo, remote bool) {
	var st unix.Statfs_t
	if err := retryInterrupted(func() error { return unix.Fstatfs(d.fd, &st) }); err != nil {
		return false, true
	}
	return slices.Contains(pseudoSystems, int64(st.Type)), slices.Contains(remoteSystems, int64(uint32(st.Type)))
}

// isPseudoFile tells whether a name in the directory is a file of a pseudo
// file system that is mounted on it.
func (d dirHandle) isPseudoFile(name string) bool {
	fd, err := openatPlain(d.fd, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	pseudo, _ := dirHandle{fd}.system()
	return pseudo
}
