package fsys

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// deletedMark ends what /proc says about a file whose name is gone.
const deletedMark = " (deleted)"

// DescriptorPath returns the absolute path, without links, of an open file as
// the kernel knows it. The second argument matters on other systems only.
func DescriptorPath(f *os.File, _ string) (string, error) {
	link := "/proc/self/fd/" + strconv.Itoa(int(f.Fd()))
	var buf [256]byte
	n, err := unix.Readlink(link, buf[:])
	runtime.KeepAlive(f)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: link, Err: err}
	}
	path := string(buf[:n])
	if n == len(buf) {
		if path, err = os.Readlink(link); err != nil {
			return "", err
		}
	}
	if !filepath.IsAbs(path) { // "(unreachable)/…" from another mount namespace
		return "", &fs.PathError{Op: "readlink", Path: link, Err: unix.ENOENT}
	}
	return path, nil
}

// isGone reports whether a path from DescriptorPath names a file that was
// removed or replaced meanwhile.
func isGone(real string) bool { return strings.HasSuffix(real, deletedMark) }

// HasNoLinks reports whether rel names something below the directory by a path
// in which no name is a symbolic link. False also when it cannot tell.
func (o *Dir) HasNoLinks(rel string) bool {
	fd, ok := o.openPlain(rel)
	if ok {
		unix.Close(fd)
	}
	return ok
}

// StatPlain returns the state of rel when no name in it is a symbolic link;
// its real path is then the one written.
func (o *Dir) StatPlain(rel string) (Status, bool) {
	fd, ok := o.openPlain(rel)
	if !ok {
		return Status{}, false
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || o.dev != st.Dev {
		return Status{}, false // another file system may be one without files
	}
	return StatusOf(&st), true
}

// openPlain opens rel below the directory for looking at it only. The kernel
// refuses links of any kind and paths that leave the directory; systems
// without openat2 refuse all.
func (o *Dir) openPlain(rel string) (fd int, ok bool) {
	how := unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	}
	fd, err := unix.Openat2(int(o.File.Fd()), rel, &how)
	runtime.KeepAlive(o)
	return fd, err == nil
}

// pseudoSystems are file systems whose files are not stored: reading one may
// block, have effects, or give another text each time.
var pseudoSystems = []int64{
	unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC,
	unix.SECURITYFS_MAGIC, unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.BPF_FS_MAGIC,
	unix.DEVPTS_SUPER_MAGIC, unix.PSTOREFS_MAGIC, unix.EFIVARFS_MAGIC, unix.SELINUX_MAGIC,
	unix.BINFMTFS_MAGIC, unix.NSFS_MAGIC, unix.RDTGROUP_SUPER_MAGIC,
}

// isPseudo reports whether an open file or directory is on such a system.
func isPseudo(f *os.File) bool {
	var st unix.Statfs_t
	err := retryInterrupted(func() error { return unix.Fstatfs(int(f.Fd()), &st) })
	runtime.KeepAlive(f)
	return err == nil && slices.Contains(pseudoSystems, int64(st.Type))
}
