package fuzzy

import (
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
)

// PathMasks keeps, for the latest list of files, which bytes each path holds.
// It may be used from any goroutine.
type PathMasks struct {
	mu         sync.Mutex
	generation uint64
	masks      []uint64
}

// NewPathMasks returns an empty one.
func NewPathMasks() *PathMasks { return &PathMasks{} }

// Of returns a mask for each file of the list, see [MaskOf].
func (p *PathMasks) Of(files *catalog.Files) []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.generation != files.Generation || len(p.masks) != len(files.List) {
		p.masks, p.generation = make([]uint64, len(files.List)), files.Generation
		for i := range files.List {
			p.masks[i] = maskOf(files.Base(files.List[i].Root) + files.List[i].Rel)
		}
	}
	return p.masks
}
