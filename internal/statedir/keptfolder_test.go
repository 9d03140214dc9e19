package statedir

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func keptFolder(t *testing.T) (*KeptFolder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a", "kept")
	k, err := OpenKeptFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return k, dir
}

func TestKeptNamesAreNamesAlone(t *testing.T) {
	k, _ := keptFolder(t)
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".x", "a\x00", "a:b"} {
		if f, err := k.Create(name); fault.KindOf(err) != fault.InvalidParams {
			t.Errorf("%q is taken: %v %v", name, f, err)
		}
		if k.Remove(name) {
			t.Errorf("%q is removed", name)
		}
	}
	if _, err := OpenKeptFolder("relative"); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("%v", err)
	}
}

// TestWhatIsWrittenIsNotRemoved: not by another opening of the folder either,
// which stands for another process.
func TestWhatIsWrittenIsNotRemoved(t *testing.T) {
	k, dir := keptFolder(t)
	other, err := OpenKeptFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := k.Create("x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Create("x"); fault.KindOf(err) != fault.AlreadyExists {
		t.Errorf("%v", err)
	}
	if k.Remove("x") || other.Remove("x") {
		t.Error("removed while it is written")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if !other.Remove("x") || !k.Remove("x") {
		t.Error("not removed, or not known to be gone")
	}
}

// TestUpdatesAreOneAfterTheOther: none is lost, and the file is always whole.
func TestUpdatesAreOneAfterTheOther(t *testing.T) {
	_, dir := keptFolder(t)
	var wg sync.WaitGroup
	for range 4 {
		k, err := OpenKeptFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for range 25 {
				err := k.Update("n", func(old []byte) ([]byte, error) {
					n, _ := strconv.Atoi(string(old)) // none is 0
					return strconv.AppendInt(nil, int64(n+1), 10), nil
				})
				if err != nil {
					t.Error(err)
				}
				if raw, err := k.Read("n"); err != nil || len(raw) == 0 {
					t.Errorf("%q %v", raw, err)
				}
			}
		})
	}
	wg.Wait()
	if raw, err := os.ReadFile(filepath.Join(dir, "n")); string(raw) != "100" || err != nil {
		t.Errorf("%s %v", raw, err)
	}
}
