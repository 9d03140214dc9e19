package bench

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// makeCorpus copies Kubernetes and its staging modules below dir, as its
// repository has them, and returns how many bytes its files hold.
func makeCorpus(dir string) (size int64) {
	list := exec.Command("go", "mod", "download", "-json")
	list.Dir = filepath.Join("internal", "bench", "sources")
	out, err := list.Output()
	check(err)
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var module struct{ Path, Dir string }
		err := decoder.Decode(&module)
		if errors.Is(err, io.EOF) {
			return size
		}
		check(err)
		switch {
		case module.Dir == "" || !strings.HasPrefix(module.Path, "k8s.io/"):
		case module.Path == "k8s.io/kubernetes":
			size += copyTree(dir, module.Dir)
		default:
			size += copyTree(filepath.Join(dir, "staging", "src", module.Path), module.Dir)
		}
	}
}

// copyTree copies the files below from, writable, and returns their size.
func copyTree(to, from string) (size int64) {
	check(filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		size += int64(len(b))
		return os.WriteFile(filepath.Join(to, rel), b, 0o644)
	}))
	return size
}

// ripgrep returns the path of the peer's program.
func ripgrep() string {
	matches, err := filepath.Glob(filepath.Join("internal", "bench", "node_modules", "@vscode", "ripgrep-*", "bin", "rg"))
	check(err)
	if len(matches) == 0 {
		panic("ripgrep is not installed: run .ci/setup-bench.sh")
	}
	path, err := filepath.Abs(matches[0])
	check(err)
	return path
}
