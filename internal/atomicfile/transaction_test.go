package atomicfile

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// treeOf reads what is below a folder: files by their slash paths, folders with
// a slash at the end, links as "-> target".
func treeOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	disktest.Must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case e.IsDir():
			found[rel+"/"] = ""
		case e.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			found[rel] = "-> " + target
			return err
		default:
			raw, err := os.ReadFile(path)
			found[rel] = string(raw)
			if info, err := e.Info(); err == nil && info.Mode()&0o111 != 0 {
				found[rel] = disktest.Executable + string(raw)
			}
			return err
		}
		return nil
	}))
	return found
}

// here is a tree as this system has it: Windows has no modes, and no links that
// everybody may make.
func here(tree map[string]string) map[string]string {
	if HasModes {
		return tree
	}
	has := make(map[string]string)
	for name, text := range tree {
		if text = strings.TrimPrefix(text, disktest.Executable); !strings.HasPrefix(text, "-> ") {
			has[name] = text
		}
	}
	return has
}

// changesHere are changes as this system has them; see [here].
func changesHere(changes []string) (has []string) {
	if HasModes {
		return changes
	}
	for _, c := range changes {
		if !strings.HasPrefix(c, "mode ") {
			c = strings.TrimSuffix(strings.TrimSuffix(c, " +x"), " -x")
			has = append(has, strings.Replace(c, "replace link ", "replace b.txt ", 1))
		}
	}
	return has
}

// wantTree compares what is below a folder.
func wantTree(t testing.TB, what, dir string, want map[string]string) {
	t.Helper()
	if got := treeOf(t, dir); !maps.Equal(got, want) {
		t.Fatalf("%s: there is\n%s\nwant\n%s", what, listed(got), listed(want))
	}
}

func listed(tree map[string]string) string {
	var b strings.Builder
	for _, name := range disktest.SortedKeys(tree) {
		b.WriteString("  " + name + ": " + tree[name] + "\n")
	}
	return b.String()
}

// A change is one line: "replace PATH NEW", "create PATH NEW", "delete PATH",
// "move FROM TO [NEW]", "mode PATH"; guards are those of the present texts.
// With +x or -x behind it the file gets that mode.
func begin(t testing.TB, g *workspace.Gate, j *Journal, dir string, changes ...string) *Transaction {
	t.Helper()
	txn := Begin(g, j)
	for _, change := range changes {
		disktest.Must(t, wantChange(t, g, txn, dir, change))
	}
	return txn
}

func wantChange(t testing.TB, g *workspace.Gate, txn *Transaction, dir, change string) error {
	t.Helper()
	change, consented := strings.CutPrefix(change, "consented ")
	f := strings.Fields(change)
	mode := func(name string) (m ModeChange) {
		if to := f[len(f)-1]; to == "+x" || to == "-x" {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
				m.From = info.Mode().Perm()
			}
			m.To = map[string]fs.FileMode{"+x": 0o755, "-x": 0o644}[to]
		}
		return m
	}
	if m := mode(f[1]); f[0] != "mode" && !m.IsNone() {
		err := wantChange(t, g, txn, dir, strings.Join(f[:len(f)-1], " "))
		txn.SetMode(m)
		return err
	}
	at := func(name string) workspace.Path {
		p, err := g.Resolve(filepath.Join(dir, name), nil)
		disktest.Must(t, err)
		if consented {
			return p.Consented()
		}
		return p
	}
	guard := func(name string) text.Hash {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		disktest.Must(t, err)
		return text.HashBytes(raw)
	}
	switch f[0] {
	case "replace":
		return txn.Replace(at(f[1]), guard(f[1]), []byte(f[2]))
	case "create":
		return txn.Create(at(f[1]), []byte(f[2]))
	case "mode":
		return txn.ReplaceMode(at(f[1]), guard(f[1]), mode(f[1]))
	case "delete":
		return txn.Delete(at(f[1]), guard(f[1]))
	}
	var data []byte
	if len(f) > 3 {
		data = []byte(f[3])
	}
	return txn.Move(at(f[1]), at(f[2]), guard(f[1]), data)
}

// mixed are changes of every kind, and what they make of mixedBefore.
var (
	mixedBefore = here(map[string]string{
		"a.txt": "a", "b.txt": "b", "gone.txt": "gone", "dir/": "", "dir/m.txt": "m", "dir/e.txt": "e",
		"x.txt": "x", "y.txt": "y", "link": "-> b.txt", "run": "r", "runs": "(x) s", "tool": "(x) t",
	})
	mixedChanges = changesHere([]string{
		"replace a.txt A", "replace link B", "create new.txt n", "create deep/er/new.txt d", "delete gone.txt",
		"create gone.txt again", "move dir/m.txt moved/m.txt", "move dir/e.txt e.txt E", "move x.txt y.txt", "move y.txt x.txt",
		"mode run +x", "replace runs S -x", "move tool bin/tool -x", "create bin/new n +x",
	})
	mixedAfter = here(map[string]string{
		"a.txt": "A", "b.txt": "B", "new.txt": "n", "deep/": "", "deep/er/": "", "deep/er/new.txt": "d",
		"gone.txt": "again", "dir/": "", "moved/": "", "moved/m.txt": "m", "e.txt": "E",
		"x.txt": "y", "y.txt": "x", "link": "-> b.txt", "run": "(x) r", "runs": "S", "bin/": "", "bin/tool": "t", "bin/new": "(x) n",
	})
)

func TestTransaction(t *testing.T) {
	dir := disktest.Tree(t, mixedBefore)
	g := gatetest.New(t, nil, dir)
	txn := begin(t, g, nil, dir, mixedChanges...)
	disktest.Must(t, txn.Stage())
	disktest.Must(t, txn.Apply())
	written, err := txn.Commit()
	disktest.Must(t, err)
	wantTree(t, "committed", dir, mixedAfter)
	for i, w := range written {
		if w.Notes != nil {
			t.Errorf("%s: notes %q", mixedChanges[i], w.Notes)
		}
		f := strings.Fields(mixedChanges[i])
		if f[0] == "delete" {
			continue
		}
		name := f[1]
		if f[0] == "move" {
			name = f[2]
		}
		p, err := g.Resolve(filepath.Join(dir, name), nil)
		disktest.Must(t, err)
		if id, err := g.Stat(p); err != nil || id != w.ID {
			t.Errorf("%s: ID %v, but it is %v (%v)", mixedChanges[i], w.ID, id, err)
		}
	}
}

func TestTransactionRollback(t *testing.T) {
	for _, apply := range []bool{false, true} {
		dir := disktest.Tree(t, mixedBefore)
		txn := begin(t, gatetest.New(t, nil, dir), nil, dir, mixedChanges...)
		disktest.Must(t, txn.Stage())
		if apply {
			disktest.Must(t, txn.Apply())
		}
		disktest.Must(t, txn.Rollback())
		wantTree(t, "rolled back", dir, mixedBefore)
		disktest.Must(t, txn.Rollback())
		_, err := txn.Commit()
		disktest.CheckKind(t, "commit after rollback", err, fault.Internal)
	}
}

// TestTransactionOrder: what must be on the disk before what.
func TestTransactionOrder(t *testing.T) {
	trial := newTrial(t, t.TempDir(), map[string]string{"a": "a", "b": "b"}, nil, "replace a A", "delete b", "create d/n n")
	shown := []string{fsys.CallWrite, fsys.CallSync, fsys.CallExchange, fsys.CallUnlink, fsys.CallSyncFolder, "mkdir", "rename", "rename new"}
	var calls []string
	_, err := trial.run(func(what string, do func() error) error {
		if slices.Contains(shown, what) {
			calls = append(calls, what)
		}
		return fsys.PlainCall(what, do)
	})
	disktest.Must(t, err)
	want := [][]string{
		{fsys.CallWrite, "rename"},                                     // the journal's plan, and its name
		{fsys.CallWrite, fsys.CallSync, fsys.CallWrite, fsys.CallSync}, // the new texts
		{fsys.CallWrite, fsys.CallSync, fsys.CallSyncFolder},           // the journal: all is staged
		{"mkdir", "rename", fsys.CallExchange, "rename new"},
		{fsys.CallSyncFolder, fsys.CallSyncFolder},
		{fsys.CallWrite, fsys.CallSync},                     // the journal: committed
		{fsys.CallUnlink, fsys.CallUnlink, fsys.CallUnlink}, // the old texts and the journal
	}
	if !slices.Equal(calls, slices.Concat(want...)) {
		t.Errorf("calls were %q, want %q", calls, want)
	}
}

// TestTransactionRespells: a move that changes nothing but case, also where the
// disk does not tell case apart.
func TestTransactionRespells(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"d/a.txt": "a"})
	for _, change := range []string{"move d/a.txt d/A.txt", "move d/A.txt d/a.TXT new"} {
		for _, rollback := range []bool{true, false} {
			before := treeOf(t, dir)
			txn := begin(t, gatetest.New(t, nil, dir), nil, dir, change)
			disktest.Must(t, txn.Stage())
			disktest.Must(t, txn.Apply())
			if rollback {
				disktest.Must(t, txn.Rollback())
				wantTree(t, "rolled back", dir, before)
				continue
			}
			_, err := txn.Commit()
			disktest.Must(t, err)
		}
	}
	wantTree(t, "afterwards", dir, map[string]string{"d/": "", "d/a.TXT": "new"})
}
