package atomicfile

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// TestTransactionModel holds random transactions against a model: a map of
// paths. They are committed, rolled back, or stopped by a fault and recovered.
func TestTransactionModel(t *testing.T) {
	const seed, rounds = 5, 1000
	r := rand.New(rand.NewPCG(seed, 0))
	at := filepath.Join(inMemory(t), "trial")
	outcomes := make(map[string]int)
	model := map[string]string{"a": "1", "b": "2", "d/a": "3", "d/e/b": "4"}
	for round := range rounds {
		m := newModel(r, model)
		for m.refused != nil && r.IntN(8) > 0 {
			m = newModel(r, model)
		}
		m.after, m.changes = here(m.after), changesHere(m.changes)
		trial := newTrial(t, at, model, m.after, m.changes...)
		trial.rollback = r.IntN(4) == 0
		f := writeFault{errno: syscall.EIO, n: 0, lasting: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			f.n = 1 + r.IntN(120)
		}
		met := ""
		_, err := trial.run(f.failing(&met))
		want, outcome := m.after, "committed"
		switch {
		case m.refused != nil:
			want, outcome = model, "refused"
			if met == "" && !slices.Contains(m.refused, fault.KindOf(err)) {
				t.Fatalf("round %d: %q: error %v, want %s", round, m.changes, err, m.refused)
			}
		case trial.rollback || err != nil:
			want, outcome = model, "rolled back"
			if met == "" && err != nil {
				t.Fatalf("round %d: %q: %v", round, m.changes, err)
			}
		}
		if met != "" {
			outcome += " under a fault"
		}
		outcomes[outcome]++
		wants := []map[string]string{withFolders(want, model)}
		if errors.Is(err, errUndecided) {
			wants = append(wants, withFolders(m.after, model))
		}
		if err := trial.recovered(wants...); err != nil {
			t.Fatalf("round %d: %q, fault %v at %q: %v", round, m.changes, f, met, err)
		}
		tree, _ := trial.split()
		maps.DeleteFunc(tree, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
		model = tree
		disktest.Must(t, os.RemoveAll(at))
	}
	t.Logf("seed %d: %v", seed, outcomes)
}

// withFolders adds to files the folders that they and others are in.
func withFolders(files, others map[string]string) map[string]string {
	all := maps.Clone(files)
	for _, some := range []map[string]string{files, others} {
		for name := range some {
			for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
				all[dir+"/"] = ""
			}
		}
	}
	return all
}

var modelNames = []string{"a", "b", "c", "d/a", "d/b", "d/e/a", "d/e/b", "f/a", "f/g/a"}

// txnModel is a random set of changes, and what a naive reading makes of them.
type txnModel struct {
	changes []string
	after   map[string]string
	refused []fault.Kind // one of these; none: not refused
}

func newModel(r *rand.Rand, before map[string]string) txnModel {
	m := txnModel{after: maps.Clone(before)}
	gone, come := make(map[string]bool), make(map[string]string)
	twice := false
	goes := func(name string) { twice = twice || gone[name]; gone[name] = true }
	comes := func(name, content string) {
		_, again := come[name]
		twice, come[name] = twice || again, content
	}
	there := slices.Sorted(maps.Keys(before))
	for range 1 + r.IntN(6) {
		mode, runs := [...]string{"", " -x", " +x"}[r.IntN(3)], ""
		if mode == " +x" {
			runs = disktest.Executable
		}
		content, name := fmt.Sprintf("n%d", r.IntN(100)), modelNames[r.IntN(len(modelNames))]
		kind := r.IntN(6)
		if len(there) == 0 || kind == 0 {
			m.changes = append(m.changes, "create "+name+" "+content+mode)
			comes(name, runs+content)
			continue
		}
		old := there[r.IntN(len(there))]
		goes(old)
		was, did := strings.CutPrefix(before[old], disktest.Executable)
		if mode == "" && did {
			runs = disktest.Executable
		}
		switch kind {
		case 1:
			m.changes = append(m.changes, "delete "+old)
		case 2:
			m.changes = append(m.changes, "move "+old+" "+name+mode)
			comes(name, runs+was)
		case 3:
			m.changes = append(m.changes, "move "+old+" "+name+" "+content+mode)
			comes(name, runs+content)
		case 4:
			m.changes = append(m.changes, "replace "+old+" "+content+mode)
			comes(old, runs+content)
		default:
			m.changes = append(m.changes, "mode "+old+" +x")
			comes(old, disktest.Executable+was)
		}
		if (kind == 2 || kind == 3) && old == name {
			m.refused = []fault.Kind{fault.AlreadyExists}
		}
	}
	for name := range gone {
		delete(m.after, name)
	}
	for name, content := range come {
		if _, taken := m.after[name]; taken {
			m.refused = []fault.Kind{fault.AlreadyExists}
		}
		m.after[name] = content
	}
	if twice { // whichever the program sees first
		m.refused = append(m.refused, fault.InvalidParams)
	}
	return m
}
