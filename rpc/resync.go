package rpc

import (
	"context"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
)

const (
	// resyncTimeout is how long the editor has to give a document's text.
	resyncTimeout = 5 * time.Second
	// resyncWait is how long a call waits for that.
	resyncWait = time.Second
	// resyncTries is how often it is asked when its answers were overtaken.
	resyncTries = 3
)

// resyncs are the documents whose text is being asked for.
type resyncs struct {
	mu      sync.Mutex
	running map[string]chan struct{} // closed when the asking ends
}

func (r *resyncs) begin(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running[key] != nil {
		return false
	}
	r.running[key] = make(chan struct{})
	return true
}

func (r *resyncs) end(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.running[key])
	delete(r.running, key)
}

// over returns a channel that is closed once a document's text is not being
// asked for.
func (r *resyncs) over(key string) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if running := r.running[key]; running != nil {
		return running
	}
	over := make(chan struct{})
	close(over)
	return over
}

// AwaitResync implements [tools.Editor]. Where the editor did not give the text
// before, it is asked again.
func (e *editor) AwaitResync(ctx context.Context, d *buffers.Document) bool {
	e.resync(d.Key())
	moment := time.NewTimer(resyncWait)
	defer moment.Stop()
	select {
	case <-e.resyncs.over(d.Key()):
		return true
	case <-moment.C:
	case <-ctx.Done():
	}
	return false
}

// resync asks the editor for the text of a document that is out of sync. Without
// the ability, the document stays so until it is opened again or its whole
// text is sent.
func (s *server) resync(key string) {
	if !s.client.abilities.Resync || !s.resyncs.begin(key) {
		return
	}
	ok := s.background.Go(func(ctx context.Context) {
		defer s.resyncs.end(key)
		for range resyncTries {
			if s.askText(ctx, s.conn.Caller(), key) {
				return
			}
		}
		s.log.Warn("a document stays unsure: the editor did not give its text")
	})
	if !ok {
		s.resyncs.end(key)
	}
}

// askText reports whether nothing more is to be asked.
func (s *server) askText(ctx context.Context, caller *jsonrpc.Caller, key string) bool {
	d := s.store.Overlay().Get(key)
	if d == nil || d.OutOfSync == "" {
		return true
	}
	var answer struct {
		Version  int32      `json:"version"`
		Text     *wholeText `json:"text"`
		LineRule *string    `json:"line_rule"`
	}
	err := caller.Call(ctx, resyncTimeout, "agent/resync", uriParams{d.URI}, &answer)
	if err != nil || answer.Text == nil {
		s.log.Warn("agent/resync", "error", err)
		return ctx.Err() != nil
	}
	if answer.Text.loneSurrogates {
		s.log.Warn("agent/resync: the text holds half of a surrogate pair")
		return true // until somebody asks for the document
	}
	lines := d.Lines()
	if answer.LineRule != nil {
		if rule, ok := text.ParseLineRule(*answer.LineRule); ok {
			lines = rule
		}
	}
	return s.store.Resync(d, answer.Version, s.client.encoding, lines, answer.Text.string)
}

// wholeText is a document's text in an answer.
type wholeText struct {
	string
	loneSurrogates bool // it has lone surrogates, shown as U+FFFD
}

// UnmarshalJSON implements json.Unmarshaler.
func (w *wholeText) UnmarshalJSON(raw []byte) error {
	r := paramsReader{Decoder: wire.NewDecoder(raw)}
	return r.outcome("agent/resync", r.whole("text", &w.string, &w.loneSurrogates))
}

// uriParams are the params of what is asked about one document.
type uriParams struct {
	URI string `json:"uri"`
}
