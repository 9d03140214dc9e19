package workspace

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Catalog keeps the lists of a workspace's files and folders fresh.
type Catalog struct{}

// NewCatalog returns an empty catalog.
func NewCatalog() *Catalog { return &Catalog{} }

// Close ends all watching.
func (c *Catalog) Close() {}

// FileEntry is a regular file of a catalog.
type FileEntry struct {
	Root int    // index in Gate.Roots
	Rel  string // below its root, with slashes
	ID   ID
}

// Files is the list of all regular files that agents may see, at one moment.
// It never changes.
type Files struct {
	// List is ordered by root and then by path, where a slash sorts before
	// every other byte: what a folder holds stands together.
	List []FileEntry
	// Hidden counts what policy leaves out; it is never named.
	Hidden int
	// Problems are folders that could not be read, as *fault.Error.
	Problems []error
	// Generation differs from that of every other list of this catalog.
	Generation uint64

	gate *Gate
}

// Path returns the path of the i-th file.
func (f *Files) Path(i int) Path {
	e := &f.List[i]
	return f.gate.path(filepath.Join(f.gate.roots[e.Root].Path, filepath.FromSlash(e.Rel)))
}

// Files returns the files in all of g's folders, without what ignore files,
// hidden names and policy leave out. Links are not followed. It knows every
// change that was made before the call.
func (c *Catalog) Files(ctx context.Context, g *Gate) (*Files, error) {
	out := &Files{gate: g, Generation: 1}
	for n, r := range g.roots {
		o := r.dir.now.Load()
		if o == nil {
			continue
		}
		err := fs.WalkDir(o.root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if rel != "." && strings.HasPrefix(path.Base(rel), ".") {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					out.List = append(out.List, FileEntry{n, rel, ID{Size: info.Size(), Mtime: info.ModTime().UnixNano()}})
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out.List, func(a, b FileEntry) int {
		if a.Root != b.Root {
			return a.Root - b.Root
		}
		return ComparePaths(a.Rel, b.Rel)
	})
	return out, nil
}

// Walk returns the regular files at and below p, what ignore files and hidden
// names leave out included, but not what policy does. p may be a file.
func (c *Catalog) Walk(ctx context.Context, g *Gate, p Path) (*Files, error) {
	return c.Files(ctx, g)
}

// Listing is what a folder holds.
type Listing struct {
	// Entries are ordered as people expect: directories first, then by name
	// with numbers by their value. Policy's are not among them.
	Entries []Entry
	// Hidden counts what policy leaves out.
	Hidden int
}

// List returns what the folder at p holds, ignored names included and marked.
// The listing is shared and must not be changed.
// Errors are those of Gate.Open, but not_directory for a file.
func (c *Catalog) List(ctx context.Context, g *Gate, p Path) (*Listing, error) {
	return nil, fault.New(fault.Internal, "not built")
}

// ComparePaths orders slash-separated paths so that what a folder holds
// stands together: a slash sorts before every other byte.
func ComparePaths(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		x, y := a[i], b[i]
		switch {
		case x == y:
			continue
		case x == '/':
			return -1
		case y == '/':
			return 1
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}

// Reader reads files of a list one after the other, fast. It belongs to one
// goroutine, which closes it.
type Reader struct {
	files *Files
	open  *Handle
}

// NewReader returns a reader of f's files.
func (f *Files) NewReader() *Reader { return &Reader{files: f} }

// Open makes the i-th file the one to read, and returns its state now. Errors
// are those of [Gate.Open].
func (r *Reader) Open(i int) (ID, error) {
	r.Close()
	h, err := r.files.gate.Open(r.files.Path(i))
	if err != nil {
		return ID{}, err
	}
	r.open = h
	return h.ID, nil
}

// ReadAt is io.ReaderAt over the file that is open.
func (r *Reader) ReadAt(b []byte, off int64) (int, error) { return r.open.File.ReadAt(b, off) }

// State returns the state of the open file at this moment.
func (r *Reader) State() (ID, error) {
	st, err := identify(r.open.File)
	return st.id, err
}

// Close closes what is open.
func (r *Reader) Close() {
	if r.open != nil {
		r.open.Close()
		r.open = nil
	}
}
