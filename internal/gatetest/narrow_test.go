package gatetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// narrowed returns g narrowed to views, which are paths, or "NAME=PATH".
func narrowed(t *testing.T, g *workspace.Gate, views ...string) *workspace.Gate {
	t.Helper()
	var folders []workspace.Folder
	for _, v := range views {
		name, path, named := strings.Cut(v, "=")
		if !named {
			name, path = "", v
		}
		folders = append(folders, workspace.Folder{Name: name, Path: path})
	}
	n, err := g.Narrow(folders)
	disktest.Must(t, err)
	return n
}

// filesOf returns the paths of all files of a gate, as they are shown.
func filesOf(t *testing.T, g *workspace.Gate) string {
	t.Helper()
	c := catalog.New()
	defer c.Close()
	files, err := c.Files(t.Context(), g)
	disktest.Must(t, err)
	var shown []string
	for i := range files.List {
		shown = append(shown, files.Path(i).Rel)
	}
	slices.Sort(shown)
	return strings.Join(shown, " ")
}

// TestNarrow: what somebody else calls the workspace changes names, and shows
// nothing but the workspace's own folders.
func TestNarrow(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"top.txt": "", "proj/a.go": "", "proj/sub/b.go": "", "proj/sub/deep/c.go": "", "two/d.go": "", "other/x.go": "",
		"link": "-> $DIR/proj", "proj/in": "-> $DIR/proj/sub", "proj/out": "-> $DIR/other",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	g := New(t, nil, at("proj"), at("two"))
	for _, c := range []struct {
		views []string
		files string
		names map[string]string // what each leads to below dir; "" is outside_workspace
	}{
		{[]string{at("proj")}, "a.go sub/b.go sub/deep/c.go", map[string]string{"a.go": "proj/a.go", "two/d.go": "proj/two/d.go", at("two/d.go"): "", at("top.txt"): "", "out/x.go": "proj/out/x.go"}},
		{[]string{at("proj/sub")}, "b.go deep/c.go", map[string]string{"b.go": "proj/sub/b.go", "a.go": "proj/sub/a.go", at("proj/a.go"): "", "../a.go": ""}},
		{[]string{dir}, "proj/a.go proj/sub/b.go proj/sub/deep/c.go two/d.go", map[string]string{"proj/a.go": "proj/a.go", "top.txt": "", "other/x.go": "", "a.go": "", "link/a.go": "proj/a.go", ".": ""}},
		{[]string{"/"}, strings.Join([]string{at("proj/a.go")[1:], at("proj/sub/b.go")[1:], at("proj/sub/deep/c.go")[1:], at("two/d.go")[1:]}, " "), map[string]string{"etc/passwd": "", "/etc/passwd": "", at("proj/a.go")[1:]: "proj/a.go"}},
		{[]string{at("other")}, "", map[string]string{"x.go": "", at("other/x.go"): "", at("proj/a.go"): "", ".": ""}},
		{[]string{at("proj/out")}, "", map[string]string{"x.go": ""}},
		{[]string{at("proj/in")}, "b.go deep/c.go", map[string]string{"b.go": "proj/in/b.go"}},
		{[]string{at("link")}, "a.go sub/b.go sub/deep/c.go", map[string]string{"a.go": "link/a.go"}},
		{[]string{at("none"), at("top.txt")}, "", map[string]string{"a.go": ""}},
		{[]string{at("proj/sub"), at("other")}, "sub/b.go sub/deep/c.go", map[string]string{"sub/b.go": "proj/sub/b.go", "b.go": "proj/sub/b.go", "other/x.go": ""}},
		{[]string{"same=" + at("proj/sub"), "same=" + at("two")}, at("proj/sub/b.go") + " " + at("proj/sub/deep/c.go") + " " + at("two/d.go"), map[string]string{"d.go": "two/d.go"}},
		{[]string{"w=" + dir, "s=" + at("proj")}, "s/a.go s/sub/b.go s/sub/deep/c.go w/two/d.go", map[string]string{"w/two/d.go": "two/d.go", "s/a.go": "proj/a.go", "w/top.txt": ""}},
		{nil, "", map[string]string{"a.go": ""}},
	} {
		n := narrowed(t, g, c.views...)
		if got := filesOf(t, n); got != c.files {
			t.Errorf("%v: files\n%s, want\n%s", c.views, got, c.files)
		}
		for name, want := range c.names {
			p, err := n.Resolve(name, nil)
			if want == "" {
				if k := fault.KindOf(err); k != fault.OutsideWorkspace && k != fault.NotFound {
					t.Errorf("%v: %s is %q: %v", c.views, name, p.Abs, err)
				}
			} else if err != nil || p.Abs != at(want) {
				t.Errorf("%v: %s is %q, want %q: %v", c.views, name, p.Abs, at(want), err)
			}
			if _, err := n.Open(n.Path(filepath.Join(at("proj"), "out", "x.go"))); err == nil {
				t.Errorf("%v: a link leads out", c.views)
			}
		}
	}
}

// TestNarrowKeepsPolicy: rules are those of the workspace's folders, whichever
// part of them is named.
func TestNarrowKeepsPolicy(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"w/.agentignore": "sub/ignored.go\n", "w/sub/ignored.go": "", "w/sub/excluded.go": "", "w/sub/kept.go": "", "w/sub/unsaved.go": "",
		"w/.github/workflows/ci.yml": "", "w/hidden/deep/x.go": "", "w/.git/hooks/h": "", "w/lnk": "-> .github/workflows",
	})
	w := filepath.Join(dir, "w")
	unsaved := map[string][]byte{filepath.Join(w, ".agentignore"): []byte("sub/unsaved.go\n")}
	g := New(t, func(s *settings.Settings) { s.Policy.Excluded = []string{"/sub/excluded.go", "/hidden"} }, w).WithAgentIgnores(unsaved)
	for _, view := range []string{w, filepath.Join(w, "sub"), dir, "/", filepath.Join(w, "hidden"), filepath.Join(w, "hidden/deep")} {
		n := narrowed(t, g, view).WithAgentIgnores(unsaved)
		for _, name := range []string{"excluded.go", "ignored.go", "unsaved.go"} {
			if strings.Contains(filesOf(t, n), name) {
				t.Errorf("%s: lists %s", view, filesOf(t, n))
			}
			p := n.Path(filepath.Join(w, "sub", name))
			if p.Outside() {
				continue // not to be opened at all; as a document:
			}
			if _, err := n.Open(p); fault.KindOf(err) != fault.PermissionDenied {
				t.Errorf("%s: %s: %v", view, name, err)
			}
		}
		for _, name := range []string{"sub/excluded.go", "sub/ignored.go", "sub/unsaved.go", "hidden/deep/x.go"} {
			if err := n.CheckRead(n.Path(filepath.Join(w, name))); fault.KindOf(err) != fault.PermissionDenied {
				t.Errorf("%s: %s may be read as a document: %v", view, name, err)
			}
		}
		for _, folder := range []string{w, filepath.Join(w, "sub"), filepath.Join(w, "hidden"), filepath.Join(w, "hidden/deep")} {
			c := catalog.New()
			l, err := c.List(t.Context(), n, n.Path(folder))
			for i := 0; err == nil && i < len(l.Entries); i++ {
				if name := l.Entries[i].Name; slices.Contains([]string{"excluded.go", "ignored.go", "unsaved.go", "hidden", "deep", "x.go"}, name) {
					t.Errorf("%s: %s lists %s", view, folder, name)
				}
			}
			if files, err := c.Walk(t.Context(), n, n.Path(folder), true); err == nil {
				for i := range files.List {
					if name := filepath.Base(files.List[i].Rel); slices.Contains([]string{"excluded.go", "ignored.go", "unsaved.go", "x.go"}, name) {
						t.Errorf("%s: %s holds %s", view, folder, name)
					}
				}
			}
			c.Close()
		}
		if strings.Contains(filesOf(t, n), "x.go") {
			t.Errorf("%s: lists %s", view, filesOf(t, n))
		}
	}
	for _, view := range []string{".github/workflows", ".github", "lnk"} {
		n := narrowed(t, g, filepath.Join(w, view))
		for _, name := range []string{"ci.yml", "new.yml", "workflows/ci.yml"} {
			p, err := n.Resolve(name, nil)
			disktest.Must(t, err)
			if view == ".github" && name != "workflows/ci.yml" {
				continue
			}
			e := fault.From(n.CheckWrite(p))
			if e == nil || e.Details["needs_consent"] != true {
				t.Errorf("%s: %s is written: %v", view, name, e)
			} else if real, _ := e.Details["real"].(string); !strings.HasPrefix(real, filepath.Join(w, ".github/workflows")) {
				t.Errorf("%s: the person is shown %s as %s", view, name, real)
			}
		}
	}
	p, err := narrowed(t, g, filepath.Join(w, ".git/hooks")).Resolve("h", nil)
	disktest.Must(t, err)
	if e := fault.From(g.CheckWrite(p)); e == nil || e.Details["needs_consent"] != nil {
		t.Errorf("a hook is written: %v", e)
	}
}

// TestFolderWithin: what a folder lies in can be named, and no more; it is not listed by itself.
func TestFolderWithin(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"proj/top.go": "", "proj/sub/b.go": "", "proj/key.pem": "", "proj/out": "-> $DIR/other", "two/d.go": "", "other/x.go": "", "link": "-> $DIR/proj/sub", "whole": "-> $DIR/proj",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	session := New(t, nil, at("proj"), at("two"))
	for _, tt := range []struct {
		view, within string
		narrowed     bool
	}{
		{"proj/sub", "proj", false}, {"proj/sub", "proj", true}, {"link", "proj", false}, {"link", "proj", true}, {"proj/sub", "whole", false}, {"link", "whole", true},
	} {
		folders := []workspace.Folder{{Path: at(tt.view), Within: at(tt.within)}}
		g, problems := workspace.NewGate(nil, folders, settings.Default())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if tt.narrowed {
			var err error
			g, err = session.Narrow(folders)
			disktest.Must(t, err)
		}
		if got := filesOf(t, g); got != "b.go" {
			t.Errorf("%+v: lists %s", tt, got)
		}
		for _, name := range []string{"../top.go", at("proj/top.go"), "file://" + at("proj/top.go"), "../sub/../top.go", at("whole/top.go")} {
			p, err := g.Resolve(name, nil)
			disktest.Must(t, err)
			real, ok := g.Real(p)
			if again, err := g.Resolve(p.Rel, nil); err != nil || again != p || !ok || real != at("proj/top.go") || !filepath.IsAbs(p.Rel) {
				t.Errorf("%+v: %s is %+v, really %s; again %+v, %v", tt, name, p, real, again, err)
			}
			h, err := g.Open(p)
			disktest.Must(t, err)
			disktest.Must(t, h.Close())
			disktest.Must(t, g.CheckWrite(p))
		}
		for _, name := range []string{"../sub/b.go", "b.go", at("link/b.go")} {
			p, err := g.Resolve(name, nil)
			disktest.Must(t, err)
			if real, ok := g.Real(p); !ok || real != at("proj/sub/b.go") {
				t.Errorf("%+v: %s is %s", tt, name, real)
			}
		}
		for _, name := range []string{"../../two/d.go", at("two/d.go"), "../../other/x.go", at("other/x.go"), "..//../other/x.go", "/etc/passwd"} {
			if _, err := g.Resolve(name, nil); fault.KindOf(err) != fault.OutsideWorkspace {
				t.Errorf("%+v: %s: %v", tt, name, err)
			}
		}
		for name, want := range map[string]fault.Kind{"../out/x.go": fault.OutsideWorkspace, "../key.pem": fault.PermissionDenied} {
			p, err := g.Resolve(name, nil)
			if err == nil {
				_, err = g.Open(p)
			}
			if fault.KindOf(err) != want {
				t.Errorf("%+v: %s: %v", tt, name, err)
			}
		}
		made, err := g.Resolve("../made.go", nil)
		disktest.Must(t, err)
		if _, err := atomicfile.Create(g, nil, made, []byte("made")); err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
		disktest.Must(t, os.Remove(at("proj/made.go")))
	}
	// It is no more than what the session has.
	several, problems := workspace.NewGate(nil, []workspace.Folder{{Path: at("two")}, {Path: at("proj/sub"), Within: at("proj")}}, settings.Default())
	if p, err := several.Resolve(at("proj/top.go"), nil); len(problems) > 0 || err != nil || several.CheckRead(p) != nil {
		t.Errorf("the second of two folders lies in another: %v, %v, %v", problems, p, err)
	}
	n, err := session.Narrow([]workspace.Folder{{Path: at("proj/sub"), Within: dir}})
	disktest.Must(t, err)
	for name, want := range map[string]fault.Kind{"../top.go": "", "../../two/d.go": "", "../../other/x.go": fault.OutsideWorkspace} {
		if _, err := n.Resolve(name, nil); fault.KindOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := session.Narrow([]workspace.Folder{{Path: at("proj/sub"), Within: "rel"}}); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("a folder around that is none: %v", err)
	}
}

// TestNarrowFollowsTheFolder: what is opened decides, and a view that leads
// elsewhere by now is no more the one that was opened.
func TestNarrowFollowsTheFolder(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"w/sub/a.go": "", "out/sub/secret.go": "", "view": "-> $DIR/w/sub"})
	g := New(t, nil, filepath.Join(dir, "w"))
	n := narrowed(t, g, filepath.Join(dir, "view"))
	if got := filesOf(t, n); got != "a.go" || !n.Stands() {
		t.Errorf("lists %s", got)
	}
	disktest.Must(t, os.Remove(filepath.Join(dir, "view")))
	disktest.Must(t, os.Symlink(filepath.Join(dir, "out/sub"), filepath.Join(dir, "view")))
	if got := filesOf(t, n); got == "secret.go" || n.Stands() {
		t.Errorf("lists %s, stands %v", got, n.Stands())
	}
	if got := filesOf(t, narrowed(t, g, filepath.Join(dir, "view"))); got != "" {
		t.Errorf("lists %s", got)
	}
}

func TestNarrowRefuses(t *testing.T) {
	g := New(t, nil, t.TempDir())
	for _, bad := range [][]workspace.Folder{{{Path: ""}}, {{Path: "rel"}}, {{Path: "/a\x00b"}}, {{Path: "/" + strings.Repeat("x", 5000)}}, make([]workspace.Folder, 1000)} {
		if _, err := g.Narrow(bad); fault.KindOf(err) != fault.InvalidParams {
			t.Errorf("%d folders: %v", len(bad), err)
		}
	}
}
