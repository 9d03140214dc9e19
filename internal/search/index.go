package search

import (
	"context"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Indexer builds the index of workspace folders in the background, saves it
// and keeps it fresh. It is safe for concurrent use, and ends with
// [Indexer.Close].
type Indexer struct {
	cache      *statedir.CacheFolder // nil: nothing is saved
	background func(func(context.Context)) bool
	now        func() time.Time
	patience   int             // see lockPatience
	ctx        context.Context // ends with Close
	cancel     context.CancelFunc

	mu      sync.Mutex // never held over I/O
	roots   map[string]*rootIndex
	view    *View          // of all segments; nil when they changed
	files   *catalog.Files // the list that was viewed last
	running chan struct{}  // closed when the build at work, or soon to be, ends; nil without one
	problem error
	trimmed bool // the cache was rid of what nobody uses
	closed  bool
}

// State is what an [Indexer] has and does, for people.
type State struct {
	Files     int   // files of the last list that are indexed
	Unindexed int   // files of it that are not
	TextBytes int64 // of the indexed files
	DiskBytes int64 // of saved segments
	HeapBytes int64 // of segments in memory, about
	Segments  int
	Building  bool
	Problem   error // why the index cannot be saved; nil when it can
}

// What a cache of indexes may take.
const (
	cacheAge   = 30 * 24 * time.Hour
	cacheBytes = 2 << 30
)

// NewIndexer returns an indexer with an empty index. cache, where segments are
// saved, may be nil; it is closed by the caller, after Close. background runs a
// function soon, or returns false; one is given to it at a time. now
// is the clock that files' times are held against.
func NewIndexer(cache *statedir.CacheFolder, background func(func(context.Context)) bool, now func() time.Time) *Indexer {
	x := &Indexer{cache: cache, background: background, now: now, patience: lockPatience, roots: map[string]*rootIndex{}}
	x.ctx, x.cancel = context.WithCancel(context.Background())
	return x
}

// View returns the present index, and starts to bring it up to date in the
// background when much of files is not in it. It never waits for that; but the
// first call for a workspace folder reads the tables of what was saved. When
// the setting index.enabled is off the view knows nothing.
//
// files is a whole list ([catalog.Catalog.Files]): what it lacks is dropped
// from the index by and by. For other lists, take [Indexer.Current].
func (x *Indexer) View(files *catalog.Files) *View {
	if !files.Gate().Settings().Index.Enabled {
		return &View{}
	}
	x.load(files.Gate())
	v := x.Current()
	x.mu.Lock()
	first := x.files == nil
	x.files = files
	x.mu.Unlock()
	if x.wanted(v.of(files)).many() {
		x.start(true)
	} else if !first && x.untrimmed() { // somebody waits for the first
		x.start(false)
	}
	return v
}

// load takes what was saved for a gate's folders into use, if that was not
// done yet.
func (x *Indexer) load(g *workspace.Gate) {
	if !g.Settings().Index.Enabled {
		return
	}
	for _, r := range g.Folders() {
		if root := x.root(r.Path); root != nil {
			root.load()
		}
	}
}

// Current returns the present index as far as it is in use, and starts
// nothing. It is fit for any list of files.
func (x *Indexer) Current() *View {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range x.roots {
		if r.dropLost() {
			x.view = nil
		}
	}
	if x.view == nil {
		x.view = &View{segments: make(map[string][]*segment, len(x.roots))}
		for path, r := range x.roots {
			x.view.segments[path] = r.segments
		}
	}
	return x.view
}

// Wait returns when the index holds all files of the list that was viewed
// last, but for those that cannot be read or have changed since they were
// listed. It takes at least a moment for files that changed just now.
//
// Errors: cancelled, timeout, internal when nothing runs in the background
// any more.
func (x *Indexer) Wait(ctx context.Context) error {
	for x.Missing() > 0 {
		done := x.start(true)
		if done == nil {
			return fault.New(fault.Internal, "the index is not built: nothing runs in the background any more")
		}
		select {
		case <-done:
		case <-ctx.Done():
			return fault.From(ctx.Err())
		}
		if x.Missing() == 0 {
			break
		}
		if err := x.pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pause lets time pass in which files become final.
func (x *Indexer) pause(ctx context.Context) error {
	timer := time.NewTimer(25 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-x.ctx.Done():
		return fault.From(x.ctx.Err())
	case <-ctx.Done():
		return fault.From(ctx.Err())
	}
}

// Missing returns how many files of the list that was viewed last are still to
// be indexed.
func (x *Indexer) Missing() int {
	files := x.lastFiles()
	if files == nil {
		return 0
	}
	return x.wanted(x.Current().of(files)).files
}

func (x *Indexer) lastFiles() *catalog.Files {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.files
}

// State returns what the index has and does.
func (x *Indexer) State() State {
	var s State
	v, files := x.Current(), x.lastFiles()
	if files != nil {
		m := v.of(files)
		s.Unindexed = len(m.unindexed)
		s.Files = len(files.List) - s.Unindexed
		for _, p := range m.parts {
			s.TextBytes += p.bytes
		}
	}
	for _, segments := range v.segments {
		for _, one := range segments {
			s.Segments++
			s.HeapBytes += one.heapBytes()
			if one.name != "" {
				s.DiskBytes += one.fileBytes()
			}
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	s.Building, s.Problem = x.running != nil, x.problem
	return s
}

// Close ends the work in the background, waits for it, and closes the files.
// Views that are still in use know nothing from then on.
func (x *Indexer) Close() {
	x.mu.Lock()
	x.closed = true
	running := x.running
	x.mu.Unlock()
	x.cancel()
	if running != nil {
		<-running
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range x.roots {
		for _, s := range r.segments {
			s.close()
		}
		r.segments = nil
	}
	x.view = nil
}

// root returns the index of the folder at path; nil after Close.
func (x *Indexer) root(path string) *rootIndex {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil
	}
	r := x.roots[path]
	if r == nil {
		r = &rootIndex{path: path}
		r.load = sync.OnceFunc(func() { x.loadRoot(r) })
		x.roots[path] = r
	}
	return r
}

// fails notes why something could not be saved; nil that it could.
func (x *Indexer) fails(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.problem = err
}
