package disktest

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Tree makes files below a new folder and returns its real path. A value that
// begins with "-> " makes a symbolic link; $DIR in it is the folder itself. A
// name that ends in "/" makes a folder.
func Tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		Plant(t, dir, name, files[name])
	}
	return dir
}

// Plant makes one file, link or folder of a [Tree] in dir.
func Plant(t testing.TB, dir, name, content string) {
	t.Helper()
	at := filepath.Join(dir, name)
	if strings.HasSuffix(name, "/") {
		Must(t, os.MkdirAll(at, 0o755))
		return
	}
	Must(t, os.MkdirAll(filepath.Dir(at), 0o755))
	if target, ok := strings.CutPrefix(content, "-> "); ok {
		Must(t, os.Symlink(strings.ReplaceAll(target, "$DIR", dir), at))
		return
	}
	content, runs := strings.CutPrefix(content, Executable)
	Must(t, os.WriteFile(at, []byte(content), 0o644))
	if runs {
		Must(t, os.Chmod(at, 0o755))
	}
}

// Executable begins what a tree says of a file that is one.
const Executable = "(x) "

// Must fails the test at once if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// CheckKind fails unless err has the kind; "" wants no error.
func CheckKind(t testing.TB, what string, err error, want fault.Kind) {
	t.Helper()
	if got := fault.KindOf(err); got != want {
		t.Errorf("%s: kind %q, want %q (%v)", what, got, want, err)
	}
}

// SortedKeys returns the keys of m in order.
func SortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// Verdict puts what CheckRead or CheckWrite say in one word.
func Verdict(err error) string {
	if err == nil {
		return "free"
	}
	e := fault.From(err)
	switch {
	case e.Details["needs_consent"] == true:
		return "consent"
	case e.Kind == fault.PermissionDenied && e.Details["rule"] == nil:
		return "permission_denied without its rule"
	}
	return string(e.Kind)
}

// Git runs git in dir with in as its input, and returns what it prints.
func Git(t *testing.T, git, dir, in string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), git, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = strings.NewReader(in)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	// check-ignore ends with 1 when it takes none of the paths.
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("git %q: %v\n%s", args, err, errs.String())
	}
	return out.String()
}
