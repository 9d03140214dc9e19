package gitignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// gitSuite is paths to ask about, and the ignore files under which to ask;
// paths that end in "/" are folders.
type gitSuite struct {
	paths []string
	cases map[string]ignoreFiles
}

// ignoreFiles are contents by path; "global" is the person's own file.
type ignoreFiles map[string]string

// TestIgnoreIsGits holds our answers against those of git itself, for cases
// that were thought of and for random ones.
func TestIgnoreIsGits(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	for name, s := range gitSuites() {
		t.Run(name, func(t *testing.T) { s.run(t, git) })
	}
}

func (s *gitSuite) run(t *testing.T, git string) {
	dir := disktest.Tree(t, nil)
	disktest.Git(t, git, dir, "", "init", "-q")
	for _, p := range s.paths {
		if err := os.MkdirAll(filepath.Join(dir, path.Dir(p+"x")), 0o755); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(p, "/") {
			disktest.Plant(t, dir, p, "")
		}
	}
	for name, files := range s.cases {
		for file, content := range files {
			disktest.Plant(t, dir, file, content)
		}
		s.compare(t, git, dir, name, files)
		for file := range files {
			disktest.Must(t, os.Remove(filepath.Join(dir, file)))
		}
	}
}

func (s *gitSuite) compare(t *testing.T, git, dir, name string, files ignoreFiles) {
	t.Helper()
	var asked strings.Builder
	for _, p := range s.paths {
		asked.WriteString(strings.TrimSuffix(p, "/") + "\x00")
	}
	out := disktest.Git(t, git, dir, asked.String(), "-c", "core.excludesFile="+filepath.Join(dir, "global"), "-c", "core.ignoreCase=false",
		"check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
	fields := strings.Split(out, "\x00")
	if len(fields) != 4*len(s.paths)+1 {
		t.Fatalf("%s: git answered %d fields for %d paths", name, len(fields), len(s.paths))
	}
	w := newIgnoreWalk(t, dir, []byte(files["global"]))
	for i, p := range s.paths {
		source, line, pattern := fields[4*i], fields[4*i+1], fields[4*i+2]
		want := source != "" && !strings.HasPrefix(pattern, "!")
		if got := w.ignored(p); got != want {
			t.Errorf("%s: %q: ignored %t, but git says %t by %s:%s: %q\nfiles: %q", name, p, got, want, source, line, pattern, files)
		}
	}
}

// ignoreWalk walks down as a catalog does, reading what is on disk.
type ignoreWalk struct {
	t     *testing.T
	dir   string
	rules map[string]*Rules // by folder, "" is the top
}

func newIgnoreWalk(t *testing.T, dir string, global []byte) *ignoreWalk {
	w := &ignoreWalk{t, dir, make(map[string]*Rules)}
	w.rules[""] = w.enter("", "", TopRules(dir, global))
	return w
}

func (w *ignoreWalk) enter(folder, name string, up *Rules) *Rules {
	at := filepath.Join(w.dir, folder)
	entries, err := os.ReadDir(at)
	disktest.Must(w.t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return up.Below(name, names, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(at, name)) })
}

func (w *ignoreWalk) in(folder string) *Rules {
	if w.rules[folder] == nil {
		w.rules[folder] = w.enter(folder, path.Base(folder), w.in(fsys.SlashDir(folder)))
	}
	return w.rules[folder]
}

func (w *ignoreWalk) ignored(p string) bool {
	clean := strings.TrimSuffix(p, "/")
	for i := range len(clean) {
		if clean[i] == '/' && w.in(fsys.SlashDir(clean[:i])).Match(path.Base(clean[:i]), true) {
			return true
		}
	}
	return w.in(fsys.SlashDir(clean)).Match(path.Base(clean), clean != p)
}

// everyPath returns all paths of up to depth names, as files; and the folders.
func everyPath(names []string, depth int) []string {
	var paths []string
	level := []string{""}
	for range depth {
		var next []string
		for _, up := range level {
			for i, name := range names {
				if i%2 == 0 {
					next = append(next, up+name+"/")
				} else {
					paths = append(paths, up+name)
				}
			}
		}
		paths = append(paths, next...)
		level = next
	}
	return paths
}

func gitSuites() map[string]*gitSuite {
	names := []string{"a", "b", "foo", "bar", "x", "foobar", "build", "a b", "abc", "README"}
	plain := &gitSuite{paths: everyPath(names, 3), cases: plainCases()}
	odd := &gitSuite{paths: oddPaths(), cases: make(map[string]ignoreFiles)}
	for _, p := range oddPatterns() {
		odd.cases[p] = ignoreFiles{".gitignore": p + "\n"}
	}
	random := &gitSuite{paths: everyPath([]string{"a", "b", "ab", "ba", "aab", "abb"}, 4), cases: make(map[string]ignoreFiles)}
	for seed := range uint64(testscale.Of(80, 25)) {
		random.cases[fmt.Sprint(seed)] = randomCase(rand.New(rand.NewPCG(seed, 1)))
	}
	return map[string]*gitSuite{"plain": plain, "odd": odd, "random": random}
}

func plainCases() map[string]ignoreFiles {
	lists := map[string][]string{
		"names":     {"foo", "x/", "build/", "!bar"},
		"anchored":  {"/foo", "a/b", "/a/foo", "x/bar/", "/build/**", "abc/*"},
		"spans":     {"**/foo", "a/**/b", "x/**", "**/build/bar", "!**/x", "**", "!a", "!a/**"},
		"stars":     {"*o*", "!f*r", "a*c", "b/*o", "*/a", "x/*/b", "*/*/README"},
		"reinclude": {"*", "!*/", "!foo", "!*.go"},
		"parents":   {"a/", "!a/b", "foo/*", "!foo/bar", "x/**", "!x/b"},
		"odd spans": {"a**b", "**foo", "?**/b", "**/**/b", "***/b", "x/***", "a/**/**/b", "**/", "/**", "**/*/b"},
		"slashes":   {"/", "//", "a//", "/a//b", "b//b", "foo/ ", "!/", "a/b/c/"},
		"escapes":   {`\a`, `f\oo`, `a\/b`, `x/\b`, `**\/bar`, `x/**\/b`, `foo\`, `\`, `\!a`, `\#a`, `ba\r/`},
	}
	cases := map[string]ignoreFiles{
		"crlf":      {".gitignore": "foo\r\n\r\n# c\r\nbar/\r\n!a\r\n*c\r"},
		"bom":       {".gitignore": "\ufefffoo\nbar"},
		"nul":       {".gitignore": "foo\x00bar\n\x00\nbar\n"},
		"comments":  {".gitignore": "#foo\n #bar\n\n\n!\nfoo #c\n"},
		"cr inside": {".gitignore": "a\rb\n"},
		"nested": {
			".gitignore": "bar\n*b*\n/x/a\n!a/foo\n", "a/.gitignore": "!bar\n/build\nx/b\n", "a/foo/.gitignore": "*\n!b\n!.gitignore\n", "x/.gitignore": "!a\nREADME",
		},
		"exclude and global": {
			".gitignore": "!foo\n", "global": "foo\nbar\n!x\nREADME\n", ".git/info/exclude": "x\n!bar\na/b\n", "a/.gitignore": "!README\n",
		},
	}
	for name, patterns := range lists {
		for _, p := range patterns {
			cases[name+": "+p] = ignoreFiles{".gitignore": p + "\n"}
		}
		cases[name] = ignoreFiles{".gitignore": strings.Join(patterns, "\n")}
	}
	return cases
}

func oddPaths() []string {
	return []string{
		"a\\b", "a*b", "a[b", "a]b", "[a]", "!a", "#a", "a ", " a", "a\t", "a?b", "ab", "a-b", "a^b", "aXb", "a.b", "é", "\xff",
		"-", "]", "^", "A", "Z", "z", "0", "_", "~", "a\x7f", "x.go", "x.GO", "x.tar.gz", ".hidden", "a\rb", "tmp~", "#tmp#", "a,b", "{a,b}",
		"sub/a", "sub/[", "sub/x.go", "sub/deep/x.go", "sub/deep/", "dir.go/", "dir.go/a", "foo.txt",
	}
}

func oddPatterns() []string {
	return []string{
		"[a-c]", "[!a]*", "[^a]*", "[]]", "[!]]", "[]-a]", "[a-]", "[-a]", "[a\\-z]", "[\\]]", "[[:alpha:]]", "[[:digit:]_]", "[![:alnum:]]*",
		"[[:upper:]]", "[[:space:]]a", "[[:punct:]]", "[[:blank:]]a", "[[:cntrl:]]", "[[:xdigit:]]", "[[:graph:]]", "[[:print:]]", "[[:lower:]-z]",
		"[[:nope:]]", "[[:alpha:]", "[[:alpha]]", "[[:", "[", "[a", "a[", "[]", "[!]", "[[a]]", "[z-a]", "[A-z]", "[a-c-z]", "[--0]", "[/]", "sub[/]a",
		"su[b/]a", "sub/[", "sub/[[]", "[!/]ub/a", "[\\", "[a\\", "[a-\\z]", "[a-\\", "[\x80-\xff]", "[[:]]", "[[:a]", "?", "??", "a?b", "[*]", "a[*]b", "a[?]b", "a[[]b",
		"*.go", "*.gz", "*.tar.gz", "*.*", ".*", "*~", "#*#", "\\#*#", "a\\*b", "a\\?b", "a\\[b", "a\\\\b", "\\ a", "a\\ ", "a ", "a  ", "a\\  ", "a \\", "a\t", " a", "!a", "\\!a",
		"{a,b}", "a,b", "dir.go/", "*.go/", "!*.go", "sub/*.go", "/*.go", "**/*.go", "sub/**/*.go", "é", "?\xa9", "\xff", "[é]", "*b", "a*b", "a*", "*a*",
	}
}

// randomCase makes ignore files of the pieces that patterns are made of.
func randomCase(r *rand.Rand) ignoreFiles {
	files := make(ignoreFiles)
	for _, file := range []string{".gitignore", "a/.gitignore", "ab/a/.gitignore", ".git/info/exclude", "global"} {
		var lines []string
		for range 1 + r.IntN(6) {
			lines = append(lines, randomPattern(r))
		}
		files[file] = strings.Join(lines, "\n") + "\n"
	}
	return files
}

func randomPattern(r *rand.Rand) string {
	pieces := []string{"a", "b", "a", "b", "ab", "*", "*", "?", "/", "/", "[ab]", "[!a]", "[^b]", `\a`, "/**/", "**/", "/**", "[a-b]*", " "}
	for {
		var b strings.Builder
		if r.IntN(4) == 0 {
			b.WriteByte('!')
		}
		for range 1 + r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if !gitErrs.MatchString(b.String()) {
			return b.String()
		}
	}
}

// gitErrs finds the patterns in which git, until late in 2025, took
// "a**" for what by its manual only "a/**" is: letters and slashes alone
// before two stars, and a slash somewhere.
var gitErrs = regexp.MustCompile(`^!?[ab/ ]*[ab ]\*\*+(/|$)`)
