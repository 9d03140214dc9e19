package catalog

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// walker brings the folders of trees up to date: it goes down from the tops
// to every folder that has something to do, several at a time. A folder is
// visited after the one it is in.
type walker struct {
	gate *workspace.Gate
	all  bool      // hidden and ignored names too
	now  time.Time // before the walk
	add  adder     // watches folders
	drop func(path string)
	skip map[string]bool // absolute real paths that are trees of their own

	changed atomic.Bool // some list differs from before

	rulesTurn sync.Mutex // over the rules of nodes that are not visited

	mu    sync.Mutex
	wake  *sync.Cond
	stack []*node
	busy  int // workers that may push more
	ended bool
}

// adder watches the folder at path, whose state is id, and reports whether it
// does now.
type adder func(path string, id fsys.ID) bool

// maxWalkers bounds the workers: more only wait for the same disk.
const maxWalkers = 8

// walk does all that is to be done at and below tops. When ctx ends it
// returns early, and what is not done keeps its marks but for the "below"s.
func (w *walker) walk(ctx context.Context, tops []*node) error {
	w.wake = sync.NewCond(&w.mu)
	for _, n := range tops {
		if !n.idle() || n.below {
			w.stack = append(w.stack, n)
		}
	}
	if len(w.stack) == 0 {
		return nil
	}
	workers := walkers()
	return parallel.ForEach(ctx, workers, workers, func(ctx context.Context, _ int) error {
		defer w.end() // also of the others, if this one panics
		return w.work(ctx)
	})
}

// walkers is how many workers look at the disk at a time.
func walkers() int { return min(max(runtime.GOMAXPROCS(0), 2), maxWalkers) }

func (w *walker) work(ctx context.Context) error {
	var s scratch
	for {
		n := w.pop()
		if n == nil {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !n.idle() {
			w.visit(n, &s)
		}
		w.push(n)
	}
}

// pop takes a folder; nil when the walk is over.
func (w *walker) pop() *node {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.stack) == 0 && w.busy > 0 && !w.ended {
		w.wake.Wait()
	}
	if len(w.stack) == 0 || w.ended {
		return nil
	}
	n := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.busy++
	return n
}

// push adds what is below n, which was taken and is done.
func (w *walker) push(n *node) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n.below {
		n.below = false
		for _, s := range slices.Backward(n.subs) {
			if !s.idle() || s.below {
				w.stack = append(w.stack, s)
			}
		}
	}
	w.busy--
	if len(w.stack) > 0 || w.busy == 0 {
		w.wake.Broadcast()
	}
}

func (w *walker) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.wake.Broadcast()
}

// scratch is what one worker uses again for every folder.
type scratch struct {
	buf     []byte
	entries []fsys.DirEntry
	dots    []string
}

// maxScratch bounds the bytes that are kept for the next folder.
const maxScratch = 1 << 20

func (s *scratch) read(d fsys.DirHandle) error {
	if cap(s.buf) > maxScratch {
		s.buf, s.entries = nil, nil
	}
	var err error
	s.buf, s.entries, err = d.Entries(s.buf, s.entries[:0])
	s.dots = s.dots[:0]
	for _, e := range s.entries {
		if e.Name[0] == '.' {
			s.dots = append(s.dots, string(e.Name))
		}
	}
	return err
}
