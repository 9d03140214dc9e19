//go:build linux || darwin

package catalog

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// takenBy reports whether a pattern takes a slash path below a folder, by the
// words of its syntax: what it matches covers what is below it.
func takenBy(pattern, path string) bool {
	pattern, path = strings.ToLower(pattern), strings.ToLower(path)
	body := strings.TrimSuffix(strings.TrimSuffix(pattern, "/**"), "/")
	if strings.HasPrefix(body, "/") {
		body = body[1:]
	} else if !strings.Contains(body, "/") {
		body = "**/" + body
	}
	for i, c := range path + "/" {
		if c == '/' && doublestar.MatchUnvalidated(body, path[:i]) {
			return true
		}
	}
	return false
}

// writtenPattern returns a pattern of one of the shapes that people write.
func writtenPattern(r *rand.Rand) string {
	names := []string{"a", "b", "ab", "B", "a*", "*b", "*.key", "?", "[a-b]", "{a,ab}", "x.KEY", "*a*", ".*"}
	name := func() string { return names[r.IntN(len(names))] }
	return []string{
		name(), "/" + name(), "**/" + name(), name() + "/", "**/" + name() + "/**", name() + "/" + name(), "/" + name() + "/" + name(),
		"**/" + name() + "/" + name(), "**/" + name() + "/" + name() + "/**", name() + "/**/" + name(), "a/b", "**/a/b/**", "**/a/b/a",
	}[r.IntN(13)]
}

// TestRulesHoldEverywhere: whatever patterns a person writes, what one takes is
// neither read, written nor listed, and all else is.
func TestRulesHoldEverywhere(t *testing.T) {
	files := map[string]string{}
	for _, folder := range []string{"", "a/", "b/", "ab/", "a/b/", "b/a/", "a/b/a/", "x.key/", "A b/", ".c/"} {
		for _, name := range []string{"ab", "Ba", "x.key", "key"} {
			if _, there := files[folder+name]; !there && folder+name != "ab" && folder+name != "x.key" {
				files[folder+name] = "x"
			}
		}
	}
	dir := disktest.Tree(t, files)
	var all []string
	disktest.Must(t, filepath.WalkDir(dir, func(abs string, _ os.DirEntry, err error) error {
		if rel, _ := fsys.Below(dir, abs); rel != "." {
			all = append(all, rel)
		}
		return err
	}))
	r := rand.New(rand.NewPCG(1, 2))
	for range 120 {
		var private, excluded []string
		for range r.IntN(3) {
			private = append(private, writtenPattern(r))
		}
		for range r.IntN(3) {
			excluded = append(excluded, writtenPattern(r))
		}
		patterns := slices.Concat(private, excluded)
		g := gatetest.New(t, func(s *settings.Settings) { s.Policy.Private, s.Policy.Excluded = private, excluded }, dir)
		var want []string
		for _, rel := range all {
			taken := slices.ContainsFunc(patterns, func(p string) bool { return takenBy(p, rel) })
			if !taken {
				want = append(want, rel)
			}
			p, err := g.Resolve(rel, nil)
			disktest.Must(t, err)
			verdicts := []string{disktest.Verdict(g.CheckRead(p)), disktest.Verdict(g.CheckWrite(p))}
			wanted := "free"
			if taken {
				wanted = "permission_denied"
			}
			if verdicts[0] != wanted || verdicts[1] != wanted {
				t.Errorf("%q on %s: %v, want %s", patterns, rel, verdicts, wanted)
			}
		}
		c := New(WithoutWatching())
		got := allListed(t, c, g, ".")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: listed\n%q, want\n%q", patterns, got, want)
		}
		c.Close()
	}
}

// allListed returns the paths of all that is listed in a folder and in those
// in it.
func allListed(t *testing.T, c *Catalog, g *workspace.Gate, folder string) (paths []string) {
	t.Helper()
	l, err := listOf(t, c, g, folder)
	disktest.Must(t, err)
	for _, e := range l.Entries {
		at := filepath.Join(folder, e.Name)
		paths = append(paths, at)
		if e.Type == "directory" {
			paths = append(paths, allListed(t, c, g, at)...)
		}
	}
	return paths
}
