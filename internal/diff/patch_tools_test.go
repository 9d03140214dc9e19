package diff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestDiffsOfTools: what the programs that people use make of two texts turns
// the one into the other.
func TestDiffsOfTools(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for i := range testscale.Of(200, 40) {
		a := randomText(r, 40)
		b := Apply(text.New(a), randomEdits(r, text.New(a))).String()
		context := r.IntN(6)
		if context == 0 { // lines that come between others do not tell of their ends
			a, b = strings.ReplaceAll(a, "\r", ""), strings.ReplaceAll(b, "\r", "")
		}
		dir := folder(t, map[string]string{"a": a, "b": b})
		for _, tool := range [][]string{
			{"git", "diff", "--no-index", "--text", fmt.Sprintf("-U%d", context), "a", "b"},
			{"diff", "--text", fmt.Sprintf("-U%d", context), "--label=a/f", "--label=b/f", "a", "b"},
		} {
			patch, installed := run(t, dir, "", tool...)
			if a == b || !installed {
				continue
			}
			patch = strings.NewReplacer("--- a/a", "--- a/f", "+++ b/b", "+++ b/f", "diff --git a/a b/b\n", "").Replace(patch)
			if got, match, err := applied(t, patch, a); err != nil || got != b || match != MatchExact {
				t.Fatalf("%d: %s: got %q (%v), want %q\n%s", i, tool[0], got, err, b, patch)
			}
		}
	}
}

// TestAsGitApplies: a patch for a text that changed since, which git applies,
// is refused here or makes the same text.
func TestAsGitApplies(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	both, same := 0, 0
	for i := range testscale.Of(400, 80) {
		lines, kinds := make([]string, 5+r.IntN(20)), 10+r.IntN(200)
		for i := range lines {
			lines[i] = fmt.Sprintf("line %d\n", r.IntN(kinds))
		}
		old := text.New(strings.Join(lines, ""))
		patch := Unified("f", old, randomEdits(r, old), 1+r.IntN(3))
		present := strings.Repeat("above\n", 1+r.IntN(3)) + old.String()
		if patch == "" {
			continue
		}
		dir := folder(t, map[string]string{"f": present})
		for _, tool := range [][]string{{"git", "apply", "--whitespace=nowarn", "-"}, {"patch", "-p1", "--fuzz=0", "--force", "--silent"}} {
			if err := os.WriteFile(filepath.Join(dir, "f"), []byte(present), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, installed := run(t, dir, patch, tool...); !installed {
				continue
			}
			theirs, err := os.ReadFile(filepath.Join(dir, "f"))
			ours, _, mine := applied(t, patch, present)
			if err != nil || mine != nil || string(theirs) == present {
				continue
			}
			both++
			if ours == string(theirs) {
				same++
				continue
			}
			t.Errorf("%d: %s makes %q, we %q\ntext %q\n%s", i, tool[0], theirs, ours, present, patch)
		}
	}
	t.Logf("%d applied by both, %d alike", both, same)
}

func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a program, which may fail, and returns what it prints.
func run(t *testing.T, dir, input string, words ...string) (out string, installed bool) {
	if _, err := exec.LookPath(words[0]); err != nil && words[0] != "git" {
		t.Logf("%s is not installed: not compared", words[0])
		return "", false
	}
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	b, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(b), true
}
