package catalog

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Catalog keeps the lists of a workspace's files and folders fresh. Where it
// can, it watches the folders that hold them; elsewhere it compares times at
// every call. It is safe for concurrent use.
type Catalog struct {
	now      func() time.Time // to tell which times of folders are too fresh to be trusted
	watching bool
	late     bool
	excludes []byte
	cache    *statedir.CacheFolder // of lists that were saved; may be nil

	generation atomic.Uint64

	mu     sync.Mutex
	closed bool
	views  []*view           // the one asked last is first
	saved  map[string][]byte // what Load was given, by the folder's real path
	loaded map[string]bool   // workspace folders whose list was looked for in cache
}

// maxViews is how many gates' lists are kept: a call that began under an
// earlier gate shall not cost the lists of the present one.
const maxViews = 2

// Option changes how a catalog works.
type Option func(*Catalog)

// WithLateWatching has the first list of a workspace be made without watching
// anything, which takes half the time; the next one begins to watch.
func WithLateWatching() Option { return func(c *Catalog) { c.late = true } }

// WithExcludes names what is ignored in all of the person's repositories: the
// bytes of git's core.excludesFile.
func WithExcludes(text []byte) Option { return func(c *Catalog) { c.excludes = text } }

// New returns an empty catalog. Its owner closes it.
func New(options ...Option) *Catalog {
	c := &Catalog{now: time.Now, watching: true, saved: make(map[string][]byte), loaded: make(map[string]bool)}
	for _, o := range options {
		o(c)
	}
	return c
}

// Close ends all watching.
func (c *Catalog) Close() {
	c.mu.Lock()
	c.closed = true
	views := c.views
	c.views = nil
	c.mu.Unlock()
	for _, v := range views {
		v.close()
	}
}

// Files returns the files in all of g's folders, without what ignore files,
// hidden names and policy leave out. Links are not followed; of folders inside
// each other, the inner one has what is in both. While nothing changes it
// returns the same list.
//
// It knows what [Catalog.Touched] was told before the call and, of folders
// that are watched, what the system has told, which takes it some tenths of a
// millisecond; of others, every change.
//
// That a folder cannot be read is among the list's problems. The only error
// is that of ctx; what was read until then is not lost.
func (c *Catalog) Files(ctx context.Context, g *workspace.Gate) (*Files, error) {
	return c.view(g).list(ctx)
}

// Touched tells that p was or may have been written, made, moved or removed,
// so that every later call knows it.
func (c *Catalog) Touched(p workspace.Path) {
	if p.Untitled() {
		return
	}
	paths := []string{p.Abs}
	if at, err := fsys.FollowLinks(p.Abs); err == nil && at.Path != p.Abs {
		paths = append(paths, at.Path)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range c.views {
		for _, path := range paths {
			v.marks.note(path, true)
			v.lists.drop(filepath.Dir(path))
		}
	}
}

// State tells how a catalog keeps its lists fresh.
type State struct {
	Watching bool   // changes are told by the system
	Why      string // why not, or not everywhere; "" if there is nothing to say
	Folders  int    // that the lists come from
	Watched  int    // of these
	Files    int
}

// State returns the state after the last call of [Catalog.Files].
func (c *Catalog) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.views) == 0 {
		return State{}
	}
	if s := c.views[0].state.Load(); s != nil {
		return *s
	}
	return State{}
}

// view returns what is known for gates like g.
func (c *Catalog) view(g *workspace.Gate) *view {
	c.mu.Lock()
	for i, v := range c.views {
		if v.fits(g) {
			if i > 0 {
				c.views = slices.Insert(slices.Delete(c.views, i, i+1), 0, v)
			}
			c.mu.Unlock()
			return v
		}
	}
	v := newView(c, g)
	c.views = slices.Insert(c.views, 0, v)
	var last *view
	if len(c.views) > maxViews {
		last = c.views[maxViews]
		c.views = slices.Clone(c.views[:maxViews])
	}
	c.mu.Unlock()
	if last != nil {
		last.close()
	}
	return v
}
