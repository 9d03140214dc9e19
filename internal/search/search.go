package search

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

const (
	// maxWorkers bounds how many files are searched at a time.
	maxWorkers = 8
	// batchUnits is how many units a worker takes at once, at most, and
	// batches into how many parts those that are pending are divided at least.
	batchUnits = 16
	batches    = 64
	// firstUnits is how many files are looked at before others are looked
	// for, and maxUnits how many at most.
	firstUnits = 128
	maxUnits   = 32 << 10
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
	// Last: the last hits are wanted, not the first: Max of them, and all files
	// are searched. It counts for [Hits] alone.
	Last bool
	// After is where an earlier search ended; the zero value starts anew.
	After Place
	// Progress is told how many of the files are done, now and then; it may
	// be nil.
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
	// More: the search ended early, and goes on after Next; with Request.Last,
	// there are hits before.
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
	ID   fsys.ID
	Hash text.Hash
	// Hits are in order. For [Files] there is one, for [Counts] none.
	Hits []Hit
	// Count is how many hits there are in the file, as far as they were
	// counted, and Lines in how many lines they begin.
	Count, Lines int

	passedOver bool // lines were too long to be searched
}

// Searcher searches the text of a workspace.
type Searcher struct {
	catalog *catalog.Catalog
	index   *Indexer
	begun   atomic.Bool // some search has
	buffers bufferPool
	sizes   sizes
}

// New returns a searcher of what catalog lists. index may be nil.
func New(cat *catalog.Catalog, index *Indexer) *Searcher {
	return &Searcher{catalog: cat, index: index, sizes: usualSizes}
}

// Search searches what snap sees: the text of open documents instead of their
// files. Errors: those of finding Request.Under, and of ctx.
func (s *Searcher) Search(ctx context.Context, snap *buffers.Snapshot, r Request) (*Answer, error) {
	scope, err := s.scope(ctx, snap, &r)
	if err != nil {
		return nil, err
	}
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	h := &hunt{
		request: &r, scope: scope, snap: snap, buffers: &s.buffers, sizes: s.sizes, workers: make(chan *worker, workers), room: firstUnits,
		answer: &Answer{Searched: scope.total, Hidden: scope.hidden(&r), Problems: scope.problems(&r)},
	}
	defer h.close()
	if err := s.units(ctx, scope, &r, func(u unit) bool { return h.take(ctx, u) }); err != nil {
		return nil, fault.From(err)
	}
	h.flush(ctx)
	if h.err != nil {
		return nil, fault.From(h.err)
	}
	if r.Last {
		h.endLast()
	}
	return h.answer, nil
}

// hunt is one search under way. It takes units in their order, some at a time,
// and searches those in parallel: few at first, so that a search that soon has
// enough does not look at more.
type hunt struct {
	request *Request
	scope   *scope
	snap    *buffers.Snapshot
	buffers *bufferPool
	sizes   sizes
	workers chan *worker // those that nobody uses at the moment

	pending []unit
	room    int // how many may be pending
	each    int // how many of them make a batch
	found   []batch
	answer  *Answer
	taken   int // what Request.Max counts, in answer
	err     error

	// last is the number of batches that have to be searched: it sinks when
	// those before it have found enough.
	last atomic.Int64

	mu     sync.Mutex
	ready  int // so many batches at the front are done,
	enough int // and have found so much
}

// batch is what was found in some units.
type batch struct {
	done     bool
	files    []FileHits
	problems []error
}

// take takes one more unit, and reports whether there is need for others.
func (h *hunt) take(ctx context.Context, u unit) bool {
	h.pending = append(h.pending, u)
	if len(h.pending) < h.room {
		return true
	}
	h.flush(ctx)
	h.room = min(4*h.room, maxUnits)
	return h.err == nil && !h.answer.More
}

// flush searches what is pending.
func (h *hunt) flush(ctx context.Context) {
	if h.err != nil || h.answer.More || len(h.pending) == 0 {
		return
	}
	h.each = max(1, min(len(h.pending)/batches, batchUnits))
	h.found = make([]batch, (len(h.pending)+h.each-1)/h.each)
	h.last.Store(int64(len(h.found)))
	h.ready, h.enough = 0, h.taken
	h.err = parallel.ForEach(ctx, cap(h.workers), len(h.found), h.search)
	if h.err == nil {
		h.collect()
	}
	if h.request.Progress != nil {
		h.request.Progress(h.pending[len(h.pending)-1].at, len(h.scope.files.List))
	}
	h.pending = h.pending[:0]
}

// search searches the i-th batch.
func (h *hunt) search(ctx context.Context, i int) error {
	if int64(i) >= h.last.Load() {
		return nil
	}
	w := h.worker()
	defer func() { h.workers <- w }()
	var b batch
	units := h.pending[i*h.each : min((i+1)*h.each, len(h.pending))]
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
		if err == nil && file.passedOver {
			b.problems = append(b.problems, fault.New(fault.FileTooLarge, "its lines of more than %d bytes", h.sizes.longest).At(file.Path.Rel))
		}
	}
	h.finish(i, b)
	return nil
}

// finish takes what a batch found, and looks whether that is enough.
func (h *hunt) finish(i int, b batch) {
	b.done = true
	h.mu.Lock()
	defer h.mu.Unlock()
	h.found[i] = b
	for h.ready < len(h.found) && h.found[h.ready].done {
		for _, f := range h.found[h.ready].files {
			h.enough += h.request.Unit.count(&f)
		}
		h.ready++
		if h.enough > h.request.Max && !h.request.Last {
			h.last.Store(min(h.last.Load(), int64(h.ready)))
		}
	}
}

func (u Unit) count(f *FileHits) int {
	if u == Hits {
		return len(f.Hits)
	}
	return 1
}

// collect adds what the batches found to the answer, up to the request's
// maximum.
func (h *hunt) collect() {
	a, unit := h.answer, h.request.Unit
	for i := range h.found[:h.last.Load()] {
		b := &h.found[i]
		a.Problems = append(a.Problems, b.problems...)
		if h.request.Last {
			h.collectLast(b.files)
			continue
		}
		for _, f := range b.files {
			left := h.request.Max - h.taken
			if left == 0 {
				a.More = true
				return
			}
			n := unit.count(&f)
			if n > left {
				f.Hits, n = f.Hits[:left], left
				a.More = true
			}
			h.taken += n
			a.Files = append(a.Files, f)
			a.Next = unit.after(&f)
			if a.More {
				return
			}
		}
	}
}

// worker returns what one goroutine searches with.
func (h *hunt) worker() *worker {
	select {
	case w := <-h.workers:
		return w
	default:
		return newWorker(h)
	}
}

func (h *hunt) close() {
	for {
		select {
		case w := <-h.workers:
			w.close()
		default:
			return
		}
	}
}

// after returns the place behind f's last hit.
func (u Unit) after(f *FileHits) Place {
	if u == Hits {
		return Place{f.Path.Rel, f.Hits[len(f.Hits)-1].Offset}
	}
	return Place{f.Path.Rel, -1}
}
