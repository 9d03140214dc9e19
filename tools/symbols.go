package tools

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
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
	hits, _, err := s.symbols(ctx, env, newSymbolQuery(query), nil, outlineInput{})
	if err != nil {
		return nil, err
	}
	found := make([]FoundSymbol, 0, min(len(hits), limit))
	for i := range hits[:min(len(hits), limit)] {
		found = append(found, FoundSymbol{hits[i].file.path, *hits[i].symbol()})
	}
	return found, nil
}

// outlineQuery answers a query over a folder or everything.
func outlineQuery(ctx context.Context, env *Env, in outlineInput, kinds []syntax.Kind) (*outlineOutput, error) {
	q := newSymbolQuery(in.Query)
	if q.last == "" {
		return nil, fault.New(fault.InvalidParams, `"query" %q holds no name`, shortened(in.Query)).
			Advise("Give a name, a part of one, or Type.method.")
	}
	s, err := scopeOf(ctx, env, in.Path, false)
	if err != nil {
		return nil, err
	}
	hits, notes, err := s.symbols(ctx, env, q, kinds, in)
	if err != nil {
		return nil, err
	}
	out := &outlineOutput{Path: in.shownPath(s), Total: len(hits), query: in.Query, Notes: append(s.problems(), notes...)}
	out.group(hits, in.Signatures, mostUnlike(hits, q))
	if len(hits) == 0 {
		none := "No definition has a name like this; grep_files finds where a text stands."
		if len(kinds) > 0 || in.Depth != nil {
			none = "No definition of these kinds, and of that depth, has a name like this; leave kinds and depth out."
		}
		out.Notes = append(out.Notes, none)
	}
	return out, nil
}

// mostUnlike returns how like a query hits are that a model is shown: where some
// have the name as it is written, and that is of several words and not all in lower
// case, these alone. Who writes "podWorkers" means nothing else.
func mostUnlike(hits []symbolHit, q symbolQuery) likeness {
	exact := slices.ContainsFunc(hits, func(h symbolHit) bool { return h.like <= sameName })
	if exact && q.last != q.lower && len(text.Words(q.last)) > 1 {
		return sameName
	}
	return unlike
}

// symbols returns the symbols of the scope that a query names, the best first,
// and what is to be said about the search.
func (s *scope) symbols(ctx context.Context, env *Env, q symbolQuery, kinds []syntax.Kind, in outlineInput) ([]symbolHit, []string, error) {
	if q.last == "" {
		return nil, nil, nil
	}
	f := symbolFinding{scope: s, env: env, query: q, kinds: kinds, in: in, all: s.candidates(env, slices.Contains(kinds, syntax.Key))}
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

// allowed returns the symbols that depth and kinds let through.
func (in outlineInput) allowed(o *outline.Outline, kinds []syntax.Kind) []int {
	in.Query = ""
	return in.choose(o, kinds)
}

// group puts as many hits as the budget allows into the answer: by file, the
// files in the order of their best hits, the hits of each in document order. A
// model is shown those that are like the query at least as much as told.
func (out *outlineOutput) group(hits []symbolHit, signatures bool, told likeness) {
	isTold := func(h symbolHit) bool { return h.like <= told }
	whole := signatures || fewSignatures(slices.DeleteFunc(slices.Clone(hits), func(h symbolHit) bool { return !isTold(h) }))
	left := maxOutlineBytes - headerBytes
	places := make(map[*filed]int)
	var shown []*fileHits
	for _, h := range hits {
		cost := h.bytes(whole)
		at, known := places[h.file]
		if !known {
			cost += len(h.file.path.Rel) + len(" [unsaved changes]:\n")
		}
		if left -= cost; left < 0 {
			out.Truncated = true
			break
		}
		if !known {
			at = len(shown)
			places[h.file], shown = at, append(shown, &fileHits{filed: h.file})
		}
		shown[at].which = append(shown[at].which, h.index)
		if isTold(h) {
			shown[at].told = append(shown[at].told, h.index)
		} else {
			out.untold++
		}
	}
	for _, h := range hits {
		if at, known := places[h.file]; known {
			shown[at].total++
		}
	}
	out.Files = make([]outlinedFile, len(shown))
	for i, f := range shown {
		slices.Sort(f.which)
		slices.Sort(f.told)
		out.Files[i] = outlinedFile{
			Path: f.path.Rel, ContentHash: f.hash, Dirty: f.dirty, Total: f.total, Symbols: symbolItems(f.outline, f.which),
		}
		switch {
		case len(f.told) == 0:
			out.Files[i].untold = true
		case whole:
			out.Files[i].text = "\n" + f.signatures()
		default:
			out.Files[i].text = " " + f.names()
		}
	}
}

// fileHits are the hits of one file.
type fileHits struct {
	*filed
	which []int // that are answered
	told  []int // of these, what a model is shown
	total int
}

// fewSignatures reports whether the signatures of all hits are few.
func fewSignatures(hits []symbolHit) bool {
	left := outline.FewBytes
	for i := range hits {
		if left -= hits[i].bytes(true); left < 0 {
			return false
		}
	}
	return true
}

// bytes returns about how many bytes a hit takes, with its signature or by its
// name alone.
func (h *symbolHit) bytes(whole bool) int {
	s := h.symbol()
	if whole {
		return len(s.Label()) + len(s.Container) + len("1000   (in )\n")
	}
	return len(s.Container) + len(s.Name) + len(".:10000 ")
}

// signatures renders a hit a line: its head's line, its head, and what it is in.
func (f *fileHits) signatures() string {
	var b strings.Builder
	for n, path := range f.outline.Paths(f.told) {
		s := &f.outline.Symbols[f.told[n]]
		label := s.Label()
		if in := strings.TrimRight(strings.TrimSuffix(path, s.Name), "./"); in != "" && !strings.Contains(label, in) {
			label += "  (in " + oneLine(in) + ")"
		}
		fmt.Fprintf(&b, "%d %s\n", s.HeadLine, label)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// names renders all hits in one line: their paths, and their heads' lines.
func (f *fileHits) names() string {
	paths := f.outline.Paths(f.told)
	for n, i := range f.told {
		paths[n] = fmt.Sprintf("%s:%d", outline.Quoted(paths[n]), f.outline.Symbols[i].HeadLine)
	}
	return strings.Join(paths, " ")
}
