package parallel

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// runLoop runs a leader loop whose loop does the pieces of work one after the other,
// and returns its error. It fails when the loop runs twice at a time.
func runLoop(t *testing.T, g *Group, end error, work ...func(context.Context)) error {
	t.Helper()
	r, next := NewLeaderLoop(g), 0 // next is the loop's: -race says whether it is
	var loops atomic.Int32
	return r.Run(func() error {
		if loops.Add(1) > 1 {
			t.Error("the loop runs twice")
		}
		defer loops.Add(-1)
		for next < len(work) {
			next++
			// From within Do on, the loop may be another goroutine's.
			loops.Add(-1)
			_, passed := r.Do(work[next-1])
			if passed {
				loops.Add(1)
				return ErrPassed
			}
			loops.Add(1)
		}
		return end
	})
}

func TestLeaderLoopDoesShortWorkItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGroup(t.Context(), 1, 0, noPanic(t))
		var order []int // by one goroutine alone, or -race speaks up
		work := make([]func(context.Context), 100)
		for i := range work {
			work[i] = func(context.Context) {
				time.Sleep(leaderPatience / 2)
				order = append(order, i)
			}
		}
		end := errors.New("end")
		if err := runLoop(t, g, end, work...); !errors.Is(err, end) {
			t.Errorf("got %v", err)
		}
		g.Wait()
		for i, n := range order {
			if i != n {
				t.Fatalf("order %v", order)
			}
		}
	})
}

func TestLeaderLoopPassesTheLoopOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGroup(t.Context(), 8, 0, noPanic(t))
		release := make(chan struct{})
		var slow, quick atomic.Int32
		wait := func(context.Context) { <-release; slow.Add(1) }
		begun := time.Now()
		let := func(context.Context) {
			if quick.Add(1); time.Since(begun) > 6*leaderPatience {
				t.Error("what is behind slow work waits for it")
			}
			close(release)
		}
		if err := runLoop(t, g, nil, wait, wait, wait, let); err != nil {
			t.Errorf("got %v", err)
		}
		g.Wait()
		if slow.Load() != 3 || quick.Load() != 1 {
			t.Errorf("%d slow and %d quick pieces were done", slow.Load(), quick.Load())
		}
	})
}

// TestLeaderLoopEndsBeforeItsWork: the end of the loop is told at once, whichever
// work still runs: the owner may have to cancel it.
func TestLeaderLoopEndsBeforeItsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		g := NewGroup(ctx, 8, 0, noPanic(t))
		begun := time.Now()
		long := func(ctx context.Context) {
			select {
			case <-ctx.Done():
			case <-time.After(time.Hour):
			}
		}
		if err := runLoop(t, g, nil, long); err != nil || time.Since(begun) > time.Second {
			t.Errorf("ended with %v after %v", err, time.Since(begun))
		}
		cancel()
		g.Wait()
	})
}

// TestLeaderLoopLimit: work beyond the group's limit waits, and is done; the loop
// goes on meanwhile.
func TestLeaderLoopLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGroup(t.Context(), 2, 10, noPanic(t))
		var working, most, done atomic.Int32
		one := func(context.Context) {
			most.Store(max(most.Load(), working.Add(1)))
			time.Sleep(time.Second)
			working.Add(-1)
			done.Add(1)
		}
		begun := time.Now()
		if err := runLoop(t, g, nil, one, one, one, one, one, one); err != nil || time.Since(begun) > time.Second {
			t.Errorf("the loop ended with %v after %v", err, time.Since(begun))
		}
		g.Wait()
		if done.Load() != 6 || most.Load() != 2 {
			t.Errorf("%d pieces done, %d at once", done.Load(), most.Load())
		}
	})
}

// TestLeaderLoopIdle: a leader loop that had nothing to do for long takes up its timer
// again.
func TestLeaderLoopIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGroup(t.Context(), 8, 0, noPanic(t))
		release := make(chan struct{})
		nothing := func(context.Context) {}
		rest := func(context.Context) { time.Sleep(leaderPatience / 3) }
		wait := func(context.Context) { <-release }
		let := func(context.Context) { close(release) }
		if err := runLoop(t, g, nil, nothing, rest, wait, nothing, let); err != nil {
			t.Errorf("got %v", err)
		}
		g.Wait()
	})
}

func TestLeaderLoopPanics(t *testing.T) {
	var reported []string
	g := NewGroup(t.Context(), 2, 0, func(err error) { reported = append(reported, err.Error()) })
	r := NewLeaderLoop(g)
	boom := func(context.Context) { panic("boom") }
	err := r.Run(func() error {
		if accepted, passed := r.Do(boom); !accepted || passed {
			t.Errorf("accepted %v, passed %v", accepted, passed)
		}
		return nil
	})
	if g.Wait(); err != nil || len(reported) != 1 || !strings.Contains(reported[0], "boom") {
		t.Errorf("got %v, reported %q", err, reported)
	}
	if accepted, passed := r.Do(boom); accepted || passed {
		t.Error("work is accepted after the end")
	}
}

// TestLeaderLoopLoopPanics: a panic of the loop on another goroutine is its error.
func TestLeaderLoopLoopPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGroup(t.Context(), 2, 0, noPanic(t))
		r, first := NewLeaderLoop(g), true
		err := r.Run(func() error {
			if !first {
				panic("boom")
			}
			first = false
			if _, passed := r.Do(func(context.Context) { time.Sleep(time.Second) }); !passed {
				t.Error("not passed on")
			}
			return ErrPassed
		})
		if g.Wait(); err == nil || !strings.Contains(err.Error(), "boom") {
			t.Errorf("got %v", err)
		}
	})
}
