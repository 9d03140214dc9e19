package workspace

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// tree makes files below a new folder and returns its real path. A value that
// begins with "-> " makes a symbolic link; $DIR in it is the folder itself. A
// name that ends in "/" makes a folder.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		plant(t, dir, name, files[name])
	}
	return dir
}

func plant(t testing.TB, dir, name, content string) {
	t.Helper()
	at := filepath.Join(dir, name)
	if strings.HasSuffix(name, "/") {
		must(t, os.MkdirAll(at, 0o755))
		return
	}
	must(t, os.MkdirAll(filepath.Dir(at), 0o755))
	if target, ok := strings.CutPrefix(content, "-> "); ok {
		must(t, os.Symlink(strings.ReplaceAll(target, "$DIR", dir), at))
		return
	}
	content, runs := strings.CutPrefix(content, executable)
	must(t, os.WriteFile(at, []byte(content), 0o644))
	if runs {
		must(t, os.Chmod(at, 0o755))
	}
}

// executable begins what a tree says of a file that is one.
const executable = "(x) "

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// gateOn opens folders, given by path, under settings that tune adjusts.
func gateOn(t testing.TB, tune func(*Settings), dirs ...string) *Gate {
	t.Helper()
	s := DefaultSettings()
	if tune != nil {
		tune(&s)
	}
	var folders []Folder
	for _, dir := range dirs {
		folders = append(folders, Folder{Path: dir})
	}
	g, problems := NewGate(nil, folders, s)
	if len(problems) > 0 {
		t.Fatalf("NewGate: %v", problems)
	}
	return g
}

// opened is an isOpen that knows the given keys.
func opened(keys ...string) func(string) bool {
	return func(key string) bool { return slices.Contains(keys, key) }
}

// checkKind fails unless err has the kind; "" wants no error.
func checkKind(t testing.TB, what string, err error, want fault.Kind) {
	t.Helper()
	if got := fault.KindOf(err); got != want {
		t.Errorf("%s: kind %q, want %q (%v)", what, got, want, err)
	}
}

// read opens arg through g as a caller would and returns what it reads.
func read(t testing.TB, g *Gate, arg string) (string, error) {
	t.Helper()
	p, err := g.Resolve(arg, nil)
	if err != nil {
		return "", err
	}
	h, err := g.Open(p)
	if err != nil {
		return "", err
	}
	defer h.Close()
	raw := make([]byte, 4096)
	n, _ := h.File.ReadAt(raw, 0)
	return string(raw[:n]), nil
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
