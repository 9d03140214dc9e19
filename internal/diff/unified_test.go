package diff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func TestUnified(t *testing.T) {
	tests := []struct {
		name, content string
		edits         []Edit
		context       int
		want          string
	}{
		{"no change", "a\n", []Edit{edit(0, 1, "a")}, 3, ""},
		{"within a line", "a\nbcd\ne\n", []Edit{edit(3, 4, "X")}, 3,
			"@@ -1,3 +1,3 @@\n a\n-bcd\n+bXd\n e\n"},
		{"two edits in one line", "abc\n", []Edit{edit(0, 1, "X"), edit(2, 3, "Z")}, 3,
			"@@ -1 +1 @@\n-abc\n+XbZ\n"},
		{"into an empty text", "", []Edit{edit(0, 0, "a\nb\n")}, 3,
			"@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to an empty text", "a\n", []Edit{edit(0, 2, "")}, 3,
			"@@ -1 +0,0 @@\n-a\n"},
		{"lines inserted", "a\nb\n", []Edit{edit(2, 2, "x\n")}, 1,
			"@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
		{"a line end deleted", "a\nb\nc\n", []Edit{edit(1, 2, "")}, 0,
			"@@ -1,2 +1 @@\n-a\n-b\n+ab\n"},
		{"final line end added", "a\nb", []Edit{edit(3, 3, "\n")}, 3,
			"@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"final line end removed", "a\nb\n", []Edit{edit(3, 4, "")}, 3,
			"@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
		{"context without line end", "a\nb", []Edit{edit(0, 1, "x")}, 3,
			"@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n"},
		{"CR kept", "a\r\nb\rc\r\n", []Edit{edit(3, 4, "B")}, 3,
			"@@ -1,2 +1,2 @@\n a\r\n-b\rc\r\n+B\rc\r\n"},
		{"only lines that differ", "a\nb\nc\n", []Edit{edit(0, 6, "a\nB\nc\n")}, 0,
			"@@ -2 +2 @@\n-b\n+B\n"},
		{"just too far apart for one hunk", "1\n2\n3\n4\n5\n", []Edit{edit(0, 2, ""), edit(8, 9, "X")}, 1,
			"@@ -1,2 +1 @@\n-1\n 2\n@@ -4,2 +3,2 @@\n 4\n-5\n+X\n"},
		{"near enough for one hunk", "1\n2\n3\n4\n", []Edit{edit(0, 1, "A"), edit(6, 7, "D")}, 1,
			"@@ -1,4 +1,4 @@\n-1\n+A\n 2\n 3\n-4\n+D\n"},
		{"no context", "1\n2\n3\n", []Edit{edit(2, 4, "")}, 0,
			"@@ -2 +1,0 @@\n-2\n"},
		{"adjacent lines are one change", "1\n2\n", []Edit{edit(0, 1, "A"), edit(2, 3, "B")}, 0,
			"@@ -1,2 +1,2 @@\n-1\n-2\n+A\n+B\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := text.New(tt.content)
			want := tt.want
			if want != "" {
				want = "--- a/f\n+++ b/f\n" + want
			}
			if got := Unified("f", content, tt.edits, tt.context); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			checkUnified(t, content, tt.edits, tt.context)
		})
	}
}

func TestUnifiedNames(t *testing.T) {
	tests := []struct{ path, want string }{
		{"dir/file.go", "--- a/dir/file.go\n+++ b/dir/file.go\n"},
		{"/abs/file", "--- a/abs/file\n+++ b/abs/file\n"},
		{"my file", "--- a/my file\t\n+++ b/my file\t\n"},
		{"größe", "--- a/größe\n+++ b/größe\n"},
		{"a\nb\"\\", "--- \"a/a\\012b\\\"\\\\\"\n+++ \"b/a\\012b\\\"\\\\\"\n"},
	}
	for _, tt := range tests {
		got := Unified(tt.path, text.New(""), []Edit{edit(0, 0, "x\n")}, 3)
		if want := tt.want + "@@ -0,0 +1 @@\n+x\n"; got != want {
			t.Errorf("%q: got %q, want %q", tt.path, got, want)
		}
	}
}

func TestUnifiedProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 10_000 {
		content := text.New(randomText(r, 40))
		checkUnified(t, content, randomEdits(r, content), r.IntN(5))
	}
}

// TestUnifiedByTools gives the diffs of many files to the programs that people
// use, as one patch.
func TestUnifiedByTools(t *testing.T) {
	tools := []struct {
		name string
		args []string
	}{
		{"git", []string{"apply", "--unidiff-zero", "--whitespace=nowarn", "-"}},
		{"patch", []string{"-p1", "--fuzz=0", "--posix", "--silent"}},
	}
	for _, tool := range tools {
		for context := range 4 {
			t.Run(fmt.Sprint(tool.name, " with context ", context), func(t *testing.T) {
				if _, err := exec.LookPath(tool.name); err != nil && tool.name != "git" {
					t.Logf("%s is not installed: not compared", tool.name)
					return
				}
				checkByTool(t, context, tool.name, tool.args...)
			})
		}
	}
}

func checkByTool(t *testing.T, context int, tool string, args ...string) {
	dir := t.TempDir()
	want := map[string]string{}
	var patch strings.Builder
	r := rand.New(rand.NewPCG(11, uint64(context)))
	for i := range 120 {
		name := fmt.Sprintf("%s %d é.txt", []string{"plain", "with \"quotes\"", "tab\t"}[i%3], i)
		content := text.New(randomText(r, 40))
		edits := randomEdits(r, content)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		want[name] = Apply(content, edits).String()
		patch.WriteString(Unified(name, content, edits, context))
	}
	cmd := exec.CommandContext(t.Context(), tool, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	cmd.Stdin = strings.NewReader(patch.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, w := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if string(got) != w {
			t.Errorf("%s: got %q, want %q", name, got, w)
		}
	}
}

// checkUnified applies the unified form of edits by a strict reader of its
// own: every count, line number and unchanged line must be right.
func checkUnified(t *testing.T, content text.Text, edits []Edit, context int) {
	t.Helper()
	patch := Unified("f", content, edits, context)
	want := Apply(content, edits).String()
	got, err := applyUnified(content.String(), patch)
	if err != nil || got != want {
		t.Fatalf("%q with %v: %v, got %q, want %q by:\n%s", content.String(), edits, err, got, want, patch)
	}
	if (patch == "") != (content.String() == want) {
		t.Fatalf("%q with %v: the patch is %q", content.String(), edits, patch)
	}
}

func applyUnified(content, patch string) (string, error) {
	patch = strings.TrimPrefix(patch, "--- a/f\n+++ b/f\n")
	lines := splitLines(patch)
	old, done := splitLines(content), 0
	var out []string
	for i := 0; i < len(lines); {
		oldStart, oldCount, newStart, newCount, err := hunkHeader(lines[i])
		if err != nil {
			return "", err
		}
		if oldStart < done || oldStart > len(old) {
			return "", fmt.Errorf("hunk at old line %d is out of order", oldStart)
		}
		out = append(out, old[done:oldStart]...)
		if len(out) != newStart {
			return "", fmt.Errorf("new line %d named %d", len(out), newStart)
		}
		done = oldStart
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], "@@"); i++ {
			line := lines[i][1:]
			if i+1 < len(lines) && lines[i+1] == "\\ No newline at end of file\n" {
				line = strings.TrimSuffix(line, "\n")
			}
			if mark := lines[i][0]; mark == ' ' || mark == '-' {
				if done >= len(old) || old[done] != line {
					return "", fmt.Errorf("%q is not line %d", line, done)
				}
				done++
				oldCount--
			}
			if mark := lines[i][0]; mark == ' ' || mark == '+' {
				out = append(out, line)
				newCount--
			}
		}
		if oldCount != 0 || newCount != 0 {
			return "", fmt.Errorf("counts are off by %d and %d", oldCount, newCount)
		}
	}
	return strings.Join(append(out, old[done:]...), ""), nil
}

// hunkHeader returns 0-based starts.
func hunkHeader(line string) (oldStart, oldCount, newStart, newCount int, err error) {
	fields := strings.Fields(line)
	if len(fields) != 4 || fields[0] != "@@" || fields[3] != "@@" || fields[1][0] != '-' || fields[2][0] != '+' {
		return 0, 0, 0, 0, fmt.Errorf("%q is no hunk header", line)
	}
	if oldStart, oldCount, err = hunkRange(fields[1][1:]); err != nil {
		return 0, 0, 0, 0, err
	}
	newStart, newCount, err = hunkRange(fields[2][1:])
	return oldStart, oldCount, newStart, newCount, err
}

func hunkRange(s string) (start, count int, err error) {
	first, rest, found := strings.Cut(s, ",")
	count = 1
	if found {
		if count, err = strconv.Atoi(rest); err != nil {
			return 0, 0, err
		}
	}
	if start, err = strconv.Atoi(first); err != nil {
		return 0, 0, err
	}
	if count > 0 {
		start--
	}
	return start, count, nil
}

func BenchmarkUnified(b *testing.B) {
	for _, size := range []int{100_000, 5_000_000} {
		content := text.New(strings.Repeat("some line of source text\n", size/25))
		edits := []Edit{edit(size/2, size/2+1, "X")}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for b.Loop() {
				Unified("f", content, edits, 3)
			}
		})
	}
}
