package search

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

const (
	// maxWorkers bounds how many files are searched at a time.
	maxWorkers = 8
	// batchUnits is how many units a worker takes at once.
	batchUnits = 16
)

// Request says what to search for, and where.
type Request struct {
	Matcher *Matcher
	// Under is the folder or file to search; nil searches all folders, and the
	// untitled documents.
	Under *workspace.Path
	// Keep tells by a path below its root, with slashes, whether to search
	// the file; nil keeps all.
	Keep func(rel string) bool
	// Ignored searches what ignore files and hidden names leave out, too.
	Ignored bool
	// Unit is what Max counts, and how far a file is looked into.
	Unit Unit
	// Max is after how many units the search ends. It is positive.
	Max int
	// After is where an earlier search ended; the zero value starts anew.
	After Place
	// Progress is told how many of the files are done, now and then; it may
	// be nil. It may be called from several goroutines, one at a time.
	Progress func(done, total int)
}

// Unit is what a search looks for.
type Unit int

// The units.
const (
	Hits   Unit = iota // matching lines, or matches where they reach over lines
	Files              // files that have one; of each file the first hit is given
	Counts             // files, with the number of their hits
)

// Place is a place in the order of all hits: everything up to Offset in the
// file or document at Path is behind it. It keeps its meaning when files change.
type Place struct {
	Path   string // as [workspace.Path.Rel]; "" is before all
	Offset int    // of a hit's match in the text; -1: the whole file is behind
}

// Answer is what a search found, in order: by folder, then by path; untitled
// documents last.
type Answer struct {
	Files []FileHits
	// More: the search ended early, and goes on after Next.
	More bool
	Next Place
	// Searched counts the files and documents in question, Hidden the places
	// that policy leaves out.
	Searched, Hidden int
	// Problems are places that could not be read, as *fault.Error.
	Problems []error
}

// FileHits is what was found in one file.
type FileHits struct {
	Path workspace.Path
	// Document is the open document that was searched; nil for a file on disk.
	Document *buffers.Document
	// ID and Hash are the state of the file on disk that was searched, and the
	// hash of its bytes. Both are zero for documents.
	ID   workspace.ID
	Hash text.Hash
	// Hits are in order. For [Files] there is one, for [Counts] none.
	Hits []Hit
	// Count is how many hits there are in the file, as far as they were
	// counted.
	Count int
}

// Searcher searches the text of a workspace.
type Searcher struct {
	catalog *workspace.Catalog
	index   *Indexer
}

// New returns a searcher of what catalog lists. index may be nil.
func New(catalog *workspace.Catalog, index *Indexer) *Searcher {
	return &Searcher{catalog, index}
}

// Search searches what snap sees: the text of open documents instead of their
// files. Errors: those of finding Request.Under, and of ctx.
func (s *Searcher) Search(ctx context.Context, snap *buffers.Snapshot, r Request) (*Answer, error) {
	scope, err := s.scope(ctx, snap, &r)
	if err != nil {
		return nil, err
	}
	h := &hunt{
		request: &r, scope: scope, snap: snap,
		found: make([]batch, (len(scope.units)+batchUnits-1)/batchUnits),
	}
	h.last.Store(int64(len(h.found)))
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	h.workers = make(chan *worker, workers)
	defer h.close()
	if err := parallel.ForEach(ctx, workers, len(h.found), h.search); err != nil {
		return nil, fault.From(err)
	}
	return h.answer(), nil
}

// hunt is one search under way.
type hunt struct {
	request *Request
	scope   *scope
	snap    *buffers.Snapshot
	workers chan *worker // those that nobody uses at the moment

	// last is the number of batches that have to be searched: it sinks when
	// those before it have found enough.
	last atomic.Int64

	mu     sync.Mutex
	found  []batch // by their place in the order
	ready  int     // so many at the front are done,
	enough int     // and have found so much
	done   int
}

// batch is what was found in batchUnits units.
type batch struct {
	done     bool
	files    []FileHits
	problems []error
}

// search searches the i-th batch.
func (r *hunt) search(ctx context.Context, i int) error {
	if int64(i) >= r.last.Load() {
		return nil
	}
	w := r.worker()
	defer func() { r.workers <- w }()
	var b batch
	units := r.scope.units[i*batchUnits : min((i+1)*batchUnits, len(r.scope.units))]
	for n := range units {
		if err := ctx.Err(); err != nil {
			return err
		}
		file, err := w.unit(ctx, &units[n])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && fault.KindOf(err) != fault.NotFound: // else it vanished
			b.problems = append(b.problems, err)
		case file.Count > 0:
			b.files = append(b.files, file)
		}
	}
	r.finish(i, b)
	return nil
}

// finish takes what a batch found, and looks whether that is enough.
func (r *hunt) finish(i int, b batch) {
	b.done = true
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found[i] = b
	r.done++
	for r.ready < len(r.found) && r.found[r.ready].done {
		for _, f := range r.found[r.ready].files {
			r.enough += r.request.Unit.count(&f)
		}
		r.ready++
		if r.enough > r.request.Max {
			r.last.Store(min(r.last.Load(), int64(r.ready)))
		}
	}
	if r.request.Progress != nil {
		r.request.Progress(min(r.done*batchUnits, len(r.scope.units)), len(r.scope.units))
	}
}

func (u Unit) count(f *FileHits) int {
	if u == Hits {
		return len(f.Hits)
	}
	return 1
}

// worker returns what one goroutine searches with.
func (r *hunt) worker() *worker {
	select {
	case w := <-r.workers:
		return w
	default:
		return newWorker(r)
	}
}

func (r *hunt) close() {
	for {
		select {
		case w := <-r.workers:
			w.close()
		default:
			return
		}
	}
}

// answer puts together what the batches found, up to the request's maximum.
func (r *hunt) answer() *Answer {
	a := &Answer{Searched: r.scope.total, Hidden: r.scope.files.Hidden, Problems: r.scope.files.Problems}
	left := r.request.Max
	for i := range r.found[:r.last.Load()] {
		b := &r.found[i]
		a.Problems = append(a.Problems, b.problems...)
		for _, f := range b.files {
			n := r.request.Unit.count(&f)
			if left == 0 {
				a.More = true
				return a
			}
			if n > left {
				f.Hits, n = f.Hits[:left], left
				a.More = true
			}
			left -= n
			a.Files = append(a.Files, f)
			a.Next = r.request.Unit.after(&f)
			if a.More {
				return a
			}
		}
	}
	return a
}

// after returns the place behind f's last hit.
func (u Unit) after(f *FileHits) Place {
	if u == Hits {
		return Place{f.Path.Rel, f.Hits[len(f.Hits)-1].Offset}
	}
	return Place{f.Path.Rel, -1}
}
