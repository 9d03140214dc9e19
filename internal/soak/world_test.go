//go:build linux

package soak

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unicode/utf16"
)

const (
	assistants = 4
	seats      = 2
	documents  = 20 // of all editors
	closed     = 8  // files that all assistants edit, and nobody has open
	regions    = 2  // of each assistant, in each of these
	diskFiles  = 8  // files that another program writes
	tmpfsBytes = 24 << 20
)

// world is the workspace, the folders of the person, and the program.
type world struct {
	*run
	dir, root, home string
	state           string // the folder that fills up
	limited         string // how it is limited
	mounted         bool
	command         []string // the program, or what starts it
	environment     []string
	waiting         sync.WaitGroup // for processes to end
	canary          string         // stands in what no agent may see
	guarded         map[string]string
	settings        string
}

// newWorld makes the folders below dir. unmount ends it.
func newWorld(r *run, dir, program string) (*world, error) {
	w := &world{run: r, dir: dir, root: filepath.Join(dir, "work"), home: filepath.Join(dir, "home"), state: filepath.Join(dir, "state")}
	w.canary = fmt.Sprintf("CANARY%dSINGS", r.seed)
	w.environment = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "TMPDIR=" + filepath.Join(dir, "tmp"), "XDG_RUNTIME_DIR=" + filepath.Join(dir, "run"),
		"XDG_CACHE_HOME=" + filepath.Join(w.state, "cache"), "XDG_STATE_HOME=" + w.state, "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
	}
	w.settings = filepath.Join(dir, "config", "agent-lsp", "config.json")
	for _, d := range []string{w.home, w.state, filepath.Join(dir, "tmp"), filepath.Join(dir, "run")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	w.limit(program)
	return w, errors.Join(w.fillRoot(), w.guard())
}

// limit makes the state folder a small one, where that is allowed, and else
// limits the files that the program may write.
func (w *world) limit(program string) {
	err := syscall.Mount("tmpfs", w.state, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", tmpfsBytes))
	if err == nil {
		w.mounted, w.limited, w.command = true, fmt.Sprintf("a tmpfs of %d MB", tmpfsBytes>>20), []string{program}
		return
	}
	w.limited = fmt.Sprintf("RLIMIT_FSIZE of 1 MB for all files (no tmpfs: %v)", err)
	w.command = []string{"/bin/sh", "-c", `ulimit -f 2048; exec "$0" "$@"`, program}
}

func (w *world) unmount() error {
	if !w.mounted {
		return nil
	}
	return syscall.Unmount(w.state, 0)
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// fillRoot writes the files that actors share.
func (w *world) fillRoot() error {
	var problems []error
	for i := range documents {
		lines := []int{20, 60, 200, 40}[i%4]
		text := sharedText(lines)
		switch i % 10 {
		case 5:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 7:
			text = inUTF16(text)
		}
		problems = append(problems, w.write(w.path(document(i)), text))
	}
	for i := range closed {
		problems = append(problems, w.write(w.path(closedFile(i)), sharedText(30)))
	}
	for i := range 60 { // for searches
		problems = append(problems, w.write(w.path(fmt.Sprintf("src/p%d/f%d.go", i%6, i)), sharedText(40)))
	}
	return errors.Join(problems...)
}

func document(i int) string   { return fmt.Sprintf("docs/d%02d.go", i) }
func closedFile(i int) string { return fmt.Sprintf("closed/c%02d.go", i) }
func diskFile(i int) string   { return fmt.Sprintf("disk/f%02d.txt", i) }

// inUTF16 is text as UTF-16, little endian, with a mark.
func inUTF16(text string) string {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

// guard writes what no agent may see, and what none may write without consent;
// both hold the canary where agents could only get it by breaking in.
func (w *world) guard() error {
	secret := "secret = " + w.canary + "\n"
	files := map[string]string{
		w.path(".env"):                      secret,
		w.path("config/secrets.yaml"):       secret,
		w.path("config/server.pem"):         secret,
		w.path("hidden/notes.txt"):          secret,
		w.path(".agentignore"):              "hidden/\n",
		w.path(".git/HEAD"):                 "ref: refs/heads/main\n",
		w.path(".git/config"):               "[core]\n",
		w.path(".vscode/settings.json"):     "{}\n",
		w.path("AGENTS.md"):                 "be kind\n",
		filepath.Join(w.dir, "outside.txt"): secret,
		filepath.Join(w.home, ".bashrc"):    secret,
		w.settings:                          `{"exec.enabled": true}` + "\n",
	}
	var problems []error
	for path, text := range files {
		problems = append(problems, w.write(path, text))
	}
	w.guarded = files
	problems = append(problems, os.Symlink(filepath.Join(w.dir, "outside.txt"), w.path("link-out.txt")))
	return errors.Join(problems...)
}
