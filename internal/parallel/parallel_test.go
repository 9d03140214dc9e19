package parallel

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestForEachCallsEveryIndexOnce(t *testing.T) {
	for _, limit := range []int{-1, 1, 3, 1000} {
		for _, n := range []int{-1, 0, 1, 100} {
			calls := make([]atomic.Int32, max(n, 0))
			err := ForEach(t.Context(), limit, n, func(_ context.Context, i int) error {
				calls[i].Add(1)
				return nil
			})
			if err != nil {
				t.Errorf("limit %d, n %d: %v", limit, n, err)
			}
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Errorf("limit %d, n %d: index %d called %d times", limit, n, i, c)
				}
			}
		}
	}
}

// TestForEachLimit: within a bubble, Wait returns when all goroutines are
// blocked in f, so that the number at work is exact.
func TestForEachLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var working atomic.Int32
		release := make(chan struct{})
		done := make(chan error)
		go func() {
			done <- ForEach(t.Context(), 3, 10, func(context.Context, int) error {
				working.Add(1)
				<-release
				working.Add(-1)
				return nil
			})
		}()
		for i := range 10 {
			synctest.Wait()
			if got, want := int(working.Load()), min(3, 10-i); got != want {
				t.Errorf("%d at work with %d left, want %d", got, 10-i, want)
			}
			release <- struct{}{}
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestForEachFirstError(t *testing.T) {
	boom := errors.New("boom")
	err := ForEach(t.Context(), 4, 1000, func(ctx context.Context, i int) error {
		if i == 2 {
			return boom
		}
		<-ctx.Done() // ends by the error of index 2 alone
		return ctx.Err()
	})
	if !errors.Is(err, boom) || errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v alone", err, boom)
	}
}

func TestForEachCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	err := ForEach(ctx, 2, 1000, func(context.Context, int) error {
		calls.Add(1)
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || calls.Load() > 2 {
		t.Errorf("got %v after %d calls", err, calls.Load())
	}
}

func TestForEachPanic(t *testing.T) {
	defer func() {
		if r := recover(); r == nil {
			t.Error("no panic")
		}
	}()
	_ = ForEach(t.Context(), 2, 10, func(_ context.Context, i int) error {
		if i == 5 {
			panic("boom")
		}
		return nil
	})
}

func noPanic(t *testing.T) func(error) {
	return func(err error) { t.Errorf("panicked: %v", err) }
}

func TestGroupBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGroup(t.Context(), 2, 3, noPanic(t))
		release := make(chan struct{})
		var working, ran atomic.Int32
		accepted := 0
		for range 10 {
			if g.Go(func(context.Context) {
				working.Add(1)
				<-release
				working.Add(-1)
				ran.Add(1)
			}) {
				accepted++
			}
		}
		synctest.Wait()
		if accepted != 5 || working.Load() != 2 {
			t.Errorf("%d accepted, %d at work, want 5 and 2", accepted, working.Load())
		}
		close(release)
		synctest.Wait()
		if !g.Go(func(context.Context) { ran.Add(1) }) {
			t.Error("refused when idle again")
		}
		g.Wait()
		if ran.Load() != 6 {
			t.Errorf("%d ran, want 6", ran.Load())
		}
		if g.Go(func(context.Context) {}) {
			t.Error("accepted after Wait")
		}
	})
}

func TestGroupOrder(t *testing.T) {
	g := NewGroup(t.Context(), 1, 100, noPanic(t))
	var got []int
	for i := range 50 {
		g.Go(func(context.Context) { got = append(got, i) })
	}
	g.Wait()
	for i, n := range got {
		if i != n {
			t.Fatalf("started in the order %v", got)
		}
	}
	if len(got) != 50 {
		t.Errorf("%d ran, want 50", len(got))
	}
}

func TestGroupPanic(t *testing.T) {
	var mu sync.Mutex
	var reported []string
	g := NewGroup(t.Context(), 1, 10, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		reported = append(reported, err.Error())
	})
	ran := false
	g.Go(func(context.Context) { panic("boom") })
	g.Go(func(context.Context) { ran = true })
	g.Wait()
	if len(reported) != 1 || !strings.Contains(reported[0], "boom") || !strings.Contains(reported[0], "parallel_test.go") {
		t.Errorf("reported %q", reported)
	}
	if !ran {
		t.Error("work behind a panic was dropped")
	}
}

// TestGroupCancelled: accepted work runs also when its context has ended, so
// that whoever waits for it is not left waiting.
func TestGroupCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := NewGroup(ctx, 1, 1, noPanic(t))
	var ended error
	g.Go(func(ctx context.Context) { ended = ctx.Err() })
	g.Wait()
	if !errors.Is(ended, context.Canceled) {
		t.Errorf("the work saw %v", ended)
	}
}
