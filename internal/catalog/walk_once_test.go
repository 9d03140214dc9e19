//go:build linux || darwin

package catalog

import (
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/settings"
)

func TestWalk(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"a.go": "", "out/b.go": "", "out/c.log": "", "out/.hid/d.go": "", "out/.gitignore": "*.log", ".gitignore": "out",
		".git/HEAD": "", "out/.env": "", "out/agents/x.go": "", ".agentignore": "agents", "l": "-> out", "lf": "-> out/b.go",
		"leave": "-> /", "in/data/x.go": "", "in/y.go": "", "out/.git/HEAD": "", "out/sub/.gitignore": "n.go", "out/sub/n.go": "",
	})
	lib := disktest.Tree(t, map[string]string{"pkg/p.go": "", "pkg/q.key": "", "z.go": ""})
	g := gatetest.New(t, func(s *settings.Settings) {
		s.Policy.ReadOnlyRoots = []string{lib}
		s.Policy.Excluded = []string{"data/**"}
	}, dir, filepath.Join(dir, "in"))
	c := newCatalog(t)
	for _, tt := range []struct {
		arg    string
		all    bool
		want   string
		hidden int
	}{
		{filepath.Join(dir, "out"), false, "out/b.go", 2},
		{filepath.Join(dir, "out"), true, "out/.gitignore out/.hid/d.go out/b.go out/c.log out/sub/.gitignore out/sub/n.go", 2},
		{filepath.Join(dir, "l"), false, "out/b.go", 2},
		{filepath.Join(dir, "out/c.log"), false, "out/c.log", 0},
		{filepath.Join(dir, "lf"), false, "out/b.go", 0},
		{dir, false, "a.go y.go", 1},
		{filepath.Join(dir, "in"), true, "y.go", 1},
		{lib, false, "pkg/p.go z.go", 1},
		{filepath.Join(lib, "pkg"), false, "pkg/p.go", 1},
		{filepath.Join(lib, "z.go"), false, "z.go", 0},
	} {
		p, err := g.Resolve(tt.arg, nil)
		disktest.Must(t, err)
		f, err := c.Walk(t.Context(), g, p, tt.all)
		disktest.Must(t, err)
		checkRels(t, tt.arg, f, tt.want)
		if f.Hidden != tt.hidden {
			t.Errorf("%s: hidden %d, want %d", tt.arg, f.Hidden, tt.hidden)
		}
		r := f.NewReader()
		for i := range f.List {
			if id, err := r.Open(i); err != nil || id != f.List[i].ID {
				t.Errorf("%s: %+v: %+v %v", tt.arg, f.List[i], id, err)
			}
			if _, err := g.Open(f.Path(i)); err != nil {
				t.Errorf("%s: %v", tt.arg, err)
			}
		}
		r.Close()
	}
	for arg, kind := range map[string]fault.Kind{
		"none": fault.NotFound, "leave": fault.OutsideWorkspace, "leave/tmp": fault.OutsideWorkspace,
		"out/.env": fault.PermissionDenied, "out/agents": fault.PermissionDenied, "in/data": fault.PermissionDenied,
	} {
		p, err := g.Resolve(filepath.Join(dir, arg), nil)
		disktest.Must(t, err)
		_, err = c.Walk(t.Context(), g, p, true)
		disktest.CheckKind(t, arg, err, kind)
	}
}
