package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func readResult(path, hash string, start, end, whole int) Result {
	return Result{Rendering: Rendering{Body: "12345"}, structured: &readOutput{
		standing: standing{Path: path}, extent: extent{ContentHash: hash, TextBytes: &whole},
		BytesShown: &byteRange{start, end},
	}}
}

func TestUsageCounts(t *testing.T) {
	u, read, edit := NewUsage(), Definition{Name: "read_file"}, Definition{Name: "edit_file"}
	one, two := Client{Name: "one"}, Client{Name: "two"}
	u.count(read, one, readResult("a", "h1", 0, 5, 100))
	u.count(read, one, readResult("a", "h1", 0, 5, 100)) // repeated
	u.count(read, two, readResult("a", "h1", 0, 5, 100)) // by another
	u.count(read, one, readResult("a", "h2", 0, 5, 100)) // another text
	u.count(read, one, readResult("a", "h1", 5, 9, 100)) // another range
	u.count(read, one, readResult("b", "h1", 0, 5, 100)) // another path
	u.count(edit, one, Failed(fault.New(fault.StaleFile, "x")))
	u.count(edit, one, Failed(fault.New(fault.NotFound, "x")))
	got := u.Figures()
	if got.Calls["read_file"] != 6 || got.Calls["edit_file"] != 2 || got.RepeatedReads != 1 || got.BytesOfWholeFiles != 600 ||
		got.StaleEdits != 1 || got.Failed["stale_file"] != 1 || got.Failed["not_found"] != 1 || got.Sessions != 1 || got.BytesServed < 30 {
		t.Errorf("%+v", got)
	}
	got.Calls["read_file"] = 99 // the copy is the caller's
	if u.Figures().Calls["read_file"] != 6 {
		t.Error("the figures are shared")
	}
	var none *Usage
	none.count(read, one, readResult("a", "h", 0, 1, 1))
	if f := none.Figures(); f.Used() {
		t.Errorf("%+v", f)
	}
}

// TestUsageRemembersSoMuch: the table of ranges does not grow, and what is
// recent is still known.
func TestUsageRemembersSoMuch(t *testing.T) {
	u := NewUsage()
	for i := range 3 * maxReadsSeen {
		u.count(Definition{Name: "read_file"}, Client{}, readResult(fmt.Sprint(i), "h", 0, 5, 5))
	}
	if len(u.reads) != maxReadsSeen || len(u.oldest) != maxReadsSeen {
		t.Errorf("%d and %d are remembered", len(u.reads), len(u.oldest))
	}
	u.count(Definition{Name: "read_file"}, Client{}, readResult(fmt.Sprint(3*maxReadsSeen-maxReadsSeen), "h", 0, 5, 5))
	if n := u.Figures().RepeatedReads; n != 1 {
		t.Errorf("%d repeated", n)
	}
	u.count(Definition{Name: "read_file"}, Client{}, readResult("0", "h", 0, 5, 5))
	if n := u.Figures().RepeatedReads; n != 1 {
		t.Errorf("%d repeated, with one that is forgotten", n)
	}
}

// TestUsageIsSummed: by many sessions at once, and begun anew where the file
// is broken.
func TestUsageIsSummed(t *testing.T) {
	home := t.TempDir()
	if f, err := SavedFigures(home); err != nil || f.Used() {
		t.Fatalf("%+v %v", f, err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			u := NewUsage()
			u.count(Definition{Name: "outline"}, Client{}, Result{})
			if err := u.Save(home); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := NewUsage().Save(home); err != nil { // without a call
		t.Error(err)
	}
	f, err := SavedFigures(home)
	if err != nil || f.Sessions != 20 || f.Calls["outline"] != 20 {
		t.Errorf("%+v %v", f, err)
	}
	path := filepath.Join(home, "agent-lsp", "stats", usageFile)
	if info, err := os.Stat(path); err != nil || info.Size() > 4096 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if err := os.WriteFile(path, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	u := NewUsage()
	u.count(Definition{Name: "outline"}, Client{}, Result{})
	if err := u.Save(home); err != nil {
		t.Fatal(err)
	}
	if f, err := SavedFigures(home); err != nil || f.Sessions != 1 {
		t.Errorf("%+v %v", f, err)
	}
}
