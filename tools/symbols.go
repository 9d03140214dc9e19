package tools

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
)

// What is parsed to find symbols by name, at most. More texts are only looked
// through for the name.
const (
	maxSymbolFiles = 1000
	maxSymbolBytes = 16 << 20
	// maxScannedFile is the largest file that is looked through, in bytes.
	maxScannedFile = 8 << 20
	// scanChunk is how many files are one piece of work.
	scanChunk = 64
)

// symbolHit is a symbol that a query found.
type symbolHit struct {
	file  *filed
	index int // among the outline's symbols
	like  likeness
	order int // of the file among the candidates
}

func (h *symbolHit) symbol() *outline.Symbol { return &h.file.outline.Symbols[h.index] }

// FoundSymbol is a symbol that [FindSymbols] found.
type FoundSymbol struct {
	Path   workspace.Path
	Symbol outline.Symbol
}

// FindSymbols returns at most limit symbols of all roots with names like a
// query, the best first.
func FindSymbols(ctx context.Context, env *Env, query string, limit int) ([]FoundSymbol, error) {
	s, err := rootScope(ctx, env, false)
	if err != nil {
		return nil, err
	}
	hits, _, err := s.symbols(ctx, env, newSymbolQuery(query), symbolFilter{})
	if err != nil {
		return nil, err
	}
	found := make([]FoundSymbol, 0, min(len(hits), limit))
	for i := range hits[:min(len(hits), limit)] {
		found = append(found, FoundSymbol{hits[i].file.path, *hits[i].symbol()})
	}
	return found, nil
}

// symbolFilter is which symbols are looked for. The zero value takes all.
type symbolFilter struct {
	// keys: texts that hold nothing but keys are looked through, too.
	keys bool
	// choose returns the symbols of an outline that are looked for; nil for all.
	choose func(*outline.Outline) []int
}

// symbols returns the symbols of the scope that a query names, the best first,
// and what is to be said about the search.
func (s *scope) symbols(ctx context.Context, env *Env, q symbolQuery, filter symbolFilter) ([]symbolHit, []string, error) {
	if q.last == "" {
		return nil, nil, nil
	}
	f := symbolFinding{scope: s, env: env, query: q, filter: filter, all: s.candidates(env, filter.keys)}
	if err := f.byPromise(ctx); err != nil {
		return nil, nil, err
	}
	if len(f.hits) == 0 && f.left == 0 && len(q.joined) >= minLetters {
		if err := f.byLetters(ctx); err != nil {
			return nil, nil, err
		}
	}
	var notes []string
	if f.left > 0 {
		notes = append(notes, plural(f.left, "file that mentions it was", "files that mention it were")+" not parsed: narrow it by path.")
	}
	return bestHits(f.hits), notes, nil
}

// bestHits orders hits, and leaves out what nobody means where others are more
// alike.
func bestHits(hits []symbolHit) []symbolHit {
	if slices.ContainsFunc(hits, func(h symbolHit) bool { return h.like == sameOwner }) {
		hits = slices.DeleteFunc(hits, func(h symbolHit) bool { return h.like > sameOwner })
	}
	if slices.ContainsFunc(hits, func(h symbolHit) bool { return h.like < shortens }) {
		hits = slices.DeleteFunc(hits, func(h symbolHit) bool { return h.like == shortens })
	}
	slices.SortStableFunc(hits, func(a, b symbolHit) int {
		x, y := a.symbol(), b.symbol()
		return cmp.Or(cmp.Compare(a.like, b.like), order(x.Kind.IsDetail(), y.Kind.IsDetail()), x.Depth-y.Depth,
			len(x.Name)-len(y.Name), a.order-b.order, a.index-b.index)
	})
	return hits
}

// order puts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// scan asks what the texts of all candidates promise. Those of files that may
// not hold anything, by their places in the list, promise nothing; with nil all
// may.
func (s *scope) scan(ctx context.Context, all []candidate, may []bool, promiseOf func([]byte) promise) ([]promise, error) {
	promises := make([]promise, len(all))
	var buffers sync.Pool
	err := parallel.ForEach(ctx, runtime.GOMAXPROCS(0), (len(all)+scanChunk-1)/scanChunk, func(ctx context.Context, chunk int) error {
		room, _ := buffers.Get().(*[]byte)
		if room == nil {
			room = new([]byte)
		}
		defer buffers.Put(room)
		reader := s.files.NewReader()
		defer reader.Close()
		for i := chunk * scanChunk; i < min((chunk+1)*scanChunk, len(all)); i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			promises[i] = noPromise
			if may != nil && all[i].at >= 0 && !may[all[i].at] {
				continue
			}
			if b := textFor(reader, &all[i], room); b != nil {
				promises[i] = promiseOf(b)
			}
		}
		return nil
	})
	return promises, err
}

// textFor returns the bytes of a candidate, in room or not; nil when there are
// none to look at.
func textFor(reader *catalog.Reader, c *candidate, room *[]byte) []byte {
	if c.size > maxScannedFile {
		return nil
	}
	if c.open != nil {
		*room = c.open.Text.Append((*room)[:0], text.Span{End: c.open.Text.Len()})
		return *room
	}
	id, err := reader.Open(c.at)
	if err != nil || id.Size > maxScannedFile {
		return nil
	}
	*room = slices.Grow((*room)[:0], int(id.Size))[:id.Size]
	n, err := reader.ReadAt(*room, 0)
	if n < len(*room) && err == nil {
		return nil
	}
	return (*room)[:n]
}
