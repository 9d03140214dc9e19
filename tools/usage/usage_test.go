package usage

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// served is a read of a range of a text of 100 bytes.
func served(client, path, hash string, start, end int) Call {
	return Call{Tool: "read_file", Bytes: 5, Read: &Read{Range: [5]any{client, path, hash, start, end}, WholeBytes: 100}}
}

func TestUsageCounts(t *testing.T) {
	u := New()
	u.Count(served("one", "a", "h1", 0, 5))
	u.Count(served("one", "a", "h1", 0, 5)) // repeated
	u.Count(served("two", "a", "h1", 0, 5)) // by another
	u.Count(served("one", "a", "h2", 0, 5)) // another text
	u.Count(served("one", "a", "h1", 5, 9)) // another range
	u.Count(served("one", "b", "h1", 0, 5)) // another path
	u.Count(Call{Tool: "edit_file", Failed: fault.StaleFile})
	u.Count(Call{Tool: "edit_file", Failed: fault.NotFound})
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
	none.Count(served("one", "a", "h", 0, 1))
	if f := none.Figures(); f.Used() {
		t.Errorf("%+v", f)
	}
}

// TestUsageRemembersSoMuch: the table of ranges does not grow, and what is
// recent is still known.
func TestUsageRemembersSoMuch(t *testing.T) {
	u := New()
	for i := range 3 * maxReadsSeen {
		u.Count(served("", fmt.Sprint(i), "h", 0, 5))
	}
	if len(u.reads) != maxReadsSeen || len(u.oldest) != maxReadsSeen {
		t.Errorf("%d and %d are remembered", len(u.reads), len(u.oldest))
	}
	u.Count(served("", fmt.Sprint(3*maxReadsSeen-maxReadsSeen), "h", 0, 5))
	if n := u.Figures().RepeatedReads; n != 1 {
		t.Errorf("%d repeated", n)
	}
	u.Count(served("", "0", "h", 0, 5))
	if n := u.Figures().RepeatedReads; n != 1 {
		t.Errorf("%d repeated, with one that is forgotten", n)
	}
}

// TestUsageIsSummed: by many sessions at once, and begun again where the file
// is broken.
func TestUsageIsSummed(t *testing.T) {
	home := t.TempDir()
	if f, err := SavedFigures(home); err != nil || f.Used() {
		t.Fatalf("%+v %v", f, err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			u := New()
			u.Count(Call{Tool: "outline"})
			if err := u.Save(home); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := New().Save(home); err != nil { // without a call
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
	u := New()
	u.Count(Call{Tool: "outline"})
	if err := u.Save(home); err != nil {
		t.Fatal(err)
	}
	if f, err := SavedFigures(home); err != nil || f.Sessions != 1 {
		t.Errorf("%+v %v", f, err)
	}
}
