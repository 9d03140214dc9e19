package jsonrpc

import (
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
)

// The methods that the dispatcher itself knows.
const (
	methodInitialize = "initialize"
	methodShutdown   = "shutdown"
	methodExit       = "exit"
	methodCancel     = "$/cancelRequest"
)

// lifecycle is LSP's order of a session: calls before initialize are -32002,
// calls after shutdown and a second initialize -32600. Its zero value is a
// session that was not initialized. It changes on the read loop only.
type lifecycle struct {
	phase atomic.Uint32
}

const (
	phaseNew uint32 = iota
	phaseRunning
	phaseShutDown
)

func (l *lifecycle) running() bool { return l.phase.Load() == phaseRunning }

func (l *lifecycle) wasShutDown() bool { return l.phase.Load() == phaseShutDown }

// admit returns the error for a call that may not be made now.
func (l *lifecycle) admit(name string) error {
	switch phase := l.phase.Load(); {
	case phase == phaseShutDown:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server was shut down")
	case phase == phaseNew && name != methodInitialize:
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the server is not initialized")
	case phase == phaseRunning && name == methodInitialize:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is initialized already")
	}
	return nil
}

// initialize begins the session, unless its handler fails: then the client
// may try again.
func (c *Conn) initialize(r Route, params RawMessage) (any, error) {
	result, err := c.runInline(methodInitialize, r.begin(), params)
	if err == nil {
		c.life.phase.Store(phaseRunning)
	}
	return result, err
}

// shutdown ends the session; calls that run are still answered. A route is
// not known when nothing is to be done.
func (c *Conn) shutdown(r Route, known bool, params RawMessage) (any, error) {
	c.life.phase.Store(phaseShutDown)
	if !known {
		return nil, nil
	}
	return c.runInline(methodShutdown, r.begin(), params)
}

// exit ends the connection; see [Conn.Serve] for what it returns then.
func (c *Conn) exit() {
	cause := errExit
	if !c.life.wasShutDown() {
		cause = errExitEarly
	}
	c.link.Load().stream.end(cause)
}
