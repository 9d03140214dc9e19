package atomicfile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestTransactionStale: what another program does between Stage and Apply
// stays, and nothing else has changed.
func TestTransactionStale(t *testing.T) {
	remove := func(name string) func(dir string) {
		return func(dir string) { disktest.Must(t, os.Remove(filepath.Join(dir, name))) }
	}
	write := func(name string) func(dir string) {
		return func(dir string) { disktest.Plant(t, dir, name, "person's") }
	}
	for _, c := range []struct {
		name string
		do   func(dir string)
		want fault.Kind
	}{
		{"replaced file written", write("a.txt"), fault.StaleFile},
		{"replaced file removed", remove("a.txt"), fault.NotFound},
		{"deleted file written", write("gone.txt"), fault.StaleFile},
		{"deleted file removed", remove("gone.txt"), fault.NotFound},
		{"moved file written", write("dir/m.txt"), fault.StaleFile},
		{"moved and changed file written", write("dir/e.txt"), fault.StaleFile},
		{"target of a move made", write("moved/m.txt"), fault.AlreadyExists},
		{"target of a move and change made", write("e.txt"), fault.AlreadyExists},
		{"created file made", write("new.txt"), fault.AlreadyExists},
		{"file in a new folder made", write("deep/er/new.txt"), fault.AlreadyExists},
		{"new folder made", func(dir string) { disktest.Must(t, os.Mkdir(filepath.Join(dir, "deep"), 0o755)) }, ""},
		{"file in the place of a new folder", write("deep"), fault.NotDirectory},
		{"link in the place of a new folder", func(dir string) { disktest.Must(t, os.Symlink(dir, filepath.Join(dir, "deep"))) }, fault.NotDirectory},
		{"link in the place of a file", func(dir string) { remove("a.txt")(dir); disktest.Plant(t, dir, "a.txt", "-> b.txt") }, fault.NotAFile},
	} {
		t.Run(c.name, func(t *testing.T) {
			trial := newTrial(t, t.TempDir(), mixedBefore, mixedAfter, mixedChanges...)
			txn := begin(t, gatetest.New(t, nil, trial.dir), trial.journal(), trial.dir, trial.changes...)
			disktest.Must(t, txn.Stage())
			c.do(trial.dir)
			want, _ := trial.split()
			err := txn.Apply()
			disktest.CheckKind(t, "Apply", err, c.want)
			if c.want == "" {
				disktest.Must(t, txn.Rollback())
			}
			wantTree(t, "afterwards", trial.dir, want)
			if trial.journals() != nil {
				t.Errorf("journals left: %q", trial.journals())
			}
		})
	}
}

// TestTransactionRefuses: what Stage refuses, before anything is made.
func TestTransactionRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []string
		want    fault.Kind
	}{
		{"created onto a file", []string{"replace a.txt A", "create b.txt n"}, fault.AlreadyExists},
		{"created onto a link", []string{"create link n"}, fault.AlreadyExists},
		{"created below a link to nothing", []string{"create nowhere/n n"}, fault.AlreadyExists},
		{"moved below a link to nothing", []string{"move a.txt nowhere/d/n"}, fault.AlreadyExists},
		{"created below a file", []string{"create a.txt/n n"}, fault.NotDirectory},
		{"created below a file that goes", []string{"delete a.txt", "create a.txt/n n"}, fault.NotDirectory},
		{"moved onto a file", []string{"move a.txt b.txt"}, fault.AlreadyExists},
		{"moved onto itself", []string{"move a.txt a.txt"}, fault.AlreadyExists},
		{"link deleted", []string{"delete link"}, fault.NotAFile},
		{"link moved", []string{"move link other"}, fault.NotAFile},
		{"changed twice", []string{"replace a.txt A", "replace a.txt B"}, fault.InvalidParams},
		{"changed twice, once through a link", []string{"replace b.txt A", "replace link B"}, fault.InvalidParams},
		{"changed and deleted", []string{"replace a.txt A", "delete a.txt"}, fault.InvalidParams},
		{"created twice", []string{"create n n", "create n n"}, fault.InvalidParams},
		{"created twice in a new folder", []string{"create d/e/n n", "create d/e/n n"}, fault.InvalidParams},
		{"moved twice", []string{"move a.txt n", "move a.txt o"}, fault.InvalidParams},
		{"two moved to one", []string{"move a.txt n", "move b.txt n"}, fault.InvalidParams},
		{"moved there and created", []string{"move a.txt n", "create n n"}, fault.InvalidParams},
		{"replaced and moved there", []string{"replace a.txt A", "move b.txt a.txt"}, fault.InvalidParams},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := maps.Clone(mixedBefore)
			before["nowhere"] = "-> is/nothing"
			trial := newTrial(t, t.TempDir(), before, nil)
			txn := begin(t, gatetest.New(t, nil, trial.dir), trial.journal(), trial.dir, c.changes...)
			disktest.CheckKind(t, "Stage", txn.Stage(), c.want)
			wantTree(t, "afterwards", trial.dir, before)
			if trial.journals() != nil {
				t.Errorf("journals left: %q", trial.journals())
			}
			disktest.CheckKind(t, "Apply", txn.Apply(), fault.Internal)
		})
	}
}

// TestTransactionPolicy: places that are not written are refused as by
// Replace, and by where links lead.
func TestTransactionPolicy(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a.txt": "a", ".git/config": "c", "in": "-> .git", "out": "-> /tmp"})
	for change, want := range map[string]fault.Kind{
		"replace .git/config C":   fault.PermissionDenied,
		"delete .git/config":      fault.PermissionDenied,
		"move a.txt .git/hook":    fault.PermissionDenied,
		"create .vscode/x.json x": fault.PermissionDenied,
		"create in/hook h":        fault.PermissionDenied,
		"move a.txt in/hook":      fault.PermissionDenied,
		"create out/file h":       fault.PermissionDenied,
		"move a.txt out/file":     fault.PermissionDenied,
	} {
		g := gatetest.New(t, nil, dir)
		txn := Begin(g, nil)
		err := wantChange(t, g, txn, dir, change)
		if err == nil {
			err = txn.Stage()
		}
		disktest.CheckKind(t, change, err, want)
	}
	g := gatetest.New(t, nil, dir)
	out, err := g.Resolve(filepath.Join(dir, "out/file"), nil)
	disktest.Must(t, err)
	txn := Begin(g, nil)
	disktest.Must(t, txn.Create(out.Consented(), nil))
	disktest.CheckKind(t, "a person agreed, but no link leads out", txn.Stage(), fault.OutsideWorkspace)
}

// TestTransactionKeepsFile: a moved file is the same one; one that is moved
// and changed keeps its mode.
func TestTransactionKeepsFile(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a": "a", "b": "b"})
	disktest.Must(t, os.Chmod(filepath.Join(dir, "b"), 0o750))
	disktest.Must(t, os.Link(filepath.Join(dir, "b"), filepath.Join(dir, "twin")))
	before, err := os.Stat(filepath.Join(dir, "a"))
	disktest.Must(t, err)
	txn := begin(t, gatetest.New(t, nil, dir), nil, dir, "move a d/a", "move b d/b B")
	disktest.Must(t, txn.Stage())
	disktest.Must(t, txn.Apply())
	written, err := txn.Commit()
	disktest.Must(t, err)
	if after, err := os.Stat(filepath.Join(dir, "d/a")); err != nil || !os.SameFile(before, after) {
		t.Errorf("the moved file is another one (%v)", err)
	}
	if st, err := os.Stat(filepath.Join(dir, "d/b")); err != nil || st.Mode().Perm() != 0o750 {
		t.Errorf("the changed file has the mode %v (%v)", st.Mode(), err)
	}
	if len(written[1].Notes) != 1 || !strings.Contains(written[1].Notes[0], "2 hard links") {
		t.Errorf("notes %q", written[1].Notes)
	}
}

// TestTransactionLeavesHardLinks: what another program gave a second name is not
// taken for the name that the move made.
func TestTransactionLeavesHardLinks(t *testing.T) {
	for _, to := range []string{"b", "A"} {
		dir := disktest.Tree(t, map[string]string{"a": "a"})
		link := func() { disktest.Must(t, os.Link(filepath.Join(dir, "a"), filepath.Join(dir, to))) }
		txn := begin(t, gatetest.New(t, nil, dir), nil, dir, "move a "+to)
		disktest.Must(t, txn.Stage())
		link()
		disktest.CheckKind(t, "move a "+to, txn.Apply(), fault.AlreadyExists)
		wantTree(t, "move a "+to, dir, map[string]string{"a": "a", to: "a"})
	}
	dir := disktest.Tree(t, map[string]string{"a": "a"})
	disktest.Must(t, os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "A")))
	disktest.CheckKind(t, "it is there", begin(t, gatetest.New(t, nil, dir), nil, dir, "move a A").Stage(), fault.AlreadyExists)
}

// TestTransactionAgainstSavingEditor lets an editor save one of the files of a
// transaction that is then finished or undone. The save begins before any call
// and ends before the next, or when all is over. What was saved must be there
// afterwards, under its name or under one that is told.
func TestTransactionAgainstSavingEditor(t *testing.T) {
	changes := []string{"replace a.txt A", "delete gone.txt", "move dir/m.txt m.txt", "move e.txt dir/e.txt E", "create n.txt n"}
	for _, rollback := range []bool{false, true} {
		for i, how := range savers {
			stride := testscale.Of(3, 23)
			if i == 1 { // the way that can go wrong most easily
				stride = testscale.Of(1, 11)
			}
			t.Run(fmt.Sprintf("%s, rollback %t", how.name, rollback), func(t *testing.T) {
				at, runs := filepath.Join(inMemory(t), "trial"), 0
				for _, name := range []string{"a.txt", "gone.txt", "dir/m.txt", "m.txt", "e.txt", "dir/e.txt", "n.txt"} {
					for _, drawnOut := range []bool{false, true} {
						for n, calls := 1, 1; n <= calls; n += stride {
							trial := newTrial(t, at, smallBefore, nil, changes...)
							trial.rollback = rollback
							calls = trial.saveAt(n, name, how, drawnOut)
							disktest.Must(t, os.RemoveAll(at))
							runs++
						}
					}
				}
				t.Logf("%d runs", runs)
			})
		}
	}
}

// saveAt lets the file, if it is there, be saved before the n-th call.
func (trial *txnTrial) saveAt(n int, name string, how saver, drawnOut bool) (calls int) {
	const saved = "saved by the person"
	s := &scene{t: trial.t, path: filepath.Join(trial.dir, filepath.Dir(name)), editing: filepath.Base(name), stepwise: true}
	var sv *save
	ended := false
	written, err := trial.run(func(what string, do func() error) error {
		if calls++; calls == n {
			if _, err := os.Stat(s.saved()); err == nil {
				sv = how.begin(s, saved)
				ended = !drawnOut && sv.end(false)
			}
		}
		return unflushed(what, do)
	})
	if sv == nil {
		return calls
	}
	if !ended {
		sv.end(true)
	}
	if problem := trial.judgeSave(saved, written, err); problem != nil {
		trial.t.Fatalf("save of %s before call %d of %d, drawn out: %t: %v", name, n, calls, drawnOut, problem)
	}
	return calls
}

func (trial *txnTrial) judgeSave(saved string, written []Written, err error) error {
	told := fmt.Sprint(err, written)
	if e := fault.From(err); e != nil {
		told += fmt.Sprint(e.Details)
	}
	tree := treeOf(trial.t, trial.dir)
	there := 0
	for file, content := range tree {
		if content == saved {
			there++
		}
		if base := filepath.Base(file); strings.HasPrefix(base, workspace.OwnPrefix) && !strings.Contains(told, base) {
			return fmt.Errorf("%s left behind; told %s", file, told)
		}
	}
	switch {
	case there != 1:
		return fmt.Errorf("it is there %d times; there is\n%s%s", there, listed(tree), told)
	case err != nil && !slices.Contains([]fault.Kind{fault.StaleFile, fault.PartiallyApplied, fault.AlreadyExists}, fault.KindOf(err)):
		return err
	case trial.journals() != nil:
		return fmt.Errorf("journals left: %q", trial.journals())
	}
	return nil
}
