package atomicfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// What a child process of TestTransactionKilled does before the call that it
// is killed at; see killCallVar.
const (
	trialCommit   = "transaction"
	trialRollback = "transaction rolled back"
	trialRecover  = "recover"
)

// TestKilledTransaction is the child's part.
func TestKilledTransaction(t *testing.T) {
	name := os.Getenv(killTrialVar)
	if name != trialCommit && name != trialRollback && name != trialRecover {
		return
	}
	at, err := strconv.Atoi(os.Getenv(killCallVar))
	disktest.Must(t, err)
	n := 0
	call := func(what string, do func() error) error {
		if n++; n == at {
			killSelf()
		}
		return unflushed(what, do)
	}
	path := os.Getenv(killFolderVar)
	trial := &txnTrial{t: t, dir: filepath.Join(path, "w"), state: filepath.Join(path, "s"), changes: smallChanges, rollback: name == trialRollback}
	if name == trialRecover {
		trial.journal().recover(call)
		return
	}
	_, err = trial.run(call)
	disktest.Must(t, err)
}

// killedAt runs a child that is killed before a call; it is false when the
// child came to its end.
func killedAt(t *testing.T, path, trial string, call int) bool {
	t.Helper()
	self, err := os.Executable()
	disktest.Must(t, err)
	cmd := exec.Command(self, "-test.run=^TestKilledTransaction$")
	cmd.Env = append(os.Environ(), killTrialVar+"="+trial, killFolderVar+"="+path, killCallVar+"="+strconv.Itoa(call))
	out, err := cmd.CombinedOutput()
	if err != nil && !wasKilled(err) {
		t.Fatalf("call %d: %v\n%s", call, err, out)
	}
	return err != nil
}

// TestTransactionKilled kills a process before every system call of a
// transaction; then Recover brings the tree in order, and leaves nothing.
func TestTransactionKilled(t *testing.T) {
	for _, name := range []string{trialCommit, trialRollback} {
		t.Run(name, func(t *testing.T) {
			path := inMemory(t)
			old, now := 0, 0
			for n := 1; ; n += testscale.Of(1, 11) {
				at := filepath.Join(path, "trial")
				trial := newTrial(t, at, smallBefore, smallAfter, smallChanges...)
				killed := killedAt(t, at, name, n)
				if err := trial.recovered(smallBefore, smallAfter); err != nil {
					t.Fatalf("killed before call %d: %v", n, err)
				}
				if tree, _ := trial.split(); tree["a.txt"] == "a" {
					old++
				} else {
					now++
				}
				disktest.Must(t, os.RemoveAll(at))
				if !killed {
					t.Logf("killed before each of %d calls: %d times as before, %d as wanted", n-1, old, now)
					break
				}
			}
		})
	}
}

// TestRecoverKilled kills processes that recover what a killed one left, at
// every call; the next one has to bring it in order.
func TestRecoverKilled(t *testing.T) {
	path := inMemory(t)
	runs := 0
	for n := 40; ; n += testscale.Of(29, 58) {
		for m := 1; ; m += testscale.Of(2, 14) {
			at := filepath.Join(path, "trial")
			trial := newTrial(t, at, smallBefore, smallAfter, smallChanges...)
			killed := killedAt(t, at, trialCommit, n)
			again := killedAt(t, at, trialRecover, m)
			if err := trial.recovered(smallBefore, smallAfter); err != nil {
				t.Fatalf("killed before call %d, and recovering before call %d: %v", n, m, err)
			}
			disktest.Must(t, os.RemoveAll(at))
			if runs++; !killed {
				t.Logf("%d runs", runs)
				return
			}
			if !again {
				break
			}
		}
	}
}

// TestRecoverFaults stops a transaction at any call, as a crash does, and the
// recovery at any of its calls; a second recovery brings everything in order.
func TestRecoverFaults(t *testing.T) {
	path := inMemory(t)
	runs := 0
	for n := 1; ; n += testscale.Of(3, 13) {
		for m := 1; ; m += testscale.Of(2, 6) {
			at := filepath.Join(path, "trial")
			trial := newTrial(t, at, smallBefore, smallAfter, smallChanges...)
			var met, metAgain string
			_, err := trial.run(writeFault{syscall.EIO, n, true}.failing(&met))
			first := trial.journal().recover(writeFault{syscall.EIO, m, m%4 == 1}.failing(&metAgain))
			if bad := trial.recovered(smallBefore, smallAfter); bad != nil {
				t.Fatalf("failing from call %d on (%s, %v), recovering failed at call %d (%s): %+v: %v", n, met, err, m, metAgain, first, bad)
			}
			disktest.Must(t, os.RemoveAll(at))
			if runs++; met == "" {
				t.Logf("%d calls, %d runs", n, runs)
				return
			}
			if metAgain == "" {
				break
			}
		}
	}
}

// TestRecoverLeavesTheLiving: a transaction that goes on is not touched, in
// this process or another.
func TestRecoverLeavesTheLiving(t *testing.T) {
	trial := newTrial(t, t.TempDir(), smallBefore, smallAfter, smallChanges...)
	txn := begin(t, gatetest.New(t, nil, trial.dir), trial.journal(), trial.dir, smallChanges...)
	idle := func(when string) {
		if all := trial.journal().Recover(); all != nil {
			t.Fatalf("%s: recovered %+v", when, all)
		}
		killedAt(t, filepath.Dir(trial.dir), trialRecover, 0)
	}
	disktest.Must(t, txn.Stage())
	idle("staged")
	disktest.Must(t, txn.Apply())
	idle("applied")
	_, err := txn.Commit()
	disktest.Must(t, err)
	disktest.Must(t, trial.recovered(smallAfter))
}

// recoveredOutcomes are the outcomes with the files each is about.
func recoveredOutcomes(all []Recovered) (outcomes []string) {
	for _, r := range all {
		outcomes = append(outcomes, fmt.Sprintf("%s %d, not restored %d, kept %d", r.Outcome, len(r.Files), len(r.NotRestored), len(r.Kept)))
	}
	return outcomes
}

// crashed leaves a transaction as a process leaves it that is killed after
// Apply.
func (trial *txnTrial) crashed() {
	trial.t.Helper()
	txn := begin(trial.t, gatetest.New(trial.t, nil, trial.dir), trial.journal(), trial.dir, trial.changes...)
	disktest.Must(trial.t, txn.Stage())
	disktest.Must(trial.t, txn.Apply())
	txn.disk.keepJournal()
}

// TestRecoverKeepsOthersTexts: what another program wrote after the crash
// stays, and is told; the rest is undone.
func TestRecoverKeepsOthersTexts(t *testing.T) {
	trial := newTrial(t, t.TempDir(), smallBefore, smallAfter, smallChanges...)
	trial.crashed()
	disktest.Plant(t, trial.dir, "a.txt", "person's")           // replaced; in place
	disktest.Plant(t, trial.dir, "gone.txt", "person's")        // deleted; made anew
	disktest.Plant(t, trial.dir, "deep/er/new.txt", "person's") // created; in place
	disktest.Plant(t, trial.dir, "dir/e.txt.tmp", "person's")   // moved and changed; renamed over
	disktest.Must(t, os.Rename(filepath.Join(trial.dir, "dir/e.txt.tmp"), filepath.Join(trial.dir, "dir/e.txt")))
	all := trial.journal().Recover()
	if len(all) != 1 || all[0].Outcome != RecoveryUndone {
		t.Fatalf("recovered %+v", all)
	}
	tree, own := trial.split()
	for name, want := range map[string]string{"a.txt": "person's", "gone.txt": "person's", "deep/er/new.txt": "person's", "dir/e.txt": "person's", "dir/m.txt": "m", "e.txt": "e"} {
		if tree[name] != want {
			t.Errorf("%s holds %q, want %q", name, tree[name], want)
		}
	}
	kept := map[string]bool{}
	for _, name := range own {
		rel, _ := filepath.Rel(trial.dir, name)
		kept[treeOf(t, trial.dir)[rel]] = true
	}
	if len(own) != 2 || !kept["a"] || !kept["gone"] || strings.Join(sorted(all[0].Kept), " ") != strings.Join(own, " ") {
		t.Errorf("kept %q (%v), told %q", own, kept, all[0].Kept)
	}
	if len(all[0].NotRestored) != 4 || trial.journals() != nil {
		t.Errorf("not restored %q; journals %q", all[0].NotRestored, trial.journals())
	}
}

// TestRecoverAfterRemoval: what another program removed or moved stays away,
// and no later recovery tries again.
func TestRecoverAfterRemoval(t *testing.T) {
	trial := newTrial(t, t.TempDir(), smallBefore, smallAfter, smallChanges...)
	trial.crashed()
	for _, name := range []string{"a.txt", "deep/er/new.txt", "m.txt"} {
		disktest.Must(t, os.Remove(filepath.Join(trial.dir, name)))
	}
	all := trial.journal().Recover()
	_, own := trial.split()
	if got := fmt.Sprint(recoveredOutcomes(all)); got != "[undone 8, not restored 1, kept 1]" || len(own) != 1 {
		t.Errorf("recovered %+v, left behind %q", all, own)
	}
	if trial.journals() != nil {
		t.Errorf("journals %q", trial.journals())
	}
}

// TestRecoverOdd: journals and folders that are not as they were.
func TestRecoverOdd(t *testing.T) {
	elsewhere := t.TempDir()
	for _, odd := range []struct {
		name string
		do   func(trial *txnTrial, journal string)
		want string // outcomes
		left string // in the journal's folder, a suffix
	}{
		{"garbage", func(_ *txnTrial, j string) { disktest.Must(t, os.WriteFile(j, []byte("garbage\n\x00"), 0o600)) }, "[unreadable 0, not restored 0, kept 0]", damagedSuffix},
		{"empty", func(_ *txnTrial, j string) { disktest.Must(t, os.Truncate(j, 0)) }, "[unreadable 0, not restored 0, kept 0]", damagedSuffix},
		{"first line cut", func(_ *txnTrial, j string) { disktest.Must(t, os.Truncate(j, 100)) }, "[unreadable 0, not restored 0, kept 0]", damagedSuffix},
		{"workspace gone", func(tr *txnTrial, _ string) { disktest.Must(t, os.RemoveAll(tr.dir)) }, "[postponed 8, not restored 0, kept 0]", journalSuffix},
		{"folder gone", func(tr *txnTrial, _ string) { disktest.Must(t, os.RemoveAll(filepath.Join(tr.dir, "dir"))) }, "[undone 8, not restored 2, kept 0]", ""},
		{"folder is a link", func(tr *txnTrial, _ string) {
			disktest.Must(t, os.RemoveAll(filepath.Join(tr.dir, "dir")))
			disktest.Must(t, os.Symlink(elsewhere, filepath.Join(tr.dir, "dir")))
		}, "[undone 8, not restored 2, kept 0]", ""},
		{"workspace is a link", func(tr *txnTrial, _ string) {
			disktest.Must(t, os.Rename(tr.dir, tr.dir+"2"))
			disktest.Must(t, os.Symlink(tr.dir+"2", tr.dir))
		}, "[postponed 8, not restored 0, kept 0]", journalSuffix},
	} {
		t.Run(odd.name, func(t *testing.T) {
			trial := newTrial(t, t.TempDir(), smallBefore, smallAfter, smallChanges...)
			trial.crashed()
			odd.do(trial, filepath.Join(trial.state, trial.journals()[0]))
			if got := fmt.Sprint(recoveredOutcomes(trial.journal().Recover())); got != odd.want {
				t.Errorf("outcomes %s, want %s", got, odd.want)
			}
			left := strings.Join(trial.journals(), " ")
			if !strings.HasSuffix(left, odd.left) || odd.left == "" && left != "" {
				t.Errorf("there are %q, want one %q", left, odd.left)
			}
		})
	}
}
