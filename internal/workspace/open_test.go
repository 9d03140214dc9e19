package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
)

// TestOpen reads through every kind of name and link. Stat must agree.
func TestOpen(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"proj/a.txt":             "a",
		"proj/sub/b.txt":         "b",
		"proj/two\nlines.txt":    "nl",
		"proj/relative":          "-> sub/b.txt",
		"proj/sub/up":            "-> ../a.txt",
		"proj/absolute":          "-> $DIR/proj/sub/b.txt",
		"proj/absolute-folder":   "-> $DIR/proj/sub",
		"proj/around":            "-> ../proj/a.txt",
		"proj/over":              "-> $DIR/alias/a.txt",
		"proj/chain1":            "-> chain2",
		"proj/chain2":            "-> $DIR/proj/chain3",
		"proj/chain3":            "-> a.txt",
		"proj/to-other":          "-> $DIR/other/o.txt",
		"proj/to-other-relative": "-> ../other/o.txt",
		"proj/to-store":          "-> $DIR/store/lib.go",
		"proj/dangling":          "-> nowhere",
		"proj/dangling-out":      "-> $DIR/outside/nowhere",
		"proj/loop1":             "-> loop2",
		"proj/loop2":             "-> loop1",
		"proj/loop-absolute":     "-> $DIR/proj/loop-absolute",
		"proj/out":               "-> $DIR/outside/secret.txt",
		"proj/out-relative":      "-> ../outside/secret.txt",
		"proj/out-folder":        "-> $DIR/outside",
		"proj/out-chain":         "-> $DIR/proj/out",
		"proj/out-evil":          "-> ../proj-evil/a.txt",
		"proj/out-system":        "-> /etc/hostname",
		"proj-evil/a.txt":        "evil",
		"outside/secret.txt":     "secret",
		"outside/back":           "-> $DIR/proj/a.txt",
		"proj/there-and-back":    "-> $DIR/outside/back",
		"other/o.txt":            "o",
		"store/lib.go":           "lib",
		"alias":                  "-> proj",
	})
	g := gateOn(t, func(s *settings.Settings) { s.Policy.ReadOnlyRoots = []string{dir + "/store"} }, dir+"/proj", dir+"/other")
	in := dir + "/proj/"
	tests := []struct {
		arg  string
		want string
		kind fault.Kind
	}{
		{arg: "a.txt", want: "a"},
		{arg: in + "two\nlines.txt", want: "nl"},
		{arg: in + "relative", want: "b"},
		{arg: in + "sub/up", want: "a"},
		{arg: in + "absolute", want: "b"},
		{arg: in + "absolute-folder/b.txt", want: "b"},
		{arg: in + "around", want: "a"},
		{arg: in + "over", want: "a"},
		{arg: in + "chain1", want: "a"},
		{arg: in + "to-other", want: "o"},
		{arg: in + "to-other-relative", want: "o"},
		{arg: in + "to-store", want: "lib"},
		{arg: in + "there-and-back", want: "a"},
		{arg: dir + "/alias/sub/b.txt", want: "b"},
		{arg: dir + "/store/lib.go", want: "lib"},

		{arg: in + "missing.txt", kind: fault.NotFound},
		{arg: in + "dangling", kind: fault.NotFound},
		{arg: in + "loop1", kind: fault.NotFound},
		{arg: in + "loop-absolute", kind: fault.NotFound},
		{arg: in + "sub", kind: fault.IsDirectory},
		{arg: in, kind: fault.IsDirectory},
		{arg: in + "absolute-folder", kind: fault.IsDirectory},
		{arg: in + "a.txt/b", kind: fault.NotDirectory},
		{arg: in + strings.Repeat("n", 300), kind: fault.InvalidParams},
		{arg: in + "sub/" + strings.Repeat("n", 300) + "/x", kind: fault.InvalidParams},
		{arg: in + "out", kind: fault.OutsideWorkspace},
		{arg: in + "out-relative", kind: fault.OutsideWorkspace},
		{arg: in + "out-folder", kind: fault.OutsideWorkspace},
		{arg: in + "out-folder/secret.txt", kind: fault.OutsideWorkspace},
		{arg: in + "out-folder/no-such.txt", kind: fault.OutsideWorkspace},
		{arg: in + "out-chain", kind: fault.OutsideWorkspace},
		{arg: in + "out-evil", kind: fault.OutsideWorkspace},
		{arg: in + "out-system", kind: fault.OutsideWorkspace},
		{arg: in + "dangling-out", kind: fault.OutsideWorkspace},
	}
	for _, tt := range tests {
		got, err := read(t, g, tt.arg)
		disktest.CheckKind(t, tt.arg, err, tt.kind)
		if got != tt.want {
			t.Errorf("%s: read %q, want %q", tt.arg, got, tt.want)
		}
		p, err := g.Resolve(tt.arg, nil)
		disktest.Must(t, err)
		if err != nil {
			continue
		}
		_, err = g.Stat(p)
		disktest.CheckKind(t, "Stat "+tt.arg, err, tt.kind)
		if err != nil && fault.From(err).Path != p.Rel {
			t.Errorf("Stat %s: the error is about %q", tt.arg, fault.From(err).Path)
		}
	}
}

func TestHandle(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a.txt": "a", "link": "-> $DIR/a.txt"})
	disktest.Must(t, os.Chmod(dir+"/a.txt", 0o640))
	disktest.Must(t, os.Link(dir+"/a.txt", dir+"/twin"))
	g := gateOn(t, nil, dir)
	p, err := g.Resolve("link", nil)
	disktest.Must(t, err)
	h, err := g.Open(p)
	disktest.Must(t, err)
	defer h.Close()
	if h.Real != dir+"/a.txt" || h.Mode != 0o640 || h.Links != 2 || h.ID.Size != 1 {
		t.Errorf("handle %+v", h)
	}
	if !h.Unchanged() {
		t.Error("an untouched file is not Unchanged")
	}
	if id, err := g.Stat(p); err != nil || id != h.ID {
		t.Errorf("Stat = %+v, %v; want %+v", id, err, h.ID)
	}
	disktest.Must(t, os.Truncate(dir+"/a.txt", 0))
	if h.Unchanged() {
		t.Error("a truncated file is Unchanged")
	}
	if id, _ := g.Stat(p); id == h.ID {
		t.Error("Stat does not see the truncation")
	}
}

// TestFolderMadeAnew: removing a workspace folder and making it again must
// not leave the gate on the removed one.
func TestFolderMadeAnew(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"proj/a.txt": "old", "elsewhere/a.txt": "other"})
	g := gateOn(t, nil, dir+"/proj")
	disktest.Must(t, os.RemoveAll(dir+"/proj"))
	_, err := read(t, g, "a.txt")
	disktest.CheckKind(t, "removed", err, fault.NotFound)

	disktest.Plant(t, dir, "proj/a.txt", "new")
	if got, err := read(t, g, "a.txt"); got != "new" {
		t.Errorf("made anew: read %q, %v", got, err)
	}

	disktest.Must(t, os.RemoveAll(dir+"/proj"))
	disktest.Must(t, os.Symlink(dir+"/elsewhere", dir+"/proj"))
	_, err = read(t, g, "a.txt")
	disktest.CheckKind(t, "replaced by a link", err, fault.NotFound)
}

func TestNewGate(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a/x": "1", "b/x": "2", "file": ""})
	s := settings.Default()
	s.Policy.ReadOnlyRoots = []string{dir + "/b"}
	first, problems := NewGate(nil, []Folder{{Path: dir + "/a"}, {Path: dir + "/a/"}, {Path: dir + "/late"}, {Path: dir + "/file"}, {Path: "relative"}}, s)
	var kinds []fault.Kind
	for _, p := range problems {
		kinds = append(kinds, fault.KindOf(p))
	}
	if len(kinds) != 3 || kinds[0] != fault.NotFound || kinds[1] != fault.NotDirectory || kinds[2] != fault.InvalidParams {
		t.Errorf("problems %v", problems)
	}
	if n := len(first.Folders()); n != 3 {
		t.Errorf("%d folders, want the missing ones among 3: %v", n, first.Folders())
	}
	own := first.Settings()
	own.Policy.ReadOnlyRoots[0] = "/etc"
	if again := first.Settings().Policy.ReadOnlyRoots[0]; again != dir+"/b" {
		t.Errorf("a gate's settings can be changed from outside: %s", again)
	}
	_, err := read(t, first, dir+"/late/x")
	disktest.CheckKind(t, "missing folder", err, fault.NotFound)

	disktest.Plant(t, dir, "late/x", "3")
	second, problems := NewGate(first, []Folder{{Path: dir + "/b"}, {Path: dir + "/late"}, {Path: dir + "/a"}}, s)
	if len(problems) > 0 {
		t.Errorf("problems %v", problems)
	}
	if second.roots[2].Dir != first.roots[0].Dir || second.roots[0].Dir != first.readable[0].Dir {
		t.Error("open folders are not shared")
	}
	for arg, want := range map[string]string{"/late/x": "3", "/a/x": "1", "/b/x": "2"} {
		if got, err := read(t, second, dir+arg); got != want {
			t.Errorf("%s: %q, %v", arg, got, err)
		}
	}

	disktest.Must(t, os.Rename(dir+"/a", dir+"/gone"))
	disktest.Plant(t, dir, "a/x", "4")
	third, _ := NewGate(second, second.Folders(), s)
	if got, _ := read(t, third, dir+"/a/x"); got != "4" {
		t.Errorf("a folder that was replaced is not opened anew: %q", got)
	}
}

// TestFolderByLink: a workspace folder may itself be reached by links; paths
// keep the spelling of the folder.
func TestFolderByLink(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"real/a.txt": "a", "link": "-> real"})
	g := gateOn(t, nil, dir+"/link")
	for _, arg := range []string{"a.txt", dir + "/link/a.txt", dir + "/real/a.txt"} {
		p, err := g.Resolve(arg, nil)
		if err != nil || p.Abs != dir+"/link/a.txt" {
			t.Errorf("%s: %+v, %v", arg, p, err)
		}
		if got, err := read(t, g, arg); got != "a" {
			t.Errorf("%s: %q, %v", arg, got, err)
		}
	}
}

func TestOpenDocument(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"proj/a.txt":        "a",
		"proj/out":          "-> $DIR/else/doc.txt",
		"else/doc.txt":      "doc",
		"else/.env":         "SECRET=1",
		"else/innocent.txt": "-> .env",
		"else/folder/":      "",
	})
	g := gateOn(t, nil, dir+"/proj")
	for _, tt := range []struct {
		path string
		kind fault.Kind
	}{
		{"/proj/a.txt", ""},
		{"/proj/out", ""},
		{"/else/doc.txt", ""},
		{"/else/.env", fault.PermissionDenied},
		{"/else/innocent.txt", fault.PermissionDenied},
		{"/else/folder", fault.IsDirectory},
		{"/else/missing", fault.NotFound},
	} {
		p, err := g.FromURI(fileURI(dir + tt.path))
		disktest.Must(t, err)
		h, err := g.OpenDocument(p)
		disktest.CheckKind(t, "OpenDocument "+tt.path, err, tt.kind)
		id, err := g.StatDocument(p)
		disktest.CheckKind(t, "StatDocument "+tt.path, err, tt.kind)
		if h == nil {
			continue
		}
		if h.ID != id {
			t.Errorf("%s: OpenDocument and StatDocument disagree", tt.path)
		}
		disktest.Must(t, h.Close())
	}

	doc, err := g.Resolve(dir+"/else/doc.txt", opened(dir+"/else/doc.txt"))
	disktest.Must(t, err)
	if !doc.Outside() {
		t.Error("a document in no folder is not Outside")
	}
	_, err = g.Open(doc)
	disktest.CheckKind(t, "Open of an open document outside", err, fault.OutsideWorkspace)
	_, err = g.Open(Path{URI: "untitled:x", Rel: "untitled:x"})
	disktest.CheckKind(t, "Open of an untitled document", err, fault.NotFound)
}

func TestNearNames(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"src/main.go":           "",
		"src/handler.go":        "",
		"src/handlers.go":       "",
		"src/handler_test.go":   "",
		"src/Handler.md":        "",
		"src/.envrc":            "",
		"src/apple1.go":         "",
		"src/apple2.go":         "",
		"src/hidden/handler.go": "",
		"README.md":             "",
	})
	g := gateOn(t, func(s *settings.Settings) { s.Policy.Excluded = []string{"handlers.go", "apple1.go"} }, dir)
	for _, tt := range []struct{ arg, want string }{
		{"src/mian.go", "src/main.go"},
		{"src/Main.go", "src/main.go"},
		{"src/main.ts", "src/main.go"},
		{"scr/main.go", "src/main.go"},
		{"srcs/nothing.go", "src"},
		{"readme.md", "README.md"},
		{"src/handle.go", "src/handler.go"},
		{"src/apple3.go", "src/apple2.go"}, // behind one that is hidden
		{"src/.envrd", ""},
		{"src/qqqqqqqq.go", ""},
	} {
		p, err := g.Resolve(tt.arg, nil)
		disktest.Must(t, err)
		_, err = g.Open(p)
		if tt.arg == "src/.envrd" {
			disktest.CheckKind(t, tt.arg, err, fault.PermissionDenied)
			continue
		}
		disktest.CheckKind(t, tt.arg, err, fault.NotFound)
		near, _ := fault.From(err).Details["near"].([]string)
		if len(near) > maxNear {
			t.Errorf("%s: %d near names", tt.arg, len(near))
		}
		if got := strings.Join(near, " "); (tt.want == "") != (got == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: near %v, want %q first", tt.arg, near, tt.want)
		}
		for _, name := range near {
			if filepath.Base(name) == ".envrc" || filepath.Base(name) == "handlers.go" {
				t.Errorf("%s: names the hidden %s", tt.arg, name)
			}
		}
	}
}
