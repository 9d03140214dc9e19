package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// TestASessionAsksBack: while other calls go on, and only who offers to be
// asked.
func TestASessionAsksBack(t *testing.T) {
	folder, _ := serveThere(t)
	c := attached(t, folder)
	if a, _, err := c.Call(t.Context(), Call{Tool: "ask"}); string(a.Raw) != "nobody" {
		t.Errorf("%s %v", a.Raw, err)
	}
	a, _, err := c.Call(t.Context(), Call{Tool: "ask", Ask: func(ctx context.Context, r toolcall.ConfirmRequest) (toolcall.Decision, error) {
		if other, _, err := c.Call(ctx, Call{Tool: "echo", Arguments: []byte(`"beside"`)}); string(other.Raw) != `"beside"` {
			t.Errorf("a call beside: %s %v", other.Raw, err)
		}
		if r.Files[0].Path == "b" {
			return toolcall.Decision{}, fault.New(fault.NoEditor, "the client did not ask").Advise("try")
		}
		return toolcall.Decision{Apply: true, Reason: fmt.Sprint(r)}, nil
	}})
	want := "true {{  0} t [{a +1\n <nil>}] false } <nil>, false  no_editor: the client did not ask\ntry, "
	if string(a.Raw) != want {
		t.Errorf("got  %s (%v)\nwant %s", a.Raw, err, want)
	}
}

// TestAskingEnds: with the call, and with the connection.
func TestAskingEnds(t *testing.T) {
	folder, s := serveHere(t)
	for i, want := range []error{context.Canceled, ErrGone} {
		c := attached(t, folder)
		ctx, cancel := context.WithCancel(t.Context())
		asked := make(chan struct{})
		once := sync.OnceFunc(func() { close(asked) }) // it asks again, perhaps before it hears of the end
		var work sync.WaitGroup
		work.Go(func() {
			_, _, err := c.Call(ctx, Call{Tool: "ask", Ask: func(ctx context.Context, _ toolcall.ConfirmRequest) (toolcall.Decision, error) {
				once()
				<-ctx.Done()
				return toolcall.Decision{Apply: true}, ctx.Err()
			}})
			if !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		})
		<-asked
		if i == 1 {
			s.Close()
		} else {
			cancel()
		}
		work.Wait()
		cancel()
		c.close()
	}
}

// TestManyQuestions: a session that asks over and over is listened to once at a
// time.
func TestManyQuestions(t *testing.T) {
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		for range 1000 {
			_, _ = c.Write(frameOf(`{"do":"ask","id":1,"question":1}`, []byte(`{"tool":"t"}`)...))
		}
		_, _ = c.Write(answerOf(1, "done"))
		buffer := make([]byte, 1<<10)
		for {
			if _, err := c.Read(buffer); err != nil {
				return
			}
		}
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, _ toolcall.ConfirmRequest) (toolcall.Decision, error) {
		<-ctx.Done()
		return toolcall.Decision{}, ctx.Err()
	}
	if a, _, err := c.Call(t.Context(), Call{Tool: "x", Ask: ask}); string(a.Raw) != "done" {
		t.Errorf("%s %v", a.Raw, err)
	}
}

// TestClientEndsWhileItsPersonIsAsked: the first call of a connection does not
// outlive it.
func TestClientEndsWhileItsPersonIsAsked(t *testing.T) {
	folder, s := serveHere(t)
	c := attached(t, folder)
	asked := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		_, _, err := c.Call(t.Context(), Call{Tool: "ask", Ask: func(context.Context, toolcall.ConfirmRequest) (toolcall.Decision, error) {
			close(asked)
			return toolcall.Decision{}, c.raw.Close()
		}})
		if !IsGone(err) {
			t.Error(err)
		}
	})
	<-asked
	work.Wait()
	for len(s.Clients()) > 0 {
		time.Sleep(time.Millisecond)
	}
}
