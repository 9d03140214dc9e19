package pathmatch

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		yes, no []string // split at blanks
	}{
		{"**/.env*", []string{".env", ".env.local", "a/b/.envrc", ".ENV", "x/.Env.d/file"}, []string{"env", "a.env", "x/env/.e"}},
		{"**/.ssh/**", []string{".ssh", ".ssh/config", "home/.SSH/known_hosts"}, []string{"ssh/x", "x.ssh/y"}},
		{"**/*.key", []string{"a.key", "x/y.KEY", "dir.key/x"}, []string{"key", "a.keys", "a.key.txt"}},
		{"secret", []string{"secret", "a/secret", "a/secret/b"}, []string{"secrets", "a/secretx"}},
		{"/secret", []string{"secret", "secret/b"}, []string{"a/secret"}},
		{"/secret/", []string{"secret/b"}, []string{"a/secret"}},
		{"src/*.pem", []string{"src/a.pem", "SRC/A.PEM"}, []string{"a.pem", "x/src/a.pem", "src/y/a.pem"}},
		{"src/private/**", []string{"src/private", "src/private/x/y"}, []string{"x/src/private/y", "src/privates"}},
		{"**/a/b/**", []string{"a/b", "a/b/c", "x/a/b", "x/a/b/c"}, []string{"a", "xa/b", "a/bc", "a/c/b"}},
		{"**/a/*/c", []string{"a/b/c", "x/a/b/c/d"}, []string{"a/c", "a/b/b/c"}},
		{"a/**/z", []string{"a/z", "a/b/c/z", "a/b/z/deeper"}, []string{"z", "x/a/z"}},
		{"**/*.{pem,p12}", []string{"a.pem", "b/c.p12"}, []string{"a.pe"}},
		{"**/id_[a-z]*", []string{"id_rsa", "x/ID_rsa"}, []string{"id_1"}},
		{"**/Straße*", []string{"straße.txt", "x/STRAẞE.txt", "strasse"}, []string{"strase"}},
	} {
		s := NewRuleSet()
		if bad := s.AddAll([]string{tt.pattern}); len(bad) > 0 {
			t.Errorf("%s: %v", tt.pattern, bad)
		}
		for _, path := range tt.yes {
			if s.Match("", fsys.FoldPath(path)) == nil {
				t.Errorf("%s does not match %s", tt.pattern, path)
			}
		}
		for _, path := range tt.no {
			if s.Match("", fsys.FoldPath(path)) != nil {
				t.Errorf("%s matches %s", tt.pattern, path)
			}
		}
	}
}

func TestBadPatterns(t *testing.T) {
	for _, pattern := range []string{"", "/", "**", "**/*", "*", "[", "a/[b", "{a", "!x"} {
		if err := CheckPattern(pattern); err == nil {
			t.Errorf("%q is taken for a pattern", pattern)
		} else {
			disktest.CheckKind(t, pattern, err, fault.InvalidPattern)
		}
	}
	s := NewRuleSet()
	if bad := s.AddAll([]string{"[", "good"}); len(bad) != 1 || s.Match("", "good") == nil {
		t.Errorf("one bad pattern spoils the others: %v", bad)
	}
}

// FuzzRules: the compiled forms agree with globbing every leading part of the
// path.
func FuzzRules(f *testing.F) {
	for _, p := range []string{"**/.env*", "**/*.key", "**/.ssh/**", "**/a/b/**", "a/*", "x", "**/a/*"} {
		f.Add(p, "a/b/.env")
		f.Add(p, "x/a/b/.ssh/c.key")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		path = fsys.FoldPath(strings.Trim(path, "/"))
		if CheckPattern(pattern) != nil || strings.ContainsAny(pattern, `\[{}`) || path == "" || strings.Contains(path, "//") {
			return
		}
		s := NewRuleSet()
		s.AddAll([]string{pattern})
		if got, want := s.Match("", path) != nil, slowMatch(pattern, path); got != want {
			t.Errorf("%q on %q: %v, want %v", pattern, path, got, want)
		}
	})
}

func slowMatch(pattern, path string) bool {
	body, anywhere := trimPattern(fsys.FoldPattern(pattern))
	if anywhere {
		body = "**/" + body
	}
	names := strings.Split(path, "/")
	for i := range names {
		if doublestar.MatchUnvalidated(body, strings.Join(names[:i+1], "/")) {
			return true
		}
	}
	return false
}

func TestFoldPath(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"a/b.txt", "a/b.txt"},
		{".", "."},
		{"A/B.TXT", "a/b.txt"},
		{".GIT/Config", ".git/config"},
		{".vſcode", ".vscode"},
		{".\u212aey", ".key"},
		{".git./x", ".git/x"},
		{".git /x", ".git/x"},
		{".git. . /x", ".git/x"},
		{".git::$INDEX_ALLOCATION/x", ".git/x"},
		{".env:stream", ".env"},
		{".g\u200cit/x", ".git/x"},
		{"\ufeff.env", ".env"},
		{"a/.../b", "a/.../b"},
		{"a/:", "a/:"},
		{"É", "é"},
		{".g\u00adit", ".git"},
		{"stra\u00dfe", "strasse"},
		{"\ufb01g", "fig"},
	} {
		if got := fsys.FoldPath(tt.path); got != tt.want {
			t.Errorf("foldPath(%q) = %q, want %q", tt.path, got, tt.want)
		}
		if again := fsys.FoldPath(tt.want); again != tt.want {
			t.Errorf("foldPath(%q) folds again to %q", tt.want, again)
		}
	}
}
