package scenario

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/mcp"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools"
)

// mcpSurface calls tools through an MCP server that is attached to the
// editor's session.
type mcpSurface struct {
	*lspSurface
	in      io.WriteCloser
	end     func()
	served  chan error
	readers sync.WaitGroup

	mu      sync.Mutex
	last    int
	waiting map[int]chan mcpAnswer
}

type mcpAnswer struct {
	ID     int                  `json:"id"`
	Result Answer               `json:"result"`
	Error  *fakeeditor.RPCError `json:"error"`
}

// openMCP starts a server beside an editor, and an MCP server that finds it.
// reading are the tools that change nothing.
func openMCP(ctx context.Context, t testing.TB, w Workspace, reading []string) (Surface, error) {
	lsp, backend, end, err := OpenBackend(ctx, t, w)
	if err != nil {
		return nil, err
	}
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	s := &mcpSurface{
		lspSurface: lsp.(*lspSurface), in: in, served: make(chan error, 1), waiting: make(map[int]chan mcpAnswer),
		end: end,
	}
	config := mcp.Config{
		Room: 1 << 30, Version: "test", Settings: settings.Default(), Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		Backend: bothForms{Backend: backend, t: t, reading: reading},
	}
	go func() { s.served <- mcp.Serve(context.WithoutCancel(ctx), serverIn, serverOut, config) }()
	s.readers.Go(func() { s.read(out) })
	hello := s.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "fakeeditor", "version": "1"},
	})
	if _, err := hello.Answer(ctx); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	return s, nil
}

// bothForms has the session answer in LSP's form, which the scenarios hold, and
// sees to it that MCP's says the same.
type bothForms struct {
	route.Backend
	t       testing.TB
	reading []string // tools that can be asked twice
}

func (b bothForms) Call(ctx context.Context, c session.Call) (session.Answer, error) {
	asked := c.Form
	c.Form = form.LSP
	answer, err := b.Backend.Call(ctx, c)
	answer.Raw = WithoutEditorNote(answer.Raw)
	if err != nil || !slices.Contains(b.reading, c.Tool) || ctx.Err() != nil {
		return answer, err
	}
	c.Form = asked
	whole, err := b.Backend.Call(ctx, c)
	if err == nil {
		b.agree(c, answer, whole)
	}
	return answer, err
}

// agree checks that the text of whole begins and ends with what LSP says in
// its text, and that it has no second copy of it.
func (b bothForms) agree(c session.Call, lsp, whole session.Answer) {
	var one, other Answer
	if err := errors.Join(json.Unmarshal(lsp.Raw, &one), json.Unmarshal(whole.Raw, &other)); err != nil {
		b.t.Errorf("%s: %v", c.Tool, err)
		return
	}
	header, after, _ := strings.Cut(one.Content[0].Text, "\n\n")
	text := string(WithoutEditorNote([]byte(other.Content[0].Text)))
	if one.IsError != other.IsError || len(other.Structured) > 0 || len(one.Content) != len(other.Content) ||
		!strings.HasPrefix(text, header) || !strings.HasSuffix(text, after) {
		b.t.Errorf("%s %s: over LSP %s\nover MCP %s", c.Tool, c.Arguments, lsp.Raw, whole.Raw)
	}
}

func (s *mcpSurface) read(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var a mcpAnswer
		if json.Unmarshal([]byte(line), &a) != nil {
			continue
		}
		s.mu.Lock()
		if w := s.waiting[a.ID]; w != nil {
			w <- a
		}
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.waiting {
		close(w)
	}
	s.waiting = nil
}

// Begin calls when the server has seen what the editor told before: the two
// come by different ways.
func (s *mcpSurface) Begin(tool string, args json.RawMessage) Call {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := AwaitServer(ctx, s.editor); err != nil {
		return mcpCall{err: err}
	}
	return s.request("tools/call", map[string]any{"name": tool, "arguments": args})
}

func (s *mcpSurface) request(method string, params any) mcpCall {
	s.mu.Lock()
	s.last++
	id, answer := s.last, make(chan mcpAnswer, 1)
	if s.waiting == nil {
		close(answer)
	} else {
		s.waiting[id] = answer
	}
	s.mu.Unlock()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err == nil {
		_, err = fmt.Fprintf(s.in, "%s\n", body)
	}
	return mcpCall{answer, err}
}

func (s *mcpSurface) Close(ctx context.Context) error {
	_ = s.in.Close() // a pipe in memory
	err := <-s.served
	s.readers.Wait()
	s.end()
	return errors.Join(err, s.lspSurface.Close(ctx))
}

type mcpCall struct {
	answer chan mcpAnswer
	err    error
}

func (c mcpCall) Answer(ctx context.Context) (Answer, error) {
	if c.err != nil {
		return Answer{}, c.err
	}
	select {
	case a, open := <-c.answer:
		switch {
		case !open:
			return Answer{}, fakeeditor.ErrClosed
		case a.Error != nil:
			return Answer{}, a.Error
		}
		return a.Result, nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

func (mcpCall) Cancel() {}

// TestScenariosOverMCP runs the scenarios from a second process's place, an MCP
// client's, and wants the answers that LSP gives.
func TestScenariosOverMCP(t *testing.T) {
	if *update {
		t.Skip("LSP's answers are what is written down")
	}
	var reading []string
	for _, d := range tools.All() {
		if d.ReadOnly {
			reading = append(reading, d.Name)
		}
	}
	open := func(ctx context.Context, t testing.TB, w Workspace) (Surface, error) {
		return openMCP(ctx, t, w, reading)
	}
	EachElsewhere(t, scenarios, func(t *testing.T, path string) { Run(t, path, open, false) })
}
