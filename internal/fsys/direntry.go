package fsys

import "io/fs"

// DirEntry is one name of a folder as the system gives it.
type DirEntry struct {
	Name []byte // valid until the buffer it was read into is used again
	Kind Kind
	Ino  uint64 // 0: not known
}

// Kind is what the system says a name is when it lists it.
type Kind uint8

// The kinds.
const (
	UnknownKind Kind = iota // the system does not say when it lists
	FileKind
	FolderKind
	LinkKind
	otherKind
)

// Kind tells what a state is one of.
func (st Status) Kind() Kind {
	switch m := st.Mode; {
	case m.IsRegular():
		return FileKind
	case m.IsDir():
		return FolderKind
	case m&fs.ModeSymlink != 0:
		return LinkKind
	}
	return otherKind
}
