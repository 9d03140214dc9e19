package core

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// What is kept of hosts' own commands.
const (
	// maxRunningCommands is how many ends are awaited, and commandTime how long: that of
	// a command which was interrupted is never told.
	maxRunningCommands = 32
	commandTime        = time.Hour
	// commandWait is how long who tells of a command waits for the list of files.
	commandWait = 50 * time.Millisecond
	// maxCommandFiles is how many files an entry of the history names, maxCommandLine
	// how many bytes of a line of shell.
	maxCommandFiles = 50
	maxCommandLine  = 200
)

// HostCommand is a line of shell that an assistant's host runs by a tool of its own.
type HostCommand struct {
	Client toolcall.Client
	ID     string // as the host names the call; "" where it does not
	Line   string
}

// is reports whether both are one call, as far as the host tells calls apart.
func (c HostCommand) is(other HostCommand) bool {
	if c.ID != "" && other.ID != "" {
		return c.Client == other.Client && c.ID == other.ID
	}
	return c.Client == other.Client && c.Line == other.Line
}

// runningCommand is one whose end was not told yet.
type runningCommand struct {
	HostCommand
	began time.Time
	// beside: another one ran at some time since it began, or was not told to have
	// ended.
	beside bool
	others bool           // one of another client did
	base   *catalog.Files // when it began; nil where the list was not made in time
	// next are the files when the client's next command began; nil before it.
	next *catalog.Files
}

// hostCommands are those that run. The zero value has none.
type hostCommands struct {
	mu      sync.Mutex
	running []*runningCommand // in the order in which they began
}

// CommandBegins takes note of the workspace's files before a host's command. It
// returns within commandWait, so that the command is not held up: where the list of
// files takes longer, what has a later time is taken for changed.
func (c *Core) CommandBegins(ctx context.Context, command HostCommand) {
	command.Line = shortLine(command.Line)
	r := &runningCommand{HostCommand: command, began: c.config.Now()}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.config.CommandWait, commandWait))
	defer cancel()
	r.base, _ = c.catalog.Files(ctx, c.Gate())
	for _, left := range c.commands.begin(r) {
		if left.base != nil && left.next != nil {
			c.noteCommand(left, left.next, time.Time{})
		}
	}
}

// CommandEnded notes in the history what changed on disk while a command ran that
// began before. It may return before that is done.
func (c *Core) CommandEnded(ctx context.Context, command HostCommand) {
	command.Line = shortLine(command.Line)
	r, ended := c.commands.end(command), c.config.Now()
	if r == nil {
		return
	}
	done := make(chan struct{})
	accepted := c.config.Background(func(ctx context.Context) {
		defer close(done)
		if files, err := c.catalog.Files(ctx, c.Gate()); err == nil {
			c.noteCommand(r, files, ended)
		}
	})
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.config.CommandWait, commandWait))
	defer cancel()
	if !accepted {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// begin adds a command, and returns those whose end is no longer awaited.
func (h *hostCommands) begin(r *runningCommand) (left []*runningCommand) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running = slices.DeleteFunc(h.running, func(old *runningCommand) bool {
		if old.Client == r.Client && old.next == nil {
			old.next = r.base
		}
		over := r.began.Sub(old.began) > commandTime
		if over {
			left = append(left, old)
		}
		return over
	})
	if len(h.running) == maxRunningCommands {
		left = append(left, h.running[0])
		h.running = slices.Delete(h.running, 0, 1)
	}
	for _, other := range h.running {
		other.beside, r.beside = true, true
		if other.Client != r.Client {
			other.others, r.others = true, true
		}
	}
	h.running = append(h.running, r)
	return left
}

// only returns the client whose commands run; ok is false where there are none, or
// several clients'.
func (h *hostCommands) only() (client string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, r := range h.running {
		if i > 0 && r.Client != h.running[0].Client {
			return "", false
		}
		client, ok = r.Client.Name, true
	}
	return client, ok
}

// end takes out the oldest command that is this call; nil where there is none.
func (h *hostCommands) end(command HostCommand) *runningCommand {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.running, func(r *runningCommand) bool { return r.is(command) })
	if i < 0 {
		return nil
	}
	r := h.running[i]
	h.running = slices.Delete(h.running, i, i+1)
	return r
}

// noteCommand enters what changed between a command's beginning and a later list.
// ended is zero where the end was not told.
func (c *Core) noteCommand(r *runningCommand, now *catalog.Files, ended time.Time) {
	ran := &history.Command{Line: r.Line, Began: r.began, Ended: ended, Beside: r.beside, Late: r.base == nil}
	var changes []catalog.FileChange
	var count int
	if r.base != nil {
		changes, count = now.Changed(r.base, maxCommandFiles)
	} else {
		changes, count = now.ChangedAfter(r.began, maxCommandFiles)
	}
	if ran.More = count - len(changes); count == 0 || c.history == nil {
		return
	}
	p := &history.Entry{Tool: commandTool, Client: r.Client.Name, Ran: ran}
	for _, f := range changes {
		action := history.Modified
		switch {
		case f.Created:
			action = history.Created
		case f.Gone:
			action = history.Deleted
		}
		p.Files = append(p.Files, history.File{Action: action, Path: f.Path.Key(), Shown: f.Path.Rel})
	}
	id := c.history.Add(p)
	c.reviewCommand(r, id, changes)
}

// reviewCommand tells those who review what a command changed: of its client, where
// no other's ran beside.
func (c *Core) reviewCommand(r *runningCommand, id string, changes []catalog.FileChange) {
	by := ledger.Origin{Kind: ledger.Agent, Client: r.Client.Name, Edit: id, Time: c.config.Now()}
	if client, ok := c.commands.only(); ok && client != r.Client.Name || r.others {
		by = ledger.Origin{Kind: ledger.Program, Time: by.Time}
	}
	ctx := context.Background()
	for _, f := range changes {
		if f.Created && by.Kind == ledger.Agent {
			c.reviews.Made(ctx, f.Path, by)
		}
		c.reviews.OnDisk(ctx, []workspace.Path{f.Path}, by)
	}
}

// textOf returns a text that is remembered.
func (c *Core) textOf(h text.Hash) (text.Text, bool) {
	if t, ok := c.texts.Lookup(h); ok {
		return t, true
	}
	if c.history == nil {
		return text.Text{}, false
	}
	return c.history.Texts.Lookup(h)
}

// commandTool stands where the tool's name does in entries of hosts' commands.
const commandTool = "command"

// shortLine returns a line of shell as one line of at most maxCommandLine bytes.
func shortLine(line string) string {
	if len(line) > 4*maxCommandLine {
		line = line[:4*maxCommandLine]
	}
	line = strings.Join(strings.Fields(strings.ToValidUTF8(line, "")), " ")
	if len(line) > maxCommandLine {
		line = strings.ToValidUTF8(line[:maxCommandLine], "") + "…"
	}
	return line
}
