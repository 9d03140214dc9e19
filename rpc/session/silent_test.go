package session

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// TestSilentSessionIsTriedLessOften: one that does not answer is left alone for
// 3 seconds, then for 6, then for 12 each time; once it answered, for 3 again.
func TestSilentSessionIsTriedLessOften(t *testing.T) {
	now := time.Unix(0, 0)
	r := NewRouter(RouterConfig{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
	l := &link{router: r}
	leftAloneFor := func(want time.Duration) {
		t.Helper()
		if _, err := l.attached(nil, ErrSilent); !errors.Is(err, ErrSilent) {
			t.Fatalf("got %v", err)
		}
		now = now.Add(want - 1)
		if _, err := l.known(); !errors.Is(err, ErrSilent) {
			t.Errorf("it is tried again within %v: %v", want, err)
		}
		now = now.Add(1)
		if _, err := l.known(); err != nil {
			t.Errorf("it is not tried again after %v: %v", want, err)
		}
	}
	for _, seconds := range []int{3, 6, 12, 12, 12} {
		leftAloneFor(time.Duration(seconds) * time.Second)
	}
	if _, err := l.attached(&Conn{err: ErrGone}, nil); err != nil {
		t.Fatal(err)
	}
	leftAloneFor(3 * time.Second)
}

// TestSilentSessionThatDiesIsGone: one that did not answer and was killed then is
// gone at the next call: what it had open is not waited for.
func TestSilentSessionThatDiesIsGone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir() + "/run"
	places, err := openPlaces(t.Context(), []string{folder}, 42)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := places.write(Registration{PID: 42, Protocol: Protocol, Editor: "hung", Roots: []string{}}); err != nil {
		t.Fatal(err)
	}
	p := testRouter(t, folder).Peers()[0]
	if _, err := p.Attach(t.Context()); !errors.Is(err, ErrSilent) {
		t.Errorf("the session that says nothing: %v", err)
	}
	if _, err := p.Attach(t.Context()); !errors.Is(err, ErrSilent) {
		t.Errorf("the session that is left alone: %v", err)
	}
	if err := places.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Attach(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("the session that was killed: %v", err)
	}
}

// TestSilentSessionIsTriedAtOneSocket: one that says nothing at its socket in one
// folder is not waited for again at those in other folders.
func TestSilentSessionIsTriedAtOneSocket(t *testing.T) {
	t.Parallel()
	folders := []string{t.TempDir() + "/a", t.TempDir() + "/b", t.TempDir() + "/c"}
	p, err := openPlaces(t.Context(), folders, 42)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.write(Registration{PID: 42, Protocol: Protocol, Roots: []string{}}); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	var connected atomic.Int32
	for _, at := range p {
		work.Go(func() {
			for {
				c, err := at.listener.Accept()
				if err != nil {
					return
				}
				connected.Add(1)
				_, _ = io.Copy(io.Discard, c) // until the other end gives up
				c.Close()
			}
		})
	}
	if _, err := testRouter(t, folders...).Peers()[0].Attach(t.Context()); !errors.Is(err, ErrSilent) {
		t.Errorf("got %v", err)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
	work.Wait()
	if n := connected.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestNotesOfACallAreFew: a caller has an answer say 100 notes at most.
func TestNotesOfACallAreFew(t *testing.T) {
	folder, _ := serveHere(t)
	c := attached(t, folder)
	for _, count := range []int{100, 101} {
		a, _, err := c.Call(t.Context(), Call{Tool: "extra", Notes: strings.Split(strings.Repeat("n ", count-1)+"n", " ")})
		if taken := count == 100; taken != (err == nil) || taken != strings.Contains(string(a.Raw), "n n") || !taken && fault.KindOf(err) != fault.InvalidParams {
			t.Errorf("%d notes: %q, %v", count, a.Raw, err)
		}
	}
}
