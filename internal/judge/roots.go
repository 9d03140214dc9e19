package judge

import (
	"archive/zip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// roots are the folders that sources stand in, by name.
type roots map[string]fs.FS

// openRoots finds all roots. here is the folder of this package. The error
// says which one is missing: .ci/setup.sh has not been run.
func openRoots(ctx context.Context, here string) (roots, error) {
	r := roots{}
	for name, find := range map[string]func(ctx context.Context, here string) (fs.FS, error){
		"go":          goRoot,
		"thrift":      moduleRoot("sources", "github.com/apache/thrift"),
		"flatbuffers": moduleRoot("sources", "github.com/google/flatbuffers"),
		"wasmvm":      moduleRoot("sources", "github.com/CosmWasm/wasmvm/v3"),
		"fzf":         moduleRoot("sources", "github.com/junegunn/fzf"),
		"sqlc":        moduleRoot("sources", "github.com/sqlc-dev/sqlc"),
		"grammars":    moduleRoot(".", "github.com/smacker/go-tree-sitter"),
		"npm":         folderRoot("node_modules"),
		"python":      folderRoot("/usr/lib/python3.*"),
		"ruby":        folderRoot("/usr/lib/ruby/3*"),
		"rust":        folderRoot("/usr/lib/rustlib/src/rust"),
		"jdk":         zipRoot("/usr/lib/jvm/openjdk-17/lib/src.zip"),
	} {
		root, err := find(ctx, here)
		if err != nil {
			return nil, fmt.Errorf("sources %q: %w", name, err)
		}
		r[name] = root
	}
	return r, nil
}

func goRoot(ctx context.Context, here string) (fs.FS, error) {
	dir, err := output(ctx, here, "go", "env", "GOROOT")
	return os.DirFS(dir), err
}

// moduleRoot finds the folder of a module that the module in below requires.
func moduleRoot(below, module string) func(context.Context, string) (fs.FS, error) {
	return func(ctx context.Context, here string) (fs.FS, error) {
		dir, err := output(ctx, filepath.Join(here, below), "go", "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", module)
		if err == nil && dir == "" {
			err = fmt.Errorf("module %s is not in the module cache", module)
		}
		return os.DirFS(dir), err
	}
}

// folderRoot takes the last folder that fits, which has the newest version.
func folderRoot(pattern string) func(context.Context, string) (fs.FS, error) {
	return func(_ context.Context, here string) (fs.FS, error) {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(here, pattern)
		}
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("no %s", pattern)
		}
		dir, err := filepath.EvalSymlinks(slices.Max(found))
		return os.DirFS(dir), err
	}
}

func zipRoot(name string) func(context.Context, string) (fs.FS, error) {
	return func(context.Context, string) (fs.FS, error) {
		return zip.OpenReader(name) // stays open: the process is a test's
	}
}

// output runs a program in a folder and returns what it prints, trimmed.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
