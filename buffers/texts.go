package buffers

import (
	"container/list"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// textsBudget is how much memory remembered texts may take, in bytes.
	textsBudget = 64 << 20
	// textOverhead is about what a text takes beyond its bytes: a tree of
	// chunks, and what an edit copies of it.
	textOverhead = 4 << 10
)

// Texts remembers texts by the hash under which callers know them, so that an
// edit of an older text can be understood. Texts of one document share what
// they have in common. Where the budget is exceeded, the ones that nobody used
// for longest are forgotten. It may be used from any goroutine. A nil Texts
// remembers nothing.
type Texts struct {
	mu     sync.Mutex
	budget int
	bytes  int
	byHash map[text.Hash]*list.Element
	recent *list.List               // of *remembered, most recently used first
	latest map[string]*list.Element // the newest text of each document
}

// remembered is a text. What it takes is what it does not share with the text
// of the same document that came before it.
type remembered struct {
	hash  text.Hash
	key   string
	text  text.Text
	bytes int
	// prev is the text that this one is counted against, next the one that is
	// counted against this one; nil without any.
	prev, next *remembered
}

// NewTexts returns an empty memory.
func NewTexts() *Texts { return NewTextsWithin(textsBudget) }

// NewTextsWithin returns an empty memory that may take budget bytes.
func NewTextsWithin(budget int) *Texts {
	return &Texts{
		budget: budget, byHash: make(map[text.Hash]*list.Element), recent: list.New(),
		latest: make(map[string]*list.Element),
	}
}

// Remember keeps a text of the document key under a hash. Texts larger than
// the whole budget are not kept.
func (t *Texts) Remember(key string, h text.Hash, x text.Text) {
	if t == nil || x.Len()+textOverhead > t.budget {
		return
	}
	before, known := t.before(key, h)
	if known {
		return
	}
	r := &remembered{hash: h, key: key, text: x, bytes: x.Len() + textOverhead}
	own := r.bytes
	if before != nil {
		own = notShared(before.text, x) // without the lock: it can be much
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.byHash[h]; known {
		return
	}
	// The text before may be forgotten by now, or counted against already.
	if latest, ok := t.latest[key]; ok && latest.Value == before && own < r.bytes {
		r.bytes, r.prev, before.next = own, before, r
	}
	e := t.recent.PushFront(r)
	t.byHash[h], t.latest[key] = e, e
	t.bytes += r.bytes
	for t.bytes > t.budget && t.recent.Len() > 1 {
		t.forget(t.recent.Back())
	}
}

// before returns the newest text of a document, nil without any, and whether a
// text of that hash is known; then it counts as used.
func (t *Texts) before(key string, h text.Hash) (newest *remembered, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.byHash[h]; ok {
		t.recent.MoveToFront(e)
		return nil, true
	}
	if e, ok := t.latest[key]; ok {
		newest = e.Value.(*remembered)
	}
	return newest, false
}

// notShared returns about how many bytes of x are not old's.
func notShared(old, x text.Text) int {
	own := textOverhead
	for _, c := range x.ChangesSince(old) {
		own += c.New.Len() + textOverhead
	}
	return own
}

// Lookup returns the text that is remembered under a hash.
func (t *Texts) Lookup(h text.Hash) (text.Text, bool) {
	if t == nil {
		return text.Text{}, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byHash[h]
	if !ok {
		return text.Text{}, false
	}
	t.recent.MoveToFront(e)
	return e.Value.(*remembered).text, true
}

// forget drops a text. What a newer one shared with it is that one's own from
// now on.
func (t *Texts) forget(e *list.Element) {
	r := t.recent.Remove(e).(*remembered)
	delete(t.byHash, r.hash)
	if t.latest[r.key] == e {
		delete(t.latest, r.key)
	}
	t.bytes -= r.bytes
	if r.prev != nil {
		r.prev.next = r.next
	}
	if n := r.next; n != nil {
		own := min(n.text.Len()+textOverhead, n.bytes+r.bytes)
		t.bytes += own - n.bytes
		n.prev, n.bytes = r.prev, own
	}
}
