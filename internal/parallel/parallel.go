package parallel

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/panics"
	"github.com/sourcegraph/conc/pool"
)

// ForEach calls f with every index in [0, n), at most limit calls at a time
// (a limit below 1 counts as 1), and returns when all calls have returned.
//
// The first error, or the end of ctx, ends the context that f is given and
// starts no further calls; ForEach returns that error. It is nil only when f
// was called with every index. A panic in f is raised again in the caller.
func ForEach(ctx context.Context, limit, n int, f func(ctx context.Context, i int) error) error {
	if n <= 0 {
		return nil
	}
	var next atomic.Int64
	p := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	for range min(max(limit, 1), n) {
		p.Go(func(ctx context.Context) error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := f(ctx, i); err != nil {
					return err
				}
			}
		})
	}
	return p.Wait()
}

// Group runs background work for one owner, who calls [Group.Wait] before it
// ends. Its methods may be called from several goroutines.
type Group struct {
	ctx     context.Context
	limit   int
	queue   int
	onPanic func(error)

	workers conc.WaitGroup

	mu      sync.Mutex
	closed  bool
	running int                     // workers, each at work or about to take from waiting
	waiting []func(context.Context) // not empty only while running == limit
}

// NewGroup returns a group that runs at most limit functions at a time (a
// limit below 1 counts as 1) and lets at most queue more wait. They are given
// ctx. onPanic is called, on the goroutine of the work, with an error that
// holds the stack of a panic in it.
func NewGroup(ctx context.Context, limit, queue int, onPanic func(error)) *Group {
	return &Group{ctx: ctx, limit: max(limit, 1), queue: queue, onPanic: onPanic}
}

// Go has f run soon and returns at once, never waiting for other work. It
// returns false, and f will not run, when the queue is full or Wait was
// called. Functions start in the order of the calls. An accepted one always
// runs, also when ctx has ended: it must look at the ctx that it is given.
func (g *Group) Go(f func(ctx context.Context)) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return false
	case g.running < g.limit:
		g.running++
		g.workers.Go(func() { g.work(f) })
		return true
	case len(g.waiting) < g.queue:
		g.waiting = append(g.waiting, f)
		return true
	}
	return false
}

// Wait returns when all accepted work is done. No more is accepted.
func (g *Group) Wait() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.workers.Wait()
}

func (g *Group) work(f func(context.Context)) {
	for f != nil {
		g.run(f)
		f = g.next()
	}
}

func (g *Group) run(f func(context.Context)) {
	if r := panics.Try(func() { f(g.ctx) }); r != nil {
		g.onPanic(r.AsError())
	}
}

// enter counts the caller's goroutine as a worker when there is room for one.
func (g *Group) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed || g.running >= g.limit {
		return false
	}
	g.running++
	return true
}

// leave counts it as gone; a new worker takes its place when work waits.
func (g *Group) leave() {
	if f := g.next(); f != nil {
		g.workers.Go(func() { g.work(f) })
	}
}

// next returns the function that has waited longest, or nil and counts the
// worker as gone.
func (g *Group) next() func(context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.running--
		return nil
	}
	f := g.waiting[0]
	g.waiting[0] = nil // the array lives on: let go of what f holds
	g.waiting = g.waiting[1:]
	return f
}
