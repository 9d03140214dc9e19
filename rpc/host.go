package rpc

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// openSession lets other processes of this user call the tools. Without it the
// editor is served as ever.
func (s *server) openSession(ctx context.Context) {
	if len(s.config.SessionFolders) == 0 {
		return
	}
	served, err := session.Serve(ctx, session.Config{
		Folders: s.config.SessionFolders, PID: os.Getpid(), Version: s.config.Version, Editor: s.client.name,
		Roots: s.rootPaths(), Clients: s.tellClients, Log: s.log, Now: time.Now,
	}, host{s})
	if err != nil {
		s.log.Warn("assistants outside of the editor cannot attach", "error", err)
		return
	}
	s.session = served
}

// closeSession ends what openSession began.
func (s *server) closeSession() {
	if s.session != nil {
		s.session.Close()
	}
}

// moveSession registers the session under the present folders.
func (s *server) moveSession() {
	if s.session == nil {
		return
	}
	if err := s.session.SetRoots(s.rootPaths()); err != nil {
		s.log.Warn("the session's folders cannot be registered", "error", err)
	}
}

func (s *server) rootPaths() []string {
	paths := []string{} // none, in JSON
	for _, f := range s.core.Gate().Folders() {
		paths = append(paths, f.Path)
	}
	return paths
}

// clientsParams are those of agent/clients.
type clientsParams struct {
	Clients []session.Attached `json:"clients"`
}

// pendingClients is who is attached, as far as the editor was not told.
type pendingClients struct {
	mu     sync.Mutex
	list   []session.Attached // nil when it was told
	called bool               // somebody tells it
}

// put notes the news. It reports whether the caller has to see to the telling.
func (n *pendingClients) put(list []session.Attached) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	first := !n.called
	n.list, n.called = list, true
	return first
}

// take returns the news; nil when there are none, and nobody tells them now.
func (n *pendingClients) take() []session.Attached {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	n.list, n.called = nil, list != nil
	return list
}

// tellClients tells the editor who is attached, in the order of the calls.
func (s *server) tellClients(list []session.Attached) {
	if !s.client.abilities.Activity || !s.clients.put(list) {
		return
	}
	told := s.background.Go(func(ctx context.Context) {
		for list := s.clients.take(); list != nil; list = s.clients.take() {
			s.tell(ctx, "agent/clients", clientsParams{list})
		}
	})
	if !told {
		for s.clients.take() != nil { // nobody tells it: the next news may
		}
	}
}

// host is the server as callers at its socket see it.
type host struct{ *server }

// Call implements [session.Host].
func (h host) Call(ctx context.Context, c session.Call) (session.Answer, error) {
	tool, err := h.tool(c.Tool)
	if err != nil {
		return session.Answer{}, fault.New(fault.InvalidParams, "%v", err)
	}
	if tool.Local {
		return session.Encode(ctx, c, tools.RefuseLocal(tool))
	}
	gate, err := h.core.NarrowedGate(c.Roots)
	if err != nil {
		return session.Answer{}, err
	}
	defer h.core.Prepare()
	h.drain(ctx)
	env := h.core.EnvFor(h.store.Overlay(), gate)
	defer func() { env.Close() }()
	env.Editor, env.Client, env.Progress = &editor{h.server, h.conn.Caller()}, c.Client, c.Progress
	env.ReadGuards = c.ReadGuards
	if c.Quiet {
		env.Editor, env.Usage = silentEditor{&editor{h.server, h.conn.Caller()}}, nil
	}
	if c.Ask != nil {
		env.Ask = unguarded(c.Ask)
	}
	env.Show(session.PeerDocuments(c.Extra))
	return session.Encode(ctx, c, h.runTool(ctx, tool, env, c.Arguments))
}

// unguarded is ask without what only the editor's person may agree to: who
// calls at the socket may be any program of this user.
func unguarded(ask askFunc) askFunc {
	return func(ctx context.Context, r toolcall.ConfirmRequest) (toolcall.Decision, error) {
		if r.Guarded {
			return toolcall.Decision{}, notOffered("confirmEdit")
		}
		return ask(ctx, r)
	}
}

type askFunc = func(context.Context, toolcall.ConfirmRequest) (toolcall.Decision, error)

// silentEditor is an editor that does not hear of calls.
type silentEditor struct{ *editor }

func (silentEditor) Activity(context.Context, toolcall.Activity) {}

// drain returns when what the editor had sent before the call is handled.
func (s *server) drain(ctx context.Context) {
	if s.config.Drain != nil {
		s.config.Drain(ctx)
	}
}

// Documents implements [session.Host].
func (h host) Documents(ctx context.Context, q session.Query) []session.PeerDocument {
	h.drain(ctx)
	s := h.core.Snapshot()
	defer s.Close()
	return session.Documents(ctx, s, q)
}

// Command implements [session.Host].
func (h host) Command(ctx context.Context, client toolcall.Client, c session.Command) {
	defer h.core.Prepare()
	command := core.HostCommand{Client: client, ID: c.ID, Line: c.Line}
	if c.Ended {
		h.core.CommandEnded(ctx, command)
	} else {
		h.core.CommandBegins(ctx, command)
	}
}

// Feed implements [session.Host].
func (h host) Feed() *buffers.Feed { return h.store.Feed() }

// Hides implements [session.Host].
func (h host) Hides(d *buffers.Document) bool {
	s := h.core.Snapshot()
	defer s.Close()
	return s.Gate.CheckRead(d.Path) != nil
}

var _ session.Host = host{}
