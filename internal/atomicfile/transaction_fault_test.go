package atomicfile

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// txnTrial is a transaction with a journal, in folders of its own.
type txnTrial struct {
	t        testing.TB
	dir      string // the workspace folder
	state    string // the journal's
	before   map[string]string
	after    map[string]string
	changes  []string
	rollback bool // instead of Commit
}

// newTrial plants a trial below path; "" is a new folder.
func newTrial(t testing.TB, path string, before, after map[string]string, changes ...string) *txnTrial {
	t.Helper()
	trial := &txnTrial{t: t, dir: filepath.Join(path, "w"), state: filepath.Join(path, "s"), before: before, after: after, changes: changes}
	disktest.Must(t, os.MkdirAll(trial.dir, 0o755))
	for _, name := range disktest.SortedKeys(before) {
		disktest.Plant(t, trial.dir, name, before[name])
	}
	return trial
}

// small are changes of every kind, and fewer than mixedChanges.
var (
	smallBefore  = map[string]string{"a.txt": "a", "gone.txt": "gone", "dir/": "", "dir/m.txt": "m", "e.txt": "e", "run": "r"}
	smallChanges = changesHere([]string{"replace a.txt A", "create deep/er/new.txt d", "delete gone.txt", "move dir/m.txt m.txt", "move e.txt dir/e.txt E +x", "mode run +x"})
	smallAfter   = here(map[string]string{"a.txt": "A", "deep/": "", "deep/er/": "", "deep/er/new.txt": "d", "dir/": "", "m.txt": "m", "dir/e.txt": "(x) E", "run": "(x) r"})
)

func (trial *txnTrial) journal() *Journal {
	j, err := OpenJournal(trial.state)
	disktest.Must(trial.t, err)
	return j
}

// run goes through the transaction with all system calls made by call.
func (trial *txnTrial) run(call fsys.Caller) ([]Written, error) {
	txn := begin(trial.t, gatetest.New(trial.t, nil, trial.dir), trial.journal(), trial.dir, trial.changes...)
	txn.disk.call, txn.disk.workers = call, 1
	if err := txn.Stage(); err != nil {
		return nil, err
	}
	if err := txn.Apply(); err != nil {
		return nil, err
	}
	if trial.rollback {
		return nil, txn.Rollback()
	}
	return txn.Commit()
}

// split takes what is ours out of the tree.
func (trial *txnTrial) split() (tree map[string]string, own []string) {
	tree = treeOf(trial.t, trial.dir)
	for _, name := range disktest.SortedKeys(tree) {
		if strings.HasPrefix(filepath.Base(name), workspace.OwnPrefix) {
			own = append(own, filepath.Join(trial.dir, name))
			delete(tree, name)
		}
	}
	return tree, own
}

func (trial *txnTrial) journals() []string {
	entries, err := os.ReadDir(trial.state)
	disktest.Must(trial.t, err)
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), keyFile) {
			names = append(names, e.Name())
		}
	}
	return names
}

// failing lets calls fail as f says, and counts. Flushes cost much and show
// nothing here, but they fail, too.
func (f writeFault) failing(met *string) fsys.Caller {
	n := 0
	return func(what string, do func() error) error {
		n++
		if n == f.n || n > f.n && f.lasting {
			if *met == "" {
				*met = what
			}
			return f.errno
		}
		return unflushed(what, do)
	}
}

func faultTrials(f func(name string, trial func(t *testing.T, path string) *txnTrial)) {
	for _, rollback := range []bool{false, true} {
		name, after := "commit", mixedAfter
		if rollback {
			name, after = "rollback", mixedBefore
		}
		f(name, func(t *testing.T, path string) *txnTrial {
			trial := newTrial(t, path, mixedBefore, after, mixedChanges...)
			trial.rollback = rollback
			return trial
		})
	}
}

// TestTransactionFaults lets every system call of a transaction with changes
// of all kinds fail, once and from then on. What a lasting fault leaves,
// Recover brings in order.
func TestTransactionFaults(t *testing.T) {
	faultTrials(func(name string, trial func(t *testing.T, path string) *txnTrial) {
		t.Run(name, func(t *testing.T) {
			path := inMemory(t)
			for _, errno := range []syscall.Errno{syscall.EIO, syscall.EINVAL} {
				for _, lasting := range []bool{false, true} {
					n := 1
					for ; ; n += testscale.Of(1, 9) {
						at := filepath.Join(path, "trial")
						tr, met := trial(t, at), ""
						f := writeFault{errno, n, lasting}
						written, err := tr.run(f.failing(&met))
						if met == "" {
							break
						}
						if err := tr.judge(f, written, err); err != nil {
							t.Fatalf("%v (%s): %v", f, met, err)
						}
						disktest.Must(t, os.RemoveAll(at))
					}
					disktest.Must(t, os.RemoveAll(filepath.Join(path, "trial")))
					t.Logf("%v, lasting %t: each of %d calls failed", errno, lasting, n-1)
				}
			}
		})
	})
}

func (trial *txnTrial) judge(f writeFault, written []Written, err error) error {
	tree, own := trial.split()
	want := trial.before
	if err == nil {
		want = trial.after
		var notes []string
		for _, w := range written {
			notes = append(notes, w.Notes...)
		}
		for _, name := range own {
			if !strings.Contains(strings.Join(notes, " "), filepath.Base(name)) {
				return fmt.Errorf("%s left behind, notes are %q", name, notes)
			}
		}
	} else if kept, _ := fault.From(err).Details["kept"].([]string); !slices.Equal(sorted(kept), own) && !(f.lasting && trial.journals() != nil) {
		return fmt.Errorf("%q left behind, but the error is %v %v", own, err, kept)
	}
	whole := maps.Equal(tree, want)
	partial := fault.KindOf(err) == fault.PartiallyApplied
	switch {
	case partial && f.lasting:
	case partial:
		return fmt.Errorf("one fault was enough for %w", err)
	case !whole:
		return fmt.Errorf("after %w there is\n%s", err, listed(tree))
	}
	if err != nil && !partial && !f.lasting && trial.journals() != nil {
		return fmt.Errorf("after %v there are the journals %q", err, trial.journals())
	}
	if errors.Is(err, errUndecided) {
		return trial.recovered(trial.before, trial.after)
	}
	return trial.recovered(want)
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

// recovered runs Recover and wants one of the trees, with nothing of ours.
func (trial *txnTrial) recovered(wants ...map[string]string) error {
	all := trial.journal().Recover()
	tree, own := trial.split()
	var err error
	for _, r := range all {
		if r.Outcome != RecoveryUndone && r.Outcome != RecoveryFinished || r.NotRestored != nil || r.Kept != nil {
			err = fmt.Errorf("recovered: %+v", r)
		}
	}
	switch {
	case err != nil:
	case !slices.ContainsFunc(wants, func(want map[string]string) bool { return maps.Equal(tree, want) }):
		err = errors.New("neither as before nor as wanted")
	case own != nil || trial.journals() != nil:
		err = fmt.Errorf("left behind: %q, journals %q", own, trial.journals())
	default:
		return nil
	}
	return fmt.Errorf("after Recover (%+v) there is\n%s%q: %w", all, listed(tree), own, err)
}
