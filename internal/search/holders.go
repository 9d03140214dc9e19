package search

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
)

// MayHold tells of each file of the catalog's list whether its bytes may hold
// all of the words, somewhere, ASCII letters in any case: it is false only
// where the index knows better. Words are ASCII and in lower case. nil stands
// for all files.
//
// Errors: cancelled.
func (s *Searcher) MayHold(ctx context.Context, files *catalog.Files, words []string) ([]bool, error) {
	if s.index == nil {
		return nil, nil
	}
	required := make([][]Literal, len(words))
	for i, w := range words {
		required[i] = []Literal{{Text: w, Fold: true}}
	}
	may, view := make([]bool, len(files.List)), s.index.View(files)
	for _, i := range view.Unindexed(files) {
		may[i] = true
	}
	err := view.Candidates(ctx, files, required, true, func(i int, _ []Block) bool {
		may[i] = true
		return true
	})
	return may, err
}
