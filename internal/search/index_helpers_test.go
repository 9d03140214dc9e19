package search

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// disk is a workspace folder, and a cache, of a test.
type disk struct {
	t     testing.TB
	dir   string
	gate  *workspace.Gate
	cache *statedir.CacheFolder
	list  func() *catalog.Files
}

func newDisk(t testing.TB, files map[string]string) *disk {
	t.Helper()
	d := &disk{t: t, dir: t.TempDir()}
	for name, content := range files {
		d.write(name, content)
	}
	d.open(d.dir)
	d.cache = openCache(t, t.TempDir())
	return d
}

func (d *disk) open(dirs ...string) {
	folders := make([]workspace.Folder, len(dirs))
	for i, dir := range dirs {
		folders[i].Path = dir
	}
	gate, problems := workspace.NewGate(nil, folders, settings.Default())
	if len(problems) > 0 {
		d.t.Fatal(problems)
	}
	d.gate = gate
	d.list = func() *catalog.Files {
		cat := catalog.New() // another one each time: it is told nothing of what tests write
		defer cat.Close()
		files, err := cat.Files(context.Background(), gate)
		must(d.t, err)
		// A list whose states are whole, whatever made it.
		for i := range files.List {
			if id, err := gate.Stat(files.Path(i)); err == nil && files.List[i].ID != id {
				files.List[i].ID = id
			}
		}
		return files
	}
}

func openCache(t testing.TB, dir string) *statedir.CacheFolder {
	t.Helper()
	c, err := statedir.OpenCacheFolder(dir)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// write writes a file.
func (d *disk) write(name, content string) {
	d.t.Helper()
	at := filepath.Join(d.dir, name)
	must(d.t, os.MkdirAll(filepath.Dir(at), 0o755))
	must(d.t, os.WriteFile(at, []byte(content), 0o644))
}

// later is a clock for which all files were written long ago.
func later() time.Time { return time.Now().Add(time.Hour) }

// indexer returns an indexer on d that ends with the test.
func (d *disk) indexer() *Indexer {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	g := parallel.NewGroup(ctx, 2, 8, func(err error) { panic(err) })
	x := NewIndexer(d.cache, g.Go, later)
	d.t.Cleanup(func() {
		x.Close()
		cancel()
		g.Wait()
	})
	return x
}

// built returns the view of an index that holds all of files.
func built(t testing.TB, x *Indexer, files *catalog.Files) *View {
	t.Helper()
	x.View(files)
	must(t, x.Wait(t.Context()))
	return x.View(files)
}

// candidates returns what Candidates yields.
func candidates(t testing.TB, v *View, files *catalog.Files, required [][]Literal, perFile bool) map[int][]Block {
	t.Helper()
	all := map[int][]Block{}
	before := -1
	err := v.Candidates(t.Context(), files, required, perFile, func(i int, blocks []Block) bool {
		if i <= before {
			t.Fatalf("file %d after file %d", i, before)
		}
		before = i
		all[i] = blocks
		return true
	})
	must(t, err)
	return all
}

// names returns the paths of candidates.
func names(files *catalog.Files, all map[int][]Block) string {
	var list []string
	for i := range all {
		list = append(list, files.List[i].Rel)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func literals(texts ...string) []Literal {
	var all []Literal
	for _, s := range texts {
		all = append(all, Literal{Text: s})
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }
