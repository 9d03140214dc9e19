package gitignore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// listed walks down as a catalog does that has dir for workspace folder, and returns the files that are not ignored.
func listedByWalk(t *testing.T, dir, global string) []string {
	t.Helper()
	var content []byte
	if global != "" {
		content = []byte(global)
	}
	w := newIgnoreWalk(t, dir, content)
	var files []string
	var walk func(folder string)
	walk = func(folder string) {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		disktest.Must(t, err)
		for _, e := range entries {
			at := strings.TrimPrefix(folder+"/"+e.Name(), "/")
			switch {
			case w.in(folder).Match(e.Name(), e.IsDir()) || IsIgnoreFile(e.Name()):
			case e.IsDir():
				walk(at)
			default:
				files = append(files, at)
			}
		}
	}
	walk("")
	return files
}

func TestIgnoreRules(t *testing.T) {
	for name, tt := range map[string]struct {
		files  map[string]string
		open   string // the workspace folder, "" for the top
		global string
		want   []string
	}{
		"no repository: .gitignore does not count, .ignore does": {
			files: map[string]string{".gitignore": "a\n", ".ignore": "b\n", "a": "", "b": "", "sub/.gitignore": "a", "sub/a": ""},
			want:  []string{"a", "sub/a"},
		},
		"no repository: nor does the person's file": {
			files: map[string]string{"a": ""}, global: "a", want: []string{"a"},
		},
		".ignore before .gitignore, from any folder": {
			files: map[string]string{
				".git/x": "", ".ignore": "!a\nb\n", ".gitignore": "a\n", "sub/.gitignore": "a\n!b\n", "a": "", "b": "", "sub/a": "", "sub/b": "",
			},
			want: []string{"a", "sub/a"},
		},
		"info/exclude and the person's file": {
			files:  map[string]string{".git/info/exclude": "a\n/sub/c\n!d\n", ".gitignore": "!b\n", "a": "", "b": "", "c": "", "d": "", "sub/c": "", "sub/e": ""},
			global: "b\nd\n/sub/e\n", want: []string{"b", "c", "d"},
		},
		"a folder of a repository": {
			files: map[string]string{
				".git/info/exclude": "x\n", ".gitignore": "a\n/mid/in/b\n", ".ignore": "i\n", "mid/.gitignore": "in/c\n!a\n", "mid/in/.gitignore": "d\n",
				"mid/in/a": "", "mid/in/b": "", "mid/in/c": "", "mid/in/d": "", "mid/in/i": "", "mid/in/x": "", "mid/in/y": "", "mid/in/sub/b": "",
			},
			open: "mid/in", want: []string{"a", "sub/b", "y"},
		},
		"a folder that is ignored itself": {
			files: map[string]string{".git/x": "", ".gitignore": "build/\n*.o\n", "build/a": "", "build/a.o": ""},
			open:  "build", want: []string{"a"},
		},
		"a repository in another": {
			files: map[string]string{
				".git/info/exclude": "x\n", ".gitignore": "a\nin/c\n", ".ignore": "i\n",
				"in/.git/info/exclude": "b\n", "in/a": "", "in/b": "", "in/c": "", "in/i": "", "in/x": "", "in/sub/b": "", "in/g": "",
			},
			global: "g", want: []string{"in/a", "in/c", "in/x"},
		},
		"a repository in another, opened": {
			files: map[string]string{".git/x": "", ".gitignore": "a\n", "in/.git/info/exclude": "b\n", "in/a": "", "in/b": ""},
			open:  "in", want: []string{"a"},
		},
		"a worktree": {
			files: map[string]string{
				"main/.git/info/exclude": "a\n", "main/.git/worktrees/tree/commondir": "../..\n", "main/.git/worktrees/tree/info/exclude": "b\n",
				"tree/.git": "gitdir: $DIR/main/.git/worktrees/tree\n", "tree/.gitignore": "c\n", "tree/a": "", "tree/b": "", "tree/c": "",
			},
			open: "tree", want: []string{"b"},
		},
		"a submodule": {
			files: map[string]string{
				".git/modules/sub/info/exclude": "a\n", "sub/.git": "gitdir: ../.git/modules/sub\r\n", "sub/a": "", "sub/b": "", "c": "",
			},
			want: []string{"c", "sub/b"},
		},
		"what only looks like a repository's place": {
			files: map[string]string{".git": "gitdir: /dev/null\n", ".gitignore": "a\n", "a": "", "b": ""}, want: []string{"b"},
		},
		"agents' files are none of these": {
			files: map[string]string{".git/x": "", ".agentignore": "a\n", "a": ""}, want: []string{"a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := disktest.Tree(t, nil)
			for file, content := range tt.files {
				disktest.Plant(t, dir, file, strings.ReplaceAll(content, "$DIR", dir))
			}
			got := listedByWalk(t, filepath.Join(dir, tt.open), tt.global)
			got = slices.DeleteFunc(got, func(p string) bool { return filepath.Base(p) == ".git" })
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestGitIsSkipped: whatever is said, also as a file.
func TestGitIsSkipped(t *testing.T) {
	ir := new(Rules).Below("", []string{".ignore"}, func(string) ([]byte, error) { return []byte("!.git\n"), nil })
	if !ir.Match(".git", true) || !ir.Match(".git", false) || ir.Match(".github", true) {
		t.Error(".git is listed, or what only begins like it is not")
	}
}

func TestIgnoreSourcesChange(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{".git/info/exclude": "a\n", ".gitignore": "b\n", "mid/in/c": ""})
	steps := []struct {
		what   string
		do     func()
		change bool
	}{
		{"nothing", func() {}, false},
		{"a commit", func() { disktest.Plant(t, dir, ".git/index", "") }, false},
		{"info/exclude", func() { disktest.Plant(t, dir, ".git/info/exclude", "other\n") }, true},
		{".gitignore", func() { disktest.Plant(t, dir, ".gitignore", "other\n") }, true},
		{"a new .gitignore between", func() { disktest.Plant(t, dir, "mid/.gitignore", "d\n") }, true},
		{"its removal", func() { disktest.Must(t, os.Remove(filepath.Join(dir, "mid/.gitignore"))) }, true},
		{"a new .ignore", func() { disktest.Plant(t, dir, ".ignore", "d\n") }, true},
		{"a file of the folder itself", func() { disktest.Plant(t, dir, "mid/in/.gitignore", "d\n") }, false},
		{"a nearer repository", func() { disktest.Plant(t, dir, "mid/.git/HEAD", "") }, true},
		{"one in the folder itself", func() { disktest.Plant(t, dir, "mid/in/.git/HEAD", "") }, true},
		{"the outer one's end", func() { disktest.Must(t, os.RemoveAll(filepath.Join(dir, "mid/.git"))) }, false},
	}
	for _, step := range steps {
		ir := TopRules(filepath.Join(dir, "mid/in"), nil)
		step.do()
		if got := ir.Changed(); got != step.change {
			t.Errorf("%s: changed %t, want %t", step.what, got, step.change)
		}
	}
	in := new(Rules).Below("", nil, nil)
	if in.Changed() {
		t.Error("rules from nowhere changed")
	}
}

func TestIgnoreProblems(t *testing.T) {
	large := "first\n" + strings.Repeat("#"+strings.Repeat("x", 63)+"\n", MaxFileBytes/64) + "last\n"
	for name, tt := range map[string]struct {
		content string
		err     error
		want    fault.Kind
	}{
		"large":        {large, nil, fault.FileTooLarge},
		"not readable": {"", os.ErrPermission, fault.PermissionDenied},
		"broken disk":  {"", errors.New("bad block"), fault.Internal},
		"gone":         {"", os.ErrNotExist, ""},
		"a folder":     {"", fault.New(fault.IsDirectory, "a folder"), ""},
	} {
		ir := new(Rules).Below("", []string{".ignore"}, func(string) ([]byte, error) { return []byte(tt.content), tt.err })
		var err error
		if len(ir.Problems) > 0 {
			err = ir.Problems[0]
		}
		disktest.CheckKind(t, name, err, tt.want)
		if e := fault.From(err); e != nil && (e.Path == "" || e.Hint == "") {
			t.Errorf("%s: the problem says neither where nor what to do: %v", name, e)
		}
		if ir.Match("first", false) != (tt.content != "") || ir.Match("last", false) {
			t.Errorf("%s: what counts is not the first %d bytes", name, MaxFileBytes)
		}
		if below := ir.Below("sub", nil, nil); len(below.Problems) > 0 {
			t.Errorf("%s: a folder has its parent's problems", name)
		}
	}
}

// TestHardPatterns: patterns that make other matchers run for ever.
func TestHardPatterns(t *testing.T) {
	long := strings.Repeat("a", 1000)
	deep := strings.Repeat("a/", 500) + "a"
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{strings.Repeat("*a", 200) + "*b", long, false},
		{strings.Repeat("*a", 200) + "*", long, true},
		{strings.Repeat("*[ab]?", 200) + "c", long, false},
		{strings.Repeat("?", maxNameBytes), strings.Repeat("a", maxNameBytes), true},
		{strings.Repeat("*a", 1<<18), long, false},
		{"/" + strings.Repeat("**/a/", 100) + "b", deep, false},
		{"/" + strings.Repeat("**/a/", 100) + "a", deep, true},
		{"/" + strings.Repeat("**/*a*/", 100) + "b", deep, false},
		{"/" + strings.Repeat("a/", 500) + "a", deep, true},
		{"/" + strings.Repeat("**/", 1<<17) + "b", deep, false},
		{"/" + strings.Repeat("**/", 1<<17) + "a", deep, true},
	} {
		if got := takes(parseIgnore([]byte(tt.pattern)), tt.path); got != tt.want {
			t.Errorf("%.40q…: %t", tt.pattern, got)
		}
	}
}

// takes reports whether a list of one pattern takes the path, not what it is in.
func takes(l *ignoreList, path string) bool {
	a := l.activate()
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		a = a.below(name)
	}
	return a.match(names[len(names)-1], false) != nil
}

// FuzzIgnore: any bytes are rules, and what they say is what the simplest
// matcher says.
func FuzzIgnore(f *testing.F) {
	for _, p := range oddPatterns() {
		f.Add([]byte(p), "sub/deep/x.go")
	}
	for _, files := range plainCases() {
		f.Add([]byte(files[".gitignore"]), "a/foo/b")
	}
	f.Add([]byte("**/a/**/*[!a-c]?\n!/a/**\\/b/\n"), "a/b/cd")
	f.Fuzz(func(t *testing.T, content []byte, path string) {
		names := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
		if len(names) == 0 || len(names) > 6 || len(path) > 40 || len(content) > 40 {
			return
		}
		l := parseIgnore(content)
		for _, p := range l.patterns {
			if p.line < 1 || strings.Contains(p.text, "\n") {
				t.Fatalf("pattern %q on line %d", p.text, p.line)
			}
		}
		for line := range strings.SplitSeq(string(content), "\n") {
			one := parseIgnore([]byte(line))
			if len(one.patterns) == 0 {
				continue
			}
			p := one.patterns[0]
			body := strings.TrimSuffix(strings.TrimPrefix(p.text, "!"), "/")
			at := names
			if !strings.Contains(body, "/") {
				at = names[len(names)-1:]
			}
			want := !p.dirOnly && wild(strings.TrimPrefix(body, "/"), strings.Join(at, "/"), true)
			if got := takes(one, strings.Join(names, "/")); got != want {
				t.Errorf("%q takes %q: %t, want %t", p.text, names, got, want)
			}
		}
	})
}

// wild is git's wildmatch as its manual describes it: slow, and plain.
func wild(p, s string, start bool) bool {
	if n := len(p) - len(strings.TrimLeft(p, "*")); n > 0 {
		rest := p[n:]
		spans := n > 1 && start && (rest == "" || slashLen(rest) > 0)
		if spans && strings.HasPrefix(rest, "/") && wild(rest[1:], s, true) {
			return true
		}
		for i := 0; ; i++ {
			if wild(rest, s[i:], false) {
				return true
			}
			if i == len(s) || s[i] == '/' && !spans {
				return false
			}
		}
	}
	if p == "" || s == "" {
		return p == "" && s == ""
	}
	t, n, ok := parseToken(p)
	if !ok || s[0] == '/' && (t.kind != globByte || t.lit != '/') || !t.takes(s[0]) {
		return false
	}
	return wild(p[n:], s[1:], t.kind == globByte && t.lit == '/')
}
