package tools

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/tools/find"
)

// finding looks through the paths of a scope for the best.
type finding struct {
	scope *find.Scope
	keep  int
	short bool // of equal hits the shorter path comes first, not the first in order

	mu    sync.Mutex
	total int
	best  topList
}

// chunkPaths is how many paths are one piece of work.
const chunkPaths = 2048

// run takes what match takes of the scope, held against each path below its
// root. Paths that lack a bit of mask are passed over.
func (f *finding) run(ctx context.Context, mask uint64, match func(rel string, i int) (score int64, ok bool)) error {
	s := f.scope
	f.total, f.best = 0, topList{keep: f.keep}
	var masks []uint64
	if mask != 0 && s.Masks != nil {
		masks = s.Masks.Of(s.Files)
	}
	n := s.End - s.Start
	err := parallel.ForEach(ctx, runtime.GOMAXPROCS(0), (n+chunkPaths-1)/chunkPaths, func(ctx context.Context, chunk int) error {
		part, total := topList{keep: f.keep}, 0
		from := s.Start + chunk*chunkPaths
		for i := from; i < min(from+chunkPaths, s.End); i++ {
			if masks != nil && mask&^masks[i] != 0 {
				continue
			}
			rel := s.Files.Base(s.Files.List[i].Root) + s.Files.List[i].Rel
			if score, ok := match(rel, i); ok {
				total++
				part.add(f.hit(score, rel, i))
			}
			if i%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.total += total
		for _, h := range part.items {
			f.best.add(h)
		}
		return nil
	})
	for n, e := range s.EditorOnly {
		if score, ok := match(e.Rel, len(s.Files.List)+n); ok {
			f.total++
			f.best.add(f.hit(score, e.Rel, len(s.Files.List)+n))
		}
	}
	f.best.finish()
	return err
}

// hit is a path that matched.
type hit struct {
	score  int64
	length int // of the path, where that counts
	index  int
}

func (f *finding) hit(score int64, rel string, i int) hit {
	h := hit{score: score, index: i}
	if f.short {
		h.length = len(rel)
	}
	return h
}

func compareHits(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.length, b.length), cmp.Compare(a.index, b.index))
}

// topList keeps the best of many hits: up to twice as many as it must, so that
// sorting is rare.
type topList struct {
	keep  int
	items []hit
	full  bool // there are keep items that are no worse than worst
	worst hit
}

func (t *topList) add(h hit) {
	if t.full && compareHits(h, t.worst) > 0 {
		return
	}
	if t.items = append(t.items, h); len(t.items) >= 2*t.keep {
		t.finish()
	}
}

// finish leaves the best, in order.
func (t *topList) finish() {
	slices.SortFunc(t.items, compareHits)
	if len(t.items) >= t.keep {
		t.items = t.items[:t.keep]
		t.full, t.worst = true, t.items[t.keep-1]
	}
}
