package hosttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// prompt is what the person asks every host.
const prompt = "agent-lsp host test: do as you are told"

// Tool is a tool that a host offers the model.
type Tool struct {
	Name      string // as the model calls it
	Namespace string // of OpenAI's responses API, else ""
	Kind      string // "function", or another type of the responses API
	Schema    json.RawMessage
}

// Result is what a host answered a call with.
type Result struct{ ID, Text string }

// Call is a call that the model makes.
type Call struct {
	ID   string
	Tool Tool
	Args json.RawMessage
}

// Reply is what the model says: calls, or else a text.
type Reply struct {
	Calls []Call
	Text  string
}

// Turn is a request of a host, which waits for the model's reply.
type Turn struct {
	Tools   []Tool
	Results []Result // of the whole conversation, in its order
	Body    []byte   // the request as it came
	reply   chan<- Reply
}

// Reply answers the turn; it is called once.
func (t *Turn) Reply(r Reply) { t.reply <- r }

// request is what a dialect makes of a request's body.
type request struct {
	tools   []Tool
	results []Result
	stream  bool
	json    bool   // the answer has to be JSON
	model   string // its name
	number  int    // of the request
}

// dialect is one of the APIs that hosts talk to models by.
type dialect struct {
	name string // what a request's path ends with, or holds
	read func(body []byte) (request, error)
	// events and whole make the answer, streamed and in one piece.
	events func(request, Reply) []any
	whole  func(request, Reply) any
}

func dialects() []dialect {
	return []dialect{anthropic(), responses(), completions(), gemini()}
}

// Model is a server that imitates the APIs of models. Close ends it.
type Model struct {
	// Turns are the turns that wait for a reply.
	Turns <-chan *Turn

	turns  chan *Turn
	prompt []byte
	server http.Server
	url    string
	served sync.WaitGroup

	mu       sync.Mutex
	requests int
}

// NewModel starts a model on a free port of this machine. A request that holds
// the prompt and offers tools is a turn of the conversation; others, for titles
// and the like, are answered without the script.
func NewModel(ctx context.Context, prompt string) (*Model, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	turns := make(chan *Turn)
	m := &Model{Turns: turns, turns: turns, prompt: []byte(prompt), url: "http://" + l.Addr().String()}
	m.server.Handler = http.HandlerFunc(m.serve)
	m.served.Go(func() { _ = m.server.Serve(l) }) // ends with Close
	return m, nil
}

// URL is where the model is, without a path.
func (m *Model) URL() string { return m.url }

// Close ends the server, and what waits for a reply.
func (m *Model) Close() {
	_ = m.server.Close()
	m.served.Wait()
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	for _, d := range dialects() {
		if r.Method == http.MethodPost && strings.Contains(r.URL.Path, d.name) && !strings.HasSuffix(r.URL.Path, "count_tokens") {
			m.answer(w, r, d, body)
			return
		}
	}
	// Lists of models, counts of tokens, telemetry.
	writeJSON(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}, "input_tokens": 100, "totalTokens": 100})
}

func (m *Model) answer(w http.ResponseWriter, r *http.Request, d dialect, body []byte) {
	q, err := d.read(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q.stream = q.stream || strings.Contains(r.URL.Path, "stream")
	q.number = m.count()
	reply, ok := m.ask(r.Context(), q, body)
	switch {
	case !ok: // the host has gone
	case q.stream:
		writeEvents(w, d.events(q, reply))
	default:
		writeJSON(w, d.whole(q, reply))
	}
}

// ask waits for the script's reply to a turn; ok is false when nobody waits for
// it any more.
func (m *Model) ask(ctx context.Context, q request, body []byte) (reply Reply, ok bool) {
	if q.json || len(q.tools) == 0 || !bytes.Contains(body, m.prompt) {
		if q.json { // a title, who speaks next, and which model is fit for it
			return Reply{Text: `{"title":"A friendlier greeting","reasoning":"x","next_speaker":"user","complexity_reasoning":"x","complexity_score":1,"model_choice":"flash"}`}, true
		}
		return Reply{Text: "ok"}, true
	}
	answer := make(chan Reply, 1)
	select {
	case m.turns <- &Turn{Tools: q.tools, Results: q.results, Body: body, reply: answer}:
	case <-ctx.Done():
		return Reply{}, false
	}
	select {
	case reply = <-answer:
		return reply, true
	case <-ctx.Done():
		return Reply{}, false
	}
}

func (m *Model) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	return m.requests
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a host that has gone
}

// writeEvents writes server-sent events; a string goes as it is, and what has a
// type is named by it.
func writeEvents(w http.ResponseWriter, events []any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		data, ok := e.(string)
		if !ok {
			data = string(encode(e))
		}
		if o, ok := e.(object); ok && o["type"] != nil {
			fmt.Fprintf(w, "event: %s\n", o["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

// object is a JSON object that is written by hand.
type object map[string]any

// encode encodes what is made here of values that always can be.
func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// plainText is the text of a tool's result, in whatever shape a host sends it:
// a string, an object with text, output or content, or a list of such.
func plainText(raw json.RawMessage) string {
	var s string
	var list []json.RawMessage
	var o map[string]json.RawMessage
	switch {
	case json.Unmarshal(raw, &s) == nil:
		return s
	case json.Unmarshal(raw, &list) == nil:
		parts := make([]string, len(list))
		for i, e := range list {
			parts[i] = plainText(e)
		}
		return strings.Join(parts, "\n")
	case json.Unmarshal(raw, &o) == nil:
		for _, name := range []string{"text", "output", "content", "error"} {
			if inner, there := o[name]; there {
				return plainText(inner)
			}
		}
	}
	return string(raw)
}
