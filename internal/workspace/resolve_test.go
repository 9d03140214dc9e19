package workspace

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/settings"
)

func TestResolveOneFolder(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"proj/a.txt":              "a",
		"proj/sub/b.txt":          "b",
		"proj/proj/inner.txt":     "inner",
		"proj/proj/both.txt":      "both",
		"proj/both.txt":           "both",
		"proj/two\nlines.txt":     "nl",
		"proj/100%25.txt":         "percent",
		"proj/~/home.txt":         "tilde",
		"proj/untitled:odd":       "odd",
		"proj-evil/a.txt":         "evil",
		"alias":                   "-> proj",
		"store/pkg/lib.go":        "lib",
		"elsewhere/open.txt":      "open",
		"elsewhere/not-open.txt":  "closed",
		"proj/C:/windows.txt":     "drive",
		`proj/\\host\share\x.txt`: "unc",
	})
	root := filepath.Join(dir, "proj")
	g := gateOn(t, func(s *settings.Settings) { s.Policy.ReadOnlyRoots = []string{dir + "/store"} }, root)
	isOpen := opened(dir+"/elsewhere/open.txt", "untitled:Untitled-1")

	tests := []struct {
		arg  string
		want string // Rel; "" for an error
		kind fault.Kind
	}{
		{arg: "a.txt", want: "a.txt"},
		{arg: "./sub//b.txt", want: "sub/b.txt"},
		{arg: "sub/../a.txt", want: "a.txt"},
		{arg: "sub/", want: "sub"},
		{arg: ".", want: "."},
		{arg: "missing/new.txt", want: "missing/new.txt"},
		{arg: root + "/a.txt", want: "a.txt"},
		{arg: root, want: "."},
		{arg: root + "/", want: "."},
		{arg: "/" + root + "//sub/./b.txt", want: "sub/b.txt"},
		{arg: "file://" + root + "/a.txt", want: "a.txt"},
		{arg: "file://localhost" + root + "/a.txt", want: "a.txt"},
		{arg: "FILE://LOCALHOST" + root + "/a.txt", want: "a.txt"},
		{arg: "file:" + root + "/a.txt", want: "a.txt"},
		{arg: "file://" + root + "/sub%2Fb.txt", want: "sub/b.txt"},
		{arg: "file://" + root + "/100%2525.txt", want: "100%25.txt"},
		{arg: "100%25.txt", want: "100%25.txt"},
		{arg: "two\nlines.txt", want: "two\nlines.txt"},
		{arg: "~/home.txt", want: "~/home.txt"},
		{arg: "$HOME/x", want: "$HOME/x"},
		{arg: "C:/windows.txt", want: "C:/windows.txt"},
		{arg: `\\host\share\x.txt`, want: `\\host\share\x.txt`},
		{arg: "%2e%2e/x", want: "%2e%2e/x"},
		{arg: "./untitled:odd", want: "untitled:odd"},
		{arg: dir + "/alias/a.txt", want: "a.txt"},
		{arg: dir + "/alias/new.txt", want: "new.txt"},
		{arg: "proj/a.txt", want: "a.txt"},
		{arg: "proj/inner.txt", want: "proj/inner.txt"},
		{arg: "proj/both.txt", want: "proj/both.txt"},
		{arg: "proj/neither.txt", want: "proj/neither.txt"},
		{arg: dir + "/store/pkg/lib.go", want: dir + "/store/pkg/lib.go"},
		{arg: dir + "/elsewhere/open.txt", want: dir + "/elsewhere/open.txt"},
		{arg: "file://" + dir + "/elsewhere/open.txt", want: dir + "/elsewhere/open.txt"},
		{arg: "untitled:Untitled-1", want: "untitled:Untitled-1"},
		{arg: "Untitled:Untitled%2D1", want: "untitled:Untitled-1"},

		{arg: "", kind: fault.InvalidParams},
		{arg: "a\x00.txt", kind: fault.InvalidParams},
		{arg: strings.Repeat("a/", fsys.MaxPathBytes/2) + "a", want: strings.Repeat("a/", fsys.MaxPathBytes/2) + "a"},
		{arg: strings.Repeat("a/", fsys.MaxPathBytes/2) + "aa", kind: fault.InvalidParams},
		{arg: "file://" + root + "/a%00.txt", kind: fault.InvalidParams},
		{arg: "file://" + root + "/a%zz.txt", kind: fault.InvalidParams},
		{arg: "file://" + root + "/a%2", kind: fault.InvalidParams},
		{arg: "file://" + root + "/a.txt?x=1", kind: fault.InvalidParams},
		{arg: "file://" + root + "/a.txt#L3", kind: fault.InvalidParams},
		{arg: "file://host" + root + "/a.txt", kind: fault.InvalidParams},
		{arg: "file://", kind: fault.InvalidParams},
		{arg: "file://localhost", kind: fault.InvalidParams},
		{arg: "file:", kind: fault.InvalidParams},
		{arg: "file:a.txt", kind: fault.InvalidParams},
		{arg: "http://localhost/a.txt", kind: fault.InvalidParams},
		{arg: "vscode-remote://ssh/a.txt", kind: fault.InvalidParams},
		{arg: "git+ssh://host/a.txt", kind: fault.InvalidParams},
		{arg: "x-a.b+c://host/a.txt", kind: fault.InvalidParams},
		{arg: "1a://host/a.txt", want: "1a:/host/a.txt"},
		{arg: "a b://host/a.txt", want: "a b:/host/a.txt"},
		{arg: "untitled:", kind: fault.InvalidParams},
		{arg: "untitled:Untitled-2", kind: fault.NotFound},
		{arg: "..", kind: fault.OutsideWorkspace},
		{arg: "../proj-evil/a.txt", kind: fault.OutsideWorkspace},
		{arg: "../proj/a.txt", want: "a.txt"},
		{arg: "sub/../../proj-evil/a.txt", kind: fault.OutsideWorkspace},
		{arg: root + "/../proj-evil/a.txt", kind: fault.OutsideWorkspace},
		{arg: root + "-evil/a.txt", kind: fault.OutsideWorkspace},
		{arg: "file://" + root + "/%2e%2e/proj-evil/a.txt", kind: fault.OutsideWorkspace},
		{arg: "file://" + root + "/..%2fproj-evil/a.txt", kind: fault.OutsideWorkspace},
		{arg: "//etc/passwd", kind: fault.OutsideWorkspace},
		{arg: "/etc/passwd", kind: fault.OutsideWorkspace},
		{arg: "/", kind: fault.OutsideWorkspace},
		{arg: dir + "/elsewhere/not-open.txt", kind: fault.OutsideWorkspace},
		{arg: dir + "/elsewhere/no-such.txt", kind: fault.OutsideWorkspace},
	}
	for _, tt := range tests {
		p, err := g.Resolve(tt.arg, isOpen)
		disktest.CheckKind(t, tt.arg, err, tt.kind)
		if err == nil && p.Rel != tt.want {
			t.Errorf("Resolve(%q).Rel = %q, want %q", tt.arg, p.Rel, tt.want)
		}
	}
}

func TestOutsideHints(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"proj/src/a.go": "", "proj/.env": "", "proj/out": "-> /etc"})
	g := gateOn(t, nil, dir+"/proj")
	for arg, want := range map[string]string{
		"/src/a.go": "did you mean src/a.go?",
		"/src/b.go": "paths are relative to " + dir + "/proj",
		"/.env":     "paths are relative to " + dir + "/proj",
		"/":         "paths are relative to " + dir + "/proj",
		"../x":      "paths are relative to " + dir + "/proj",
	} {
		_, err := g.Resolve(arg, nil)
		disktest.CheckKind(t, arg, err, fault.OutsideWorkspace)
		if hint := fault.From(err).Hint; !strings.HasPrefix(hint, want) {
			t.Errorf("%s: hint %q, want %q", arg, hint, want)
		}
	}
	none, _ := NewGate(nil, nil, settings.Default())
	for _, arg := range []string{"a.txt", "/a.txt"} {
		_, err := none.Resolve(arg, nil)
		disktest.CheckKind(t, arg, err, fault.OutsideWorkspace)
		if hint := fault.From(err).Hint; !strings.Contains(hint, "no workspace folder is open") {
			t.Errorf("without folders, %s: hint %q", arg, hint)
		}
	}
}

func TestResolveSeveralFolders(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"api/main.go":       "",
		"api/both.go":       "",
		"api/.env":          "",
		"web/index.html":    "",
		"web/both.go":       "",
		"web/api/main.go":   "",
		"web/api/only.go":   "",
		"web/out":           "-> /etc",
		"api/out":           "-> /etc",
		"api/vendor/lib.go": "",
	})
	g := gateOn(t, nil, dir+"/api", dir+"/web", dir+"/api/vendor")
	isOpen := opened(dir + "/web/unsaved.txt")
	tests := []struct {
		arg  string
		want string
		kind fault.Kind
	}{
		{arg: "main.go", want: "api/main.go"},
		{arg: "index.html", want: "web/index.html"},
		{arg: "api/main.go", want: "api/main.go"}, // its name in front wins
		{arg: "web/api/main.go", want: "web/api/main.go"},
		{arg: "api/only.go", want: "web/api/only.go"}, // exists only there
		{arg: "api/new.go", want: "api/new.go"},
		{arg: "web", want: "web"},
		{arg: "api/vendor/lib.go", want: "vendor/lib.go"}, // the inner folder decides
		{arg: "vendor/lib.go", want: "vendor/lib.go"},
		{arg: dir + "/api/vendor/lib.go", want: "vendor/lib.go"},
		{arg: dir + "/web/api", want: "web/api"},
		{arg: "unsaved.txt", want: "web/unsaved.txt"},
		{arg: "both.go", kind: fault.AmbiguousRoot},
		{arg: "out/passwd", kind: fault.AmbiguousRoot},
		{arg: ".", kind: fault.AmbiguousRoot},
		{arg: "new.go", kind: fault.NotFound},
		{arg: "../api/main.go", kind: fault.OutsideWorkspace},
		{arg: "web/../../api/main.go", kind: fault.OutsideWorkspace},
	}
	for _, tt := range tests {
		p, err := g.Resolve(tt.arg, isOpen)
		disktest.CheckKind(t, tt.arg, err, tt.kind)
		if err != nil {
			continue
		}
		if p.Rel != tt.want {
			t.Errorf("Resolve(%q).Rel = %q, want %q", tt.arg, p.Rel, tt.want)
		}
		again, err := g.Resolve(p.Rel, isOpen)
		if err != nil || again != p {
			t.Errorf("Resolve(%q) does not read its own form %q back: %v, %v", tt.arg, p.Rel, again, err)
		}
	}

	_, err := g.Resolve("both.go", nil)
	want := []string{"api/both.go", "web/both.go"}
	if got := fault.From(err).Details["candidates"]; !reflect.DeepEqual(got, want) {
		t.Errorf("candidates = %v, want %v", got, want)
	}
	_, err = g.Resolve("mian.go", nil)
	if hint := fault.From(err).Hint; !strings.Contains(hint, "api/main.go") {
		t.Errorf("hint %q does not name api/main.go", hint)
	}
	_, err = g.Resolve("brand-new.txt", nil)
	if hint := fault.From(err).Hint; !strings.Contains(hint, "api/brand-new.txt") || !strings.Contains(hint, "web/brand-new.txt") {
		t.Errorf("hint %q does not say where it could be made", hint)
	}
}

func TestFoldersOfOneName(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"x/app/a.txt": "", "y/app/b.txt": "", "y/app/a.txt": ""})
	g := gateOn(t, nil, dir+"/x/app", dir+"/y/app")
	p, err := g.Resolve("b.txt", nil)
	if err != nil || p.Rel != dir+"/y/app/b.txt" {
		t.Errorf("b.txt: %q, %v; want the absolute path", p.Rel, err)
	}
	_, err = g.Resolve("app/a.txt", nil)
	disktest.CheckKind(t, "app/a.txt", err, fault.AmbiguousRoot)
}

func TestFolderNames(t *testing.T) {
	for _, tt := range []struct{ name, path, want string }{
		{"", "/w/proj", "proj"},
		{"My Project", "/w/proj", "My Project"},
		{"a/b", "/w/proj", "proj"},
		{"..", "/w/proj", "proj"},
		{"", "/", "root"},
	} {
		if got := folderName(Folder{Name: tt.name, Path: tt.path}); got != tt.want {
			t.Errorf("folderName(%q, %q) = %q, want %q", tt.name, tt.path, got, tt.want)
		}
	}
}

func TestFromURI(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"proj/": "", "other/": ""})
	g := gateOn(t, nil, dir+"/proj")
	for _, tt := range []struct {
		uri     string
		abs     string
		outside bool
	}{
		{"file://" + dir + "/proj/a%20b.txt", dir + "/proj/a b.txt", false},
		{"file://" + dir + "/proj/%C3%A9.txt", dir + "/proj/é.txt", false},
		{"file://" + dir + "/other/x", dir + "/other/x", true},
		{"file:///etc/passwd", "/etc/passwd", true},
		{"untitled:Untitled-1", "", false},
	} {
		p, err := g.FromURI(tt.uri)
		if err != nil || p.Abs != tt.abs || p.Outside() != tt.outside || p.Untitled() != (tt.abs == "") {
			t.Errorf("FromURI(%q) = %+v, %v", tt.uri, p, err)
		}
		again, err := g.FromURI(p.URI)
		if err != nil || again != p {
			t.Errorf("FromURI(%q) = %+v does not come back from %q: %+v, %v", tt.uri, p, p.URI, again, err)
		}
	}
	for _, uri := range []string{"", "a.txt", "/abs", "git:/x?y", "file://host/x", "file:///%", "vscode-notebook-cell:/x#y"} {
		_, err := g.FromURI(uri)
		disktest.CheckKind(t, uri, err, fault.InvalidParams)
	}
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	g := gateOn(t, nil, disktest.Tree(t, nil))
	root := g.Folders()[0].Path
	p, err := g.Resolve("file://"+root+"/caf%E9.txt", nil)
	if err != nil || p.Abs != root+"/caf\xe9.txt" || p.Rel != p.URI {
		t.Fatalf("got %+v, %v; want the URI shown", p, err)
	}
	if again, err := g.Resolve(p.Rel, nil); err != nil || again != p {
		t.Errorf("%q does not read back: %+v, %v", p.Rel, again, err)
	}
}

// TestDrivePath: Windows' paths in URIs; the separators are the system's.
func TestDrivePath(t *testing.T) {
	for path, want := range map[string]string{
		"/c:/dir/a.txt": "C:/dir/a.txt",
		"/C:/":          "C:/",
		"/dir":          "/dir",
		"/c:":           "C:",
		"/é:/x":         "/é:/x",
	} {
		if got := filepath.ToSlash(drivePath(path)); got != want {
			t.Errorf("drivePath(%q) = %q, want %q", path, got, want)
		}
	}
	if got := fileURI("C:/dir/a b.txt"); got != "file:///C:/dir/a%20b.txt" {
		t.Errorf("fileURI of a drive is %q", got)
	}
}

// TestDrivesElsewhere: on other systems than Windows a folder may be named as a
// drive is there.
func TestDrivesElsewhere(t *testing.T) {
	if filepath.IsAbs("C:/") {
		return
	}
	if got, err := filePath("file:///c:/x", "///c:/x"); got != "/c:/x" || err != nil {
		t.Errorf("the path is %q, %v", got, err)
	}
}

// TestWithin: a folder is not within itself, and what has no file is nowhere.
func TestWithin(t *testing.T) {
	untitled := Path{URI: "untitled:x"}
	for _, tt := range []struct {
		path, dir Path
		want      bool
	}{
		{Path{Abs: "/a/b"}, Path{Abs: "/a"}, true},
		{Path{Abs: "/a/b/c"}, Path{Abs: "/a"}, true},
		{Path{Abs: "/a"}, Path{Abs: "/"}, true},
		{Path{Abs: "/a"}, Path{Abs: "/a"}, false},
		{Path{Abs: "/"}, Path{Abs: "/"}, false},
		{Path{Abs: "/ab"}, Path{Abs: "/a"}, false},
		{Path{Abs: "/a"}, Path{Abs: "/a/b"}, false},
		{untitled, Path{Abs: "/"}, false},
		{Path{Abs: "/a"}, untitled, false},
		{untitled, untitled, false},
	} {
		if got := tt.path.Within(tt.dir); got != tt.want {
			t.Errorf("%q within %q: %v", tt.path.Key(), tt.dir.Key(), got)
		}
	}
}

// FuzzURI: a path survives its URI, and no URI yields an unclean path.
func FuzzURI(f *testing.F) {
	for _, s := range []string{"/a b/ü?#%41", "/\n", "/..", "/%2e%2e", "//x", "/\xff"} {
		f.Add(s)
	}
	g, _ := NewGate(nil, nil, settings.Default())
	f.Fuzz(func(t *testing.T, s string) {
		abs := filepath.Clean("/" + s)
		if fsys.CheckPath(abs) == nil {
			p, err := g.FromURI(fileURI(abs))
			if err != nil || p.Abs != abs {
				t.Fatalf("%q came back as %q, %v", abs, p.Abs, err)
			}
		}
		if p, err := g.FromURI("file://" + s); err == nil && (p.Abs != filepath.Clean(p.Abs) || !filepath.IsAbs(p.Abs)) {
			t.Fatalf("%q gave the path %q", s, p.Abs)
		}
	})
}
