package rpc

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestSettle: who settles waits until the reader has come back for more than
// was there.
func TestSettle(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, _ := Stdio(r, os.Stdout)
	s, ok := in.(interface{ settle(context.Context) })
	if !ok {
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
		s.settle(ctx)
	}
	for range 50 {
		if _, err := w.WriteString("hello"); err != nil {
			t.Fatal(err)
		}
		settled := make(chan struct{})
		go func() {
			s.settle(ctx)
			close(settled)
		}()
		select {
		case <-settled:
			t.Fatal("settled before what was sent was handled")
		case n := <-handled:
			if n != 5 {
				t.Errorf("%d bytes", n)
			}
		}
		<-settled
	}
	if ctx.Err() != nil {
		t.Error("it took until the time limit")
	}
	w.Close()
	<-handled
	for range 50 { // at the end nothing is waited for
		s.settle(ctx)
	}
	if ctx.Err() != nil {
		t.Error("it took until the time limit")
	}
	in.Close()
	ended, end := context.WithCancel(ctx)
	end()
	s.settle(ended)
}

// TestSettleIsGivenUp: who settles waits neither for a reader that does not
// come back, nor longer than it wants.
func TestSettleIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var unread tide
		for _, limit := range []time.Duration{time.Hour, time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			start := time.Now()
			unread.settle(ctx, func() bool { return true })
			if waited := time.Since(start); waited != min(limit, settleTimeout) {
				t.Errorf("waited %v of %v", waited, limit)
			}
			cancel()
		}
	})
}
