package stdio

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestDrain: who drains waits until the reader has come back for more than
// was there.
func TestDrain(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, _, drain := Open(r, os.Stdout)
	if drain == nil {
		t.Skip("not here")
	}
	handled := make(chan int)
	go func() {
		b := make([]byte, 1<<10)
		for n, err := in.Read(b); err == nil; n, err = in.Read(b) {
			handled <- n
		}
		close(handled)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 50 { // when the reader waits there is nothing to wait for
		drain(ctx)
	}
	for range 50 {
		if _, err := w.WriteString("hello"); err != nil {
			t.Fatal(err)
		}
		drained := make(chan struct{})
		go func() {
			drain(ctx)
			close(drained)
		}()
		select {
		case <-drained:
			t.Fatal("drained before what was sent was handled")
		case n := <-handled:
			if n != 5 {
				t.Errorf("%d bytes", n)
			}
		}
		<-drained
	}
	if ctx.Err() != nil {
		t.Error("it took until the time limit")
	}
	w.Close()
	<-handled
	for range 50 { // at the end nothing is waited for
		drain(ctx)
	}
	if ctx.Err() != nil {
		t.Error("it took until the time limit")
	}
	in.Close()
	ended, end := context.WithCancel(ctx)
	end()
	drain(ended)
}

// TestDrainIsGivenUp: who drains waits neither for a reader that does not
// come back, nor longer than it wants.
func TestDrainIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var unread drain
		for _, limit := range []time.Duration{time.Hour, time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			start := time.Now()
			unread.wait(ctx, func() bool { return true })
			if waited := time.Since(start); waited != min(limit, drainTimeout) {
				t.Errorf("waited %v of %v", waited, limit)
			}
			cancel()
		}
	})
}
