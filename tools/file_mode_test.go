//go:build linux || darwin

package tools

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// modeTree is files by name: a first letter x tells of one that is executable.
type modeTree map[string]string

func (m modeTree) plant(t *testing.T, dir string) {
	for name, content := range m {
		path, mode := filepath.Join(dir, name), fs.FileMode(0o644)
		if content[0] == 'x' {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content[1:]), mode); err != nil {
			t.Fatal(err)
		}
	}
}

func (m modeTree) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%s: %q\n", name, m[name])
	}
	return b.String()
}

func modesIn(t *testing.T, dir string) modeTree {
	m := make(modeTree)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if e != nil && e.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		mark := map[fs.FileMode]string{0o644: "-", 0o755: "x"}[info.Mode().Perm()]
		if mark == "" {
			mark = info.Mode().String()
		}
		m[rel] = mark + string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestModesAsGit: a patch of git makes the same files with the same modes here
// as by git, and reverted leaves what was there.
func TestModesAsGit(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for i := range testscale.Of(20, 6) {
		old, fresh := make(modeTree), make(modeTree)
		for k := range 6 {
			name, mark := fmt.Sprintf("f%d", k), [2]string{"-", "x"}
			body := strings.Repeat(name+"\nline\n", 5)
			was, is := mark[r.IntN(2)], mark[r.IntN(2)]
			switch kind := r.IntN(6); kind {
			case 0:
				fresh["new/"+name] = is + body
			case 1:
				old[name] = was + body
			case 2, 3:
				old[name], fresh["moved/"+name] = was+body, is+body+strings.Repeat("x\n", kind-2)
			default:
				old[name], fresh[name] = was+body, is+body+strings.Repeat("x\n", kind-4)
			}
		}
		old["same"], fresh["same"] = "-same\n", "-same\n"
		repo, ours := t.TempDir(), t.TempDir()
		old.plant(t, repo)
		git(t, repo, "init", "-q")
		git(t, repo, "add", "-A")
		git(t, repo, "commit", "-qm", "old")
		git(t, repo, "rm", "-qr", ".")
		fresh.plant(t, repo)
		git(t, repo, "add", "-A")
		patch := git(t, repo, "diff", "--cached", "-M")
		if patch == "" {
			continue
		}
		git(t, repo, "reset", "-q", "--hard")
		file := filepath.Join(t.TempDir(), "patch")
		if err := os.WriteFile(file, []byte(patch), 0o600); err != nil {
			t.Fatal(err)
		}
		git(t, repo, "apply", file)
		old.plant(t, ours)
		env := newTestEnv(t, ours)
		env.Texts, env.History = buffers.NewTexts(), history.New()
		out, err := runApplyPatch(t.Context(), env, patchInput{Patch: patch, ExpectedHashes: hashesIn(t, env, patch)})
		if err != nil {
			t.Fatalf("%d: %v\n%s", i, err, patch)
		}
		if theirs, got := modesIn(t, repo), modesIn(t, ours); got.String() != theirs.String() || got.String() != fresh.String() {
			t.Fatalf("%d: got\n%sgit has\n%s%s", i, got, theirs, patch)
		}
		env.Refresh()
		if _, err := runRevertEdit(t.Context(), env, revertInput{ID: out.ID}); err != nil {
			t.Fatalf("%d: %v\n%s", i, err, patch)
		}
		if got := modesIn(t, ours); got.String() != old.String() {
			t.Fatalf("%d: taken back, there is\n%swant\n%s%s", i, got, old, patch)
		}
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "core.fileMode=true"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return string(out)
}

func hashesIn(t *testing.T, env *toolcall.Env, patch string) map[string]string {
	p, err := diff.ParsePatch(patch)
	if err != nil {
		t.Fatal(err)
	}
	hashes := make(map[string]string)
	for _, f := range p.Files {
		if f.Op == diff.PatchAdd {
			continue
		}
		file, err := env.File(t.Context(), f.Path, "")
		if err != nil {
			t.Fatal(err)
		}
		hashes[f.Path] = file.Hash.String()
	}
	return hashes
}
