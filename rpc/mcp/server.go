package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Config is what a server is started with.
type Config struct {
	// Version is the program's own.
	Version string
	// Backend answers the calls. It stays the caller's.
	Backend route.Backend
	// Settings say which tools there are.
	Settings settings.Settings
	// Only names the tools that are served; empty serves all. ReadOnly serves
	// those that change nothing.
	Only     []string
	ReadOnly bool
	// Structured adds structuredContent and output schemas.
	Structured bool
	// ClientRoots lets the client's own roots stand for the backend's.
	ClientRoots bool
	// Room stands for what is known of how many bytes of an answer clients show; 0
	// for nothing.
	Room int
	// Getenv reads the environment in which the client started this process, where
	// clients tell what they show; nil where another program did.
	Getenv func(string) string
	// ConsentTimeout is how long a person has to decide about a change that the client
	// asks them about; 0 is [toolcall.ConsentTimeout].
	ConsentTimeout time.Duration
	// Log takes what happens; never source text.
	Log *slog.Logger
}

func (s *server) patience() time.Duration {
	return cmp.Or(s.config.ConsentTimeout, toolcall.ConsentTimeout)
}

// server is what all connections share.
type server struct {
	config         Config
	form           form.Form
	tools          map[string]tools.Definition
	names          []string // of tools, in the order of [tools.All]
	sdk            *mcp.Server
	implementation *mcp.Implementation
	roots          *clientRoots
	watcher        *watcher
	consent        [sha256.Size]byte // signs what a person was asked
	// modernHead begins a result of the revisions without sessions, in which
	// each one tells who answers.
	modernHead string
	// id names this process among the callers of a session.
	id string
}

// Serve speaks MCP with one client over a pair of streams, a message a line,
// until the client's stream ends or ctx does, and closes both. Calls that are
// not answered when the client's stream ends are answered still. The error is
// nil after an orderly end.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, config Config) error {
	s, err := newServer(config)
	if err != nil {
		return err
	}
	return newConnection(s, in, out).serve(ctx)
}

func newServer(config Config) (*server, error) {
	s := &server{
		config: config, form: form.MCP, tools: make(map[string]tools.Definition),
		id: rand.Text(), consent: newConsentKey(),
	}
	if config.Structured {
		s.form = form.Structured
	}
	served, err := config.served()
	if err != nil {
		return nil, err
	}
	s.implementation = &mcp.Implementation{Name: "agent-lsp", Version: config.Version}
	head, err := wire.Marshal(modernResult{Type: "complete", Meta: serverInfo{s.implementation}})
	if err != nil {
		return nil, err
	}
	s.modernHead = string(head[:len(head)-1]) + ","
	s.roots = newClientRoots(config.ClientRoots, config.Log)
	s.watcher = newWatcher(s)
	for _, d := range served {
		s.tools[d.Name] = d
		s.names = append(s.names, d.Name)
	}
	s.sdk = mcp.NewServer(s.implementation, s.options())
	s.sdk.AddReceivingMiddleware(s.middleware)
	for _, d := range served {
		s.sdk.AddTool(describe(d, config.Structured), s.callFromSDK)
	}
	s.addResources()
	return s, nil
}

// modernResult is what a result of the revisions without sessions has besides.
type modernResult struct {
	Type string     `json:"resultType"`
	Meta serverInfo `json:"_meta"`
}

type serverInfo struct {
	Server *mcp.Implementation `json:"io.modelcontextprotocol/serverInfo"`
}

func (s *server) options() *mcp.ServerOptions {
	return &mcp.ServerOptions{
		Instructions: instructions(s.names),
		Logger:       slog.New(warnings{s.config.Log.Handler()}),
		PageSize:     pageSize,
		Capabilities: &mcp.ServerCapabilities{
			Tools:     &mcp.ToolCapabilities{},
			Resources: &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
		},

		SetCacheable:       func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
		SubscribeHandler:   s.watcher.subscribe,
		UnsubscribeHandler: s.watcher.unsubscribe,
	}
}

// warnings keeps the SDK from telling of each session that begins and ends.
type warnings struct{ slog.Handler }

// Enabled reports whether a record of that level is wanted.
func (w warnings) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && w.Handler.Enabled(ctx, l)
}

// Handle leaves out that a client was not told something: that happens when it
// has ended.
func (w warnings) Handle(ctx context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "calling notifications/") {
		return nil
	}
	return w.Handler.Handle(ctx, r)
}

// pageSize is how many resources, or tools, a page of a list holds.
const pageSize = 100
