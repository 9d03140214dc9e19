package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// world is the disk that a scenario runs on. The model says what every file
// must hold at the end if the server writes nothing.
type world struct {
	tmp, work string // absolute, without links; work is tmp/ws
	state     string // outside tmp, so never compared
	model     map[string]string
	sockets   []net.Listener
}

func newWorld(t testing.TB, files []txtar.File) (*world, error) {
	base, err := os.MkdirTemp("", "scn") //nolint:usetesting // t.TempDir is too long for a socket's path
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, err
	}
	w := &world{
		tmp: filepath.Join(base, "tmp"), work: filepath.Join(base, "tmp", "ws"),
		state: filepath.Join(base, "state"), model: make(map[string]string),
	}
	for _, dir := range []string{w.work, w.state} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := w.shareCompiled(); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := w.write(f.Name, string(f.Data)); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// shareCompiled lets all worlds of all runs have one folder for what is compiled
// on this machine: compiling takes seconds.
func (w *world) shareCompiled() error {
	home, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	compiled := filepath.Join(home, "agent-lsp-test", "compiled")
	if err := os.MkdirAll(compiled, 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(w.state, "agent-lsp"), 0o700); err != nil {
		return err
	}
	return shareFolder(compiled, filepath.Join(w.state, "agent-lsp", "compiled"))
}

// path is the absolute path of a name in a script.
func (w *world) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(w.work, filepath.FromSlash(name))
}

func (w *world) write(name, text string) error {
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	return w.adopt(path)
}

// adopt takes what stands on disk at path into the model.
func (w *world) adopt(path string) error {
	have, err := describe(path)
	if err != nil {
		return err
	}
	if have == absent {
		delete(w.model, path)
		return nil
	}
	w.model[path] = have
	return nil
}

// absent describes a file that is not there.
const absent = "(absent)\n"

// describe renders what stands at path as a section.
func describe(path string) (string, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return "", err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return fmt.Sprintf("(link to %s)\n", target), err
	case !info.Mode().IsRegular():
		return fmt.Sprintf("(%v)\n", info.Mode().Type()), nil
	case info.Size() > maxCompared:
		return fmt.Sprintf("(%d bytes)\n", info.Size()), nil
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrPermission) {
		return "(unreadable)\n", nil
	}
	return section(string(raw)), err
}

// maxCompared is the largest file, in bytes, whose content is compared.
const maxCompared = 16 << 20

// files describes everything below tmp that is no directory, by path.
func (w *world) files() (map[string]string, error) {
	out := make(map[string]string)
	err := filepath.WalkDir(w.tmp, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out[path], err = describe(path)
		return err
	})
	return out, err
}

// changed describes the files that differ from the model or are named in
// asked, by the name that a section gives them.
func (w *world) changed(asked map[string]string) (map[string]string, error) {
	have, err := w.files()
	if err != nil {
		return nil, err
	}
	out := make(map[string]string)
	for path, text := range have {
		if model, known := w.model[path]; !known || model != text {
			out[w.name(path)] = text
		}
	}
	for path := range w.model {
		if _, there := have[path]; !there {
			out[w.name(path)] = absent
		}
	}
	for name := range asked {
		text, there := have[w.path(w.folders(name))]
		if !there {
			text = absent
		}
		out[name] = text
	}
	return out, nil
}

// name is how sections and messages call a path.
func (w *world) name(path string) string {
	if rel, inside := strings.CutPrefix(path, w.work+string(filepath.Separator)); inside {
		return filepath.ToSlash(rel)
	}
	return "$TMP" + strings.TrimPrefix(path, w.tmp)
}

// folders puts the folders for their names.
func (w *world) folders(s string) string {
	return strings.NewReplacer("$WORK", w.work, "$TMP", w.tmp).Replace(s)
}

// special makes a file that is not regular.
func (w *world) special(kind, name string) error {
	path := w.path(name)
	if kind == "fifo" {
		if err := makeFIFO(path); err != nil {
			return err
		}
		return w.adopt(path)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	w.sockets = append(w.sockets, l)
	return w.adopt(path)
}

func (w *world) close() {
	for _, l := range w.sockets {
		_ = l.Close()
	}
}
