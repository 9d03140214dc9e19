package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// pushed reads until the server says something by itself, by that method.
func (p *peer) pushedBy(method string) map[string]any {
	p.t.Helper()
	for {
		for i, m := range p.pushed {
			if m["method"] == method {
				p.pushed = append(p.pushed[:i:i], p.pushed[i+1:]...)
				return m
			}
		}
		p.pushed = append(p.pushed, p.next())
	}
}

// protected writes a file that governs agents, which needs consent.
func protected(id any) string {
	return call(id, "write_file", map[string]any{"path": ".mcp.json", "content": "A=1\n"})
}

func TestThePersonIsAsked(t *testing.T) {
	for action, agrees := range map[string]bool{"accept": true, "decline": false, "cancel": false} {
		t.Run(action, func(t *testing.T) {
			dir := workspaceDir(t, nil)
			p := dial(t, Config{Backend: newDiskBackend(t, dir)})
			p.initialize("2025-11-25", `{"elicitation":{}}`)
			p.send(protected(1))
			m := p.pushedBy("elicitation/create")
			params, _ := m["params"].(map[string]any)
			if message := fmt.Sprint(params["message"]); !strings.Contains(message, ".mcp.json") || !strings.Contains(message, "+A=1") {
				t.Errorf("the person is shown: %s", message)
			}
			raw, _ := json.Marshal(m["id"])
			p.send(`{"jsonrpc":"2.0","id":` + string(raw) + `,"result":{"action":"` + action + `","content":{}}}`)
			said, failed := textOf(t, p.answer(1))
			written, err := os.ReadFile(filepath.Join(dir, ".mcp.json"))
			if failed == agrees || (err == nil) != agrees || !agrees && !strings.HasPrefix(said, "rejected_by_user") {
				t.Errorf("%s; written: %q", said, written)
			}
		})
	}
}

// TestCallIsCancelledWhileThePersonIsAsked: like every other it is not answered.
func TestCallIsCancelledWhileThePersonIsAsked(t *testing.T) {
	p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\n"}))})
	p.initialize("2025-11-25", `{"elicitation":{}}`)
	p.send(protected(1))
	p.pushedBy("elicitation/create")
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	for { // until its id is free again
		p.send(call(1, "read_file", map[string]any{"path": "a.txt"}))
		m := p.answer(1)
		if codeOf(m) == jsonrpc.CodeInvalidRequest {
			continue
		}
		if said, failed := textOf(t, m); failed {
			t.Errorf("the cancelled call is answered: %s", said)
		}
		return
	}
}

// TestNobodyAnswers: a question that nobody answers in time is withdrawn and is a no,
// an answer that comes later changes nothing, and the next call works.
func TestNobodyAnswers(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": "one\n"})
	p := dial(t, Config{Backend: newDiskBackend(t, dir), ConsentTimeout: 20 * time.Millisecond})
	p.initialize("2025-11-25", `{"elicitation":{}}`)
	p.send(protected(1))
	raw, _ := json.Marshal(p.pushedBy("elicitation/create")["id"])
	if said, failed := textOf(t, p.answer(1)); !failed || !strings.HasPrefix(said, "rejected_by_user") || !strings.Contains(said, "nobody answered within 20ms") {
		t.Error(said)
	}
	p.pushedBy("notifications/cancelled")
	p.send(`{"jsonrpc":"2.0","id":` + string(raw) + `,"result":{"action":"accept","content":{}}}`)
	p.send(call(2, "read_file", map[string]any{"path": "a.txt"}))
	if said, failed := textOf(t, p.answer(2)); failed {
		t.Error(said)
	}
	if _, err := os.Stat(filepath.Join(dir, ".mcp.json")); err == nil {
		t.Error("it was written")
	}
}

// TestTheClientHangsUpWhileThePersonIsAsked: the question ends, and the call is
// answered.
func TestTheClientHangsUpWhileThePersonIsAsked(t *testing.T) {
	p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
	p.initialize("2025-11-25", `{"elicitation":{}}`)
	p.send(protected(1))
	p.pushedBy("elicitation/create")
	_ = p.in.Close()
	if said, failed := textOf(t, p.answer(1)); !failed || !strings.HasPrefix(said, "permission_denied") {
		t.Error(said)
	}
}

func TestNobodyIsAskedWhoCannotBe(t *testing.T) {
	p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
	p.initialize("2025-11-25", "{}")
	p.send(protected(1))
	if said, failed := textOf(t, p.answer(1)); !failed || !strings.HasPrefix(said, "permission_denied") {
		t.Error(said)
	}
}

func TestThePersonIsAskedBetweenTwoCalls(t *testing.T) {
	dir := workspaceDir(t, nil)
	p := dial(t, Config{Backend: newDiskBackend(t, dir)})
	first := strings.Replace(modernCall(protected(1)), `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{}}`, 1)
	p.send(first)
	result, _ := p.answer(1)["result"].(map[string]any)
	state, _ := result["requestState"].(string)
	if result["resultType"] != "input_required" || state == "" || result["content"] != nil {
		t.Fatalf("answered %v", result)
	}
	again := func(line, state string) map[string]any {
		with := `"inputResponses":{"consent":{"action":"accept","content":{}}},"requestState":"` + state + `","_meta"`
		p.send(strings.Replace(line, `"_meta"`, with, 1))
		result, _ := p.answer(1)["result"].(map[string]any)
		return result
	}
	// Consent is to the change that was shown, not to another.
	other := strings.Replace(first, "A=1", "A=2", 1)
	if result := again(other, state); result["resultType"] != "input_required" {
		t.Errorf("another change: %v", result)
	}
	if result := again(first, strings.Repeat("0", len(state))); result["resultType"] != "input_required" {
		t.Errorf("a forged state: %v", result)
	}
	if result := again(first, state); result["resultType"] != "complete" || result["isError"] == true {
		t.Errorf("with consent: %v", result)
	}
	if written, _ := os.ReadFile(filepath.Join(dir, ".mcp.json")); string(written) != "A=1\n" {
		t.Errorf("written: %q", written)
	}
}

func TestRootsOfTheClient(t *testing.T) {
	b := newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\n"}))
	p := dial(t, Config{Backend: b, ClientRoots: true})
	p.initialize("2025-11-25", `{"roots":{"listChanged":true}}`)
	p.send(call(1, "read_file", map[string]any{"path": "a.txt"})) // waits for the roots
	answerRoots := func(uri string) {
		raw, _ := json.Marshal(p.pushedBy("roots/list")["id"])
		p.send(`{"jsonrpc":"2.0","id":` + string(raw) + `,"result":{"roots":[{"uri":"` + uri + `"},{"uri":"https://example.com"}]}}`)
	}
	answerRoots("file:///first%20one")
	p.answer(1)
	p.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	answerRoots("file:///second")
	for i := 2; ; i++ {
		p.send(call(i, "read_file", map[string]any{"path": "a.txt"}))
		p.answer(i)
		b.mu.Lock()
		roots := fmt.Sprint(b.calls[0].Roots, b.calls[len(b.calls)-1].Roots)
		b.mu.Unlock()
		if roots == "[{ /first one }] [{ /second }]" {
			return
		}
		if !strings.HasPrefix(roots, "[{ /first one }] ") {
			t.Fatalf("the calls came with the roots %s", roots)
		}
	}
}

func TestProgressIsTold(t *testing.T) {
	b := newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\n"}))
	b.before = func(_ context.Context, c session.Call) error {
		time.Sleep(progressEvery + 10*time.Millisecond)
		c.Progress("searching", 3, 10)
		return nil
	}
	p := dial(t, Config{Backend: b})
	p.initialize("2025-11-25", "{}")
	p.send(strings.Replace(call(1, "read_file", map[string]any{"path": "a.txt"}), `"params":{`, `"params":{"_meta":{"progressToken":"t"},`, 1))
	p.answer(1)
	if told := fmt.Sprint(p.pushed); told != `[map[jsonrpc:2.0 method:notifications/progress params:map[message:searching progress:3 progressToken:t total:10]]]` {
		t.Errorf("told: %s", told)
	}
}

// TestProgressIsThrottled: not before a call takes long, not too often, and
// only what grows.
func TestProgressIsThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []int
		tell := throttled(func(_ string, done, _ int) { told = append(told, done) })
		tell("", 1, 10) // too soon
		time.Sleep(progressEvery - 1)
		tell("", 2, 10) // still
		time.Sleep(time.Nanosecond)
		tell("", 3, 10)
		tell("", 4, 10) // too soon after it
		time.Sleep(progressEvery)
		tell("", 2, 10) // it goes back
		tell("", 3, 10) // it does not grow
		tell("", 5, 10)
		if fmt.Sprint(told) != "[3 5]" {
			t.Errorf("told %v", told)
		}
	})
}

func TestResources(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a b.txt": "one\ntwo\n", ".env": "SECRET=1\n", "bin": "\x00\x01", "p": "\x89PNG\r\n\x1a\n\x00"})
	b := newDiskBackend(t, dir)
	for i := range 150 {
		b.documents = append(b.documents, session.Document{URI: fmt.Sprintf("file://%s/open%03d.go", dir, i), Hash: "sha256:1"})
	}
	b.documents = append(b.documents, session.Document{URI: "untitled:Untitled-1", Hash: "sha256:1"},
		session.Document{URI: "file://" + dir + "/.env"}) // the policy keeps it from agents
	p := dial(t, Config{Backend: b})
	p.initialize("2025-11-25", "{}")
	seen, cursor := make(map[string]bool), ""
	for pages := 1; ; pages++ {
		params, _ := json.Marshal(map[string]any{"cursor": cursor})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":` + string(params) + `}`)
		result, _ := p.answer(1)["result"].(map[string]any)
		list, _ := result["resources"].([]any)
		for _, r := range list {
			uri, _ := r.(map[string]any)["uri"].(string)
			seen[uri] = true
		}
		if cursor, _ = result["nextCursor"].(string); cursor == "" {
			if pages != 2 || len(seen) != 151 || !seen["untitled:Untitled-1"] {
				t.Errorf("%d pages list %d resources", pages, len(seen))
			}
			break
		}
	}
	read := func(uri string) string {
		p.send(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"` + uri + `"}}`)
		raw, _ := json.Marshal(p.answer(2))
		return string(raw)
	}
	for uri, want := range map[string]string{
		"file://" + dir + "/a%20b.txt": `"text":"one\ntwo\n"`,
		"file://" + dir + "/bin":       `"blob":"AAE=","mimeType":"application/octet-stream"`,
		"file://" + dir + "/p":         `"blob":"iVBORw0KGgoA","mimeType":"image/png"`,
		"file://" + dir + "/.env":      `permission_denied`,
		"file:///etc/passwd":           `outside_workspace`,
		"file://" + dir + "/none":      `"message":"Resource not found"`,
		"http://example.com/":          `"message":"Resource not found"`,
	} {
		if got := read(uri); !strings.Contains(got, want) {
			t.Errorf("%s: %s", uri, got)
		}
	}
}

func TestSubscriptions(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	b := newDiskBackend(t, dir)
	p := dial(t, Config{Backend: b})
	p.initialize("2025-11-25", "{}")
	uri := "file://" + dir + "/a.txt"
	p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"`+uri+`"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"file:///etc/passwd"}}`)
	for range 2 {
		if m := p.next(); (m["id"] == 1.0) != (codeOf(m) == 0) {
			t.Fatalf("answered %v", m)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.tell()
	params, _ := p.pushedBy("notifications/resources/updated")["params"].(map[string]any)
	if params["uri"] != uri {
		t.Errorf("told of %v", params)
	}
	b.mu.Lock()
	b.documents = []session.Document{{URI: "untitled:Untitled-1", Hash: "sha256:1"}}
	b.mu.Unlock()
	b.tell()
	p.pushedBy("notifications/resources/list_changed")
	p.send(`{"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"` + uri + `"}}`)
	p.answer(3)
}

func TestSubscriptionsHaveAnEnd(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": "", "b.txt": ""})
	s, err := newServer(Config{Backend: newDiskBackend(t, dir), Settings: defaults, Log: discard})
	if err != nil {
		t.Fatal(err)
	}
	_, transport := mcp.NewInMemoryTransports()
	client, err := s.sdk.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for i := range maxWatched - 1 {
		s.watcher.subs[fmt.Sprint(i)] = &subscription{clients: map[*mcp.ServerSession]int{client: 1}}
	}
	a, b := "file://"+dir+"/a.txt", "file://"+dir+"/b.txt"
	subscribe := func(uri string) error {
		return s.watcher.subscribe(t.Context(), &mcp.SubscribeRequest{Session: client, Params: &mcp.SubscribeParams{URI: uri}})
	}
	if err := subscribe(a); err != nil {
		t.Fatal(err)
	}
	if wrong, ok := errors.AsType[*jsonrpc.Error](subscribe(b)); !ok || wrong.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("one too many: %v", wrong)
	}
	if err := s.watcher.unsubscribe(t.Context(), &mcp.UnsubscribeRequest{Session: client, Params: &mcp.UnsubscribeParams{URI: a}}); err != nil {
		t.Fatal(err)
	}
	if err := subscribe(b); err != nil {
		t.Error(err)
	}
}

// TestSubscriptionsEndWithTheirClient: what a client of HTTP subscribed to is
// forgotten with its session, while another has one.
func TestSubscriptionsEndWithTheirClient(t *testing.T) {
	s, err := newServer(Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "", "b.txt": ""})), Settings: defaults, Log: discard})
	if err != nil {
		t.Fatal(err)
	}
	connect := func() *mcp.ServerSession {
		_, transport := mcp.NewInMemoryTransports()
		client, err := s.sdk.Connect(t.Context(), transport, nil)
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	first, second := connect(), connect()
	subscribe := func(client *mcp.ServerSession, uri string) {
		if err := s.watcher.subscribe(t.Context(), &mcp.SubscribeRequest{Session: client, Params: &mcp.SubscribeParams{URI: uri}}); err != nil {
			t.Fatal(err)
		}
	}
	subscribe(first, "a.txt")
	subscribe(second, "a.txt")
	subscribe(first, "b.txt")
	subscribe(first, "b.txt")
	_ = first.Close()
	if known := s.watcher.known(); len(known) != 1 || known["a.txt"] == "" {
		t.Errorf("watched are %v", known)
	}
	_ = second.Close()
	if known := s.watcher.known(); len(known) != 0 {
		t.Errorf("watched are %v", known)
	}
}

func TestListening(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": "one\n"})
	b := newDiskBackend(t, dir)
	p := dial(t, Config{Backend: b})
	uri := "file://" + dir + "/a.txt"
	p.send(strings.Replace(modernCall(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{`), `"method":"tools/call"`, "", 1) +
		`"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["` + uri + `"]}}}`)
	p.pushedBy("notifications/subscriptions/acknowledged")
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.tell()
	p.pushedBy("notifications/resources/updated")
}

func TestAPanicCostsItsCall(t *testing.T) {
	b := newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\n"}))
	b.before = func(context.Context, session.Call) error { panic("oh") }
	p := dial(t, Config{Backend: b})
	p.initialize("2025-11-25", "{}")
	p.send(call(1, "read_file", map[string]any{"path": "a.txt"}))
	if said, failed := textOf(t, p.answer(1)); !failed || !strings.HasPrefix(said, "internal: ") {
		t.Error(said)
	}
}

func TestClientThatStopsReadingIsLeft(t *testing.T) {
	b := newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": strings.Repeat("some text\n", 5000)}))
	s, err := newServer(Config{Backend: b, Log: discard, Settings: defaults})
	if err != nil {
		t.Fatal(err)
	}
	serverIn, in := pipe(t)
	out, serverOut := pipe(t)
	c := newConnection(s, serverIn, serverOut)
	c.out.patience = 50 * time.Millisecond
	done := make(chan error, 1)
	go func() { done <- c.serve(t.Context()) }()
	for _, line := range handshake {
		_, _ = fmt.Fprintln(in, line)
	}
	for i := range 100 { // far more answers than fit the pipe
		_, _ = fmt.Fprintln(in, call(i+1, "read_file", map[string]any{"path": "a.txt", "max_bytes": 50_000, "start_byte": 0}))
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "write to the client") {
		t.Errorf("ended with %v", err)
	}
	_, _ = in.Close(), out.Close()
}
