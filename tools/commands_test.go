package tools_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// commanded is a core that is told of commands.
type commanded struct {
	*testing.T
	*core.Core
	dir string
	now time.Time
}

func newCommanded(t *testing.T, cfg settings.Settings) *commanded {
	c := &commanded{T: t, dir: t.TempDir(), now: time.Now()}
	c.write("a.txt", "one\n")
	c.write("b.txt", "two\n")
	c.write(".env", "KEY=1\n")
	background := func(f func(context.Context)) bool { f(t.Context()); return true }
	c.Core = core.New(core.Config{Background: background, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return c.now }, CommandWait: time.Hour})
	t.Cleanup(c.Core.Close)
	gate, _ := workspace.NewGate(nil, []workspace.Folder{{Path: c.dir}}, cfg)
	c.SetGate(gate)
	return c
}

func (c *commanded) write(name, text string) {
	must(c.T, os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600))
}

func (c *commanded) begins(client, id string) {
	c.CommandBegins(c.Context(), command(client, id))
}

func (c *commanded) ended(client, id string) {
	c.CommandEnded(c.Context(), command(client, id))
}

func command(client, id string) core.HostCommand {
	return core.HostCommand{Client: toolcall.Client{Name: "Claude Code", ID: client}, ID: id, Line: "make " + id}
}

// history returns what edit_history shows.
func (c *commanded) history(arguments string) string {
	c.Helper()
	r := c.call("edit_history", arguments)
	if r.Err != nil {
		c.Fatal(r.Err)
	}
	return r.Header + "\n" + r.Body
}

func (c *commanded) call(tool, arguments string) toolcall.Result {
	env := c.Env(c.Snapshot())
	defer env.Close()
	for _, d := range tools.All() {
		if d.Name == tool {
			return d.Call(c.Context(), env, wire.RawValue(arguments))
		}
	}
	panic(tool)
}

func (c *commanded) want(said string, parts ...string) {
	c.Helper()
	for _, part := range parts {
		absent := strings.HasPrefix(part, "!")
		if strings.Contains(said, strings.TrimPrefix(part, "!")) == absent {
			c.Errorf("%q: in\n%s", part, said)
		}
	}
}

// TestCommandsAreNoted: what changed on disk while a host's command ran is in the
// history, without texts, and cannot be reverted.
func TestCommandsAreNoted(t *testing.T) {
	c := newCommanded(t, settings.Default())
	c.begins("s", "1")
	c.write("a.txt", "ONE\n")
	c.write("new.txt", "new\n")
	c.write(".env", "KEY=2\n")
	must(t, os.Remove(filepath.Join(c.dir, "b.txt")))
	c.ended("s", "1")
	said := c.history(`{}`)
	c.want(said, "1 change of this session", "command by Claude Code", "make 1", "a.txt: modified", "new.txt: created", "b.txt: deleted", "while it ran (", "!ONE", "!KEY", "!.env", "!other commands", "!not told", "!sha256")
	c.want(c.history(`{"path": "a.txt"}`), "a.txt: modified", "!new.txt")
	id := strings.Fields(strings.Split(said, "\n")[1])[0]
	c.want(c.history(fmt.Sprintf(`{"id": %q}`, id)), "b.txt: deleted")
	if err := c.call("revert_edit", fmt.Sprintf(`{"id": %q}`, id)).Err; fault.KindOf(err) != fault.InvalidParams || fault.From(err).Hint == "" {
		t.Errorf("it was taken back: %v", err)
	}

	// Nothing changed; it did not begin; it ends twice.
	c.begins("s", "2")
	c.ended("s", "2")
	c.ended("s", "3")
	c.ended("s", "2")
	c.want(c.history(`{}`), "1 change of this session")
}

// TestCommandsAtOnce: it is told that other commands may have made the changes.
func TestCommandsAtOnce(t *testing.T) {
	c := newCommanded(t, settings.Default())
	c.begins("s", "1")
	c.begins("s", "2")
	c.write("a.txt", "ONE\n")
	c.ended("s", "2")
	c.write("b.txt", "TWO\n")
	c.ended("s", "1")
	c.want(c.history(`{"path": "b.txt"}`), "other commands may have run", "make 1", "!make 2")
	c.want(c.history(`{"path": "a.txt"}`), "other commands may have run", "make 1", "make 2")
}

// TestCommandsWithoutEnd: the changes of one whose end is never told are those until
// the next one of the same conversation, and are told when it is no longer awaited.
func TestCommandsWithoutEnd(t *testing.T) {
	c := newCommanded(t, settings.Default())
	c.begins("s", "1")
	c.write("a.txt", "ONE\n")
	c.begins("s", "2")
	c.ended("s", "2")
	c.write("b.txt", "TWO\n")
	c.want(c.history(`{}`), "0 changes")
	c.now = c.now.Add(2 * time.Hour)
	c.begins("another", "3")
	c.want(c.history(`{}`), "1 change ", "its end was not told", "make 1", "a.txt", "!b.txt")
	for i := range 1000 { // and none of these is kept for ever
		c.begins("s", fmt.Sprint("x", i))
	}
	c.want(c.history(`{}`), "1 change ")
}

// TestManyCommands: they are bounded, and push out no edit.
func TestManyCommands(t *testing.T) {
	c := newCommanded(t, settings.Default())
	if r := c.call("write_file", `{"path": "mine.txt", "content": "mine\n"}`); r.Err != nil {
		t.Fatal(r.Err)
	}
	for i := range 60 {
		c.write(fmt.Sprintf("many%02d.txt", i), "x")
	}
	for i := range 110 {
		c.begins("s", fmt.Sprint(i))
		if i == 109 {
			for j := range 60 {
				c.write(fmt.Sprintf("many%02d.txt", j), "xyz")
			}
		}
		c.write("a.txt", strings.Repeat("x", i+10))
		c.ended("s", fmt.Sprint(i))
	}
	c.want(c.history(`{"limit": 1000}`), "101 changes", "write_file", "and 11 more files", "!make 9\n", "make 10\n")
	c.begins("s", strings.Repeat("long\n\x00", 10_000))
	c.write("a.txt", "")
	c.ended("s", strings.Repeat("long\n\x00", 10_000))
	if said := c.history(`{"limit": 1}`); len(said) > 1000 {
		t.Errorf("%d bytes", len(said))
	}
}

// TestPolicyOfCommands: what is made private later is not shown.
func TestPolicyOfCommands(t *testing.T) {
	c := newCommanded(t, settings.Default())
	c.begins("s", "1")
	c.write("a.txt", "ONE\n")
	c.write("b.txt", "TWO\n")
	c.ended("s", "1")
	cfg := settings.Default()
	cfg.Policy.Private = append(cfg.Policy.Private, "a.txt")
	gate, _ := workspace.NewGate(nil, []workspace.Folder{{Path: c.dir}}, cfg)
	c.SetGate(gate)
	c.want(c.history(`{}`), "b.txt: modified", "!a.txt")
}

// TestCommandsBeforeTheFilesAreKnown: where the list of files is not made in time,
// what was written since counts, and it is told that this is all.
func TestCommandsBeforeTheFilesAreKnown(t *testing.T) {
	c := newCommanded(t, settings.Default())
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(c.dir, "b.txt"), old, old))
	c.now = time.Now().Add(time.Minute) // after all that is there
	late, cancel := context.WithCancel(t.Context())
	cancel()
	c.CommandBegins(late, command("s", "1"))
	later := c.now.Add(time.Second)
	c.write("a.txt", "ONE\n")
	must(t, os.Chtimes(filepath.Join(c.dir, "a.txt"), later, later))
	c.ended("s", "1")
	c.want(c.history(`{}`), "1 change ", "a.txt: modified", "what was deleted is not known", "!b.txt")
}
