package session

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const (
	// AttachTimeout is how long a session may take to say hello.
	AttachTimeout = 2 * time.Second
	// heartbeatInterval is how long a session with a call to answer may send nothing
	// before it is asked for a sign of life, and heartbeatTimeout how long that may
	// take.
	heartbeatInterval = time.Second / 2
	heartbeatTimeout  = 2 * time.Second

	clientBuffer = 16 << 10 // of what is read, in bytes: an answer of a common size
)

var (
	// ErrGone says that the connection ended.
	ErrGone = errors.New("the editor's session ended")
	// ErrSilent says that nothing came in time.
	ErrSilent = errors.New("the editor's session does not answer")
)

// Conn is a connection to a session. Its methods may be called from any
// goroutine. One goroutine reads, and hands what comes to those who asked for
// it.
type Conn struct {
	raw  net.Conn
	in   frameReader // for the goroutine that reads
	from counter     // what it reads
	out  frameWriter
	work sync.WaitGroup // the goroutine that reads, and who answers questions

	listening atomic.Int32 // requests whose owner is being told of what came

	mu        sync.Mutex
	pending   map[uint64]*pendingRequest
	waiting   int // of these that shall be answered soon: all but watches
	lastID    uint64
	err       error // why it ended; nil while it lives
	ended     chan struct{}
	heartbeat *time.Timer // runs checkHeartbeat while anything is asked
	armed     bool        // the heartbeat is due
	seen      int64       // from.read at the last heartbeat; noBytes before
	pinging   bool        // a sign of life was asked for
}

// noBytes is less than any count of bytes.
const noBytes = -1

// pendingRequest is a request that is not answered. Its functions are called by
// the goroutine that made it.
type pendingRequest struct {
	came     chan reply    // what was read of it, in the order of arrival
	over     chan struct{} // closed when nobody waits for it any more
	progress func(text string, done, total int)
	event    func(Document)
	ask      func(question uint64, body []byte)
	changes  bool // files: what became of it is waited for, cancelled or not
}

// maxCame is how many messages of one request are read before its owner is
// waited for.
const maxCame = 16

// reply is a message about a request. The last one ends it.
type reply struct {
	message
	raw []byte
}

// dial connects to a session and greets it. Errors: ErrGone, ErrSilent when ctx
// ends before the session says hello, or a fault that tells why the two cannot talk.
func dial(ctx context.Context, r Registration, client toolcall.Client, version string, now func() time.Time) (*Conn, error) {
	raw, err := dialAt(ctx, r.Socket)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ErrSilent
		}
		if !refused(err) { // the session may live
			return nil, errUnreachable(r, err)
		}
		return nil, errors.Join(ErrGone, err)
	}
	if err := checkPeer(raw); err != nil {
		raw.Close()
		return nil, err
	}
	c := &Conn{raw: raw, pending: make(map[uint64]*pendingRequest), ended: make(chan struct{})}
	c.from.in = raw
	c.in = frameReader{r: bufio.NewReaderSize(&c.from, clientBuffer)}
	c.out = frameWriter{conn: raw, now: now}
	stop := context.AfterFunc(ctx, func() { raw.Close() })
	err = c.greet(r, client, version)
	if !stop() && err == nil {
		err = ErrSilent
	}
	if err != nil {
		raw.Close()
		if ctx.Err() != nil {
			return nil, ErrSilent
		}
		return nil, err
	}
	c.heartbeat = time.AfterFunc(time.Hour, c.checkHeartbeat)
	c.heartbeat.Stop()
	c.work.Go(c.read)
	return c, nil
}

// errUnreachable is the error for a session that this process cannot connect to,
// for want of descriptors perhaps, or because a sandbox around it forbids that.
func errUnreachable(r Registration, err error) error {
	e := fault.New(fault.SessionUnreachable, "%s cannot be reached: %v", r.Who(), err)
	if errors.Is(err, os.ErrPermission) {
		return e.Advise("A sandbox around this process seems to forbid it: allow it to connect to the sockets in %s.", filepath.Dir(r.Socket))
	}
	return e.Advise("Try again; agent-lsp doctor tells more.")
}

// greet says hello and reads the session's.
func (c *Conn) greet(r Registration, client toolcall.Client, version string) error {
	if err := c.out.write(&message{Do: doHello, Protocol: OldestProtocol, Newest: Protocol, Version: version, Client: &client}); err != nil {
		return errors.Join(ErrGone, err)
	}
	var m message
	if _, err := c.in.next(&m); err != nil {
		if broken, ok := errors.AsType[errFrame](err); ok {
			return errBroken(r, broken)
		}
		return errors.Join(ErrGone, err)
	}
	switch m.Do {
	case doHello:
		return checkProtocol(m.Protocol, m.Newest, m.Version, r.Who())
	case doFailed:
		return m.fault()
	}
	return errBroken(r, errFrame{"it begins with " + shown(m.Do)})
}

func errBroken(r Registration, err error) error {
	return fault.New(fault.NoEditor, "what listens at the socket of %s is no session: %v", r.Who(), err).
		Advise("Restart the editor, or remove %s.", r.Socket)
}

// close ends the connection and returns when nothing of it runs.
func (c *Conn) close() {
	c.end(ErrGone)
	c.work.Wait()
}

// end ends the connection. What is asked fails with err.
func (c *Conn) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	close(c.ended)
	c.heartbeat.Stop()
	c.raw.Close()
}

// live reports whether the connection is not known to have ended.
func (c *Conn) live() bool { return c.why() == nil }

// over reports whether the connection has ended and nothing is asked any more: what
// came before the end may be on its way to who asked.
func (c *Conn) over() bool {
	c.mu.Lock()
	idle := len(c.pending) == 0
	c.mu.Unlock()
	if idle && hungUp(c.raw) {
		c.end(ErrGone)
	}
	return idle && !c.live()
}

// do sends a request and waits for its end. Errors: ErrGone, ErrSilent, that of
// ctx, or the session's own, a fault. Only if sent is set may the session have
// seen the request.
func (c *Conn) do(ctx context.Context, m *message, a *pendingRequest, parts ...[]byte) (r reply, sent bool, err error) {
	if m.ID, err = c.register(a); err != nil {
		return reply{}, false, err
	}
	defer c.forget(m.ID)
	if err := c.out.write(m, parts...); err != nil {
		if fault.KindOf(err) == fault.FileTooLarge {
			return reply{}, false, err
		}
		c.end(ErrGone)
		return reply{}, false, c.why()
	}
	r, err = c.await(ctx, a)
	if err != nil && errors.Is(err, ctx.Err()) {
		if late, ended := c.cancel(m.ID, a); ended && late.Do == doAnswer {
			r, err = late, nil
		}
	}
	if err == nil && r.Do == doFailed {
		return reply{}, true, r.fault()
	}
	return r, true, err
}

// changeTimeout is how long the answer to a cancelled change is waited for: longer
// than a session lets one land.
const changeTimeout = 10 * time.Second

// cancel cancels a request. One that may change files is waited for all the
// same: a change that has begun to land lands, and is answered. ended is false
// for what is not waited for.
func (c *Conn) cancel(id uint64, a *pendingRequest) (r reply, ended bool) {
	_ = c.out.write(&message{Do: doCancel, ID: id})
	if a.changes {
		ctx, cancel := context.WithTimeout(context.Background(), changeTimeout)
		defer cancel()
		if r, err := c.await(ctx, a); err == nil {
			return r, true
		}
	}
	return reply{}, false
}

func (c *Conn) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *Conn) register(a *pendingRequest) (id uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	c.lastID++
	a.came, a.over = make(chan reply, maxCame), make(chan struct{})
	c.pending[c.lastID] = a
	if a.event != nil {
		return c.lastID, nil
	}
	if c.waiting++; c.waiting == 1 {
		c.seen, c.pinging = noBytes, false
	}
	if !c.armed {
		c.armed = true
		c.heartbeat.Reset(heartbeatInterval)
	}
	return c.lastID, nil
}

// forget ends a request for its owner: what still comes of it is dropped. The
// heartbeat comes once more: to stop its timer and to set it again at each
// request costs more.
func (c *Conn) forget(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.pending[id]
	close(a.over)
	if a.event == nil {
		c.waiting--
	}
	delete(c.pending, id)
}

// checkHeartbeat runs while an answer is waited for. It asks a session that sends
// nothing for a sign of life, and gives up when there is none.
func (c *Conn) checkHeartbeat() {
	c.mu.Lock()
	if c.err != nil || c.waiting == 0 {
		c.armed = false
		c.mu.Unlock()
		return
	}
	read := c.from.read.Load()
	silent, pinging := read == c.seen && c.listening.Load() == 0, c.pinging
	c.seen, c.pinging = read, silent
	if silent && !pinging {
		c.heartbeat.Reset(heartbeatTimeout)
	} else if !silent {
		c.heartbeat.Reset(heartbeatInterval)
	}
	c.mu.Unlock()
	switch {
	case silent && pinging:
		c.end(ErrSilent)
	case silent:
		_ = c.out.write(&message{Do: doPing}) // its answer is nobody's; that bytes came is enough
	}
}

// Call runs a tool in the session.
func (c *Conn) Call(ctx context.Context, call Call) (a Answer, sent bool, err error) {
	m := &message{
		Do: doCall, Tool: call.Tool, Form: call.Form, Client: &call.Client, Room: call.Client.Room, Roots: foldersOut(call.Roots),
		Notes: call.Notes, Progress: call.Progress != nil, Quiet: call.Quiet, Guards: call.ReadGuards, Ask: call.Ask != nil,
	}
	asks := &pendingRequest{progress: call.Progress, changes: call.Changes}
	if call.Ask != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx) // a question ends with the call
		defer cancel()
		asks.ask = c.asker(ctx, call.Ask)
	}
	var texts [][]byte
	m.Extra, texts = carry(call.Extra)
	parts := append([][]byte{call.Arguments}, texts...)
	r, sent, err := c.do(ctx, m, asks, parts...)
	if err != nil {
		return Answer{}, sent, err
	}
	return Answer{Raw: r.raw, Kind: r.Kind, Header: r.Header, Body: r.Body}, sent, nil
}

// Documents asks for open documents.
func (c *Conn) Documents(ctx context.Context, q Query) ([]PeerDocument, error) {
	body, err := wire.Marshal(q)
	if err != nil {
		return nil, err
	}
	r, _, err := c.do(ctx, &message{Do: doDocuments}, new(pendingRequest), body)
	if err != nil {
		return nil, err
	}
	if r.Header < 0 || r.Header > len(r.raw) {
		return nil, fault.New(fault.IO, "an editor's session answers wrongly")
	}
	var list []carried
	if err := wire.Unmarshal(r.raw[:r.Header], &list); err != nil {
		return nil, err
	}
	rest, extra, err := carriedIn(r.raw[r.Header:], list)
	if err != nil || len(rest) > 0 {
		return nil, fault.New(fault.IO, "an editor's session answers wrongly")
	}
	return extra, nil
}

// Tell tells of a host's command.
func (c *Conn) Tell(ctx context.Context, client toolcall.Client, command Command) error {
	body, err := wire.Marshal(command)
	if err != nil {
		return err
	}
	_, _, err = c.do(ctx, &message{Do: doCommand, Client: &client}, new(pendingRequest), body)
	return err
}

// Ping waits for a sign of life.
func (c *Conn) Ping(ctx context.Context) error {
	_, _, err := c.do(ctx, &message{Do: doPing}, new(pendingRequest))
	return err
}

// Watch calls event of each document that changes, until ctx or the connection
// ends. The first call, without a document, says that the watch has begun.
func (c *Conn) Watch(ctx context.Context, event func(Document)) {
	_, _, _ = c.do(ctx, &message{Do: doWatch}, &pendingRequest{event: event}) // whoever watches finds out how it ended
}

// IsGone reports whether an error says that the connection ended, and IsLost
// whether the connection is what failed.
func IsGone(err error) bool { return errors.Is(err, ErrGone) }

// IsLost is described at [IsGone].
func IsLost(err error) bool { return IsGone(err) || errors.Is(err, ErrSilent) }
