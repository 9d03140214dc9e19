package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Limits of one connection.
const (
	// helloTimeout is how long a client may take to say who it is.
	helloTimeout = 5 * time.Second
	// lastWrites is how often it is looked whether a client lets answers wait
	// when the session, or its connection, ends: twice is too long.
	lastWrites = time.Second / 4
	// maxRunning is how many of its requests run at once, maxWaiting how many
	// more may wait, maxAsked what their bodies may take in all, in bytes. One
	// alone may take more.
	maxRunning = 32
	maxWaiting = 1000
	maxAsked   = 64 << 20
	// MaxNotes is how many notes a call may have its answer say.
	MaxNotes = 100
	// maxWatches is how many watches there are at once.
	maxWatches = 16

	serverBuffer = 4 << 10 // of what is read, in bytes
)

// serverConn is one client's connection.
type serverConn struct {
	server *Server
	conn   net.Conn
	in     frameReader
	out    frameWriter
	calls  *parallel.Group
	loop   *parallel.LeaderLoop // reads

	// Touched by the reader alone.
	name    string // of the client; "" while it did not say
	greeted bool

	mu      sync.Mutex
	running map[uint64]context.CancelFunc // by request; that of those that wait, too
	asked   int                           // bytes of their bodies
	watches int

	questions questions
}

func newServerConn(s *Server, c net.Conn) *serverConn {
	return &serverConn{
		server: s, conn: c,
		in:      frameReader{r: bufio.NewReaderSize(c, serverBuffer)},
		out:     frameWriter{conn: c, now: s.config.Now},
		running: make(map[uint64]context.CancelFunc),
	}
}

// serve reads and runs requests until the connection ends. When it returns
// nothing of them runs.
func (v *serverConn) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var watches sync.WaitGroup
	v.calls = parallel.NewGroup(ctx, maxRunning, maxWaiting, func(err error) {
		v.server.config.Log.Error("a request at the session's socket failed", "error", err)
	})
	defer v.await(&watches)
	defer cancel()
	// What runs may still be answered; nothing more is read.
	stop := context.AfterFunc(ctx, func() { _ = v.conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := v.greet(ctx); err != nil {
		return err
	}
	v.loop = parallel.NewLeaderLoop(v.calls)
	return v.loop.Run(func() error { return v.read(ctx, &watches) })
}

// await returns when nothing runs any more. What does is still answered, unless
// the client lets the answers wait.
func (v *serverConn) await(watches *sync.WaitGroup) {
	over := make(chan struct{})
	var hurry sync.WaitGroup
	hurry.Go(func() {
		tick := time.NewTicker(lastWrites)
		defer tick.Stop()
		for writing := 0; writing < 2; {
			select {
			case <-over:
				return
			case <-tick.C:
			}
			writing++
			if v.out.mu.TryLock() {
				v.out.mu.Unlock()
				writing = 0
			}
		}
		v.conn.Close()
	})
	v.calls.Wait()
	watches.Wait()
	close(over)
	hurry.Wait()
}

// read takes requests until the connection ends, where the error may be nil, or
// another goroutine goes on with it.
func (v *serverConn) read(ctx context.Context, watches *sync.WaitGroup) error {
	for {
		var m message
		body, err := v.in.next(&m)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return v.broken(err)
		}
		if v.take(ctx, watches, m, body) {
			return parallel.ErrPassed
		}
	}
}

// broken tells the client of a frame that is no good before the connection
// ends.
func (v *serverConn) broken(err error) error {
	if _, ok := errors.AsType[errFrame](err); ok {
		v.fail(0, fault.New(fault.InvalidParams, "%v", err))
	}
	return err
}

// greet says hello and reads the client's.
func (v *serverConn) greet(ctx context.Context) error {
	c := &v.server.config
	if err := v.out.write(&message{Do: doHello, Protocol: OldestProtocol, Newest: Protocol, Version: c.Version, PID: c.PID}); err != nil {
		return err
	}
	if err := v.readUntil(ctx, c.Now().Add(helloTimeout)); err != nil {
		return err
	}
	var m message
	if _, err := v.in.next(&m); err != nil {
		return v.broken(err)
	}
	if m.Do != doHello {
		return v.broken(errFrame{fmt.Sprintf("it begins with %q, not with hello", shown(m.Do))})
	}
	if err := checkProtocol(m.Protocol, m.Newest, m.Version, "the client"); err != nil {
		v.fail(0, err)
		return err
	}
	v.named(plain(m.Client))
	return v.readUntil(ctx, time.Time{})
}

// readUntil sets a deadline, in place of that which the end of ctx may just
// have set.
func (v *serverConn) readUntil(ctx context.Context, deadline time.Time) error {
	if err := v.conn.SetReadDeadline(deadline); err != nil {
		return err
	}
	return ctx.Err()
}

// named notes who the client is, as soon as it says so.
func (v *serverConn) named(client *toolcall.Client) {
	shown := "unnamed"
	if client != nil && client.Name != "" {
		v.name, shown = client.Name, client.Name
	} else if v.greeted {
		return
	}
	v.greeted = true
	v.server.named(v, shown)
}

// take does what a message asks for, or starts it. When passed is set another
// goroutine goes on reading.
func (v *serverConn) take(ctx context.Context, watches *sync.WaitGroup, m message, body []byte) (passed bool) {
	switch m.Do {
	case doPing:
		_ = v.out.write(&message{Do: doAnswer, ID: m.ID})
	case doCancel:
		v.cancel(m.ID)
	case doSaid:
		v.questions.said(m)
	case doCall:
		m.Client = plain(m.Client)
		if v.name == "" {
			v.named(m.Client)
		}
		return v.run(ctx, m.ID, len(body), func(ctx context.Context) error { return v.call(ctx, &m, body) })
	case doDocuments:
		return v.run(ctx, m.ID, len(body), func(ctx context.Context) error { return v.documents(ctx, m.ID, body) })
	case doCommand:
		m.Client = plain(m.Client)
		return v.run(ctx, m.ID, len(body), func(ctx context.Context) error { return v.command(ctx, &m, body) })
	case doWatch:
		v.watch(ctx, watches, m.ID)
	default:
		v.fail(m.ID, fault.New(fault.InvalidParams, "a session does not know how to do %q", shown(m.Do)))
	}
	return false
}

// run runs a request when there is room. f answers it, or returns why not.
func (v *serverConn) run(ctx context.Context, id uint64, size int, f func(context.Context) error) (passed bool) {
	one, cancel := context.WithCancel(ctx)
	if err := v.admit(id, size, cancel); err != nil {
		cancel()
		v.fail(id, err)
		return false
	}
	run := func(all context.Context) { v.finish(all, one, id, size, f) }
	var accepted bool
	if v.in.waiting() {
		accepted = v.calls.Go(run)
	} else {
		accepted, passed = v.loop.Do(run)
	}
	if !accepted {
		v.release(id, size)
		v.fail(id, errBusy)
	}
	return passed
}

var errBusy = fault.New(fault.Timeout, "the editor's session has too many calls to answer").Advise("wait for some answers, then try again")

func (v *serverConn) admit(id uint64, size int, cancel context.CancelFunc) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch _, twice := v.running[id]; {
	case twice || id == 0:
		return fault.New(fault.InvalidParams, "the id %d of a request is in use, or none", id)
	case v.asked > 0 && v.asked+size > maxAsked:
		return errBusy
	}
	v.running[id] = cancel
	v.asked += size
	return nil
}

func (v *serverConn) release(id uint64, size int) {
	v.mu.Lock()
	cancel := v.running[id]
	delete(v.running, id)
	v.asked -= size
	v.mu.Unlock()
	cancel()
}

// finish runs an admitted request under one. A panic costs that request. When
// all has ended the connection is about to end, too, which says more than that
// the request was cancelled: who asked can ask another session.
func (v *serverConn) finish(all, one context.Context, id uint64, size int, f func(context.Context) error) {
	panics := true
	defer func() {
		v.release(id, size)
		if panics {
			v.fail(id, fault.New(fault.Internal, "the editor's session failed at this call"))
		}
	}()
	err := one.Err()
	switch {
	case err != nil:
	case hungUp(v.conn): // who asked has given up, perhaps while this process was stopped
		err = context.Canceled
	default:
		err = f(one)
	}
	panics = false
	if err != nil && all.Err() == nil {
		v.fail(id, err)
	}
}

func (v *serverConn) cancel(id uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if cancel := v.running[id]; cancel != nil {
		cancel()
	}
}

// fail answers that a request was not served. A client that is gone does not
// hear it.
func (v *serverConn) fail(id uint64, err error) { _ = v.out.write(failure(id, err)) }

func (v *serverConn) call(ctx context.Context, m *message, body []byte) error {
	if len(m.Notes) > MaxNotes {
		return fault.New(fault.InvalidParams, "a call with %d notes; at most %d are taken", len(m.Notes), MaxNotes)
	}
	c := Call{Tool: m.Tool, Form: m.Form, Roots: foldersIn(m.Roots), Notes: m.Notes, Quiet: m.Quiet, ReadGuards: m.Guards}
	if m.Client != nil {
		c.Client = *m.Client
		c.Client.Room = max(0, m.Room)
	}
	var err error
	if c.Arguments, c.Extra, err = carriedIn(body, m.Extra); err != nil {
		return err
	}
	if m.Progress {
		c.Progress = func(text string, done, total int) {
			_ = v.out.write(&message{Do: doProgress, ID: m.ID, Message: text, Done: done, Total: total})
		}
	}
	if m.Ask {
		c.Ask = func(ctx context.Context, r toolcall.ConfirmRequest) (toolcall.Decision, error) {
			return v.ask(ctx, m.ID, r)
		}
	}
	a, err := v.server.host.Call(ctx, c)
	if err != nil {
		return err
	}
	return v.out.write(&message{Do: doAnswer, ID: m.ID, Kind: a.Kind, Header: a.Header, Body: a.Body}, a.Raw)
}

func (v *serverConn) command(ctx context.Context, m *message, body []byte) error {
	var c Command
	if err := wire.Unmarshal(body, &c); err != nil {
		return err
	}
	var client toolcall.Client
	if m.Client != nil {
		client = *m.Client
	}
	v.server.host.Command(ctx, client, c)
	return v.out.write(&message{Do: doAnswer, ID: m.ID})
}

// watch sends an event for each change, until it is cancelled.
func (v *serverConn) watch(ctx context.Context, watches *sync.WaitGroup, id uint64) {
	ctx, cancel := context.WithCancel(ctx)
	err := v.admit(id, 0, cancel)
	v.mu.Lock()
	if err == nil && v.watches >= maxWatches {
		delete(v.running, id)
		err = errBusy
	}
	if err == nil {
		v.watches++
	}
	v.mu.Unlock()
	if err != nil {
		cancel()
		v.fail(id, err)
		return
	}
	watches.Go(func() {
		defer func() {
			v.mu.Lock()
			v.watches--
			v.mu.Unlock()
			v.release(id, 0)
		}()
		v.events(ctx, id)
	})
}

func shown(name string) string { return name[:min(len(name), 64)] }
