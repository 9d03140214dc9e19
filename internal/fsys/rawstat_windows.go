package fsys

import (
	"encoding/binary"
	"io/fs"
	"syscall"

	"golang.org/x/sys/windows"
)

// RawStat is what the system says of a file, in the words of Unix. Owners are
// not told.
type RawStat struct {
	Dev, Ino   uint64
	Size       int64 // bytes
	Mode       uint32
	Nlink      uint32
	Uid, Gid   uint32
	Mtim, Ctim fileTime
}

// fileTime is in nanoseconds since 1970.
type fileTime int64

// Nano returns the time in nanoseconds since 1970.
func (t fileTime) Nano() int64 { return int64(t) }

// statHandle returns the state of what is open. A link, or a junction, that was
// opened itself is told as a link.
func statHandle(h windows.Handle) (st RawStat, err error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &info); err != nil {
		return st, err
	}
	st = RawStat{
		Dev: uint64(info.VolumeSerialNumber), Ino: uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow),
		Size: int64(info.FileSizeHigh)<<32 | int64(info.FileSizeLow), Nlink: info.NumberOfLinks,
		Mtim: fileTime(info.LastWriteTime.Nanoseconds()), Mode: modeOf(h, info.FileAttributes),
	}
	basic := make([]byte, 40) // FILE_BASIC_INFO
	if windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, &basic[0], uint32(len(basic))) == nil {
		changed := binary.LittleEndian.Uint64(basic[24:])
		t := windows.Filetime{LowDateTime: uint32(changed), HighDateTime: uint32(changed >> 32)}
		st.Ctim = fileTime(t.Nanoseconds())
	}
	return st, nil
}

// nameSurrogate is the bit of a reparse tag that says that the file stands for
// another place: symbolic links, junctions.
const nameSurrogate = 0x20000000

func modeOf(h windows.Handle, attributes uint32) uint32 {
	mode := uint32(0o666)
	if attributes&windows.FILE_ATTRIBUTE_READONLY != 0 {
		mode = 0o444
	}
	kind := uint32(syscall.S_IFREG)
	if attributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0 {
		kind, mode = syscall.S_IFDIR, mode|0o111
	}
	if attributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 && reparseTag(h)&nameSurrogate != 0 {
		kind = syscall.S_IFLNK
	}
	if t, err := windows.GetFileType(h); err == nil && t != windows.FILE_TYPE_DISK {
		kind = syscall.S_IFCHR
	}
	return kind | mode
}

// reparseTag returns what sort of file with a rule of its own is open; 0 for
// others.
func reparseTag(h windows.Handle) uint32 {
	info := make([]byte, 8) // FILE_ATTRIBUTE_TAG_INFO
	if windows.GetFileInformationByHandleEx(h, windows.FileAttributeTagInfo, &info[0], uint32(len(info))) != nil {
		return 0
	}
	return binary.LittleEndian.Uint32(info[4:])
}

// StatusOf returns the state that the system told.
func StatusOf(st *RawStat) Status {
	mode := fs.FileMode(st.Mode & 0o777)
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
	case syscall.S_IFDIR:
		mode |= fs.ModeDir
	case syscall.S_IFLNK:
		mode |= fs.ModeSymlink
	default:
		mode |= fs.ModeIrregular
	}
	return Status{
		ID:   ID{Dev: st.Dev, Ino: st.Ino, Size: st.Size, Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano()},
		Mode: mode, Links: uint64(st.Nlink),
	}
}
