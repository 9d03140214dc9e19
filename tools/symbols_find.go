package tools

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/outline"
)

// symbolFinding looks for symbols by name.
type symbolFinding struct {
	scope  *scope
	env    *Env
	query  symbolQuery
	filter symbolFilter
	all    []candidate

	hits  []symbolHit
	best  likeness // of the hits
	files int      // that were parsed
	size  int64    // of them
	left  int      // files that would have been parsed, had there been room
}

// symbols returns the symbols of an outline that are looked for.
func (f *symbolFilter) symbols(o *outline.Outline) []int {
	if f.choose == nil {
		return o.All()
	}
	return f.choose(o)
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
		for _, i := range f.filter.symbols(file.outline) {
			if like := f.query.of(&file.outline.Symbols[i]); like < unlike {
				f.hits = append(f.hits, symbolHit{file, i, like, int(want)*len(f.all) + n})
				f.best = min(f.best, like)
			}
		}
	}
	return nil
}
