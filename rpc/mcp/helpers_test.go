package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/core"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// diskBackend answers from disk, as a backend does without any session. Tests
// put their hands between.
type diskBackend struct {
	core *core.Core
	// before is called before each call, when it is set.
	before func(ctx context.Context, c session.Call) error

	mu        sync.Mutex
	documents []session.Document
	watchers  map[int]func(session.Document)
	calls     []session.Call
}

func newDiskBackend(t testing.TB, dir string) *diskBackend {
	t.Helper()
	shared := core.New(core.Config{
		Background: func(func(context.Context)) bool { return false },
		Log:        slog.New(slog.DiscardHandler), Now: time.Now,
	})
	t.Cleanup(shared.Close)
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	shared.SetGate(gate)
	return &diskBackend{core: shared, watchers: make(map[int]func(session.Document))}
}

func (b *diskBackend) Call(ctx context.Context, c session.Call) (session.Answer, error) {
	b.mu.Lock()
	b.calls = append(b.calls, c)
	b.mu.Unlock()
	if b.before != nil {
		if err := b.before(ctx, c); err != nil {
			return session.Answer{}, err
		}
	}
	env := b.core.Env(b.core.Snapshot())
	defer env.Close()
	env.Client, env.Progress, env.Ask = c.Client, c.Progress, c.Ask
	r := tools.Find(c.Tool).Call(ctx, env, c.Arguments)
	raw, err := form.Append(nil, r, c.Form)
	a := session.Answer{Raw: raw}
	if r.Err != nil {
		a.Kind = r.Err.Kind
	}
	return a, err
}

func (b *diskBackend) Attached(context.Context) []session.Registration { return nil }

func (b *diskBackend) Documents(context.Context) []session.Document {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]session.Document(nil), b.documents...)
}

func (b *diskBackend) Watch(changed func(session.Document)) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := len(b.watchers)
	b.watchers[id] = changed
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watchers, id)
	}
}

// tell tells whoever watches that something changed.
func (b *diskBackend) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, changed := range b.watchers {
		changed(session.Document{})
	}
}

func (b *diskBackend) Close() {}

// peer is a client that speaks in lines.
type peer struct {
	t    testing.TB
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
	// pushed are the notifications and requests that came between answers.
	pushed []map[string]any
}

// workspaceDir is a folder with files by name.
func workspaceDir(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// dial starts a server. The test fails when that does not end with it.
func dial(t testing.TB, config Config) *peer {
	t.Helper()
	serverIn, in := pipe(t)
	out, serverOut := pipe(t)
	if err := out.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	config.Version = "test"
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.Settings.Edits.Confirm == "" {
		config.Settings = settings.Default()
	}
	p := &peer{t: t, in: in, out: bufio.NewReader(out), done: make(chan error, 1)}
	go func() { p.done <- Serve(t.Context(), serverIn, serverOut, config) }()
	t.Cleanup(p.hangUp)
	return p
}

// pipe is one as between processes: what is written waits for its reader.
func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// hangUp ends the client's stream and waits for the server's end.
func (p *peer) hangUp() {
	_ = p.in.Close()
	go func() { _, _ = io.Copy(io.Discard, p.out) }()
	select {
	case err := <-p.done:
		if err != nil {
			p.t.Errorf("the server ended with %v", err)
		}
		p.done <- nil
	case <-time.After(time.Minute):
		p.t.Error("the server does not end")
	}
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// raw is the next line that the server says.
func (p *peer) raw() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("read: %v", err)
	}
	return line
}

func (p *peer) next() map[string]any {
	p.t.Helper()
	var m map[string]any
	if line := p.raw(); json.Unmarshal([]byte(line), &m) != nil {
		p.t.Fatalf("no message: %s", line)
	}
	return m
}

// answer is the next message that answers the call with that id.
func (p *peer) answer(id any) map[string]any {
	p.t.Helper()
	for {
		m := p.next()
		if _, asked := m["method"]; asked {
			p.pushed = append(p.pushed, m)
			continue
		}
		if fmt.Sprint(m["id"]) != fmt.Sprint(id) {
			p.t.Fatalf("the answer is to %v, not %v: %v", m["id"], id, m)
		}
		return m
	}
}

// initialize does the handshake of a revision.
func (p *peer) initialize(version, capabilities string) map[string]any {
	p.t.Helper()
	return p.initializeAs("peer", version, capabilities)
}

// initializeAs is initialize of a client of a name.
func (p *peer) initializeAs(name, version, capabilities string) map[string]any {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":` + capabilities + `,"clientInfo":{"name":"` + name + `","version":"1"}}}`)
	m := p.answer(0)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	result, _ := m["result"].(map[string]any)
	return result
}

// call is the line of a call of a tool.
func call(id any, tool string, arguments any) string {
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// textOf is the text of a result, and whether that is an error.
func textOf(t testing.TB, answer map[string]any) (string, bool) {
	t.Helper()
	result, _ := answer["result"].(map[string]any)
	content, _ := result["content"].([]any)
	if len(content) == 0 {
		t.Fatalf("no content: %v", answer)
	}
	block, _ := content[0].(map[string]any)
	failed, _ := result["isError"].(bool)
	said, _ := block["text"].(string)
	return said, failed
}

// codeOf is the code of a JSON-RPC error; 0 when the answer is none.
func codeOf(answer map[string]any) int {
	e, _ := answer["error"].(map[string]any)
	code, _ := e["code"].(float64)
	return int(code)
}

var (
	discard  = slog.New(slog.DiscardHandler)
	defaults = settings.Default()
)
