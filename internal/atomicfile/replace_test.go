//go:build linux || darwin

package atomicfile

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// changed returns what differs between two trees, as "name: content" or
// "name: gone".
func changed(before, after map[string]string) []string {
	var diff []string
	for name, content := range after {
		if old, ok := before[name]; !ok || old != content {
			diff = append(diff, name+": "+content)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			diff = append(diff, name+": gone")
		}
	}
	slices.Sort(diff)
	return diff
}

var linkedFiles = map[string]string{
	"proj/a.txt":           "old",
	"proj/sub/b.txt":       "old",
	"proj/link":            "-> sub/b.txt",
	"proj/absolute":        "-> $DIR/proj/a.txt",
	"proj/folder":          "-> $DIR/proj/sub",
	"proj/dangling":        "-> nowhere/x",
	"proj/dangling-folder": "-> nowhere",
	"proj/out":             "-> $DIR/outside/o.txt",
	"proj/out-folder":      "-> $DIR/outside",
	"proj/out-dangling":    "-> $DIR/outside/nothing",
	"proj/to-other":        "-> $DIR/other/c.txt",
	"proj/to-store":        "-> $DIR/store/s.txt",
	"proj/to-git":          "-> .git/config",
	"proj/safe":            "-> .vscode",
	"proj/.git/config":     "old",
	"proj/.vscode/s.json":  "old",
	"proj/.env":            "old",
	"other/c.txt":          "old",
	"store/s.txt":          "old",
	"outside/o.txt":        "old",
}

func linkedGate(t *testing.T) (*workspace.Gate, string) {
	dir := disktest.Tree(t, linkedFiles)
	return gatetest.New(t, func(s *settings.Settings) { s.Policy.ReadOnlyRoots = []string{dir + "/store"} }, dir+"/proj", dir+"/other"), dir
}

func TestReplace(t *testing.T) {
	old := text.HashBytes([]byte("old"))
	for _, tt := range []struct {
		path    string
		guard   text.Hash
		consent bool
		want    string // what changed
		kind    fault.Kind
	}{
		{path: "/proj/a.txt", guard: old, want: "proj/a.txt: new"},
		{path: "/proj/sub/b.txt", guard: old, want: "proj/sub/b.txt: new"},
		{path: "/proj/link", guard: old, want: "proj/sub/b.txt: new"},
		{path: "/proj/absolute", guard: old, want: "proj/a.txt: new"},
		{path: "/proj/folder/b.txt", guard: old, want: "proj/sub/b.txt: new"},
		{path: "/proj/to-other", guard: old, want: "other/c.txt: new"},
		{path: "/proj/.vscode/s.json", guard: old, consent: true, want: "proj/.vscode/s.json: new"},
		{path: "/proj/safe/s.json", guard: old, consent: true, want: "proj/.vscode/s.json: new"},

		{path: "/proj/a.txt", kind: fault.StaleFile},
		{path: "/proj/none.txt", guard: old, kind: fault.NotFound},
		{path: "/proj/none/none.txt", guard: old, kind: fault.NotFound},
		{path: "/proj/dangling", guard: old, kind: fault.NotFound},
		{path: "/proj/sub", guard: old, kind: fault.IsDirectory},
		{path: "/proj", guard: old, kind: fault.IsDirectory},
		{path: "/proj/a.txt/x", guard: old, kind: fault.NotDirectory},
		{path: "/proj/" + strings.Repeat("n", 300), guard: old, kind: fault.InvalidParams},
		{path: "/proj/out", guard: old, consent: true, kind: fault.OutsideWorkspace},
		{path: "/proj/out-folder/o.txt", guard: old, consent: true, kind: fault.OutsideWorkspace},
		{path: "/outside/o.txt", guard: old, consent: true, kind: fault.OutsideWorkspace},
		{path: "/outside/o.txt", guard: old, kind: fault.PermissionDenied},
		{path: "/store/s.txt", guard: old, kind: fault.ReadOnly},
		{path: "/proj/to-store", guard: old, consent: true, kind: fault.ReadOnly},
		{path: "/proj/.env", guard: old, consent: true, kind: fault.PermissionDenied},
		{path: "/proj/.git/config", guard: old, consent: true, kind: fault.PermissionDenied},
		{path: "/proj/to-git", guard: old, consent: true, kind: fault.PermissionDenied},
		{path: "/proj/.vscode/s.json", guard: old, kind: fault.PermissionDenied},
		{path: "/proj/safe/s.json", guard: old, kind: fault.PermissionDenied},
	} {
		g, dir := linkedGate(t)
		before := treeOf(t, dir)
		p := g.Path(dir + tt.path)
		if tt.consent {
			p = p.Consented()
		}
		w, err := Replace(g, nil, p, tt.guard, []byte("new"))
		disktest.CheckKind(t, tt.path, err, tt.kind)
		if got := strings.Join(changed(before, treeOf(t, dir)), ", "); got != tt.want {
			t.Errorf("%s changed %q, want %q", tt.path, got, tt.want)
		}
		if id, _ := g.Stat(p); err == nil && w.ID != id {
			t.Errorf("%s: ID %+v, but Stat says %+v", tt.path, w.ID, id)
		}
		if tt.kind == fault.StaleFile && fault.From(err).Details["actual"] != old.String() {
			t.Errorf("%s: the actual hash is not told: %v", tt.path, fault.From(err).Details)
		}
		if err != nil && fault.From(err).Path != p.Rel {
			t.Errorf("%s: the error is about %q", tt.path, fault.From(err).Path)
		}
	}
}

func TestCreate(t *testing.T) {
	for _, tt := range []struct {
		path    string
		consent bool
		want    string
		kind    fault.Kind
	}{
		{path: "/proj/n.txt", want: "proj/n.txt: new"},
		{path: "/proj/x/y/n.txt", want: "proj/x/: , proj/x/y/: , proj/x/y/n.txt: new"},
		{path: "/proj/folder/z/n.txt", want: "proj/sub/z/: , proj/sub/z/n.txt: new"},
		{path: "/proj/two\nlines", want: "proj/two\nlines: new"},
		{path: "/proj/safe/new.json", consent: true, want: "proj/.vscode/new.json: new"},

		{path: "/proj/a.txt", kind: fault.AlreadyExists},
		{path: "/proj/sub", kind: fault.AlreadyExists},
		{path: "/proj/link", kind: fault.AlreadyExists},
		{path: "/proj/dangling", kind: fault.AlreadyExists},
		{path: "/proj/dangling-folder/n.txt", kind: fault.AlreadyExists},
		{path: "/proj/a.txt/n.txt", kind: fault.NotDirectory},
		{path: "/proj/x/" + strings.Repeat("n", 300), kind: fault.InvalidParams},
		{path: "/proj/x/" + strings.Repeat("n", 300) + "/n.txt", kind: fault.InvalidParams},
		{path: "/proj/out-folder/n.txt", consent: true, kind: fault.OutsideWorkspace},
		{path: "/proj/out-dangling", consent: true, kind: fault.OutsideWorkspace},
		{path: "/outside/n.txt", consent: true, kind: fault.OutsideWorkspace},
		{path: "/store/n.txt", kind: fault.ReadOnly},
		{path: "/proj/.git/hooks/pre-commit", consent: true, kind: fault.PermissionDenied},
		{path: "/proj/.env.local", consent: true, kind: fault.PermissionDenied},
		{path: "/proj/.cursor/rules/x.md", kind: fault.PermissionDenied},
		{path: "/proj/safe/new.json", kind: fault.PermissionDenied},
	} {
		g, dir := linkedGate(t)
		before := treeOf(t, dir)
		p := g.Path(dir + tt.path)
		if tt.consent {
			p = p.Consented()
		}
		w, err := Create(g, nil, p, []byte("new"))
		disktest.CheckKind(t, tt.path, err, tt.kind)
		if got := strings.Join(changed(before, treeOf(t, dir)), ", "); got != tt.want {
			t.Errorf("%s changed %q, want %q", tt.path, got, tt.want)
		}
		if id, _ := g.Stat(p); err == nil && w.ID != id {
			t.Errorf("%s: ID %+v, but Stat says %+v", tt.path, w.ID, id)
		}
	}
}

// TestDestinationIsChecked: policy is applied once more to where the links of a
// path lead at last, for they may have led elsewhere when the path was
// checked.
func TestDestinationIsChecked(t *testing.T) {
	g, dir := linkedGate(t)
	for _, path := range []string{"/proj/to-git", "/proj/safe/s.json", "/proj/.git/config"} {
		at, err := destinationOf(g, g.Path(dir+path))
		disktest.CheckKind(t, path, err, fault.PermissionDenied)
		if err == nil {
			at.close()
		}
	}
	for _, path := range []string{"/proj/safe/new.json", "/proj/.git/hooks/new"} {
		at, err := newDestination(g, g.Path(dir+path))
		disktest.CheckKind(t, path, err, fault.PermissionDenied)
		if err == nil {
			at.close()
		}
	}
}

func TestUntitledHasNoFile(t *testing.T) {
	g, _ := linkedGate(t)
	p := workspace.Path{URI: "untitled:x", Rel: "untitled:x"}
	_, err := Replace(g, nil, p, text.Hash{}, nil)
	disktest.CheckKind(t, "Replace", err, fault.InvalidParams)
	_, err = Create(g, nil, p, nil)
	disktest.CheckKind(t, "Create", err, fault.InvalidParams)
}
