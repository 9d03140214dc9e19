package catalog

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
)

// decoder reads what an encoder wrote. After the first thing that cannot be
// it is bad and returns zeros.
type decoder struct {
	b   []byte
	bad bool

	// What is decoded comes from larger pieces: thousands of folders and files
	// are decoded before a first answer.
	nodes []node
	files []FileEntry
	paths strings.Builder
}

// How much of each is made at a time.
const (
	nodePiece = 256
	filePiece = 1 << 10
	pathPiece = 32 << 10 // bytes
)

// newNode returns an empty folder.
func (d *decoder) newNode() *node {
	if len(d.nodes) == 0 {
		d.nodes = make([]node, nodePiece)
	}
	n := &d.nodes[0]
	d.nodes = d.nodes[1:]
	return n
}

// newFiles returns room for n files.
func (d *decoder) newFiles(n int) []FileEntry {
	if len(d.files) < n {
		d.files = make([]FileEntry, max(n, filePiece))
	}
	files := d.files[:n:n]
	d.files = d.files[n:]
	return files
}

// path returns the path of a name in the folder at dir.
func (d *decoder) path(dir string, name []byte) string {
	size := len(dir) + 1 + len(name)
	if d.paths.Cap()-d.paths.Len() < size {
		d.paths = strings.Builder{}
		d.paths.Grow(max(size, pathPiece))
	}
	start := d.paths.Len()
	if dir != "" {
		d.paths.WriteString(dir)
		d.paths.WriteByte('/')
	}
	d.paths.Write(name)
	return d.paths.String()[start:]
}

func (d *decoder) num() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count is num for what as many things follow, each of so many bytes at
// least.
func (d *decoder) count(least int) int {
	n := d.num()
	if n > uint64(len(d.b)/least) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) str() string { return string(d.bytes()) }

func (d *decoder) bytes() []byte {
	n := d.count(1)
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}

// idBytes is what an ID takes.
const idBytes = 5 * 8

func (d *decoder) id() fsys.ID {
	if len(d.b) < idBytes {
		d.bad, d.b = true, nil
		return fsys.ID{}
	}
	le, b := binary.LittleEndian, d.b[:idBytes]
	d.b = d.b[idBytes:]
	return fsys.ID{
		Dev: le.Uint64(b), Ino: le.Uint64(b[8:]), Size: int64(le.Uint64(b[16:])),
		Mtime: int64(le.Uint64(b[24:])), Ctime: int64(le.Uint64(b[32:])),
	}
}

func (d *decoder) sources() []gitignore.Source {
	var sources []gitignore.Source
	for range d.count(1 + idBytes) {
		sources = append(sources, gitignore.Source{Path: d.str(), ID: d.id()})
	}
	return sources
}

// maxDepth bounds how deep folders lie in each other, as the length of paths
// does.
const maxDepth = fsys.MaxPathBytes / 2

func (d *decoder) node(t *folderTree, parent *node, depth int) *node {
	n := d.newNode()
	n.tree, n.parent, n.todo = t, parent, todoCheck
	if depth > maxDepth {
		d.bad = true
	}
	if name := d.bytes(); parent != nil {
		n.rel = d.path(parent.rel, name)
		n.name = n.rel[len(n.rel)-len(name):]
		n.folded = n.rel
		if folded := fsys.FoldPath(n.name); folded != n.name || parent.folded != parent.rel {
			n.folded = fsys.JoinSlash(parent.folded, folded)
		}
	} else {
		n.name, n.folded = string(name), t.root.Folds("")
	}
	n.id = d.id()
	n.final = n.id != fsys.ID{}
	sources := d.sources()
	for range d.count(1 + idBytes) {
		n.stamps = append(n.stamps, stamp{name: d.str(), id: d.id()})
	}
	n.files = d.newFiles(d.count(1 + idBytes))
	for i := range n.files {
		rel := d.path(n.rel, d.bytes())
		n.files[i] = FileEntry{t.index, rel, d.id()}
	}
	for range d.count(1) {
		n.hidden = append(n.hidden, d.str())
	}
	if subs := d.count(1 + idBytes); subs > 0 {
		n.subs = make([]*node, 0, subs)
		for range subs {
			if d.bad {
				break
			}
			n.subs = append(n.subs, d.node(t, n, depth+1))
		}
	}
	if len(sources) > 0 {
		if slices.ContainsFunc(sources, func(s gitignore.Source) bool { return gitignore.SourceAt(s.Path) != s }) {
			n.forget()
		}
		n.climb() // so that changes from now on are noticed
	}
	return n
}
