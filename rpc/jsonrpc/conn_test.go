package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// served is a connection that is served, seen from the client.
type served struct {
	t    testing.TB
	d    *Conn
	in   io.WriteCloser // to the server
	got  chan answer    // what the server sent; closed at the end
	done chan error     // what serve returned
	log  *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// connect serves routes, besides an initialize that answers "ready".
func connect(t testing.TB, routes map[string]Route, change ...func(*Conn)) *served {
	t.Helper()
	all := map[string]Route{methodInitialize: Inline(func(context.Context, *Caller, RawMessage) (any, error) {
		return RawMessage(`"ready"`), nil
	})}
	maps.Copy(all, routes)
	log := new(lockedBuffer)
	s := &served{t: t, log: log, got: make(chan answer, 2*maxAccepted), done: make(chan error, 1)}
	s.d = NewConn(all, testCodec{}, slog.New(slog.NewTextHandler(log, nil)))
	for _, c := range change {
		c(s.d)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	s.in = toServer
	go func() { s.done <- s.d.Serve(t.Context(), in, out) }()
	go s.receive(bufio.NewReader(fromServer))
	return s
}

func (s *served) receive(r *bufio.Reader) {
	defer close(s.got)
	for {
		body, err := readFrame(r)
		if err != nil {
			if err != io.EOF {
				s.t.Errorf("the server's output: %v", err)
			}
			return
		}
		if !utf8.Valid(body) {
			s.t.Errorf("the server sent bytes that are not UTF-8: %q", body)
		}
		var list []answer
		if body[0] != '[' {
			list = make([]answer, 1)
			err = json.Unmarshal(body, &list[0])
		} else {
			err = json.Unmarshal(body, &list)
		}
		if err != nil {
			s.t.Errorf("the server sent %q: %v", body, err)
		}
		for _, a := range list {
			s.got <- a
		}
	}
}

func (s *served) send(bodies ...string) {
	s.t.Helper()
	for _, body := range bodies {
		if _, err := io.WriteString(s.in, frame(body)); err != nil {
			s.t.Fatalf("send %s: %v", body, err)
		}
	}
}

// want receives one message for each brief, in any order.
func (s *served) want(briefs ...string) {
	s.t.Helper()
	missing := make(map[string]int)
	for _, b := range briefs {
		missing[b]++
	}
	for range briefs {
		a, ok := <-s.got
		if !ok {
			s.t.Fatalf("the server ended the connection; missing: %v", missing)
		}
		b := a.brief()
		if a.Method != "" {
			b = a.Method + " " + string(a.Params)
		}
		if missing[b] == 0 {
			s.t.Fatalf("got %s, missing: %v", b, missing)
		}
		if missing[b]--; missing[b] == 0 {
			delete(missing, b)
		}
	}
}

// start initializes.
func (s *served) start() *served {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
	s.want(`0: "ready"`)
	return s
}

// end ends the input, and returns what serve returned. Nothing more may come.
func (s *served) end() error {
	s.t.Helper()
	if err := s.in.Close(); err != nil {
		s.t.Fatal(err)
	}
	return s.wait()
}

func (s *served) wait() error {
	s.t.Helper()
	for a := range s.got {
		s.t.Errorf("unexpected: %s", a.brief())
	}
	return <-s.done
}

func callOf(id any, method string) string {
	raw, err := json.Marshal(id)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{}}`, raw, method)
}

func notificationOf(method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":{}}`, method)
}

func constant(json string) Handler {
	return func(context.Context, *Caller, RawMessage) (any, error) { return RawMessage(json), nil }
}

func failing(err error) Handler {
	return func(context.Context, *Caller, RawMessage) (any, error) { return nil, err }
}

// untilCancelled is a call that works until it is told to stop.
func untilCancelled(ctx context.Context, _ *Caller, _ RawMessage) (any, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestLifecycle(t *testing.T) {
	defer goleak.VerifyNone(t)
	const (
		initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize"}`
		shutdown   = `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`
		exit       = `{"jsonrpc":"2.0","method":"exit"}`
		call       = `{"jsonrpc":"2.0","id":3,"method":"call"}`
		async      = `{"jsonrpc":"2.0","id":4,"method":"async"}`
		unknown    = `{"jsonrpc":"2.0","id":5,"method":"unknown"}`
		note       = `{"jsonrpc":"2.0","method":"note"}`
	)
	tests := []struct {
		name    string
		send    []string
		want    []string
		notes   int // notifications that were handled
		outcome error
	}{
		{"as it should be", []string{initialize, note, call, async, shutdown, exit}, []string{`1: "ready"`, "3: 3", "4: 4", "2: null"}, 1, nil},
		{"nothing at all", nil, nil, 0, nil},
		{"before initialize", []string{call, async, unknown, shutdown, note, initialize, call}, []string{"3: -32002", "4: -32002", "5: -32002", "2: -32002", `1: "ready"`, "3: 3"}, 0, nil},
		{"initialize twice", []string{initialize, initialize, call}, []string{`1: "ready"`, "1: -32600", "3: 3"}, 0, nil},
		{"after shutdown", []string{initialize, shutdown, call, async, unknown, initialize, shutdown, note, exit}, []string{`1: "ready"`, "2: null", "3: -32600", "4: -32600", "5: -32600", "1: -32600", "2: -32600"}, 0, nil},
		{"exit without shutdown", []string{initialize, exit}, []string{`1: "ready"`}, 0, errExitEarly},
		{"exit at once", []string{exit}, nil, 0, errExitEarly},
		{"end without exit", []string{initialize, shutdown}, []string{`1: "ready"`, "2: null"}, 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			notes := 0
			s := connect(t, map[string]Route{
				"call":  Inline(constant("3")),
				"async": always(constant("4")),
				"note":  Notification(func(context.Context, *Caller, RawMessage) (any, error) { notes++; return nil, nil }),
			})
			for _, body := range tt.send {
				s.send(body)
				if strings.Contains(body, `"id"`) {
					s.want(tt.want[0])
					tt.want = tt.want[1:]
				}
			}
			if err := s.end(); err != tt.outcome {
				t.Errorf("serve returned %v", err)
			}
			if notes != tt.notes || len(tt.want) > 0 {
				t.Errorf("%d notifications were handled; missing: %v", notes, tt.want)
			}
		})
	}
}

func TestInitializeMayFail(t *testing.T) {
	fails := true
	s := connect(t, map[string]Route{"initialize": Inline(func(context.Context, *Caller, RawMessage) (any, error) {
		if fails {
			fails = false
			return nil, errors.New("not yet")
		}
		return RawMessage(`"ready"`), nil
	})})
	s.send(callOf(1, "initialize"), callOf(2, "call"))
	s.want("1: -32603", "2: -32002")
	s.start()
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// Whatever is sent, the next good call is answered.
func TestConnectionSurvives(t *testing.T) {
	defer goleak.VerifyNone(t)
	panics := func(_ context.Context, _ *Caller, params RawMessage) (any, error) {
		return params[len(params)], nil
	}
	s := connect(t, map[string]Route{
		"good":       Inline(constant(`"good"`)),
		"async":      always(constant(`"async"`)),
		"note":       Notification(constant(`1`)),
		"note fails": Notification(failing(errors.New("it fails"))),
		"needs an id": always(func(context.Context, *Caller, RawMessage) (any, error) {
			t.Error("a call without id ran")
			return nil, nil
		}),
		"note panics":   Notification(panics),
		"inline panics": Inline(panics),
		"async panics":  always(panics),
		"panics with":   always(func(context.Context, *Caller, RawMessage) (any, error) { panic("secret") }),
		"unencodable":   always(func(context.Context, *Caller, RawMessage) (any, error) { return make(chan int), nil }),
		"refuses":       always(failing(jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no"))),
		"wraps":         always(failing(fmt.Errorf("why: %w", jsonrpc2.ErrInvalidParams))),
		"plain error":   Inline(failing(errors.New("no"))),
		"fault":         Inline(failing(fault.New(fault.InvalidParams, "no"))),
		"other fault":   Inline(failing(fault.New(fault.NotFound, "no"))),
		"bad message":   Inline(failing(errors.New("name \xff"))),
		"structured":    Inline(func(context.Context, *Caller, RawMessage) (any, error) { return map[string]int{"a": 1}, nil }),
	}).start()
	tests := []struct{ body, want string }{
		{callOf(1, "async"), `1: "async"`},
		{callOf(1, "structured"), `1: {"a":1}`},
		{callOf(1, "nobody"), "1: -32601"},
		{callOf(1, "$/nobody"), "1: -32601"},
		{callOf(1, strings.Repeat("x", 10_000)), "1: -32601"},
		{callOf(1, "note"), "1: -32600"},
		{callOf(1, "exit"), "1: -32601"},
		{callOf(1, "$/cancelRequest"), "1: -32601"},
		{callOf(1, "inline panics"), "1: -32603"},
		{callOf(1, "async panics"), "1: -32603"},
		{callOf(1, "panics with"), "1: -32603"},
		{callOf(1, "unencodable"), "1: -32603"},
		{callOf(1, "refuses"), "1: -32602"},
		{callOf(1, "wraps"), "1: -32602"},
		{callOf(1, "plain error"), "1: -32603"},
		{callOf(1, "fault"), "1: -32602"},
		{callOf(1, "other fault"), "1: -32803"},
		{callOf(1, "bad message"), "1: -32603"},
		{callOf("text", "async"), `"text": "async"`},
		{callOf(-1, "async"), `-1: "async"`},
		{callOf("", "async"), `"": "async"`},
		{notificationOf("note"), ""},
		{notificationOf("note fails"), ""},
		{notificationOf("note panics"), ""},
		{notificationOf("good"), ""},
		{notificationOf("needs an id"), ""},
		{notificationOf("nobody"), ""},
		{notificationOf("$/nobody"), ""},
		{notificationOf("initialize"), ""},
		{`{"jsonrpc":"2.0","method":"$/cancelRequest"}`, ""},
		{`{"jsonrpc":"2.0","method":"$/cancelRequest","params":[1]}`, ""},
		{`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":null}}`, ""},
		{`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1.5}}`, ""},
		{`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":12345}}`, ""},
		{`{"jsonrpc":"2.0","id":77,"result":{}}`, ""},
		{`{"jsonrpc":"2.0","id":9223372036854775807,"result":{}}`, ""},
		{`{"jsonrpc":"2.0","id":-9223372036854775808,"error":{"code":1,"message":""}}`, ""},
		{`{"jsonrpc":"2.0"`, "null: -32700"},
		{`{}`, "null: -32600"},
		{`[]`, "null: -32600"},
		{`[1]`, "null: -32600"},
	}
	for _, tt := range tests {
		s.send(tt.body)
		if tt.want != "" {
			s.want(tt.want)
		}
		s.send(callOf("next", "good"))
		s.want(`"next": "good"`)
	}
	if err := s.end(); err != nil {
		t.Errorf("serve returned %v", err)
	}
	log := s.log.String()
	if strings.Contains(log, "secret") {
		t.Errorf("the log tells what a panic held:\n%s", log)
	}
	for _, logged := range []string{"it fails", "index out of range", "panic=string"} {
		if !strings.Contains(log, logged) {
			t.Errorf("the log lacks %q", logged)
		}
	}
}

// TestPrintable: a name that goes into logs and messages is text, and short.
func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "name": "name", "a\xffb": "a\ufffdb",
		strings.Repeat("x", 100):           strings.Repeat("x", 100),
		strings.Repeat("x", 101):           strings.Repeat("x", 100) + "\u2026",
		strings.Repeat("x", 99) + "\u00e9": strings.Repeat("x", 99) + "\ufffd\u2026",
	} {
		if got := Printable(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestBatch(t *testing.T) {
	defer goleak.VerifyNone(t)
	var order []string
	note := func(_ context.Context, _ *Caller, params RawMessage) (any, error) {
		order = append(order, string(params))
		return nil, nil
	}
	release := make(chan struct{})
	s := connect(t, map[string]Route{
		"note": Notification(note),
		"good": Inline(constant(`"good"`)),
		"slow": always(func(context.Context, *Caller, RawMessage) (any, error) {
			<-release
			return RawMessage(`"slow"`), nil
		}),
	}).start()
	s.send(`[{"jsonrpc":"2.0","method":"note","params":[1]},` + callOf(1, "slow") + `,{"jsonrpc":"2.0","method":"note","params":[2]},` +
		`{"jsonrpc":"2.0","ID":5,"method":"good"},` + callOf("a", "good") + `,` + callOf(1, "good") + `,` + callOf(2, "nobody") + `]`)
	s.send(callOf(3, "good"))
	s.want(`3: "good"`) // a slow batch holds nothing up
	close(release)
	s.want(`1: "slow"`, "null: -32600", `"a": "good"`, `1: "good"`, "2: -32601")
	s.send(`[`+notificationOf("note")+`]`, callOf(4, "good"))
	s.want(`4: "good"`)
	if got := strings.Join(order, " "); got != "[1] [2] {}" {
		t.Errorf("notifications: %s", got)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// A result that is raw passes as it is, whatever is in it.
func TestRawResult(t *testing.T) {
	raw := `{ "text" : "` + strings.Repeat(`<é\u0041\n>`, 10_000) + `" }`
	s := connect(t, map[string]Route{"raw": always(constant(raw))}).start()
	s.send(callOf(1, "raw"))
	s.want("1: " + raw)
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// always is a route of a handler that captures nothing.
func always(h Handler) Route { return Async(func() Handler { return h }) }

// testCodec is plain JSON.
type testCodec struct{}

func (testCodec) Marshal(v any) ([]byte, error) { return json.Marshal(v) }

func (testCodec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }
