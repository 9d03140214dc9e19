package outline

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// Budgets of a [Cache], in bytes.
const (
	// outlineBudget is for outlines, which hold no text but names and
	// signatures: a few percent of their files.
	outlineBudget = 16 << 20
	// treeBudget is for the syntax trees of open documents, which take 5 to
	// 40 times their text. A tree of more than half of it is not kept.
	treeBudget = 128 << 20
	// largeText is the size from which texts are parsed one after the other,
	// because a parse takes that much memory while it lasts.
	largeText = 2 << 20
	// trimAfter is how much text is parsed until what the trees of it took is
	// given back to the system.
	trimAfter = 1 << 20
)

// Cache keeps outlines by text, and for open documents the syntax tree from
// which the outline of the next text is made. It may be used from any
// goroutine.
type Cache struct {
	// background runs work that nobody waits for, or refuses it.
	background func(func(context.Context)) bool
	large      chan struct{} // capacity 1: held while a large text is parsed
	parsed     atomic.Int64  // bytes of text since memory was given back

	mu        sync.Mutex
	files     map[FileKey]*list.Element // of *fileEntry
	recent    *list.List                // most recently used first
	bytes     int
	documents map[string]*document
	used      *list.List // of *document with a tree, most recently used first
	treeBytes int
}

// FileKey names the text of a file: the hash of its bytes, the encoding in
// which they were read and the language.
type FileKey struct {
	Hash     text.Hash
	Encoding text.Encoding
	Language *syntax.Language
}

type fileEntry struct {
	key     FileKey
	done    chan struct{} // closed when outline is there
	outline *Outline      // nil: whoever made it was cancelled
	bytes   int
}

// NewCache returns an empty cache. background runs work that nobody waits for;
// it returns false when it does not take it.
func NewCache(background func(func(context.Context)) bool) *Cache {
	return &Cache{
		background: background, large: make(chan struct{}, 1),
		files: make(map[FileKey]*list.Element), recent: list.New(),
		documents: make(map[string]*document), used: list.New(),
	}
}

// File returns the outline of a closed file's text, which load reads when it
// is not known. The error is load's, or that of ctx.
func (c *Cache) File(ctx context.Context, key FileKey, load func() ([]byte, error)) (*Outline, error) {
	for {
		e, ours := c.enter(key)
		if ours {
			return c.fill(ctx, e, load)
		}
		select {
		case <-e.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if e.outline != nil {
			return e.outline, nil
		}
	}
}

// enter returns the entry of a text; ours tells that it is new and must be
// filled by the caller.
func (c *Cache) enter(key FileKey) (e *fileEntry, ours bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.files[key]; known != nil {
		c.recent.MoveToFront(known)
		return known.Value.(*fileEntry), false
	}
	e = &fileEntry{key: key, done: make(chan struct{})}
	c.files[key] = c.recent.PushFront(e)
	return e, true
}

func (c *Cache) fill(ctx context.Context, e *fileEntry, load func() ([]byte, error)) (made *Outline, err error) {
	defer func() { c.finish(e, made) }()
	src, err := load()
	if err != nil {
		return nil, err
	}
	release, err := c.admit(ctx, len(src))
	if err != nil {
		return nil, err
	}
	defer release()
	defer c.trim(len(src))
	o := New(ctx, e.key.Language, src)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return o, nil
}

// finish lets those go on who wait for an outline, and keeps it, within the
// budget, if there is one.
func (c *Cache) finish(e *fileEntry, made *Outline) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.outline = made
	close(e.done)
	if made == nil {
		c.drop(c.files[e.key])
		return
	}
	e.bytes = made.weight()
	c.bytes += e.bytes
	for oldest := c.recent.Back(); c.bytes > outlineBudget && oldest != nil; {
		before := oldest.Prev()
		if old := oldest.Value.(*fileEntry); old.outline != nil {
			c.drop(oldest)
		}
		oldest = before
	}
}

func (c *Cache) drop(at *list.Element) {
	e := c.recent.Remove(at).(*fileEntry)
	delete(c.files, e.key)
	c.bytes -= e.bytes
}

// admit waits until a text of this size may be parsed.
func (c *Cache) admit(ctx context.Context, size int) (release func(), err error) {
	if size < largeText {
		return func() {}, nil
	}
	select {
	case c.large <- struct{}{}:
		return func() { <-c.large }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// trim notes that so many bytes of text were parsed from their beginning, and
// gives memory back when it is worth it.
func (c *Cache) trim(size int) {
	if c.parsed.Add(int64(size)) >= trimAfter && c.background(func(context.Context) { syntax.Trim() }) {
		c.parsed.Store(0)
	}
}

// document is what is kept of an open document.
type document struct {
	key  string
	last atomic.Pointer[made]
	// behind: a text came whose outline is not being made yet.
	behind atomic.Bool
	// closed: the document is no longer open; whoever has the turn last frees
	// the tree.
	closed atomic.Bool

	// turn is held by who uses tree. It is given up between two parses, never
	// waited for under Cache.mu.
	turn chan struct{}
	tree *syntax.Tree

	// Guarded by Cache.mu.
	weight int
	place  *list.Element // in Cache.used; nil without a tree
}

// made is an outline with the text that it is of.
type made struct {
	language *syntax.Language
	text     text.Text
	outline  *Outline
	treed    bool // there was a tree worth keeping
}

// of returns the outline if it is that of t.
func (m *made) of(l *syntax.Language, t text.Text) *Outline {
	if m == nil || m.language != l || !m.text.Same(t) {
		return nil
	}
	return m.outline
}

// Document returns the outline of the text t of an open document. Where an
// earlier text of the document was asked about, only what changed since is
// parsed. The error is that of ctx.
func (c *Cache) Document(ctx context.Context, key string, l *syntax.Language, t text.Text) (*Outline, error) {
	d := c.document(key)
	if o := d.last.Load().of(l, t); o != nil {
		return o, nil
	}
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer c.endTurn(d)
	if o := d.last.Load().of(l, t); o != nil { // another call made it
		return o, nil
	}
	return c.outline(ctx, d, l, t)
}

// Structure gives use the outline of the text t of an open document, and the
// tree it is from, which is nil where the grammar was not used or the tree is
// too large to be kept. Neither may be used after use returns. The error is
// that of ctx.
func (c *Cache) Structure(ctx context.Context, key string, l *syntax.Language, t text.Text, use func(*Outline, *syntax.Tree)) error {
	d := c.document(key)
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer c.endTurn(d)
	last := d.last.Load()
	o := last.of(l, t)
	if o == nil || last.treed && d.tree == nil {
		var err error
		if o, err = c.outline(ctx, d, l, t); err != nil {
			return err
		}
	}
	use(o, d.tree)
	return nil
}

// outline makes the outline of t. The caller has the document's turn.
func (c *Cache) outline(ctx context.Context, d *document, l *syntax.Language, t text.Text) (*Outline, error) {
	release, err := c.admit(ctx, t.Len())
	if err != nil {
		return nil, err
	}
	defer release()
	if d.tree == nil {
		defer c.trim(t.Len())
	}
	src := t.Append(make([]byte, 0, t.Len()), text.Span{End: t.Len()})
	o, tree, spent := reparse(ctx, l, t, src, d.last.Load(), d.tree)
	d.tree = tree
	c.free(spent)
	c.keep(d)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.last.Store(&made{l, t, o, d.tree != nil})
	return o, nil
}

// Changed tells that a document has another text. If its outline was asked for
// before, that of the latest text is made in the background, so that it is
// there when somebody asks.
func (c *Cache) Changed(key string, latest func() (text.Text, bool)) {
	c.mu.Lock()
	d := c.documents[key]
	c.mu.Unlock()
	if d == nil || d.behind.Swap(true) {
		return
	}
	taken := c.background(func(ctx context.Context) {
		d.behind.Store(false)
		last := d.last.Load()
		if t, open := latest(); open && last != nil {
			_, _ = c.Document(ctx, key, last.language, t)
		}
	})
	if !taken {
		d.behind.Store(false)
	}
}

// Closed tells that a document is no longer open.
func (c *Cache) Closed(key string) {
	c.mu.Lock()
	d := c.documents[key]
	delete(c.documents, key)
	c.mu.Unlock()
	if d != nil {
		d.closed.Store(true)
		c.freeIfIdle(d)
	}
}

// Close frees all trees. Nothing may be asked of the cache any more.
func (c *Cache) Close() {
	c.mu.Lock()
	open := c.documents
	c.documents = make(map[string]*document)
	c.mu.Unlock()
	for _, d := range open {
		d.turn <- struct{}{}
		d.tree.Close()
		d.tree = nil
	}
}

func (c *Cache) document(key string) *document {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.documents[key]
	if d == nil {
		d = &document{key: key, turn: make(chan struct{}, 1)}
		c.documents[key] = d
	}
	return d
}

func (c *Cache) endTurn(d *document) {
	<-d.turn
	if d.closed.Load() {
		c.freeIfIdle(d)
	}
}

// keep accounts for the tree that d has now, whose turn the caller has, and
// frees those of the documents that were not used for longest.
func (c *Cache) keep(d *document) {
	weight := 0
	if d.tree != nil {
		weight = d.tree.Weight()
	}
	if weight > treeBudget/2 {
		c.free(d.tree)
		d.tree, weight = nil, 0
	}
	for _, other := range c.account(d, weight) {
		c.freeIfIdle(other)
	}
}

// account notes the weight of d's tree and returns the documents whose trees
// have to go.
func (c *Cache) account(d *document, weight int) (surplus []*document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.treeBytes += weight - d.weight
	d.weight = weight
	switch {
	case d.place == nil && weight > 0:
		d.place = c.used.PushFront(d)
	case d.place != nil && weight == 0:
		c.used.Remove(d.place)
		d.place = nil
	case d.place != nil:
		c.used.MoveToFront(d.place)
	}
	over := c.treeBytes - treeBudget
	for at := c.used.Back(); over > 0 && at != nil && at != c.used.Front(); at = at.Prev() {
		old := at.Value.(*document)
		surplus, over = append(surplus, old), over-old.weight
	}
	return surplus
}

// freeIfIdle frees the tree of a document that nobody is parsing.
func (c *Cache) freeIfIdle(d *document) {
	select {
	case d.turn <- struct{}{}:
	default:
		return // whoever has the turn keeps it in use
	}
	tree := d.tree
	d.tree = nil
	c.account(d, 0)
	<-d.turn
	c.free(tree)
}

// free closes a tree, which takes a while if it is large.
func (c *Cache) free(tree *syntax.Tree) {
	if tree == nil {
		return
	}
	if !c.background(func(context.Context) { tree.Close() }) {
		tree.Close()
	}
}
