package tools

import (
	"container/list"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// maxReadRecords is how many reads are remembered, of all clients together.
const maxReadRecords = 100_000

// Reads remembers which text of each file a client read last: what a patch
// that names no hash was made for. It may be used from any goroutine. A nil
// Reads remembers nothing.
type Reads struct {
	mu     sync.Mutex
	byKey  map[readerKey]*list.Element
	recent *list.List // of *readRecord, the latest first
}

type readerKey struct {
	client Client
	key    string // of the file
}

type readRecord struct {
	readerKey
	hash text.Hash
}

// NewReads returns an empty memory.
func NewReads() *Reads { return &Reads{byKey: make(map[readerKey]*list.Element), recent: list.New()} }

// note remembers that a client was shown the text of that hash. The reads
// that are longest ago are forgotten first.
func (r *Reads) note(c Client, key string, h text.Hash) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	k := readerKey{c, key}
	if e, ok := r.byKey[k]; ok {
		e.Value.(*readRecord).hash = h
		r.recent.MoveToFront(e)
		return
	}
	r.byKey[k] = r.recent.PushFront(&readRecord{k, h})
	if r.recent.Len() > maxReadRecords {
		delete(r.byKey, r.recent.Remove(r.recent.Back()).(*readRecord).readerKey)
	}
}

// found remembers that a client was shown lines of the text of that hash, where
// it has read none of the file: what was read is not forgotten for a glance.
func (r *Reads) found(c Client, key string, h text.Hash) {
	if _, read := r.last(c, key); !read {
		r.note(c, key, h)
	}
}

func (r *Reads) last(c Client, key string) (h text.Hash, ok bool) {
	if r == nil {
		return h, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byKey[readerKey{c, key}]
	if !ok {
		return h, false
	}
	return e.Value.(*readRecord).hash, true
}

// lastRead returns the hash of the text of a file, named by its path's key,
// that the caller was shown last: read, or as its own edit left it.
func (e *Env) lastRead(key string) (text.Hash, bool) { return e.Reads.last(e.Client, key) }

// hasRead reports whether the caller was shown the text of a file that it names.
func (e *Env) hasRead(path string) bool {
	p, err := e.Snapshot.Resolve(path)
	if err != nil {
		return false
	}
	_, ok := e.lastRead(p.Key())
	return ok
}
