package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
)

// journalOf crashes a trial and returns its journal's path and text.
func journalOf(t *testing.T, trial *txnTrial) (path, text string) {
	t.Helper()
	trial.crashed()
	path = filepath.Join(trial.state, trial.journals()[0])
	raw, err := os.ReadFile(path)
	disktest.Must(t, err)
	return path, string(raw)
}

// TestRecoverBelievesNoForgery: a journal that this program did not write as it
// stands there moves nothing, and is told of.
func TestRecoverBelievesNoForgery(t *testing.T) {
	for name, forge := range map[string]func(trial *txnTrial, path, text string){
		"another name": func(_ *txnTrial, path, text string) {
			disktest.Must(t, os.Rename(path, filepath.Join(filepath.Dir(path), "1.journal")))
		},
		"another's key": func(trial *txnTrial, _, _ string) {
			disktest.Must(t, os.WriteFile(filepath.Join(trial.state, keyFile), make([]byte, keyBytes), 0o600))
		},
		"a key others read": func(trial *txnTrial, _, _ string) {
			disktest.Must(t, os.Chmod(filepath.Join(trial.state, keyFile), 0o644))
		},
		"an edited line": func(_ *txnTrial, path, text string) {
			disktest.Must(t, os.WriteFile(path, []byte(strings.Replace(text, "a.txt", "b.txt", 1)), 0o600))
		},
		"an old form": func(_ *txnTrial, path, text string) {
			disktest.Must(t, os.WriteFile(path, []byte("00000000 {\"journal\":1}\n"), 0o600))
		},
		"others may read it": func(_ *txnTrial, path, _ string) { disktest.Must(t, os.Chmod(path, 0o644)) },
		"a second name":      func(_ *txnTrial, path, _ string) { disktest.Must(t, os.Link(path, filepath.Join(t.TempDir(), "x"))) },
	} {
		if !HasModes && (name == "a key others read" || name == "others may read it") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			trial := newTrial(t, t.TempDir(), smallBefore, smallAfter, smallChanges...)
			path, text := journalOf(t, trial)
			forge(trial, path, text)
			all := trial.journal().Recover()
			if len(all) != 1 || all[0].Outcome != RecoveryUnreadable {
				t.Errorf("recovered %+v", all)
			}
			if tree, _ := trial.split(); tree["a.txt"] != "A" {
				t.Errorf("something was undone: %v", tree)
			}
		})
	}
}

// TestRecoverMovesNoOthersFile: what was put under one of our names, or stands
// in another folder of the same name, stays where it is.
func TestRecoverMovesNoOthersFile(t *testing.T) {
	trial := newTrial(t, t.TempDir(), map[string]string{"a.txt": "a", "gone.txt": "gone", "dir/b.txt": "b"}, nil,
		"replace a.txt A", "delete gone.txt", "replace dir/b.txt B")
	trial.crashed()
	_, own := trial.split()
	for _, name := range own {
		disktest.Must(t, os.Remove(name))
		disktest.Plant(t, filepath.Dir(name), filepath.Base(name), "planted")
	}
	disktest.Must(t, os.Rename(filepath.Join(trial.dir, "dir"), filepath.Join(trial.dir, "old")))
	disktest.Must(t, os.Mkdir(filepath.Join(trial.dir, "dir"), 0o755))
	disktest.Plant(t, trial.dir, "dir/b.txt", "other")
	all := trial.journal().Recover()
	tree, _ := trial.split()
	if tree["a.txt"] != "A" || tree["gone.txt"] != "" || tree["dir/b.txt"] != "other" {
		t.Errorf("the tree is %v", tree)
	}
	if len(all) != 1 || len(all[0].NotRestored) != 3 || len(all[0].Kept) != 2 {
		t.Errorf("told %+v", all)
	}
}

// TestRecoverAsksPolicy: what needs consent, or is never written, is not put
// back without consent; it is told, and what it held is left beside it.
func TestRecoverAsksPolicy(t *testing.T) {
	trial := newTrial(t, t.TempDir(), map[string]string{"a.txt": "a", ".mcp.json": "old", "own/c.json": "c", "AGENTS.md": "m"}, nil,
		"replace a.txt A", "consented replace .mcp.json new", "consented create .vscode/tasks.json t", "delete own/c.json",
		"consented move AGENTS.md moved.md")
	trial.crashed()
	all := trial.journal().Recover(filepath.Join(trial.dir, "own"))
	tree, own := trial.split()
	for name, want := range map[string]string{"a.txt": "a", ".mcp.json": "new", ".vscode/tasks.json": "t", "own/c.json": "", "moved.md": "m", "AGENTS.md": ""} {
		if tree[name] != want {
			t.Errorf("%s holds %q, want %q", name, tree[name], want)
		}
	}
	if len(all) != 1 || all[0].Outcome != RecoveryUndone || len(all[0].Refused) != 4 || len(all[0].Kept) != 2 || len(own) != 2 {
		t.Errorf("told %+v; there are %q", all, own)
	}
	if trial.journals() != nil {
		t.Errorf("journals %q", trial.journals())
	}
}

// TestJournalFolders: a folder that is a link is refused.
func TestJournalFolders(t *testing.T) {
	dir := disktest.Tree(t, here(map[string]string{"real/": "", "link": "-> real"}))
	if _, noLinks := os.Lstat(dir + "/link"); noLinks != nil {
		t.Log("no links here")
	} else if _, err := OpenJournal(dir + "/link"); disktest.Verdict(err) != "permission_denied without its rule" {
		t.Errorf("a link: %v", err)
	}
	j, err := OpenJournal(dir + "/real")
	disktest.Must(t, err)
	again, err := OpenJournal(dir + "/real")
	disktest.Must(t, err)
	if len(j.key) != keyBytes || string(j.key) != string(again.key) {
		t.Errorf("keys %x, %x", j.key, again.key)
	}
}
