package core

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/internal/review"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/usage"
)

// Core is what the calls of one process share, whichever way they come: the
// open documents, what is known of the files, and what is kept between runs.
// It is safe for concurrent use. [Core.Close] ends it, after the work that
// Config.Background took has ended.
type Core struct {
	Store    *buffers.Store
	Disk     *buffers.Disk
	Outlines *outline.Cache

	config   Config
	gate     atomic.Pointer[workspace.Gate]
	catalog  *catalog.Catalog
	index    *search.Indexer
	search   *search.Searcher
	caches   caches
	texts    *buffers.Texts
	paths    *fuzzy.PathMasks
	outputs  *output.Store // nil when nothing can be kept
	usage    *usage.Usage
	reads    *toolcall.Reads
	verdicts toolcall.Verdicts
	hashes   *toolcall.Shown
	history  *history.History
	reviews  *review.Reviews // nil where nothing is remembered
	pointed  pointings
	// consents are those that hold for as long as the process lives.
	consents     *toolcall.Consents
	noticedFiles *toolcall.Noticed // nil where nothing is remembered
	// commands are those of hosts, whose changes go to the history.
	commands hostCommands
	journal  *atomicfile.Journal // nil when nothing can be kept
	// recovered are the interrupted calls that the journal told of at the
	// start, noticed tells that a caller was told of them.
	recovered []atomicfile.Recovered
	noticed   atomic.Bool
	warned    atomic.Bool // a caller was told that the workspace is wide
	prepared  sync.Once

	historyOpen sync.Once
	problems    []string // of the history that is kept

	rootGates, narrowedGates rootGates
}

// Config is what a core is made with.
type Config struct {
	// CacheHome is the folder for what can be made again, agent-lsp/ below it
	// is ours; absolute, "" keeps nothing between runs.
	CacheHome string
	// StateHome is the folder for what must last, agent-lsp/ below it is ours;
	// absolute, "" does without.
	StateHome string
	// Own are the absolute paths of further files and folders that are the
	// program's: settings and sockets. No tool writes there, nor to what is
	// ours in CacheHome and StateHome.
	Own []string
	// Home is the person's home folder; "" where it is not known.
	Home string
	// Excludes is what the person has git ignore in all repositories: the bytes
	// of core.excludesFile.
	Excludes []byte
	// Background runs work that no answer waits for; it returns false when it
	// does not take it.
	Background func(func(context.Context)) bool
	// Log takes what happens; never source text.
	Log *slog.Logger
	// Now is the clock that files' times are held against.
	Now func() time.Time
	// CommandWait is how long who tells of a host's command waits for the list of
	// files at most; 0 for 50 ms.
	CommandWait time.Duration
	// OneCall reports whether the core lives for one call, that of a command: what it
	// changes is not remembered, and it is counted as a command, not a session.
	OneCall bool
	// Started is called, once or more often, when the first call has been
	// answered or the index is about to be built; it may be nil.
	Started func()
}

// New makes a core without workspace folders; [Core.SetGate] gives it some.
func New(config Config) *Core {
	c := &Core{
		Store: buffers.NewStore(), Disk: buffers.NewDisk(config.Now), Outlines: outline.NewCache(config.Background),
		config:  config,
		catalog: catalog.New(catalog.WithLateWatching(), catalog.WithExcludes(config.Excludes)),
		texts:   buffers.NewTexts(), paths: fuzzy.NewPathMasks(), usage: usage.New(),
		reads: toolcall.NewReads(), hashes: toolcall.NewShown(), history: history.New(), consents: toolcall.NewConsents(), noticedFiles: toolcall.NewNoticed(),
	}
	c.reviews = review.New(c.Snapshot, config.Now)
	c.reviews.Ask(c.commands.only, c.textOf)
	if config.OneCall {
		c.history, c.reviews, c.noticedFiles = nil, nil, nil
		c.usage = usage.NewForCommand()
	}
	c.openOutputs()
	c.openJournal()
	c.openIndex()
	gate, _ := workspace.NewGate(nil, nil, settings.Default())
	c.SetGate(gate)
	return c
}

// Gate returns the way to the workspace as of now.
func (c *Core) Gate() *workspace.Gate { return c.gate.Load() }

// SetGate lets the calls that come see the workspace through g. Calls that run
// keep the gate they began with.
func (c *Core) SetGate(g *workspace.Gate) {
	g = g.WithOwn(c.own()...)
	if c.outputs != nil {
		g = g.WithOutputs(c.outputs.Folder())
	}
	c.reviews.SetPause(time.Duration(g.Settings().History.TurnSeconds) * time.Second)
	c.gate.Store(g)
}

// own are the files and folders that no tool writes. The journal is named by
// itself, as its folder may be a link.
func (c *Core) own() []string {
	return append([]string{
		filepath.Join(c.config.CacheHome, "agent-lsp"), filepath.Join(c.config.StateHome, "agent-lsp"), JournalFolder(c.config.StateHome),
	}, c.config.Own...)
}

// Snapshot returns the present. The caller closes it.
func (c *Core) Snapshot() *buffers.Snapshot {
	return buffers.NewSnapshot(c.Store.Overlay(), c.Gate(), c.Disk)
}

// Env returns what a call has at hand that sees the snapshot at, without an
// editor and without a client. The caller closes it.
func (c *Core) Env(at *buffers.Snapshot) *toolcall.Env {
	c.OpenHistory()
	return &toolcall.Env{
		Snapshot: at,
		Now:      c.Snapshot,
		Outlines: c.Outlines,
		Catalog:  c.catalog,
		Search:   c.search,
		Texts:    c.texts,
		Later:    c.config.Background,
		Paths:    c.paths,
		Outputs:  c.outputs,
		Usage:    c.usage,
		Reads:    c.reads,
		Verdicts: &c.verdicts,
		Shown:    c.hashes,
		History:  c.history,
		Reviews:  c.reviews,
		Consents: c.consents,
		Noticed:  c.noticedFiles,
		Pointed:  c.pointedAt,
		Journal:  c.journal,
		Compiled: c.compiledFolder(),
		Notices:  func() []string { return c.noticesIn(at.Gate) },
	}
}

// Reviews follow what agents change; nil where nothing is remembered.
func (c *Core) Reviews() *review.Reviews { return c.reviews }

// Figures are the usage figures of this core's calls.
func (c *Core) Figures() usage.Figures { return c.usage.Figures() }

// Close saves what is known for the next start and frees what is held.
func (c *Core) Close() {
	c.closeIndex()
	c.Outlines.Close()
	if c.journal != nil {
		c.journal.Close()
	}
	c.saveUsage()
	c.reviews.Close()
}

// compiledFolder returns the folder for what is compiled on this machine. Like
// the others of CacheHome it is one that no tool writes to: its files run.
func (c *Core) compiledFolder() string {
	if !filepath.IsAbs(c.config.CacheHome) {
		return ""
	}
	return filepath.Join(c.config.CacheHome, "agent-lsp", "compiled")
}

// openOutputs opens what keeps the output of commands. Without it everything
// else works.
func (c *Core) openOutputs() {
	if !filepath.IsAbs(c.config.CacheHome) {
		return
	}
	store, err := output.OpenStore(c.config.CacheHome, c.config.Now)
	if err != nil {
		c.config.Log.Warn("output of commands cannot be kept", "error", err)
		return
	}
	c.outputs = store
}

// saveUsage adds the figures to those of all sessions. They stay on this
// machine.
func (c *Core) saveUsage() {
	if !filepath.IsAbs(c.config.CacheHome) {
		return
	}
	if err := c.usage.Save(c.config.CacheHome); err != nil {
		c.config.Log.Warn("usage figures cannot be kept", "error", err)
	}
}
