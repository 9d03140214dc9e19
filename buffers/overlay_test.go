package buffers

import (
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestSnapshotsShareTheirGate: only a change of an open ignore file makes
// another gate.
func TestSnapshotsShareTheirGate(t *testing.T) {
	dir := t.TempDir()
	base, problems := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s := NewStore()
	open := func(name, content string) string {
		p, err := base.Resolve(filepath.Join(dir, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Open(Opening{URI: p.URI, Path: p, Version: 1, Text: content})
		return p.Key()
	}
	gate := func() *workspace.Gate {
		snapshot := NewSnapshot(s.Overlay(), base, nil)
		defer snapshot.Close()
		return snapshot.Gate
	}
	readable := func(name string) bool {
		p, err := base.Resolve(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		return gate().CheckRead(p) == nil
	}
	other := open("other.txt", "x\n")
	if gate() != base {
		t.Error("without an ignore file the gate is not the one given")
	}
	first, second := open(".agentignore", "a\n"), open("sub/.aiexclude", "b\n")
	derived := gate()
	if derived == base || derived != gate() || readable("a") || readable("sub/b") || !readable("b") {
		t.Error("open ignore files do not count, or each call has another gate")
	}
	change := func(key, content string) {
		if err := s.Change(key, 2, text.UTF8, []Change{{Text: content}}); err != nil {
			t.Fatal(err)
		}
	}
	change(other, "y\n")
	if gate() != derived {
		t.Error("another document's change makes another gate")
	}
	change(first, "c\n")
	if gate() == derived || !readable("a") || readable("c") || readable("sub/b") {
		t.Error("the change of an ignore file does not count")
	}
	s.Close(first)
	if !readable("c") || readable("sub/b") {
		t.Error("a closed ignore file counts, or the other does not")
	}
	s.Close(second)
	if gate() != base {
		t.Error("with no ignore file open any more the gate is not the one given")
	}
}
