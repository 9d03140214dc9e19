package fakeeditor

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// peer is a scripted server: it mirrors documents by applying what the editor
// tells, with the naive arithmetic of the editor itself.
type peer struct {
	t      *testing.T
	conn   *conn
	coords coordinates
	result map[string]any // answers by method

	mu     sync.Mutex
	mirror map[string]string
	seen   []message
}

// guard bounds a test that would otherwise hang.
func guard(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// start connects an editor to a scripted server which negotiates units.
func start(t *testing.T, opts Options, units string) (*Editor, *peer) {
	t.Helper()
	ours, theirs := net.Pipe()
	p := &peer{
		t: t, coords: coordinates{units, opts.LineRule}, mirror: make(map[string]string),
		result: map[string]any{"initialize": map[string]any{"capabilities": map[string]any{
			"positionEncoding": units,
			"textDocumentSync": map[string]any{"openClose": true, "change": 2},
		}}},
	}
	ready := make(chan struct{})
	p.conn = newConn(theirs, newMessageLog(0), func(m message) { <-ready; p.serve(m) })
	close(ready)
	e := New(ours, opts)
	t.Cleanup(func() {
		e.Kill()
		p.conn.end(ErrClosed)
		p.conn.wait()
	})
	if _, err := e.Start(guard(t)); err != nil {
		t.Fatal(err)
	}
	return e, p
}

func (p *peer) serve(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, m)
	if m.ID != nil {
		p.conn.send(message{ID: m.ID, Result: orNull(p.result[m.Method])})
	}
	var params struct {
		Document struct {
			URI  string `json:"uri"`
			Text string `json:"text"`
		} `json:"textDocument"`
		Changes []contentChange `json:"contentChanges"`
	}
	_ = json.Unmarshal(m.Params, &params) // other messages have other members
	uri := params.Document.URI
	switch m.Method {
	case "textDocument/didOpen":
		p.mirror[uri] = params.Document.Text
	case "textDocument/didChange":
		for _, c := range params.Changes {
			p.mirror[uri] = p.change(p.mirror[uri], c)
		}
	case "exit":
		p.conn.end(ErrClosed)
	}
}

func orNull(v any) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return mustMarshal(v)
}

func (p *peer) change(text string, c contentChange) string {
	if c.Range == nil {
		return c.Text
	}
	start, ok1 := p.coords.offset(text, c.Range.Start)
	end, ok2 := p.coords.offset(text, c.Range.End)
	if !ok1 || !ok2 || end < start {
		p.t.Errorf("the editor sent a range that names no text: %+v", *c.Range)
		return text
	}
	return splice{start, end, c.Text}.apply(text)
}

// messages returns what the editor sent of one method, once everything it
// sent so far has arrived.
func (p *peer) messages(e *Editor, method string) []message {
	p.t.Helper()
	p.sync(e)
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []message
	for _, m := range p.seen {
		if m.Method == method {
			out = append(out, m)
		}
	}
	return out
}

// text returns the mirrored text.
func (p *peer) text(e *Editor, uri string) string {
	p.t.Helper()
	p.sync(e)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mirror[uri]
}

// sync waits for a round trip, which everything sent before precedes.
func (p *peer) sync(e *Editor) {
	p.t.Helper()
	if _, err := e.Request(guard(p.t), "test/sync", nil); err != nil {
		p.t.Fatal(err)
	}
}

// ask sends a request to the editor and returns its answer as JSON, or the
// error as text.
func (p *peer) ask(method string, params any) string {
	p.t.Helper()
	raw, err := p.conn.request(method, params).Wait(guard(p.t))
	if err != nil {
		return "error " + err.Error()
	}
	return string(raw)
}

func wantClean(t *testing.T, e *Editor) {
	t.Helper()
	if v := e.Violations(); len(v) > 0 {
		t.Errorf("violations:\n%s", strings.Join(v, "\n"))
	}
}
