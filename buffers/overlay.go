package buffers

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/gitignore"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Overlay is the immutable set of documents that are open at one moment. The
// zero value holds none.
type Overlay struct {
	// ignores are the texts of those that are agents' ignore files, as
	// [workspace.Gate.WithAgentIgnores] takes them; nil when there are none, as
	// nearly always.
	ignores map[string][]byte
	docs    []*Document // sorted by key
	cells   []cell      // of notebooks that are open, in the order of opening
	tabs    []Tab       // that show what the editor does not tell
}

// cell is one open document that an editor made of a part of a notebook.
type cell struct{ notebook, uri string }

// Tab is a file that the editor shows without telling its text.
type Tab struct {
	Key      string // see [workspace.Path.Key]
	Notebook bool   // it is shown as a notebook
}

// NotebookOpen reports whether the editor shows the notebook with the given key:
// its cells are open as documents of their own, or it said so; the file is not
// open.
func (o *Overlay) NotebookOpen(key string) bool {
	return slices.ContainsFunc(o.cells, func(c cell) bool { return c.notebook == key }) || slices.Contains(o.tabs, Tab{key, true})
}

// Unsynced reports whether the editor shows the file with the given key as text,
// but keeps its text to itself.
func (o *Overlay) Unsynced(key string) bool { return slices.Contains(o.tabs, Tab{key, false}) }

// withoutCell returns an overlay that lacks a cell, and whether it was there.
func (o *Overlay) withoutCell(uri string) (*Overlay, bool) {
	i := slices.IndexFunc(o.cells, func(c cell) bool { return c.uri == uri })
	if i < 0 {
		return o, false
	}
	return &Overlay{docs: o.docs, ignores: o.ignores, cells: slices.Concat(o.cells[:i], o.cells[i+1:]), tabs: o.tabs}, true
}

// Documents returns the open documents, ordered by key. The slice is shared
// and must not be changed.
func (o *Overlay) Documents() []*Document { return o.docs }

// Get returns the document with the given key (see [workspace.Path.Key]), or
// nil.
func (o *Overlay) Get(key string) *Document {
	if i, ok := o.find(key); ok {
		return o.docs[i]
	}
	return nil
}

func (o *Overlay) find(key string) (int, bool) {
	return slices.BinarySearchFunc(o.docs, key, func(d *Document, key string) int {
		return strings.Compare(d.key, key)
	})
}

// with returns an overlay in which d stands under its key.
func (o *Overlay) with(d *Document) *Overlay {
	i, found := o.find(d.key)
	docs := make([]*Document, 0, len(o.docs)+1)
	docs = append(append(docs, o.docs[:i]...), d)
	if found {
		i++
	}
	return &Overlay{docs: append(docs, o.docs[i:]...), ignores: o.ignoresWith(d), cells: o.cells, tabs: o.tabs}
}

// without returns an overlay that lacks the document with the given key.
func (o *Overlay) without(key string) *Overlay {
	i, found := o.find(key)
	if !found {
		return o
	}
	return &Overlay{docs: slices.Concat(o.docs[:i], o.docs[i+1:]), ignores: o.ignoresWithout(o.docs[i]), cells: o.cells, tabs: o.tabs}
}

// maxIgnoreBytes bounds how much of an ignore file is taken: more than counts.
const maxIgnoreBytes = 2 << 20

// ignoresWith returns o's ignore files with d's text, if it is one.
func (o *Overlay) ignoresWith(d *Document) map[string][]byte {
	if !isAgentIgnore(d) {
		return o.ignores
	}
	ignores := make(map[string][]byte, len(o.ignores)+1)
	maps.Copy(ignores, o.ignores)
	whole := text.Span{End: min(d.Text.Len(), maxIgnoreBytes)}
	ignores[ignoreKey(d)] = d.Text.Append(nil, whole)
	return ignores
}

func (o *Overlay) ignoresWithout(d *Document) map[string][]byte {
	if !isAgentIgnore(d) {
		return o.ignores
	}
	ignores := maps.Clone(o.ignores)
	delete(ignores, ignoreKey(d))
	return ignores
}

// ignoreKey returns the key of an agents' ignore file: those of the editor and
// of others stand beside each other, because each only takes away.
func ignoreKey(d *Document) string {
	if d.IsPeer() {
		return d.Path.Abs + workspace.OfAnother
	}
	return d.Path.Abs
}

// isAgentIgnore reports whether a document holds rules of what agents may see.
func isAgentIgnore(d *Document) bool {
	return !d.Path.Untitled() && gitignore.IsAgentIgnore(filepath.Base(d.Path.Abs))
}
