package tools

import (
	"cmp"
	"context"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	out.group(hits)
	if len(hits) == 0 {
		out.Notes = append(out.Notes, "No definition has a name like this; grep_files finds where a text stands.")
	}
	return out, nil
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

// symbolFinding looks for symbols by name.
type symbolFinding struct {
	scope *scope
	env   *Env
	query symbolQuery
	kinds []syntax.Kind
	in    outlineInput
	all   []candidate

	hits  []symbolHit
	best  likeness // of the hits
	files int      // that were parsed
	size  int64    // of them
	left  int      // files that would have been parsed, had there been room
}

// byPromise parses what may define the name, the most promising texts first,
// until it is found.
func (f *symbolFinding) byPromise(ctx context.Context) error {
	may, err := f.mayHold(ctx)
	if err != nil {
		return err
	}
	promises, err := f.scope.scan(ctx, f.all, may, newSymbolScan(f.query).of)
	if err != nil {
		return err
	}
	f.best = unlike
	for want := range noPromise {
		if f.best == sameOwner || want == hasItsParts && f.best <= sameInCase {
			break // what is asked for was found by its name
		}
		if err := f.parse(ctx, promises, want); err != nil {
			return err
		}
	}
	return nil
}

// mayHold asks the index which files of the scope's list may hold the parts of
// the name; nil stands for all.
func (f *symbolFinding) mayHold(ctx context.Context) ([]bool, error) {
	if f.env.Search == nil || !f.scope.listed {
		return nil, nil
	}
	return f.env.Search.MayHold(ctx, f.scope.files, slices.DeleteFunc(slices.Clone(f.query.parts), func(w string) bool { return !isASCII(w) }))
}

// Names that have only the letters of a query, in their order, are many: they
// are looked for where nothing else was found, for queries of some letters, and
// the shortest are answered.
const (
	minLetters    = 4
	maxLetterHits = 20
)

func (f *symbolFinding) byLetters(ctx context.Context) error {
	promises, err := f.scope.scan(ctx, f.all, nil, letterScan{f.query.joined}.of)
	if err != nil {
		return err
	}
	err = f.parse(ctx, promises, hasItsParts)
	f.hits = bestHits(f.hits)
	f.hits = f.hits[:min(len(f.hits), maxLetterHits)]
	return err
}

// parse takes the hits of the texts with one promise, as many as there is room
// for.
func (f *symbolFinding) parse(ctx context.Context, promises []promise, want promise) error {
	most := int64(maxSymbolBytes)
	if want == hasItsParts && len(f.hits) > 0 {
		most /= 4 // what is there is more alike already
	}
	var part []candidate
	for i, c := range f.all {
		switch {
		case promises[i] != want:
		case f.files == maxSymbolFiles || f.size+c.size > most:
			f.left++
		default:
			f.files, f.size = f.files+1, f.size+c.size
			part = append(part, c)
		}
	}
	found, err := f.scope.outlines(ctx, f.env, part)
	if err != nil {
		return err
	}
	for n, file := range found {
		if file == nil {
			continue
		}
		for _, i := range f.in.allowed(file.outline, f.kinds) {
			if like := f.query.of(&file.outline.Symbols[i]); like < unlike {
				f.hits = append(f.hits, symbolHit{file, i, like, int(want)*len(f.all) + n})
				f.best = min(f.best, like)
			}
		}
	}
	return nil
}

// bestHits orders hits, and leaves out what nobody means where others are more
// alike.
func bestHits(hits []symbolHit) []symbolHit {
	if slices.ContainsFunc(hits, func(h symbolHit) bool { return h.like == sameOwner }) {
		hits = slices.DeleteFunc(hits, func(h symbolHit) bool { return h.like > sameOwner })
	}
	if slices.ContainsFunc(hits, func(h symbolHit) bool { return h.like < holdsLetters }) {
		hits = slices.DeleteFunc(hits, func(h symbolHit) bool { return h.like == holdsLetters })
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
func textFor(reader *workspace.Reader, c *candidate, room *[]byte) []byte {
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
// files in the order of their best hits, the hits of each in document order.
func (out *outlineOutput) group(hits []symbolHit) {
	left := maxOutlineBytes - headerBytes
	places := make(map[*filed]int)
	lines := make(map[*filed][]symbolHit)
	var order []*filed
	for _, h := range hits {
		cost := len(hitLine(h.symbol()))
		if lines[h.file] == nil {
			cost += len(h.file.path.Rel) + len(" [unsaved changes]:\n")
		}
		if left -= cost; left < 0 {
			out.Truncated = true
			break
		}
		if lines[h.file] == nil {
			places[h.file] = len(order)
			order = append(order, h.file)
		}
		lines[h.file] = append(lines[h.file], h)
	}
	out.Files = make([]outlinedFile, len(order))
	for i, f := range order {
		out.Files[i] = outlinedFile{Path: f.path.Rel, ContentHash: f.hash, Dirty: f.dirty}
	}
	for _, h := range hits {
		if at, shown := places[h.file]; shown {
			out.Files[at].Total++
		}
	}
	for i, f := range order {
		found := lines[f]
		slices.SortFunc(found, func(a, b symbolHit) int { return a.index - b.index })
		which := make([]int, len(found))
		var b strings.Builder
		for n, h := range found {
			which[n] = h.index
			b.WriteString(hitLine(h.symbol()))
		}
		out.Files[i].Symbols = symbolItems(f.outline, which)
		out.Files[i].text = strings.TrimSuffix(b.String(), "\n")
	}
}

// hitLine renders a symbol without those around it.
func hitLine(s *outline.Symbol) string {
	lines := strconv.Itoa(s.StartLine)
	if s.EndLine > s.StartLine {
		lines += "-" + strconv.Itoa(s.EndLine)
	}
	label := s.Signature
	if !strings.Contains(label, s.Name) {
		label = s.Kind.String() + " " + s.Name
	}
	if s.Container != "" && !strings.Contains(label, path.Base(s.Container)) {
		label += "  (in " + oneLine(s.Container) + ")"
	}
	return lines + " " + label + "\n"
}
