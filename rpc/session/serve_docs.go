package session

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// maxTexts is how much text an answer to a query holds, in bytes. Documents
// that do not fit are left out.
const maxTexts = 32 << 20

// Documents returns the open documents of a snapshot that q asks for, ordered
// by key. One that the policy keeps from agents is among them without hash and
// text.
func Documents(ctx context.Context, s *buffers.Snapshot, q Query) []ForeignDocument {
	var list []ForeignDocument
	room := maxTexts
	for _, d := range s.Overlay.Documents() {
		if ctx.Err() != nil || !q.asks(d) {
			continue
		}
		described := describe(d)
		f, err := s.File(ctx, d.Path, "")
		if err == nil {
			described.Hash, described.Dirty, described.DiskChanged = f.Hash.String(), f.Dirty, f.DiskChanged
		}
		if !q.Texts {
			list = append(list, ForeignDocument{Document: described})
			continue
		}
		differs := err == nil && (f.Dirty || f.DiskChanged || d.Unsure != "")
		if differs && described.Bytes <= room {
			room -= described.Bytes
			whole := d.Text.Append(make([]byte, 0, described.Bytes), text.Span{End: text.Offset(described.Bytes)})
			list = append(list, ForeignDocument{described, string(whole)})
		}
	}
	return list
}

// describe tells of a document what costs nothing.
func describe(d *buffers.Document) Document {
	return Document{
		URI: d.URI, Path: d.Path.Abs, Real: d.Real(), Language: d.LanguageID,
		Version: d.Version, Unsure: d.Unsure, Bytes: d.Text.Len(),
	}
}

func (q *Query) asks(d *buffers.Document) bool {
	if q.Of != nil && !slices.ContainsFunc(q.Of, func(n Name) bool { return n.names(d) }) {
		return false
	}
	switch {
	case q.Below == nil:
		return true
	case d.Path.Untitled():
		return q.Untitled
	}
	real := d.Real()
	if real == "" {
		real = d.Path.Abs
	}
	return slices.ContainsFunc(q.Below, func(folder string) bool { return isBelow(folder, real) })
}

func (n *Name) names(d *buffers.Document) bool {
	if d.Path.Untitled() {
		return n.URI != "" && n.URI == d.Path.URI
	}
	if n.Path != "" && n.Path == d.Path.Abs || n.Real != "" && (n.Real == d.Real() || n.Real == d.Path.Abs) {
		return true
	}
	id := d.OnDisk()
	return n.Ino != 0 && n.Ino == id.Ino && n.Dev == id.Dev
}

// isBelow tells whether a clean absolute path is a folder or lies in it.
func isBelow(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || strings.HasSuffix(folder, string(filepath.Separator)) || rest[0] == filepath.Separator)
}

// documents answers a query.
func (v *served) documents(ctx context.Context, id uint64, body []byte) error {
	var q Query
	if err := wire.Unmarshal(body, &q); err != nil {
		return err
	}
	list, texts := carry(v.server.host.Documents(ctx, q))
	raw, err := wire.Marshal(list)
	if err != nil {
		return err
	}
	return v.out.write(&message{Do: doAnswer, ID: id, Header: len(raw)}, append([][]byte{raw}, texts...)...)
}

// events writes an event for each document that changed, until ctx ends.
func (v *served) events(ctx context.Context, id uint64) {
	q := newChanges()
	defer v.server.host.Watch(q.add)()
	// The first one says that the watch has begun.
	if v.out.write(&message{Do: doEvent, ID: id}) != nil {
		return
	}
	for {
		d, ok := q.next(ctx)
		if !ok {
			return
		}
		raw, err := wire.Marshal(d)
		if err != nil || v.out.write(&message{Do: doEvent, ID: id}, raw) != nil {
			return
		}
	}
}

// changes are documents that changed and were not told yet: of each the last
// state.
type changes struct {
	mu    sync.Mutex
	order []string // URIs
	last  map[string]Document
	some  chan struct{} // holds a token when there may be one
}

func newChanges() *changes {
	return &changes{last: make(map[string]Document), some: make(chan struct{}, 1)}
}

func (c *changes) add(d Document) {
	c.mu.Lock()
	if _, waits := c.last[d.URI]; !waits {
		c.order = append(c.order, d.URI)
	}
	c.last[d.URI] = d
	c.mu.Unlock()
	select {
	case c.some <- struct{}{}:
	default:
	}
}

// next waits for a change; ok is false when ctx ended.
func (c *changes) next(ctx context.Context) (d Document, ok bool) {
	for {
		if d, ok := c.take(); ok {
			return d, true
		}
		select {
		case <-ctx.Done():
			return Document{}, false
		case <-c.some:
		}
	}
}

func (c *changes) take() (d Document, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.order) == 0 {
		return Document{}, false
	}
	uri := c.order[0]
	c.order = c.order[1:]
	d = c.last[uri]
	delete(c.last, uri)
	return d, true
}
