package find

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
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
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

// Hit is a symbol that a query found.
type Hit struct {
	File       *File
	Index      int // among the outline's symbols
	Similarity Similarity
	order      int // of the file among the candidates
}

// Symbol returns the symbol in its outline.
func (h *Hit) Symbol() *outline.Symbol { return &h.File.Outline.Symbols[h.Index] }

// FoundSymbol is a symbol that [Symbols] found.
type FoundSymbol struct {
	Path   workspace.Path
	Symbol outline.Symbol
}

// Symbols returns at most limit symbols of all roots with names like a
// query, the best first.
func Symbols(ctx context.Context, env *toolcall.Env, query string, limit int) ([]FoundSymbol, error) {
	s, err := NewRootScope(ctx, env, false)
	if err != nil {
		return nil, err
	}
	hits, _, err := s.Symbols(ctx, env, NewQuery(query), Filter{})
	if err != nil {
		return nil, err
	}
	found := make([]FoundSymbol, 0, min(len(hits), limit))
	for i := range hits[:min(len(hits), limit)] {
		found = append(found, FoundSymbol{hits[i].File.Path, *hits[i].Symbol()})
	}
	return found, nil
}

// Filter is which symbols are looked for. The zero value takes all.
type Filter struct {
	// Keys: texts that hold nothing but keys are looked through, too.
	Keys bool
	// Choose returns the symbols of an outline that are looked for; nil for all.
	Choose func(*outline.Outline) []int
}

// Symbols returns the symbols of the scope that a query names, the best first,
// and what is to be said about the search.
func (s *Scope) Symbols(ctx context.Context, env *toolcall.Env, q Query, filter Filter) ([]Hit, []string, error) {
	if q.Last == "" {
		return nil, nil, nil
	}
	f := finder{scope: s, env: env, query: q, filter: filter, all: s.Candidates(env, filter.Keys)}
	if err := f.byLikelihood(ctx); err != nil {
		return nil, nil, err
	}
	if len(f.hits) == 0 && f.left == 0 && len(q.joined) >= MinLetters {
		if err := f.byLetters(ctx); err != nil {
			return nil, nil, err
		}
	}
	var notes []string
	if f.left > 0 {
		notes = append(notes, wording.Plural(f.left, "file that mentions it was", "files that mention it were")+" not parsed: narrow it by path.")
	}
	return bestHits(f.hits), notes, nil
}

// bestHits orders hits, and leaves out what nobody means where others are more
// alike.
func bestHits(hits []Hit) []Hit {
	if slices.ContainsFunc(hits, func(h Hit) bool { return h.Similarity == sameOwner }) {
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.Similarity > sameOwner })
	}
	if slices.ContainsFunc(hits, func(h Hit) bool { return h.Similarity < shortens }) {
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.Similarity == shortens })
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		x, y := a.Symbol(), b.Symbol()
		return cmp.Or(cmp.Compare(a.Similarity, b.Similarity), order(x.Kind.IsDetail(), y.Kind.IsDetail()), x.Depth-y.Depth,
			len(x.Name)-len(y.Name), a.order-b.order, a.Index-b.Index)
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

// Scan asks what the texts of all candidates promise. Those of files that may
// not hold anything, by their places in the list, promise nothing; with nil all
// may.
func (s *Scope) Scan(ctx context.Context, all []Candidate, may []bool, promiseOf func([]byte) Likelihood) ([]Likelihood, error) {
	promises := make([]Likelihood, len(all))
	var buffers sync.Pool
	err := parallel.ForEach(ctx, runtime.GOMAXPROCS(0), (len(all)+scanChunk-1)/scanChunk, func(ctx context.Context, chunk int) error {
		room, _ := buffers.Get().(*[]byte)
		if room == nil {
			room = new([]byte)
		}
		defer buffers.Put(room)
		reader := s.Files.NewReader()
		defer reader.Close()
		for i := chunk * scanChunk; i < min((chunk+1)*scanChunk, len(all)); i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			promises[i] = Unlikely
			if may != nil && all[i].At >= 0 && !may[all[i].At] {
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
func textFor(reader *catalog.Reader, c *Candidate, room *[]byte) []byte {
	if c.Size > maxScannedFile {
		return nil
	}
	if c.open != nil {
		*room = c.open.Text.Append((*room)[:0], text.Span{End: c.open.Text.Len()})
		return *room
	}
	id, err := reader.Open(c.At)
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
