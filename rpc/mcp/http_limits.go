package mcp

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"
)

// httpLimits keep those who do not know the token, and those who do, from
// using up the process.
type httpLimits struct {
	header time.Duration // to send a request's header, from its first byte or the connection's begin
	body   time.Duration // to send a request's body
	idle   time.Duration // between two requests of a connection
	// strangers is how many connections there may be on which no request has
	// shown the token; callers, of the others.
	strangers, callers int
	bodies             int64 // bytes of all bodies that are read or worked on
}

// usualLimits hold but in tests. A caller is on this machine, where a body of
// [maxBody] takes less than a second.
var usualLimits = httpLimits{
	header: 10 * time.Second, body: 30 * time.Second, idle: 2 * time.Minute,
	strangers: 128, callers: 384, bodies: 4 * maxBody,
}

// maxHeader is the largest header of a request, in bytes.
const maxHeader = 64 << 10

// door is a listener that keeps count of the connections. Where there are too
// many strangers the one that came first has to go: a caller shows the token
// at once, and is none any more.
type door struct {
	net.Listener
	limits httpLimits

	mu        sync.Mutex
	strangers []*webConn // in the order in which they came
	callers   int
}

// webConn is a connection that came by the door.
type webConn struct {
	net.Conn
	door  *door
	knows bool // the token; guarded by door.mu
	gone  bool // guarded by door.mu
}

// Accept returns the next connection, a [*webConn].
func (d *door) Accept() (net.Conn, error) {
	raw, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &webConn{Conn: raw, door: d}
	if first := d.admit(c); first != nil {
		_ = first.Close()
	}
	return c, nil
}

// admit counts a connection and returns the one that has to go for it, or nil.
func (d *door) admit(c *webConn) *webConn {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.strangers = append(d.strangers, c)
	if len(d.strangers) > d.limits.strangers {
		return d.strangers[0]
	}
	return nil
}

// known notes that a request has shown the token. It returns false where there
// are too many callers.
func (c *webConn) known() bool {
	d := c.door
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.knows || c.gone {
		return c.knows
	}
	if d.callers >= d.limits.callers {
		return false
	}
	d.forget(c)
	d.callers++
	c.knows = true
	return true
}

// Close closes the connection and makes room.
func (c *webConn) Close() error {
	d := c.door
	d.mu.Lock()
	switch {
	case c.gone:
	case c.knows:
		d.callers--
	default:
		d.forget(c)
	}
	c.gone = true
	d.mu.Unlock()
	return c.Conn.Close()
}

// forget takes a connection off the strangers, under the lock.
func (d *door) forget(c *webConn) {
	d.strangers = slices.DeleteFunc(d.strangers, func(s *webConn) bool { return s == c })
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}
