package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/agent-lsp/agent-lsp/rpc/session"
)

func TestReadInEveryRevision(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": "one\n<two>\n"})
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			p := dial(t, Config{Backend: newDiskBackend(t, dir)})
			line := call(1, "read_file", map[string]any{"path": "a.txt"})
			if version < firstModern {
				if got := p.initialize(version, "{}")["protocolVersion"]; got != version {
					t.Fatalf("the handshake ends in %v", got)
				}
			} else {
				line = modernCall(line)
			}
			p.send(line)
			raw := p.raw()
			if !strings.Contains(raw, `1|one\n2|<two>`) || strings.Contains(raw, "structuredContent") {
				t.Errorf("read: %s", raw)
			}
			if modern := strings.Contains(raw, `"resultType":"complete"`); modern != (version >= firstModern) {
				t.Errorf("resultType: %s", raw)
			}
		})
	}
}

// modernCall makes a call one of the revision without sessions.
func modernCall(line string) string {
	return strings.Replace(line, `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"modern","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`, 1)
}

func TestTwoHundredCallsAtOnce(t *testing.T) {
	const n = 200
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "text %d\n", i+1)
	}
	dir := workspaceDir(t, map[string]string{"a.txt": lines.String()})
	p := dial(t, Config{Backend: newDiskBackend(t, dir)})
	p.initialize("2025-11-25", "{}")
	go func() {
		for i := range n {
			_, _ = fmt.Fprintln(p.in, call(i+1, "read_file", map[string]any{"path": "a.txt", "start_line": i + 1, "end_line": i + 1}))
		}
	}()
	seen := make(map[any]bool)
	for range n {
		m := p.next()
		said, failed := textOf(t, m)
		if want := fmt.Sprintf("\n%[1]v|text %[1]v", m["id"]); failed || seen[m["id"]] || !strings.Contains(said, want) {
			t.Fatalf("call %v is answered: %s", m["id"], said)
		}
		seen[m["id"]] = true
	}
}

// handshake is what a client sends before anything else.
var handshake = []string{
	`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"peer","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
}

func TestWhatIsNoGoodCostsItself(t *testing.T) {
	read := call(1, "read_file", map[string]any{"path": "a.txt"})
	deep := strings.Repeat("[", 20_000)
	for name, c := range map[string]struct {
		fresh bool   // without a handshake
		send  string // one line
		want  string // of the answer
	}{
		"no JSON":                       {send: `{"jsonrpc":"2.0","id":1,`, want: `"id":null,"error":{"code":-32700`},
		"no object":                     {send: `17`, want: `"id":null,"error":{"code":-32600`},
		"a string":                      {send: `"tools/call"`, want: `"id":null,"error":{"code":-32600`},
		"too deep":                      {send: deep, want: `"id":null,"error":{"code":-32700`},
		"invalid UTF-8":                 {send: "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\xff\"}", want: `"id":7,"error":{"code":-32700`},
		"a name twice":                  {send: `{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}`, want: `"id":7,"error":{"code":-32700`},
		"no method":                     {send: `{"jsonrpc":"2.0"}`, want: `"id":null,"error":{"code":-32600`},
		"METHOD":                        {send: `{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`, want: `"id":1,"error":{"code":-32600`},
		"a second handshake":            {send: handshake[0], want: `"id":0,"error":{"code":-32600,"message":"duplicate`},
		"deep arguments":                {send: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + deep + `}`, want: `…"}}`},
		"method is a number":            {send: `{"jsonrpc":"2.0","id":"x","method":5}`, want: `"id":"x","error":{"code":-32600`},
		"id is an object":               {send: `{"jsonrpc":"2.0","id":{},"method":"ping"}`, want: `"id":null,"error":{"code":-32600`},
		"id is a fraction":              {send: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, want: `"id":null,"error":{"code":-32600`},
		"id is too large":               {send: `{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}`, want: `"id":null,"error":{"code":-32600`},
		"another version":               {send: `{"jsonrpc":"1.0","id":1,"method":"ping"}`, want: `"id":1,"error":{"code":-32600`},
		"unknown method":                {send: `{"jsonrpc":"2.0","id":1,"method":"tools/brew"}`, want: `"code":-32601`},
		"unknown tool":                  {send: call(1, "brew", nil), want: `"code":-32602,"message":"there is no tool \"brew\"; the tools are read_file, `},
		"a tool's name misspelt":        {send: call(1, "ReadFiles", nil), want: `there is no tool \"ReadFiles\"; did you mean \"read_file\"? the tools are`},
		"a tool that is not for models": {send: call(1, "persist_output", nil), want: `the tool \"persist_output\" is not served here: it is for programs`},
		"a tool that is off":            {send: call(1, "run_command", nil), want: `the tool \"run_command\" is not served here: the person's settings do not allow it`},
		"tool is a number":              {send: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, want: `"id":1,"error":{"code":-32602`},
		"params is a list":              {send: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, want: `"id":1,"error":{"code":-32602`},
		"no params":                     {send: `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, want: `"id":1,"error":{"code":-32602,"message":"there is no tool \"\"`},
		"no arguments":                  {send: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file"}}`, want: `"text":"invalid_params: the argument \"path\" is missing`},
		"null arguments":                {send: call(1, "read_file", nil), want: `"text":"invalid_params: the argument \"path\" is missing`},
		"arguments are a list":          {send: call(1, "read_file", []int{1}), want: `"text":"invalid_params: `},
		"arguments as a string":         {send: call(1, "read_file", ` {"path":"a.txt","start_line":"2"}`), want: `2|two`},
		"half a string":                 {send: call(1, "read_file", `{"path":"a`), want: `"text":"invalid_params: `},
		"any string":                    {send: call(1, "read_file", "a.txt"), want: `"text":"invalid_params: the arguments must be a JSON object`},
		"numbers as strings":            {send: call(1, "read_file", map[string]any{"filePath": "a.txt", "startLine": "2", "end_line": "2"}), want: `2|two`},
		"before the handshake":          {fresh: true, send: read, want: `"error":{"code":-32600,"message":"method \"tools/call\" is invalid during session initialization`},
		"modern, no metadata":           {fresh: true, send: strings.Replace(modernCall(read), "clientCapabilities", "other", 1), want: `"code":-32602,"message":"missing or invalid _meta field`},
		"modern, unknown":               {fresh: true, send: strings.Replace(modernCall(read), "2026-07-28", "2099-01-01", 1), want: `"message":"unsupported protocol version"`},
		"empty batch":                   {send: `[]`, want: `"id":null,"error":{"code":-32600`},
		"a batch of rubbish":            {send: `[1,{"jsonrpc":"2.0","id":3,"method":"ping"}]`, want: `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600`},
		"a file that is no file":        {send: call(1, "read_file", map[string]any{"path": "none.txt"}), want: `"text":"not_found: none.txt`},
	} {
		t.Run(name, func(t *testing.T) {
			p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\ntwo\n"}))})
			if !c.fresh {
				p.send(handshake...)
				p.next()
			}
			p.send(c.send)
			if raw := p.raw(); !strings.Contains(raw, c.want) {
				t.Errorf("answered %s\nwant %s", raw, c.want)
			}
			if c.fresh {
				p.send(handshake...)
				p.next()
			}
			p.send(strings.Replace(read, `"id":1`, `"id":"after"`, 1))
			if said, failed := textOf(t, p.answer("after")); failed || !strings.Contains(said, "1|one") {
				t.Errorf("afterwards: %s", said)
			}
		})
	}
}

func TestBatches(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": "one\n"})
	batch := "[" + call(1, "read_file", map[string]any{"path": "a.txt"}) + `,{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"two","method":"ping"}]`
	p := dial(t, Config{Backend: newDiskBackend(t, dir)})
	p.initialize("2025-03-26", "{}")
	p.send(batch)
	raw := p.raw()
	if !strings.HasPrefix(raw, "[{") || strings.Count(raw, `"jsonrpc"`) != 2 || !strings.Contains(raw, "1|one") || !strings.Contains(raw, `"id":"two"`) {
		t.Errorf("answered %s", raw)
	}
	later := dial(t, Config{Backend: newDiskBackend(t, dir)})
	later.initialize("2025-06-18", "{}")
	later.send(batch, call(9, "read_file", map[string]any{"path": "a.txt"}))
	if raw := later.raw(); !strings.Contains(raw, "has no batches") {
		t.Errorf("answered %s", raw)
	}
	if said, failed := textOf(t, later.answer(9)); failed {
		t.Error(said)
	}
}

func TestCallsAreAnsweredAfterTheClientsStreamEnds(t *testing.T) {
	p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\n"}))})
	go func() {
		for _, line := range append(handshake, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, call(2, "read_file", map[string]any{"path": "a.txt"})) {
			_, _ = fmt.Fprintln(p.in, line)
		}
		_ = p.in.Close()
	}()
	answered := make(map[any]bool)
	for range 3 {
		answered[p.next()["id"]] = true
	}
	if len(answered) != 3 {
		t.Errorf("answered: %v", answered)
	}
}

// TestSlowClientWhoseStreamEnds: an answer that is being written when the
// client's stream ends is written whole.
func TestSlowClientWhoseStreamEnds(t *testing.T) {
	content := strings.Repeat("0123456789abcde\n", 200<<10/16) // more than the pipe holds
	p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"large.txt": content}))})
	p.initialize("2025-11-25", "{}")
	p.send(call(1, "read_file", map[string]any{"path": "large.txt", "start_byte": 0, "max_bytes": 200 << 10}))
	if _, err := p.out.Peek(1); err != nil { // it writes
		t.Fatal(err)
	}
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // so that it sees the end
	if said, failed := textOf(t, p.answer(1)); failed || len(said) < 64<<10 {
		t.Errorf("%d bytes", len(said))
	}
}

func TestLargeArguments(t *testing.T) {
	dir := workspaceDir(t, nil)
	p := dial(t, Config{Backend: newDiskBackend(t, dir)})
	p.initialize("2025-11-25", "{}")
	content := strings.Repeat("0123456789abcde\n", 10<<20/16)
	p.send(call(1, "write_file", map[string]any{"path": "large.txt", "content": content}))
	if said, failed := textOf(t, p.answer(1)); failed {
		t.Fatal(said)
	}
	written, err := os.ReadFile(filepath.Join(dir, "large.txt"))
	if err != nil || string(written) != content {
		t.Errorf("%d bytes were written (%v)", len(written), err)
	}
	go func() { _, _ = fmt.Fprintln(p.in, strings.Repeat("x", maxLine+1)) }()
	if raw := p.raw(); !strings.Contains(raw, "longer than 64 MiB") {
		t.Errorf("answered %s", raw)
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	p.answer(2)
}

func TestCancelledCallIsNotAnswered(t *testing.T) {
	b := newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\n"}))
	running, release := make(chan struct{}), make(chan struct{})
	b.before = func(ctx context.Context, c session.Call) error {
		switch string(c.Arguments) {
		case `{"path":"wait"}`:
			close(running)
			<-ctx.Done()
			return ctx.Err()
		case `{"path":"late"}`: // it is done already: it cannot be cancelled any more
			running <- struct{}{}
			<-release
		}
		return nil
	}
	p := dial(t, Config{Backend: b})
	p.initialize("2025-11-25", "{}")
	p.send(call(1, "read_file", map[string]any{"path": "wait"}))
	<-running
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		call(1, "read_file", map[string]any{"path": "a.txt"})) // its id is free again, or will be
	for {
		m := p.answer(1)
		if codeOf(m) == jsonrpc.CodeInvalidRequest { // not yet
			p.send(call(1, "read_file", map[string]any{"path": "a.txt"}))
			continue
		}
		if said, failed := textOf(t, m); failed {
			t.Errorf("the cancelled call is answered: %s", said)
		}
		break
	}
	running = make(chan struct{})
	p.send(call("late", "read_file", map[string]any{"path": "late"}))
	<-running
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"late"}}`, `{"jsonrpc":"2.0","id":"pong","method":"ping"}`)
	p.answer("pong")
	close(release)
	p.send(`{"jsonrpc":"2.0","id":"pong2","method":"ping"}`)
	if m := p.next(); m["id"] == "late" {
		p.answer("pong2")
	} else {
		p.t.Logf("not answered: the tool itself saw that it was cancelled")
	}
}
