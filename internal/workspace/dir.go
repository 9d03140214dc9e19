package workspace

import "io/fs"

// rawEntry is one name of a folder as the system gives it.
type rawEntry struct {
	name []byte // valid until the buffer it was read into is used again
	kind kind
	ino  uint64 // 0: not known
}

// kind is what the system says a name is when it lists it.
type kind uint8

const (
	unknownKind kind = iota
	fileKind
	folderKind
	linkKind
	otherKind
)

// kind tells what a state is one of.
func (st status) kind() kind {
	switch m := st.mode; {
	case m.IsRegular():
		return fileKind
	case m.IsDir():
		return folderKind
	case m&fs.ModeSymlink != 0:
		return linkKind
	}
	return otherKind
}
