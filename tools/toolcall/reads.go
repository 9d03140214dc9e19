package toolcall

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
	recent *list.List             // of *readRecord, the latest first
	fresh  map[Client][]freshRead // of calls under way
}

type readerKey struct {
	client Client
	key    string // of the file
}

type readRecord struct {
	readerKey
	hash  text.Hash
	whole bool // all of the text was shown
}

// NewReads returns an empty memory.
func NewReads() *Reads {
	return &Reads{byKey: make(map[readerKey]*list.Element), recent: list.New(), fresh: make(map[Client][]freshRead)}
}

// Note remembers that a client was shown the text of that hash, whole or lines of
// it. The reads that are longest ago are forgotten first.
func (r *Reads) Note(c Client, key string, h text.Hash, whole bool) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	k := readerKey{c, key}
	r.noteFresh(k, h)
	if e, ok := r.byKey[k]; ok {
		now := e.Value.(*readRecord)
		now.hash, now.whole = h, whole || now.whole && now.hash == h
		r.recent.MoveToFront(e)
		return
	}
	r.byKey[k] = r.recent.PushFront(&readRecord{k, h, whole})
	if r.recent.Len() > maxReadRecords {
		delete(r.byKey, r.recent.Remove(r.recent.Back()).(*readRecord).readerKey)
	}
}

// freshRead is a read that a call made.
type freshRead struct {
	key  string
	hash text.Hash
}

// noteFresh notes a read until the call that makes it ends.
func (r *Reads) noteFresh(k readerKey, h text.Hash) {
	list := r.fresh[k.client]
	if len(list) < maxNoticed && (len(list) > 0 || len(r.fresh) < maxNoticedClients) {
		r.fresh[k.client] = append(list, freshRead{k.key, h})
	}
}

// takeFresh returns what a client read since the last time.
func (r *Reads) takeFresh(c Client) []freshRead {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := r.fresh[c]
	delete(r.fresh, c)
	return fresh
}

// NoteFound remembers that a client was shown lines of the text of that hash, where
// it has read none of the file: what was read is not forgotten for a glance.
func (r *Reads) NoteFound(c Client, key string, h text.Hash) {
	if _, _, read := r.last(c, key); !read {
		r.Note(c, key, h, false)
	}
}

// NoteEdit remembers the text that a client's own change left under a name, of a file
// that had that name or another before. Who had not read all of it has not now.
func (r *Reads) NoteEdit(c Client, before, key string, h text.Hash) {
	_, whole, read := r.last(c, before)
	r.Note(c, key, h, whole || !read)
}

func (r *Reads) last(c Client, key string) (h text.Hash, whole, ok bool) {
	if r == nil {
		return h, false, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byKey[readerKey{c, key}]
	if !ok {
		return h, false, false
	}
	record := e.Value.(*readRecord)
	return record.hash, record.whole, true
}

// LastRead returns the hash of the text of a file, named by its path's key,
// that the caller was shown last: read, or as its own edit left it.
func (e *Env) LastRead(key string) (h text.Hash, ok bool) {
	h, _, ok = e.Reads.last(e.Client, key)
	return h, ok
}

// HasRead reports whether the caller was shown the whole text of a file that it names.
func (e *Env) HasRead(path string) bool {
	p, err := e.Snapshot.Resolve(path)
	if err != nil {
		return false
	}
	_, whole, _ := e.Reads.last(e.Client, p.Key())
	return whole
}
