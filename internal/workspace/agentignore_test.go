package workspace

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
)

// hiddenIn walks all of g's first folder as a catalog does, and returns what
// agents' ignore files hide; what is below hidden folders is not among it.
func hiddenIn(t *testing.T, g *Gate) []string {
	t.Helper()
	r := g.roots[0]
	var hidden []string
	var walk func(folder string, disk, gate *gitignore.AgentRules)
	walk = func(folder string, disk, gate *gitignore.AgentRules) {
		entries, err := os.ReadDir(filepath.Join(r.Path, folder))
		disktest.Must(t, err)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		disk = disk.Below(folder[strings.LastIndexByte(folder, '/')+1:], names, func(name string) ([]byte, error) {
			return os.ReadFile(filepath.Join(r.Path, folder, name))
		})
		if folder != "" && gate != nil {
			gate = gate.Below(folder[strings.LastIndexByte(folder, '/')+1:], nil, nil)
		}
		for _, e := range entries {
			_, byDisk := disk.Hides(e.Name(), e.IsDir())
			_, byGate := gate.Hides(e.Name(), e.IsDir())
			at := path.Join(folder, e.Name())
			switch {
			case byDisk || byGate:
				hidden = append(hidden, at)
			case e.IsDir():
				walk(at, disk, gate)
			}
		}
	}
	walk("", nil, g.AgentTop(r))
	return hidden
}

// checkHidden holds what the gate says of each path below its first folder,
// and what a walk finds, against want: what is hidden by itself.
func checkHidden(t *testing.T, g *Gate, want ...string) {
	t.Helper()
	if got := hiddenIn(t, g); !slices.Equal(got, want) {
		t.Errorf("a walk finds hidden: %q, want %q", got, want)
	}
	r := g.roots[0]
	err := filepath.WalkDir(r.Path, func(abs string, d fs.DirEntry, err error) error {
		disktest.Must(t, err)
		rel, _ := fsys.Below(r.Path, abs)
		if rel == "." {
			return nil
		}
		covered := slices.ContainsFunc(want, func(w string) bool { return rel == w || strings.HasPrefix(rel, w+"/") })
		rule, hidden := g.hidden(r.placeAt(rel))
		if hidden != covered {
			t.Errorf("%s: hidden %t by %q, want %t", rel, hidden, rule, covered)
		}
		if d.Type().IsRegular() {
			checkDenied(t, g, rel, covered)
		}
		return nil
	})
	disktest.Must(t, err)
}

func checkDenied(t *testing.T, g *Gate, rel string, want bool) {
	t.Helper()
	p, err := g.Resolve(rel, nil)
	disktest.Must(t, err)
	_, stat := g.Stat(p)
	_, open := idOf(g.Open(p))
	for what, err := range map[string]error{"CheckRead": g.CheckRead(p), "CheckWrite": g.CheckWrite(p.Consented()), "Stat": stat, "Open": open} {
		e := fault.From(err)
		denied := e != nil && e.Kind == fault.PermissionDenied
		if denied != want {
			t.Errorf("%s %s: %v", what, rel, err)
		}
		if denied && !strings.HasPrefix(e.Details["rule"].(string), gitignore.AgentRulePrefix) {
			t.Errorf("%s %s does not name its rule: %v", what, rel, e.Details)
		}
	}
}

func TestAgentIgnores(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"every name": {
			map[string]string{
				".agentignore": "a1", ".cursorignore": "a2", ".geminiignore": "a3", ".aiexclude": "a4", ".ignore": "a5", ".cursorindexingignore": "a6",
				"a1": "", "a2": "", "a3": "", "a4": "", "a5": "", "a6": "",
			}, []string{"a1", "a2", "a3", "a4"},
		},
		"at any depth, from where they are": {
			map[string]string{
				"sub/.agentignore": "*.sql\n/top.txt\ndeep/b.txt\n", "x.sql": "", "top.txt": "",
				"sub/x.sql": "", "sub/top.txt": "", "sub/deep/y.sql": "", "sub/deep/top.txt": "", "sub/deep/b.txt": "",
			}, []string{"sub/deep/b.txt", "sub/deep/y.sql", "sub/top.txt", "sub/x.sql"},
		},
		"folders": {
			map[string]string{".aiexclude": "build/\n", "build/a": "", "sub/build": "", "sub/other/build/b/c": ""},
			[]string{"build", "sub/other/build"},
		},
		"an exception frees what its own file takes": {
			map[string]string{".agentignore": "*.txt\n!free.txt\n", "a.txt": "", "free.txt": "", "sub/free.txt": ""},
			[]string{"a.txt"},
		},
		"and nothing else": {
			map[string]string{
				".agentignore": "*.txt\n", ".cursorignore": "!*.txt\n*.md\n", "sub/.agentignore": "!a.txt\n",
				"a.txt": "", "b.md": "", "sub/a.txt": "", "sub/b.md": "",
			}, []string{"a.txt", "b.md", "sub/a.txt", "sub/b.md"},
		},
		"not below an excluded folder": {
			map[string]string{".agentignore": "gen\n!gen/keep\n", "gen/keep": ""}, []string{"gen"},
		},
		"without regard to case": {
			map[string]string{".agentignore": "Secret.txt\n[A-C]x\n*.SQL\n", "secret.TXT": "", "bx": "", "Ax": "", "dx": "", "q.sql": ""},
			[]string{"Ax", "bx", "q.sql", "secret.TXT"},
		},
		"an exception in one case does not free another": {
			map[string]string{".agentignore": "*.md\n!README.md\n", "README.md": "", "x.md": ""}, []string{"x.md"},
		},
		"the files themselves are free": {
			map[string]string{".agentignore": "*\n", "sub/.cursorignore": "x", "a": ""}, []string{"a", "sub"},
		},
		"in UTF-16 and with a mark": {
			map[string]string{".agentignore": "\xff\xfea\x00\n\x00", ".cursorignore": "\ufeffb\r\n", "a": "", "b": "", "c": ""}, []string{"a", "b"},
		},
		"a folder of that name is none": {
			map[string]string{".agentignore/a": "x", "a": "", "x": ""}, nil,
		},
		"a link to rules": {
			map[string]string{".agentignore": "-> rules", "rules": "a\n", "a": ""}, []string{"a"},
		},
		"more than counts": {
			map[string]string{".agentignore": "a\n" + strings.Repeat("#"+strings.Repeat("x", 63)+"\n", gitignore.MaxFileBytes/64) + "b\n", "a": "", "b": ""}, []string{"a"},
		},
	} {
		t.Run(name, func(t *testing.T) { checkHidden(t, gateOn(t, nil, disktest.Tree(t, tt.files)), tt.want...) })
	}
}

// TestAgentIgnoreThroughLinks: the rules of where a file really is hold too.
func TestAgentIgnoreThroughLinks(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"a/.agentignore": "x\nnew*\n", "a/x": "", "a/y": "", "b/x": "", "b/.cursorignore": "z\n",
		"to-x": "-> a/x", "to-y": "-> $DIR/a/y", "to-a": "-> a", "b/z": "-> ../a/y", "planned": "-> a/new.txt",
	})
	g := gateOn(t, nil, dir)
	for rel, want := range map[string]bool{
		"a/x": true, "to-x": true, "to-a/x": true, "to-y": false, "to-a/y": false, "b/x": false, "b/z": true,
	} {
		checkDenied(t, g, rel, want)
	}
	for rel, want := range map[string]string{"planned": "permission_denied", "to-a/x/y": "permission_denied", "to-a/other": "free"} {
		p, err := g.Resolve(rel, nil)
		disktest.Must(t, err)
		if got := disktest.Verdict(g.CheckWrite(p)); got != want {
			t.Errorf("write %s: %s, want %s", rel, got, want)
		}
	}
}

// TestAgentIgnoreChanges: a change counts from the next call on, however soon
// it comes after the one before.
func TestAgentIgnoreChanges(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"sub/a": "", "sub/b": ""})
	g := gateOn(t, nil, dir)
	for i := range 40 {
		file := filepath.Join(dir, "sub", gitignore.AgentFileNames[i%4])
		checkDenied(t, g, "sub/a", false)
		disktest.Must(t, os.WriteFile(file, []byte("a"), 0o644))
		checkDenied(t, g, "sub/a", true)
		disktest.Must(t, os.WriteFile(file, []byte("b"), 0o644))
		checkDenied(t, g, "sub/a", false)
		checkDenied(t, g, "sub/b", true)
		disktest.Must(t, os.Remove(file))
		checkDenied(t, g, "sub/b", false)
	}
}

// TestAgentIgnoreIsNotReadAgain: what is known of a folder that nobody touches is
// kept, and a change is seen all the same.
func TestAgentIgnoreIsNotReadAgain(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{".agentignore": "x/y\n", "sub/deep/x/y": ""})
	g := gateOn(t, nil, dir)
	o := g.roots[0].Dir.Now()
	time.Sleep(80 * time.Millisecond) // until the times above are past
	first := gitignore.RulesIn(o, "sub", gitignore.RulesIn(o, "", nil))
	if again := gitignore.RulesIn(o, "sub", gitignore.RulesIn(o, "", nil)); again != first {
		t.Error("a folder that was read long after its last change was read again")
	}
	disktest.Must(t, os.WriteFile(filepath.Join(dir, "sub/other"), nil, 0o644))
	if again := gitignore.RulesIn(o, "sub", gitignore.RulesIn(o, "", nil)); again != first {
		t.Error("a file that is no ignore file made new rules")
	}
	disktest.Must(t, os.WriteFile(filepath.Join(dir, ".agentignore"), []byte("other\n"), 0o644))
	checkHidden(t, g, "sub/other")
}

func TestAgentIgnoreUnsaved(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		".agentignore": "a\n", "a": "", "b": "", "sub/a": "", "sub/b": "", "sub/c/d": "", "link": "-> sub",
	})
	base := gateOn(t, nil, dir)
	texts := func(pairs ...string) map[string][]byte {
		m := make(map[string][]byte)
		for i := 0; i < len(pairs); i += 2 {
			m[filepath.Join(dir, pairs[i])] = []byte(pairs[i+1])
		}
		return m
	}
	// What the editor's version frees is still taken by the disk's.
	checkHidden(t, base.WithAgentIgnores(texts(".agentignore", "!a\nb\n")), "a", "b", "sub/a", "sub/b")
	checkHidden(t, base.WithAgentIgnores(texts(".agentignore", "")), "a", "sub/a")
	// Files that are not saved yet.
	checkHidden(t, base.WithAgentIgnores(texts("sub/.aiexclude", "c/d\n/b\n")), "a", "sub/a", "sub/b", "sub/c/d")
	// A folder that does not exist yet, and names that say nothing.
	checkHidden(t, base.WithAgentIgnores(texts("new/.aiexclude", "*", "sub/ignore", "*", "../.agentignore", "*")), "a", "sub/a")
	// Opened through a link to its folder.
	checkHidden(t, base.WithAgentIgnores(texts("link/.aiexclude", "b")), "a", "sub/a", "sub/b")
	checkHidden(t, base, "a", "sub/a")

	one, two := texts("sub/.aiexclude", "b"), texts("sub/.aiexclude", "b")
	g := base.WithAgentIgnores(one)
	if base.WithAgentIgnores(two) != g || g.WithAgentIgnores(one) != g {
		t.Error("the same texts give another gate")
	}
	if g.WithAgentIgnores(nil) != base || base.WithAgentIgnores(nil) != base || base.WithAgentIgnores(texts()) != base {
		t.Error("without texts it is not the gate itself")
	}
	if base.WithAgentIgnores(texts("sub/.aiexclude", "c")) == g {
		t.Error("another text gives the same gate")
	}
	_, err := read(t, g, "sub/b")
	if e := fault.From(err); e == nil || e.Details["rule"] != "ignored for agents: sub/.aiexclude (unsaved):1: b" {
		t.Errorf("the rule is named %v", e)
	}
}

// TestAgentIgnoreFoldersInEachOther: the files of a folder hold in one that is
// opened besides and lies in it.
func TestAgentIgnoreFoldersInEachOther(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{".agentignore": "inner/x\n/far\n", "inner/x": "", "inner/y": "", "far/inner/z": ""})
	g := gateOn(t, nil, dir+"/inner", dir)
	checkHidden(t, g, "x")
	checkHidden(t, g.WithAgentIgnores(map[string][]byte{dir + "/.aiexclude": []byte("y")}), "x", "y")
	checkHidden(t, gateOn(t, nil, dir+"/inner"))
	g = gateOn(t, nil, dir+"/far/inner", dir)
	checkHidden(t, g, "z")
}

// TestAgentIgnoreUnreadable: rules that cannot be read take everything.
func TestAgentIgnoreUnreadable(t *testing.T) {
	var ar *gitignore.AgentRules
	ar = ar.Below("", []string{".agentignore"}, func(string) ([]byte, error) { return nil, fs.ErrPermission })
	if rule, ok := ar.Hides("a", false); !ok || !strings.Contains(rule, "cannot be read") {
		t.Errorf("hidden %t by %q", ok, rule)
	}
	if _, ok := ar.Hides(".agentignore", false); ok {
		t.Error("the file itself is hidden")
	}
}

func TestIsAgentIgnore(t *testing.T) {
	for name, want := range map[string]bool{
		".agentignore": true, ".AgentIgnore": true, ".aiexclude": true, ".agentignore.": true, ".agentignore::$DATA": true,
		"agentignore": false, ".gitignore": false, "x.agentignore": false, "": false, ".": false, "\u200c.agentignore": true,
	} {
		if got := gitignore.IsAgentIgnore(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

func TestDeniedSaysWhatToDo(t *testing.T) {
	g := gateOn(t, nil, disktest.Tree(t, map[string]string{"sub/.cursorignore": "# no\n\n*.SQL\n", "sub/a.sql": ""}))
	_, err := read(t, g, "sub/a.sql")
	e := fault.From(err)
	if e == nil || e.Details["rule"] != "ignored for agents: sub/.cursorignore:3: *.SQL" || !strings.Contains(e.Hint, "change that file") {
		t.Errorf("%v %v", err, e)
	}
}
