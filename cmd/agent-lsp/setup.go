package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/setup"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

type setupCommand struct {
	Host    string `arg:"" enum:"claude,codex,gemini,opencode,vscode,zed,cursor" help:"claude, codex, gemini, opencode, vscode, zed or cursor."`
	Write   bool   `help:"Add it to the host's file, where everything else stays as it is."`
	Project bool   `help:"For the project in the working directory instead of all your projects."`
	Command string `help:"The program to start; this one when absent." placeholder:"PROGRAM"`
}

// Run prints how a host is told of agent-lsp, or tells it.
func (c setupCommand) Run() error {
	host := c.host()
	places, err := hostPlaces()
	if err != nil {
		return err
	}
	server := setup.Server{Command: c.program(), Args: []string{"mcp"}}
	file := existing(host.Files(places, c.Project))
	if !c.Write {
		fmt.Fprintf(os.Stderr, "%s reads this from %s; agent-lsp setup %s --write adds it there.\n", host.Title, file, host.Name)
		fmt.Print(host.Snippet(server))
		return nil
	}
	added, err := writeSetup(host, places, file, server)
	switch {
	case fault.KindOf(err) == fault.IsDirectory:
		return fault.New(fault.IsDirectory, "a folder, where %s has a file", host.Title).At(file)
	case err != nil:
		return fault.From(err).At(file)
	case !added:
		fmt.Printf("%s has it already; nothing was changed.\n", file)
		return nil
	}
	fmt.Printf("Added to %s. %s\n", file, host.Next)
	return nil
}

func (c setupCommand) host() setup.Host {
	for _, h := range setup.Hosts() {
		if h.Name == c.Host {
			return h
		}
	}
	return setup.Host{} // kong let no other name pass
}

// program is what hosts start: the bare name where that finds this program, so
// that an update in another place does not break their files.
func (c setupCommand) program() string {
	if c.Command != "" {
		return c.Command
	}
	self, err := os.Executable()
	if err != nil {
		return setup.Name
	}
	if found, err := exec.LookPath(setup.Name); err == nil && sameFile(found, self) {
		return setup.Name
	}
	return self
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// existing returns the first file that is there, else the first.
func existing(files []string) string {
	for _, f := range files {
		if _, err := os.Stat(f); err == nil {
			return f
		}
	}
	return files[0]
}

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
	return setup.Places{
		Home: slash(home), Config: slash(configHome()), App: slash(app), Project: slash(project),
		Claude: slash(envFolder("CLAUDE_CONFIG_DIR", home)), Codex: slash(envFolder("CODEX_HOME", filepath.Join(home, ".codex"))),
	}, nil
}

func envFolder(name, otherwise string) string {
	if dir := os.Getenv(name); filepath.IsAbs(dir) {
		return dir
	}
	return otherwise
}

// writeSetup adds the server to a file, through the same gate as every edit:
// a program that saves the file in the same moment loses nothing.
func writeSetup(host setup.Host, places setup.Places, file string, server setup.Server) (added bool, err error) {
	if file, err = behindLinks(file); err != nil {
		return false, err
	}
	root := filepath.Dir(file)
	for _, whole := range []string{places.Project, places.Home} {
		whole, err := behindLinks(whole)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(whole, file); err == nil && filepath.IsLocal(rel) {
			root = whole
			break
		}
	}
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: root}}, workspace.DefaultSettings())
	if len(problems) > 0 {
		return false, problems[0]
	}
	p, err := gate.Resolve(file, nil)
	if err != nil {
		return false, err
	}
	p = p.Consented() // the person is the one who calls
	before, err := readWhole(gate, p)
	missing := fault.KindOf(err) == fault.NotFound
	if err != nil && !missing {
		return false, err
	}
	after, err := host.Add(before, server)
	switch {
	case err != nil:
		return false, err
	case missing:
		_, err = gate.Create(nil, p, after)
	case string(after) == string(before):
		return false, nil
	default:
		_, err = gate.Replace(nil, p, text.HashBytes(before), after)
	}
	return err == nil, err
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
