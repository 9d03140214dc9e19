package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
)

// TestTransactionWithoutExchange: where names cannot be exchanged the old file
// is moved away for a moment, and all else is the same.
func TestTransactionWithoutExchange(t *testing.T) {
	for _, rollback := range []bool{false, true} {
		for _, missing := range [][]string{{fsys.CallExchange}, {fsys.CallExchange, "rename new"}} {
			after := mixedAfter
			if rollback {
				after = mixedBefore
			}
			trial := newTrial(t, t.TempDir(), mixedBefore, after, mixedChanges...)
			trial.rollback = rollback
			_, err := trial.run(func(what string, do func() error) error {
				if slices.Contains(missing, what) {
					return unix.EINVAL
				}
				return fsys.PlainCall(what, do)
			})
			disktest.Must(t, err)
			disktest.Must(t, trial.recovered(after))
		}
	}
}

// TestTransactionMounts: a file moves between file systems by copying, and one
// that is a mount point cannot be exchanged and stops the others.
func TestTransactionMounts(t *testing.T) {
	needRoot(t)
	trial := newTrial(t, t.TempDir(), map[string]string{"a": "(x) a", "b": "b", "c": "c", "point": "p", "m/": ""}, nil)
	at := func(name string) string { return filepath.Join(trial.dir, name) }
	disktest.Must(t, os.Chmod(at("a"), 0o750))
	mount(t, "tmpfs", at("m"), "tmpfs", 0, "size=1m")
	g := gatetest.New(t, nil, trial.dir)

	txn := begin(t, g, trial.journal(), trial.dir, "move a m/new/a", "move b m/b B")
	disktest.Must(t, txn.Stage())
	disktest.Must(t, txn.Apply())
	disktest.Must(t, txn.Rollback())
	wantTree(t, "rolled back", trial.dir, trial.before)

	txn = begin(t, g, trial.journal(), trial.dir, "move a m/new/a", "move b m/b B")
	disktest.Must(t, txn.Stage())
	disktest.Must(t, txn.Apply())
	_, err := txn.Commit()
	disktest.Must(t, err)
	after := map[string]string{"c": "c", "point": "p", "m/": "", "m/new/": "", "m/new/a": "(x) a", "m/b": "B"}
	wantTree(t, "committed", trial.dir, after)
	if st, err := os.Stat(at("m/new/a")); err != nil || st.Mode().Perm() != 0o750 {
		t.Errorf("mode %v (%v)", st.Mode(), err)
	}

	mount(t, at("point"), at("point"), "", unix.MS_BIND, "")
	txn = begin(t, g, trial.journal(), trial.dir, "replace c C", "replace point P")
	disktest.Must(t, txn.Stage())
	err = txn.Apply()
	if fault.From(err) == nil || !strings.Contains(err.Error(), "in a call of its own") {
		t.Errorf("mount point: %v", err)
	}
	wantTree(t, "refused", trial.dir, after)
	if trial.journals() != nil {
		t.Errorf("journals %q", trial.journals())
	}
}

// TestTransactionToABoundFolder: a file moves by copying to a folder that is of
// the same file system, but mounted a second time.
func TestTransactionToABoundFolder(t *testing.T) {
	needRoot(t)
	trial := newTrial(t, t.TempDir(), map[string]string{"a": "a", "other/": "", "bound/": ""}, nil)
	mount(t, filepath.Join(trial.dir, "other"), filepath.Join(trial.dir, "bound"), "", unix.MS_BIND, "")
	txn := begin(t, gatetest.New(t, nil, trial.dir), trial.journal(), trial.dir, "move a bound/a")
	disktest.Must(t, txn.Stage())
	disktest.Must(t, txn.Apply())
	_, err := txn.Commit()
	disktest.Must(t, err)
	wantTree(t, "committed", trial.dir, map[string]string{"other/": "", "other/a": "a", "bound/": "", "bound/a": "a"})
}

// TestTransactionDiskFull: one text too many, and nothing has changed.
func TestTransactionDiskFull(t *testing.T) {
	needRoot(t)
	trial := newTrial(t, t.TempDir(), nil, nil)
	mount(t, "tmpfs", trial.dir, "tmpfs", 0, "size=64k")
	disktest.Plant(t, trial.dir, "a", "a")
	txn := begin(t, gatetest.New(t, nil, trial.dir), trial.journal(), trial.dir, "replace a A", "create b "+strings.Repeat("b", 30_000), "create c "+strings.Repeat("c", 50_000))
	disktest.CheckKind(t, "Stage", txn.Stage(), fault.DiskFull)
	wantTree(t, "afterwards", trial.dir, map[string]string{"a": "a"})
}
