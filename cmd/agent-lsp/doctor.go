package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

type doctorCommand struct {
	Root string `help:"Workspace folder to look at; the working directory when absent." placeholder:"DIR"`
}

// Run tells what is found, what is wrong, and how to mend it. It exits with 1
// when something is wrong.
func (c doctorCommand) Run() error {
	root, err := filepath.Abs(c.Root)
	if err != nil {
		return err
	}
	d := new(doctor)
	settings := d.settings()
	d.workspace(root, settings)
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
func (d *doctor) settings() workspace.Settings {
	d.tell("version", "%s", version)
	file := filepath.Join(configHome(), "agent-lsp", "config.json")
	settings := workspace.DefaultSettings()
	user, err := workspace.LoadUserSettings(configHome())
	switch {
	case err != nil:
		d.complain("settings", err)
		return settings
	case user == nil:
		d.tell("settings", "%s is not there: the defaults hold", file)
		return settings
	}
	settings, problems := settings.Merge(workspace.User, user)
	for _, p := range problems {
		d.complain("settings", p)
	}
	if len(problems) == 0 {
		d.tell("settings", "%s", file)
	}
	return settings
}

// workspace tells of one folder: its files, how changes are noticed, its
// index.
func (d *doctor) workspace(root string, settings workspace.Settings) {
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: root}}, settings)
	for _, p := range problems {
		d.complain("workspace", p)
	}
	if len(problems) > 0 {
		return
	}
	catalog := workspace.NewCatalog(workspace.WithExcludes(gitExcludes()))
	defer catalog.Close()
	began := time.Now()
	files, err := catalog.Files(context.Background(), gate)
	if err != nil {
		d.complain("workspace", err)
		return
	}
	d.tell("workspace", "%s: %d files, listed in %d ms; %d places are kept from agents", root,
		len(files.List), time.Since(began).Milliseconds(), files.Hidden)
	for _, p := range files.Problems {
		d.complain("workspace", p)
	}
	d.watching(catalog.State())
	d.index(settings, files)
}

func (d *doctor) watching(s workspace.CatalogState) {
	switch {
	case s.Why != "" && !s.Watching:
		d.tell("changes", "found by comparing times at every search: %s", s.Why)
	case s.Why != "":
		d.tell("changes", "told by the system for %d of %d folders: %s", s.Watched, s.Folders, s.Why)
	default:
		d.tell("changes", "told by the system, for %d folders", s.Folders)
	}
}

func (d *doctor) index(settings workspace.Settings, files *workspace.Files) {
	if !settings.Index.Enabled {
		d.tell("index", "switched off by the setting index.enabled")
		return
	}
	path := filepath.Join(cacheHome(), "agent-lsp", "index")
	if _, err := os.Stat(path); err != nil {
		d.tell("index", "none yet; the first search of a session builds it")
		return
	}
	cache, err := workspace.OpenCacheFolder(path)
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
	d.tell("index", "%d of %d files, %.1f MB for %.1f MB of text, in %s", s.Files, len(files.List),
		float64(s.DiskBytes)/1e6, float64(s.TextBytes)/1e6, path)
}
