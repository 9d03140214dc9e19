package buffers

import (
	"container/list"
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// diskBudget is how much memory a [Disk] keeps facts in, in bytes. The facts
// of a 1 GB file take 800 KB.
const diskBudget = 8 << 20

// Disk remembers facts about files on disk (hash, encoding, line index) for as
// long as a file's identity, size and times stay what they were, within a
// budget of memory. It keeps no contents. It may be used from any goroutine.
type Disk struct {
	now func() time.Time

	mu      sync.Mutex
	kept    map[diskKey]*list.Element // of *keptFacts
	recent  *list.List                // most recently used first
	bytes   int
	hashes  hashes
	reading map[diskKey]chan struct{} // closed when that scan ends

	blocks sync.Pool // of *[]byte: room for one block, lent to files that are open
}

// diskKey names a file's content by its inode, so that links share it.
type diskKey struct {
	dev, ino uint64
	forced   text.Encoding
}

type keptFacts struct {
	key   diskKey
	facts *facts
}

// NewDisk returns an empty Disk. now is the clock that files' times are held
// against.
func NewDisk(now func() time.Time) *Disk {
	return &Disk{
		now: now, kept: make(map[diskKey]*list.Element), recent: list.New(),
		reading: make(map[diskKey]chan struct{}),
		blocks:  sync.Pool{New: func() any { return new([]byte) }},
	}
}

// factsOf returns the facts of an open file, read in the encoding forced
// ("" detects it); growing is that of [scan]. A file is read once: who asks for
// facts that another call is reading waits for it.
func (d *Disk) factsOf(ctx context.Context, h *fsys.Handle, forced text.Encoding, growing bool) (*facts, error) {
	key := diskKey{h.ID.Dev, h.ID.Ino, forced}
	for {
		f, done := d.lookUp(key, h.ID)
		if f != nil {
			return f, nil
		}
		if done == nil {
			break // it is ours to read
		}
		select {
		case <-done:
		case <-ctx.Done():
			return nil, fault.From(ctx.Err())
		}
	}
	f, err := scan(ctx, h.File, h, forced, growing)
	d.finish(key, f)
	return f, err
}

// lookUp returns kept facts, or a channel that is closed when the call that
// reads them ends, or neither: then the caller must read, and call finish.
func (d *Disk) lookUp(key diskKey, id fsys.ID) (*facts, chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e, ok := d.kept[key]; ok {
		if k := e.Value.(*keptFacts); k.facts.id == id {
			d.recent.MoveToFront(e)
			return k.facts, nil
		}
		d.drop(e)
	}
	if done, ok := d.reading[key]; ok {
		return nil, done
	}
	d.reading[key] = make(chan struct{})
	return nil, nil
}

// finish keeps facts that were read (nil when that failed) and lets the
// others go on.
func (d *Disk) finish(key diskKey, f *facts) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.reading[key])
	delete(d.reading, key)
	if f == nil || !d.stable(f.id) {
		return
	}
	k := &keptFacts{key, f}
	d.kept[key] = d.recent.PushFront(k)
	d.bytes += k.size()
	for d.bytes > diskBudget && d.recent.Len() > 1 {
		d.drop(d.recent.Back())
	}
}

func (d *Disk) drop(e *list.Element) {
	k := d.recent.Remove(e).(*keptFacts)
	delete(d.kept, k.key)
	d.bytes -= k.size()
}

func (k *keptFacts) size() int {
	return int(reflect.TypeFor[keptFacts]().Size()+reflect.TypeFor[facts]().Size()) + 128 +
		len(k.facts.index.points)*int(reflect.TypeFor[checkpoint]().Size())
}

// stable reports whether a later write to the file is sure to change its
// times: a file system counts time in ticks, and within one tick two writes
// leave the same times. The rule is git's for "racily clean" entries.
func (d *Disk) stable(id fsys.ID) bool {
	tick := 20 * time.Millisecond
	if id.Mtime%int64(time.Second) == 0 && id.Ctime%int64(time.Second) == 0 {
		tick = 2 * time.Second // a file system that counts whole seconds
	}
	return d.now().UnixNano()-max(id.Mtime, id.Ctime) > int64(tick)
}

// documentFacts returns the facts of the file behind an open document.
func (d *Disk) documentFacts(ctx context.Context, g *workspace.Gate, p workspace.Path) (*facts, error) {
	h, err := g.OpenDocument(p)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return d.factsOf(ctx, h, "", true)
}
