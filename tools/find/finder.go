package find

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// finder looks for symbols by name.
type finder struct {
	scope  *Scope
	env    *toolcall.Env
	query  Query
	filter Filter
	all    []Candidate

	hits  []Hit
	best  Similarity // of the hits
	files int        // that were parsed
	size  int64      // of them
	left  int        // files that would have been parsed, had there been room
}

// symbols returns the symbols of an outline that are looked for.
func (f *Filter) symbols(o *outline.Outline) []int {
	if f.Choose == nil {
		return o.All()
	}
	return f.Choose(o)
}

// byLikelihood parses what may define the name, the most promising texts first,
// until it is found.
func (f *finder) byLikelihood(ctx context.Context) error {
	may, err := f.mayHold(ctx)
	if err != nil {
		return err
	}
	promises, err := f.scope.Scan(ctx, f.all, may, newSymbolScan(f.query).of)
	if err != nil {
		return err
	}
	f.best = Dissimilar
	for want := range Unlikely {
		if f.best == sameOwner || want == hasItsParts && f.best <= SameInCase {
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
func (f *finder) mayHold(ctx context.Context) ([]bool, error) {
	if f.env.Search == nil || !f.scope.listed {
		return nil, nil
	}
	return f.env.Search.MayHold(ctx, f.scope.Files, slices.DeleteFunc(slices.Clone(f.query.Parts), func(w string) bool { return !fuzzy.IsASCII(w) }))
}

// Names that have only the letters of a query, in their order, are many: they
// are looked for where nothing else was found, for queries of some letters, and
// the shortest are answered.
const (
	MinLetters    = 4
	maxLetterHits = 20
)

func (f *finder) byLetters(ctx context.Context) error {
	promises, err := f.scope.Scan(ctx, f.all, nil, letterScan{f.query.joined}.of)
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
func (f *finder) parse(ctx context.Context, promises []Likelihood, want Likelihood) error {
	most := int64(maxSymbolBytes)
	if want == hasItsParts && len(f.hits) > 0 {
		most /= 4 // what is there is more alike already
	}
	var part []Candidate
	for i, c := range f.all {
		switch {
		case promises[i] != want:
		case f.files == maxSymbolFiles || f.size+c.Size > most:
			f.left++
		default:
			f.files, f.size = f.files+1, f.size+c.Size
			part = append(part, c)
		}
	}
	found, err := f.scope.Outlines(ctx, f.env, part)
	if err != nil {
		return err
	}
	for n, file := range found {
		if file == nil {
			continue
		}
		for _, i := range f.filter.symbols(file.Outline) {
			if like := f.query.of(&file.Outline.Symbols[i]); like < Dissimilar {
				f.hits = append(f.hits, Hit{file, i, like, int(want)*len(f.all) + n})
				f.best = min(f.best, like)
			}
		}
	}
	return nil
}
