package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/setup"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

type doctorCommand struct {
	Root  string `help:"Workspace folder to look at; the working directory when absent." placeholder:"DIR"`
	Hosts bool   `help:"Ask each assistant's own program, too, whether it finds the server; takes some seconds for each."`
}

// Run tells what is found, what is wrong, and how to mend it. It exits with 1
// when something is wrong.
func (c doctorCommand) Run() error {
	root, err := filepath.Abs(c.Root)
	if err != nil {
		return err
	}
	d := new(doctor)
	cfg := d.settings()
	d.path()
	d.sessions(root)
	d.journal()
	d.hosts(root, c.Hosts)
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		d.complain("workspace", fault.New(fault.NotDirectory, "there is no such folder").At(root))
	} else {
		d.workspace(root, cfg)
	}
	fmt.Print(d.out.String())
	if d.wrong > 0 {
		return exitCode(codeToolError)
	}
	return nil
}

// doctor collects what it finds.
type doctor struct {
	out   strings.Builder
	wrong int
}

func (d *doctor) tell(what, format string, args ...any) {
	fmt.Fprintf(&d.out, "%-10s "+format+"\n", append([]any{what}, args...)...)
}

func (d *doctor) complain(what string, err error) {
	d.wrong++
	d.tell(what, "WRONG: %s", oneLine(fault.From(err).Error()))
}

// settings tells of the person's own settings and returns what holds.
func (d *doctor) settings() settings.Settings {
	d.tell("version", "%s", version)
	file := settings.UserFile(configHome())
	cfg := settings.Default()
	user := settings.LoadUser(configHome())
	if user.Problem != nil {
		d.complain("settings", user.Problem)
	}
	switch {
	case user.ForbidsAll():
		return cfg
	case user.Values == nil:
		d.tell("settings", "%s is not there: the defaults hold", file)
		return cfg
	}
	cfg, problems := cfg.Merge(user.Scope, user.Values)
	for _, p := range problems {
		d.complain("settings", p)
	}
	if len(problems) == 0 {
		d.tell("settings", "%s", file)
	}
	return cfg
}

// sessions tells of the editors that can be found, and which of them a call
// from the folder goes to.
func (d *doctor) sessions(root string) {
	ctx, only := context.Background(), os.Getenv("AGENT_LSP_SESSION")
	found := session.Find(ctx, sessionFolders())
	for _, p := range found.Problems {
		d.complain("sessions", p)
	}
	for _, s := range found.Elsewhere {
		d.tell("sessions", "%s: passed over, it runs on another machine or in a container that shares %s", described(s), filepath.Dir(s.Socket))
	}
	d.stale(found.Stale)
	router := session.NewRouter(session.RouterConfig{
		Folders: sessionFolders(), Only: only, Client: toolcall.Client{Name: "doctor"}, Version: version, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	defer router.Close()
	peers := router.Peers()
	switch {
	case only != "" && len(peers) == 0:
		d.complain("sessions", fault.New(fault.NoEditor, "AGENT_LSP_SESSION asks for %q, which is not there", only).Advise("Unset it, or give the PID of one that agent-lsp sessions lists."))
	case len(peers) == 0:
		d.tell("sessions", "no editor runs agent-lsp: assistants see what is saved")
	}
	for _, p := range peers {
		which := "for other folders"
		if p.Holds(root) {
			which = "for this folder"
		}
		if err := p.Check(ctx); err != nil {
			if p.Holds(root) || only != "" {
				d.complain("sessions", err)
			} else {
				d.tell("sessions", "%s (process %d), %s, does not answer: %s", or(p.Editor, "an editor"), p.PID, which, oneLine(fault.From(err).Message))
			}
			continue
		}
		d.tell("sessions", "%s (process %d), %s: %s", or(p.Editor, "an editor"), p.PID, which, or(strings.Join(p.Roots, ", "), "none"))
	}
}

// stale tells in a line of what editors that ended left behind, and of each where it
// could not be removed.
func (d *doctor) stale(found []session.Stale) {
	removed := 0
	for _, s := range found {
		if s.Removed {
			removed++
		} else {
			d.tell("sessions", "%s was left behind by an editor that ended, and cannot be removed", s.File)
		}
	}
	switch removed {
	case 0:
	case 1:
		d.tell("sessions", "1 was left behind by an editor that ended; removed")
	default:
		d.tell("sessions", "%d were left behind by editors that ended; removed", removed)
	}
}

// journal undoes what a process left half done, and tells of what cannot be.
func (d *doctor) journal() {
	folder := core.JournalFolder(stateHome())
	if _, err := os.Stat(folder); err != nil {
		return // nothing was ever changed
	}
	journal, err := atomicfile.OpenJournal(folder)
	if err != nil {
		d.complain("journal", err)
		return
	}
	defer journal.Close()
	damaged, recovered := journal.Damaged(), journal.Recover(ownPlaces()...)
	for _, r := range recovered {
		said := core.DescribeRecovered(r)
		if r.Err == nil && len(r.NotRestored)+len(r.Refused)+len(r.Kept) == 0 {
			d.tell("journal", "%s", said)
			continue
		}
		d.complain("journal", fault.New(fault.PartiallyApplied, "%s", said).Advise("Look at these files."))
	}
	for _, path := range damaged {
		d.complain("journal", fault.New(fault.PartiallyApplied, "a call was interrupted, and what it wrote down is damaged: %s", path).
			Advise("Look at what was changed at its time, then delete it."))
	}
	if len(recovered)+len(damaged) == 0 {
		d.tell("journal", "no call was left half done")
	}
}

// workspace tells of one folder: its files, how changes are noticed, its
// index.
func (d *doctor) workspace(root string, cfg settings.Settings) {
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: root}}, cfg)
	for _, p := range problems {
		d.complain("workspace", p)
	}
	if len(problems) > 0 {
		return
	}
	if wide := core.WideRoot(gate, homeDir()); wide != "" {
		d.tell("workspace", "%s", wide)
	}
	cat := catalog.New(catalog.WithExcludes(gitExcludes()))
	defer cat.Close()
	began := time.Now()
	files, err := cat.Files(context.Background(), gate)
	if err != nil {
		d.complain("workspace", err)
		return
	}
	d.tell("workspace", "%s: %s, listed in %d ms; kept from agents: %s", root,
		counted(len(files.List), "file"), time.Since(began).Milliseconds(), counted(files.Hidden, "place"))
	for _, p := range files.Problems {
		d.complain("workspace", p)
	}
	d.watching(cat.State())
	d.index(cfg, files)
}

func (d *doctor) watching(s catalog.State) {
	switch {
	case s.Why != "" && !s.Watching:
		d.tell("changes", "found by comparing times at every search: %s", s.Why)
	case s.Why != "":
		d.tell("changes", "told by the system for %d of %d folders: %s", s.Watched, s.Folders, s.Why)
	default:
		d.tell("changes", "told by the system, for %s", counted(s.Folders, "folder"))
	}
}

func (d *doctor) index(cfg settings.Settings, files *catalog.Files) {
	if !cfg.Index.Enabled {
		d.tell("index", "switched off by the setting index.enabled")
		return
	}
	path := filepath.Join(cacheHome(), "agent-lsp", "index")
	if _, err := os.Stat(path); err != nil {
		d.tell("index", "none yet; the first search of a session builds it")
		return
	}
	cache, err := statedir.OpenCacheFolder(path)
	if err != nil {
		d.complain("index", err)
		return
	}
	defer cache.Close()
	idle := func(func(context.Context)) bool { return false } // nothing is built here
	x := search.NewIndexer(cache, idle, time.Now)
	defer x.Close()
	x.View(files)
	s := x.State()
	if s.Problem != nil {
		d.complain("index", s.Problem)
	}
	d.tell("index", "%d of %d files, %s for %s of text, in %s", s.Files, len(files.List), size(s.DiskBytes), size(s.TextBytes), path)
}

// path reports whether hosts and editors find the program by its name.
func (d *doctor) path() {
	found, err := exec.LookPath(setup.Name)
	self, selfErr := os.Executable()
	switch {
	case err != nil:
		d.tell("PATH", "%s is not found there; name it by its path: %s", setup.Name, self)
	case selfErr != nil || sameFile(found, self):
		d.tell("PATH", "%s", found)
	default:
		d.tell("PATH", "%s, which is not this program: %s", found, self)
	}
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// size is a number of bytes in kB or MB.
func size(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
