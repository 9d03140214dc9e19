package diff

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

var triples = flag.Int("triples", 300, "how many random merges are held against git merge-file")

func TestMerge(t *testing.T) {
	tests := []struct {
		name, base, ours, theirs, want string
		conflicts                      int
	}{
		{"one side", "a\nb\n", "a\nB\n", "a\nb\n", "a\nB\n", 0},
		{"other side", "a\nb\n", "a\nb\n", "A\nb\n", "A\nb\n", 0},
		{"both, apart", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", 0},
		{"both, alike", "a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n", "a\nX\nc\n", 0},
		{"both, apart, and one alike", "a\nb\nc\nd\ne\n", "A\nb\nX\nd\ne\n", "a\nb\nX\nd\nE\n", "A\nb\nX\nd\nE\n", 0},
		{"same line", "a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n", "", 1},
		{"adjoining lines", "a\nb\n", "A\nb\n", "a\nB\n", "", 1},
		{"two inserts in one place", "a\nb\n", "a\nx\nb\n", "a\ny\nb\n", "", 1},
		{"removed here, changed there", "a\nb\nc\n", "a\nc\n", "a\nB\nc\n", "", 1},
		{"final newline added, and a change above", "a\nb\nc", "a\nb\nc\n", "A\nb\nc", "A\nb\nc\n", 0},
		{"carriage returns", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n", 0},
		{"empty base", "", "a\n", "b\n", "", 1},
		{"a change among equal lines between two changes", "a\n}\n}\n}\nb\n", "A\n}\n}\n}\nB\n", "a\n}\n)\n}\nb\n", "", 1},
		{"among four", "a\n}\n}\n}\n}\nb\n", "A\n}\n}\n}\n}\nB\n", "a\n}\n)\n}\n}\nb\n", "", 1},
		{"among five", "a\n}\n}\n}\n}\n}\nb\n", "A\n}\n}\n}\n}\n}\nB\n", "a\n}\n}\n)\n}\n}\nb\n", "A\n}\n}\n)\n}\n}\nB\n", 0},
		{"among lines of which one is alone of its kind", "a\n}\n}\nonly\n}\nb\n", "A\n}\n}\nonly\n}\nB\n", "a\n}\n)\nonly\n}\nb\n", "A\n}\n)\nonly\n}\nB\n", 0},
		{"alone of its kind on one side only", "a\n}\n}\nonly\nb\n", "A\n}\n}\nonly\nB\nonly\n", "a\n}\n)\nonly\nb\n", "", 1},
		{"one more of equal lines, of which the first is changed", "x\nx\nb\n", "x\nx\nx\nb\n", "y\nx\nb\n", "", 1},
		{"one less of equal lines, of which the first is changed", "x\nx\nx\nb\n", "x\nx\nb\n", "y\nx\nx\nb\n", "", 1},
		{"a line becomes like those below, of which one is changed", "a\nx\nx\nb\n", "x\nx\nx\nb\n", "a\nx\ny\nb\n", "x\nx\ny\nb\n", 0},
		// git finds a conflict in these: the lines between two changes may be matched with others.
		{"a line goes, and another comes before the two like it", "b\na\na\n", "a\nb\n", "a\na\n", "", 1},
		{"of two lines twice, one goes and one becomes the other", "b\nb\na\na\n", "b\nb\na\n", "a\nb\na\n", "", 1},
		{"of two lines twice, both change and one goes", "c\nc\na\nb\n", "a\nc\n", "c\nc\n", "", 1},
		// An insert may slide past the change before it.
		{"one more of equal lines behind a line among them", strings.Repeat("a\n", 12) + "c\nd\n", strings.Repeat("a\n", 3) + "z\n" + strings.Repeat("a\n", 10) + "c\nD\n", "a\nb\n" + strings.Repeat("a\n", 10) + "c\nd\n", "", 1},
		{"one of three equal lines goes on each side", "x\nx\nx\n", "x\nx\n", "x\nx\n", "x\nx\n", 0},
	}
	for _, test := range tests {
		got, conflicts := Merge(test.base, test.ours, test.theirs)
		if got != test.want || len(conflicts) != test.conflicts {
			t.Errorf("%s: %q with %d conflicts, want %q with %d", test.name, got, len(conflicts), test.want, test.conflicts)
		}
	}
}

// TestMergeIsNoBolderThanGit holds merges against git merge-file: none is clean
// where git finds a conflict, and clean ones are the same.
func TestMergeIsNoBolderThanGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := rand.New(rand.NewPCG(7, 8))
	dir := t.TempDir()
	counts := map[string]int{}
	for i := range testscale.Of(*triples, 60) {
		base, ours, theirs := triple(r)
		want, clean := gitMerge(t, dir, base, ours, theirs)
		got, conflicts := Merge(base, ours, theirs)
		switch {
		case len(conflicts) > 0 && clean:
			counts["only git is clean"]++
		case len(conflicts) > 0:
			counts["both conflict"]++
		case !clean:
			t.Errorf("triple %d is clean here, a conflict for git:\nbase %q\nours %q\ntheirs %q\nmerged %q", i, base, ours, theirs, got)
		case got != want:
			counts["both clean, different"]++
			t.Logf("triple %d differs:\nbase %q\nours %q\ntheirs %q\nhere %q\ngit  %q", i, base, ours, theirs, got, want)
		default:
			counts["both clean, the same"]++
		}
	}
	t.Log(counts)
	if counts["both clean, different"]*1000 > counts["both clean, the same"] {
		t.Errorf("%d clean merges differ from git's", counts["both clean, different"])
	}
}

// triple makes a base and two texts made from it, of lines many of which are
// equal, as in code, or most of which are.
func triple(r *rand.Rand) (base, ours, theirs string) {
	kinds, most := 2+r.IntN(30), 40
	if r.IntN(2) == 0 {
		kinds, most = 1+r.IntN(3), 16
	}
	lines := make([]string, r.IntN(most))
	for i := range lines {
		lines[i] = randomLine(r, kinds)
	}
	return strings.Join(lines, ""), vary(r, lines, kinds), vary(r, lines, kinds)
}

func randomLine(r *rand.Rand, kinds int) string {
	if kinds > 3 && r.IntN(3) == 0 {
		return []string{"}\n", "\n", "\treturn nil\n", "\t}\n"}[r.IntN(4)]
	}
	return fmt.Sprintf("line %d\n", r.IntN(kinds))
}

func vary(r *rand.Rand, lines []string, kinds int) string {
	out := append([]string(nil), lines...)
	for range r.IntN(4) {
		i := r.IntN(len(out) + 1)
		n := min(r.IntN(3), len(out)-i)
		var in []string
		for range r.IntN(3) {
			in = append(in, randomLine(r, kinds))
		}
		out = append(out[:i:i], append(in, out[i+n:]...)...)
	}
	s := strings.Join(out, "")
	if r.IntN(20) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

func gitMerge(t *testing.T, dir, base, ours, theirs string) (merged string, clean bool) {
	t.Helper()
	for name, s := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "merge-file", "-p", "ours", "base", "theirs")
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), err == nil
}
