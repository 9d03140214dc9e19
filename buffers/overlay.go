package buffers

import (
	"slices"
	"strings"
)

// Overlay is the immutable set of documents that are open at one moment. The
// zero value holds none.
type Overlay struct {
	docs []*Document // sorted by key
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
	return &Overlay{docs: append(docs, o.docs[i:]...)}
}

// without returns an overlay that lacks the document with the given key.
func (o *Overlay) without(key string) *Overlay {
	i, found := o.find(key)
	if !found {
		return o
	}
	return &Overlay{docs: slices.Concat(o.docs[:i], o.docs[i+1:])}
}
