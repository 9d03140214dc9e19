package buffers

import (
	"container/list"
	"strings"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// textsBudget is how much memory remembered texts may take, in bytes.
	textsBudget = 64 << 20
	// readShare is which part of the budget texts may take that were but read
	// from disk and are larger than largeRead bytes each: a look into a few
	// large files must not drive out what is worked on.
	readShare = 2
	largeRead = 1 << 20
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
	large  int // of bytes, what large texts take that were but read
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
	read  bool // from disk, and no more was done with it
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
func (t *Texts) Remember(key string, h text.Hash, x text.Text) { t.remember(key, h, x, false) }

// RememberRead is Remember for the text of a file that a caller looked at.
// Large ones are forgotten earlier than others.
func (t *Texts) RememberRead(key string, h text.Hash, x text.Text) { t.remember(key, h, x, true) }

func (t *Texts) remember(key string, h text.Hash, x text.Text, read bool) {
	if t == nil || x.Len()+textOverhead > t.budget {
		return
	}
	before, known := t.before(key, h)
	if known {
		return
	}
	bytes := x.Len() + textOverhead
	own := bytes
	if before != nil { // without the lock: it can be much
		x, own = sharing(before.text, x)
	}
	r := &remembered{hash: h, key: key, text: x, read: read}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.byHash[h]; known {
		return
	}
	// The text before may be forgotten by now, or counted against already.
	if latest, ok := t.latest[key]; ok && latest.Value == before {
		bytes, r.prev, before.next = min(own, bytes), before, r
	}
	e := t.recent.PushFront(r)
	t.byHash[h], t.latest[key] = e, e
	t.count(r, bytes)
	for v := t.tooMuch(e); v != nil; v = t.tooMuch(e) {
		t.forget(v)
	}
}

// count sets what a text takes.
func (t *Texts) count(r *remembered, bytes int) {
	t.bytes += bytes - r.bytes
	t.large -= r.large()
	r.bytes = bytes
	t.large += r.large()
}

func (r *remembered) large() int {
	if r.read && r.bytes > largeRead {
		return r.bytes
	}
	return 0
}

// tooMuch returns the text that is to be forgotten next, which is never the
// newest; nil where all fit.
func (t *Texts) tooMuch(newest *list.Element) *list.Element {
	if t.large > t.budget/readShare {
		for e := t.recent.Back(); e != nil && e != newest; e = e.Prev() {
			if e.Value.(*remembered).large() > 0 {
				return e
			}
		}
	}
	if e := t.recent.Back(); t.bytes > t.budget && e != newest {
		return e
	}
	return nil
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

// sharing returns x in a form that has as much in common with old as it can
// have by its beginning and its end, and about how many bytes of that are not
// old's. A file that is read anew, as a log that grew, shares nothing by itself.
func sharing(old, x text.Text) (text.Text, int) {
	own := notShared(old, x)
	if own < x.Len() {
		return x, own
	}
	e, _ := diff.Minimal(old, diff.Edit{Span: text.Span{End: old.Len()}, New: x.String()})
	if len(e.New) > x.Len()/2 {
		return x, own
	}
	e.New = strings.Clone(e.New) // it must not hold all of x
	x = diff.Apply(old, []diff.Edit{e})
	return x, notShared(old, x)
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

// Key returns the document whose text was first remembered under a hash, ""
// when there is none.
func (t *Texts) Key(h text.Hash) string {
	if t == nil {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.byHash[h]; ok {
		return e.Value.(*remembered).key
	}
	return ""
}

// forget drops a text. What a newer one shared with it is that one's own from
// now on.
func (t *Texts) forget(e *list.Element) {
	r := t.recent.Remove(e).(*remembered)
	delete(t.byHash, r.hash)
	if t.latest[r.key] == e {
		delete(t.latest, r.key)
	}
	if r.prev != nil {
		r.prev.next = r.next
	}
	if n := r.next; n != nil {
		t.count(n, min(n.text.Len()+textOverhead, n.bytes+r.bytes))
		n.prev = r.prev
	}
	t.count(r, 0)
}
