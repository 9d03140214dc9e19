package rpc

import (
	"cmp"
	"context"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// usualProgress is how often a client hears of a long call, at most, and how
// long a call takes that it hears of at all.
const usualProgress = 200 * time.Millisecond

// progress tells the client how far a call is, under the token that the
// client gave. It is used by one goroutine at a time.
type progress struct {
	server *server
	ctx    context.Context
	token  wire.RawValue
	every  time.Duration
	last   time.Time
	begun  bool
}

type progressParams struct {
	Token wire.RawValue `json:"token"`
	Value progressValue `json:"value"`
}

type progressValue struct {
	Kind        string `json:"kind"`
	Title       string `json:"title,omitempty"`
	Cancellable bool   `json:"cancellable,omitzero"`
	Percentage  int    `json:"percentage,omitzero"`
}

func (s *server) newProgress(ctx context.Context, token []byte) *progress {
	return &progress{
		server: s, ctx: ctx, token: wire.RawValue(token),
		every: cmp.Or(s.config.ProgressEvery, usualProgress), last: time.Now(),
	}
}

// report tells that done of total is done.
func (p *progress) report(title string, done, total int) {
	now := time.Now()
	if now.Sub(p.last) < p.every || total <= 0 {
		return
	}
	p.last = now
	v := progressValue{Kind: "report", Percentage: 100 * done / total}
	if !p.begun {
		v.Kind, v.Title, v.Cancellable = "begin", title, true
	}
	p.begun = true
	p.send(v)
}

func (p *progress) end() {
	if p.begun {
		p.send(progressValue{Kind: "end"})
	}
}

func (p *progress) send(v progressValue) {
	p.server.tell(p.ctx, "$/progress", progressParams{p.token, v})
}
