package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// newTestEnv returns what a call over a folder has at hand, without an editor.
func newTestEnv(t testing.TB, dir string) *toolcall.Env {
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	disk := buffers.NewDisk(time.Now)
	now := func() *buffers.Snapshot { return buffers.NewSnapshot(&buffers.Overlay{}, gate, disk) }
	env := &toolcall.Env{
		Snapshot: now(), Now: now, Catalog: catalog.New(), Paths: fuzzy.NewPathMasks(),
		Outlines: outline.NewCache(func(func(context.Context)) bool { return false }),
	}
	t.Cleanup(func() {
		env.Close()
		env.Outlines.Close()
		env.Catalog.Close()
	})
	return env
}

func run(t testing.TB, d Definition, env *toolcall.Env, arguments string) toolcall.Result {
	r := d.Call(t.Context(), env, wire.RawValue(arguments))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if _, err := r.AppendStructured(nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// BenchmarkListDirectory is a page of 200 of a folder of 5,000 files, encoded.
func BenchmarkListDirectory(b *testing.B) {
	dir := b.TempDir()
	for i := range 5000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", i)), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	env := newTestEnv(b, dir)
	d := listDirectory.define()
	for b.Loop() {
		run(b, d, env, `{"path": "."}`)
	}
}

// BenchmarkListPage is what of that is not the catalog's.
func BenchmarkListPage(b *testing.B) {
	entries := make([]catalog.Entry, 5000)
	for i := range entries {
		entries[i] = catalog.Entry{Name: fmt.Sprintf("file%d.go", i), Type: catalog.RegularFile, ID: fsys.ID{Mtime: 1e18}}
	}
	env := newTestEnv(b, b.TempDir())
	for b.Loop() {
		l := &lister{ctx: b.Context(), env: env, out: &listOutput{}}
		list := l.merge("/project/src", &catalog.Listing{Entries: entries}, nil)
		list.list = list.list[4000:4200]
		l.show(*list, 0)
		r := toolcall.Result{Rendering: l.out.Render(toolcall.FirstDigits), Output: l.out}
		if _, err := r.AppendStructured(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFindFiles looks through 23,000 paths.
func BenchmarkFindFiles(b *testing.B) {
	files := &catalog.Files{Generation: 1}
	words := []string{"src", "Internal", "user", "service", "test", "handler", "util", "Page", "model", "index"}
	for i := range 23000 {
		rel := fmt.Sprintf("%s/%s_%d/%s%s%d.go", words[i%10], words[i/10%10], i/100, words[i/3%10], words[i/7%10], i)
		files.List = append(files.List, catalog.FileEntry{Rel: rel, ID: fsys.ID{Mtime: int64(i)}})
	}
	masks := fuzzy.NewPathMasks()
	for _, pattern := range []string{"userserv", "us", "e", "user page 12", "*.go", "src/**/*1.go", "nothingatall"} {
		b.Run(pattern, func(b *testing.B) {
			for b.Loop() {
				f := finding{scope: &find.Scope{Files: files, End: len(files.List), Masks: masks}, keep: defaultFound}
				var err error
				if pathmatch.IsGlob(pattern) {
					err = f.byGlob(b.Context(), pattern, &findOutput{})
				} else {
					err = f.byWords(b.Context(), pattern, &findOutput{})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
