package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/setup"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/core"
)

// hostPlaces are the folders that hosts keep their files in.
func hostPlaces() (setup.Places, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return setup.Places{}, fault.New(fault.NotFound, "the home folder is not known").Advise("Set HOME.")
	}
	project, err := os.Getwd()
	if err != nil {
		return setup.Places{}, err
	}
	app := configHome()
	if runtime.GOOS != "linux" {
		if app, err = os.UserConfigDir(); err != nil {
			return setup.Places{}, err
		}
	}
	slash := filepath.ToSlash
	below := func(variable, otherwise string) string {
		return slash(envFolder(variable, filepath.Join(home, otherwise)))
	}
	return setup.Places{
		Home: slash(home), Config: slash(configHome()), App: slash(app), Project: slash(project), Root: workingTree(project),
		Claude: below("CLAUDE_CONFIG_DIR", ""), ClaudeSettings: below("CLAUDE_CONFIG_DIR", ".claude"),
		Codex: below("CODEX_HOME", ".codex"), Copilot: below("COPILOT_HOME", ".copilot"),
	}, nil
}

func envFolder(name, otherwise string) string {
	if dir := os.Getenv(name); filepath.IsAbs(dir) {
		return dir
	}
	return otherwise
}

// workingTree returns the top of git's working tree that holds a folder, or
// the folder; without links.
func workingTree(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return folder
		}
	}
}

// hostFile is a file of a host as it is and as it is to be.
type hostFile struct {
	name          string // as the person knows it
	path          string // where it really is
	at            workspace.Path
	before, after []byte
	missing       bool
}

// changeFiles makes of a host's files what the steps do, through the same gate
// as every edit: a program that saves one in the same moment loses nothing. All
// are looked at before one is written. It returns those that it changed.
//
// They are written one after the other. All at once would be undone after a
// kill, and no file that needs the person's consent is, without it; so each
// stands for itself, and the next call does what is missing.
func changeFiles(host setup.Host, places setup.Places, steps []setup.Step) (changed []string, err error) {
	journal := setupJournal()
	if journal != nil {
		defer journal.Close()
	}
	gate, files, err := planFiles(host, places, steps)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := f.write(gate, journal); err != nil {
			e := fault.From(err).At(f.name)
			if len(changed) > 0 {
				e = e.Advise("%s is changed already; mend this and call again.", strings.Join(changed, " and "))
			}
			return nil, e
		}
		changed = append(changed, f.name)
	}
	return changed, nil
}

// planFiles returns the files that the steps change.
func planFiles(host setup.Host, places setup.Places, steps []setup.Step) (gate *workspace.Gate, wanted []*hostFile, err error) {
	var files []*hostFile
	var folders []workspace.Folder
	for _, s := range steps {
		f, err := locateFile(existing(s.Files))
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
		if root := (workspace.Folder{Path: rootOf(f.path, places)}); !slices.Contains(folders, root) {
			folders = append(folders, root)
		}
	}
	gate, problems := workspace.NewGate(nil, folders, settings.Default())
	if len(problems) > 0 {
		return nil, nil, problems[0]
	}
	for i, f := range files {
		changes, err := f.plan(gate, steps[i])
		switch {
		case fault.KindOf(err) == fault.IsDirectory:
			return nil, nil, fault.New(fault.IsDirectory, "a folder, where %s has a file", host.Title).At(f.name)
		case err != nil:
			return nil, nil, fault.From(err).At(f.name)
		case changes:
			wanted = append(wanted, f)
		}
	}
	return gate, wanted, nil
}

// plan reads the file, and has the step say what it is to be. It reports
// whether that is a change.
func (f *hostFile) plan(gate *workspace.Gate, step setup.Step) (bool, error) {
	p, err := gate.Resolve(f.path, nil)
	if err != nil {
		return false, err
	}
	f.at = p.Consented() // the person is the one who calls
	f.before, err = readWhole(gate, f.at)
	f.missing = fault.KindOf(err) == fault.NotFound
	if err != nil && !f.missing {
		return false, err
	}
	if f.after, err = step.Apply(f.before); err != nil {
		return false, err
	}
	return string(f.after) != string(f.before) && !(f.missing && setup.SaysNothing(f.after)), nil
}

// write makes the file what it is to be. One that setup made and that says nothing
// any more goes, unless it is the end of a person's link.
func (f *hostFile) write(gate *workspace.Gate, journal *atomicfile.Journal) error {
	if f.missing {
		_, err := atomicfile.Create(gate, journal, f.at, f.after)
		if err == nil {
			f.noteMade()
		}
		return err
	}
	if _, err := atomicfile.Replace(gate, journal, f.at, text.HashBytes(f.before), f.after); err != nil {
		return err
	}
	if !setup.SaysNothing(f.after) || f.name != f.path {
		return nil
	}
	if now, err := readWhole(gate, f.at); err != nil || string(now) != string(f.after) {
		return nil //nolint:nilerr // another program has it now
	}
	if note := f.note(); note == "" || os.Remove(note) != nil {
		return nil // it is the person's, or an earlier version's
	}
	return os.Remove(f.path)
}

// note returns where it is noted that setup made the file; "" for nowhere.
func (f *hostFile) note() string {
	if stateHome() == "" {
		return ""
	}
	return filepath.Join(stateHome(), "agent-lsp", "made", fmt.Sprintf("%x", sha256.Sum256([]byte(f.path))))
}

// noteMade notes that setup made the file. Without a note it stays where it would
// be removed.
func (f *hostFile) noteMade() {
	note := f.note()
	if note == "" || os.MkdirAll(filepath.Dir(note), 0o700) != nil {
		return
	}
	_ = os.WriteFile(note, []byte(f.path+"\n"), 0o600)
}

// setupJournal is where a change is written down before it is made, so that the
// next start of any command mends what a kill leaves; it does so here first.
// nil where there is none: all else works without.
func setupJournal() *atomicfile.Journal {
	journal, err := atomicfile.OpenJournal(core.JournalFolder(stateHome()))
	if err != nil {
		return nil
	}
	for _, r := range journal.Recover(ownPlaces()...) {
		fmt.Fprintln(os.Stderr, core.DescribeRecovered(r))
	}
	return journal
}

// locateFile returns where a file really is, or would be.
func locateFile(name string) (*hostFile, error) {
	name = filepath.FromSlash(name)
	path, err := behindLinks(name)
	if err != nil {
		return nil, fault.From(err).At(name)
	}
	f := &hostFile{name: name, path: path}
	if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
		f.name, f.path = path, path
	}
	return f, nil
}

// rootOf returns the folder below which a file is changed: the project, the
// home folder, or the deepest one above it that is there.
func rootOf(path string, places setup.Places) string {
	for _, whole := range []string{places.Project, places.Home} {
		whole, err := behindLinks(filepath.FromSlash(whole))
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(whole, path); err == nil && filepath.IsLocal(rel) {
			return whole
		}
	}
	folder := filepath.Dir(path)
	for info, err := os.Stat(folder); (err != nil || !info.IsDir()) && folder != filepath.Dir(folder); info, err = os.Stat(folder) {
		folder = filepath.Dir(folder)
	}
	return folder
}

// behindLinks returns where a file really is, or would be: many people keep
// what hosts read elsewhere, and links to it.
func behindLinks(file string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	if err == nil {
		return real, nil
	}
	if target, err := os.Readlink(file); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(file), target)
		}
		return "", fault.New(fault.NotFound, "the link leads to %s, which is not there", target).Advise("Make that file, or remove the link.")
	}
	folder := filepath.Dir(file)
	if folder == file {
		return file, nil
	}
	if folder, err = behindLinks(folder); err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.Base(file)), nil
}

// maxHostFile is the largest file of a host that is read, in bytes. Claude
// Code keeps much beside its settings.
const maxHostFile = 64 << 20

func readWhole(gate *workspace.Gate, p workspace.Path) ([]byte, error) {
	h, err := gate.Open(p)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(h.File, maxHostFile+1))
	if len(raw) > maxHostFile {
		err = fault.New(fault.FileTooLarge, "the file is over %d MB", maxHostFile>>20).Advise("Add the entry by hand.")
	}
	return raw, errors.Join(err, h.Close())
}
