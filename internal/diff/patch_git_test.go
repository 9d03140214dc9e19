package diff

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestPatchesOfGit: what git prints of a changed tree, in each of its forms,
// makes the new tree of the old one.
func TestPatchesOfGit(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	forms := [][]string{
		{"diff", "-M", "HEAD~", "HEAD"},
		{"diff", "-M", "--no-prefix", "-U1", "HEAD~", "HEAD"},
		{"-c", "diff.mnemonicPrefix=true", "-c", "core.quotePath=false", "diff", "-M", "-U5", "HEAD~", "HEAD"},
		{"diff", "--no-renames", "--full-index", "HEAD~", "HEAD"},
		{"show", "-M", "--stat", "--patch", "HEAD"},
		{"format-patch", "-1", "-M", "--stdout", "HEAD"},
		{"log", "-p", "-1", "-M", "--find-copies-harder", "-l0", "--no-renames"},
	}
	for i := range testscale.Of(12, 3) {
		old := randomTree(r)
		fresh := changedTree(r, old)
		dir := t.TempDir()
		git(t, dir, "init", "-q", ".")
		commitTree(t, dir, nil, old)
		commitTree(t, dir, old, fresh)
		for _, form := range forms {
			patch := git(t, dir, form...)
			got, err := patchedTree(t, patch, old)
			if err != nil || !maps.Equal(got, fresh) {
				t.Fatalf("%d: %q: %v\ngot  %q\nwant %q\nold  %q\n%s", i, form, err, got, fresh, old, patch)
			}
		}
	}
}

func randomTree(r *rand.Rand) map[string]string {
	tree := map[string]string{"always": "here\n"}
	names := []string{"plain.txt", "a/in a.txt", "b/b/x", "with \"quotes\".txt", "tab\there", "größe/é.txt", "new\nline", "back\\slash", "a b c", "-- x", "trail "}
	for _, name := range names {
		if r.IntN(3) > 0 {
			tree[name] = name + "\n" + strings.ReplaceAll(randomText(r, 30), "\x00", "") + strings.Repeat("more\nof it\n", r.IntN(5))
		}
	}
	return tree
}

// changedTree changes, moves, deletes and adds files.
func changedTree(r *rand.Rand, old map[string]string) map[string]string {
	tree := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(old)) {
		content := old[name]
		changed := text.New(content)
		if n := changed.Len(); n > 0 {
			changed = Apply(changed, []Edit{randomEdit(r, changed, n)})
		}
		switch r.IntN(6) {
		case 0:
			tree[name] = content
		case 1: // deleted
		case 2:
			tree["moved/"+name] = content
		case 3:
			tree["moved/"+name] = changed.String()
		default:
			tree[name] = changed.String()
		}
	}
	tree[fmt.Sprintf("added %d", r.IntN(9))] = randomText(r, 9)
	tree["added empty"] = ""
	return tree
}

func commitTree(t *testing.T, dir string, was, is map[string]string) {
	t.Helper()
	for name := range was {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range is {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "What is new\n\n- a point\n+ another\n")
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	words := append([]string{"git", "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "core.autocrlf=false"}, args...)
	out, _ := run(t, dir, "", words...)
	return out
}

// patchedTree makes of a tree what a patch makes of it.
func patchedTree(t *testing.T, patch string, old map[string]string) (map[string]string, error) {
	p, err := ParsePatch(patch)
	if err != nil {
		return nil, err
	}
	tree := maps.Clone(old)
	for i := range p.Files {
		f := &p.Files[i]
		content, known := old[f.Path]
		if known == (f.Op == PatchAdd) {
			return nil, fmt.Errorf("%s %q", f.Op, f.Path)
		}
		edits, match, err := f.Locate(t.Context(), text.New(content))
		if err != nil || match != MatchExact && f.Op != PatchAdd {
			return nil, fmt.Errorf("%q: %v, %w", f.Path, match, err)
		}
		content = Apply(text.New(content), edits).String()
		delete(tree, f.Path)
		switch f.Op {
		case PatchAdd:
			tree[f.Path] = f.Content()
		case PatchUpdate:
			tree[f.Path] = content
		case PatchMove:
			tree[f.To] = content
		case PatchDelete:
			if content != "" {
				return nil, fmt.Errorf("%q leaves %q", f.Path, content)
			}
		}
	}
	return tree, nil
}
