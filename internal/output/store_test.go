package output

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

func record(t *testing.T, s *Store, id, out, errs string) Shown {
	t.Helper()
	r, err := s.Record(id, Concise)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = r.Stdout.Write([]byte(out))
	_, _ = r.Stderr.Write([]byte(errs))
	return r.Finish()
}

func TestIDsAreSafeAndUnique(t *testing.T) {
	s, err := OpenStore(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"call_1": "call_1", "../../etc/x": "______etc_x", "a b\n": "a_b_", ".hidden": "_hidden", "é": "_", "x:y": "x_y",
	} {
		got := record(t, s, id, "", "").Files[0]
		if want == "_" {
			want = strings.TrimSuffix(strings.TrimPrefix(got, workspace.OutputsPrefix), stdoutSuffix)
			if !strings.HasPrefix(want, "out-") {
				t.Errorf("%q gives %s", id, got)
			}
			continue
		}
		if got != workspace.OutputsPrefix+want+stdoutSuffix {
			t.Errorf("%q gives %s", id, got)
		}
	}
	seen := map[string]bool{}
	for range 2 * maxIDTries {
		name := record(t, s, "same", "", "").Files[1]
		if seen[name] {
			t.Fatalf("%s twice", name)
		}
		seen[name] = true
	}
	if long := record(t, s, strings.Repeat("x", 5000), "", "").Files[0]; len(long) > len(workspace.OutputsPrefix)+maxID+len(stdoutSuffix) {
		t.Error(long)
	}
}

func TestStoreIsPrivate(t *testing.T) {
	if !fsys.HasPermissions {
		return // there folders below the user's own are
	}
	home := t.TempDir()
	s, err := OpenStore(home, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	shown := record(t, s, "x", "a", "b")
	for path, want := range map[string]os.FileMode{filepath.Join(home, "agent-lsp", "outputs"): 0o700, s.Path(shown.Files[0]): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	if err := os.Chmod(filepath.Join(home, "agent-lsp", "outputs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStore(home, time.Now); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(home, "agent-lsp", "outputs")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// TestStoreKeepsItsBudget: the oldest go first, by age or size; what is being
// written stays, also when another store of the folder looks for room; and
// what is not ours stays too.
func TestStoreKeepsItsBudget(t *testing.T) {
	home := t.TempDir()
	now := time.Now()
	s, err := OpenStore(home, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	other, err := OpenStore(home, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	s.limits = limits{bytes: 1000, stream: 600, age: time.Hour, files: 100}
	other.limits = s.limits
	notes := filepath.Join(home, "agent-lsp", "outputs", "notes.txt")
	if err := os.WriteFile(notes, bytes.Repeat([]byte("x"), 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	writing, err := other.Record("writing", Concise)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = writing.Stdout.Write(bytes.Repeat([]byte("w"), 500))
	age := func(name string, by time.Duration) {
		if err := os.Chtimes(s.folder.Path(name), now.Add(-by), now.Add(-by)); err != nil {
			t.Fatal(err)
		}
	}
	age("writing.stdout", 3*time.Hour)
	for i := range 5 {
		record(t, s, fmt.Sprint("n", i), strings.Repeat("a", 200), "")
		age(fmt.Sprintf("n%d.stdout", i), time.Duration(50-i)*time.Minute)
		age(fmt.Sprintf("n%d.stderr", i), time.Duration(50-i)*time.Minute)
	}
	record(t, s, "last", "", "")
	checkKept(t, s, "writing.stdout writing.stderr notes.txt last.stdout n4.stdout n3.stdout", "n0.stdout n1.stdout")
	writing.Finish()
	age("n3.stdout", 2*time.Hour)
	record(t, s, "later", "", "")
	checkKept(t, s, "notes.txt later.stdout n4.stdout", "n3.stdout writing.stdout")
}

func checkKept(t *testing.T, s *Store, there, gone string) {
	t.Helper()
	for name := range strings.FieldsSeq(there) {
		if _, err := os.Stat(s.folder.Path(name)); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
	for name := range strings.FieldsSeq(gone) {
		if _, err := os.Stat(s.folder.Path(name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

// TestAStreamThatIsTooLong: what is kept is its beginning, and that is said.
func TestAStreamThatIsTooLong(t *testing.T) {
	s, err := OpenStore(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	s.limits.stream = 10
	shown := record(t, s, "x", "0123456789abc", "")
	if raw, err := os.ReadFile(s.Path(shown.Files[0])); string(raw) != "0123456789" || err != nil {
		t.Errorf("%q %v", raw, err)
	}
	if len(shown.Notes) != 1 || !strings.Contains(shown.Notes[0], "is cut after 10 of 13 bytes") || shown.Stdout != "0123456789abc\n" {
		t.Errorf("%+v", shown)
	}
}

// TestADiskThatFails: the stream goes on, its end is shown, and the note says
// what is kept.
func TestADiskThatFails(t *testing.T) {
	s, err := OpenStore(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Record("x", Concise)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = r.Stdout.Write([]byte("first\n"))
	r.stdout.file.Close()
	if n, err := r.Stdout.Write([]byte("second\n")); n != 7 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	shown := r.Finish()
	if shown.Stdout != "first\nsecond\n" || len(shown.Notes) != 1 || !strings.Contains(shown.Notes[0], "is cut after 6 of 13 bytes") {
		t.Errorf("%+v", shown)
	}
}

// TestAFolderThatIsRemoved: somebody empties the cache while the store is open.
func TestAFolderThatIsRemoved(t *testing.T) {
	home := t.TempDir()
	s, err := OpenStore(home, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(home, "agent-lsp")); err != nil {
		t.Fatal(err)
	}
	shown := record(t, s, "x", "a", "")
	if raw, err := os.ReadFile(s.Path(shown.Files[0])); string(raw) != "a" || err != nil {
		t.Errorf("%q %v", raw, err)
	}
}

func TestManyRecordAtOnce(t *testing.T) {
	home := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		s, err := OpenStore(home, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		s.limits.files = 30
		wg.Go(func() {
			for i := range 30 {
				r, err := s.Record("same", Silent)
				if err != nil {
					t.Error(err)
					return
				}
				text := fmt.Sprintf("%d %d", w, i)
				_, _ = r.Stdout.Write([]byte(text))
				if shown := r.Finish(); shown.Stdout != text+"\n" {
					t.Errorf("%+v", shown)
				}
			}
		})
	}
	wg.Wait()
}

// TestTheBudgetIsShared: both streams together keep to the level, and a short
// one leaves the rest to the other.
func TestTheBudgetIsShared(t *testing.T) {
	s, err := OpenStore(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	noise := strings.Repeat("some line of noise\n", 1) + strings.Repeat("another line\nand one\n", 5000)
	failing := noise + "x.go:1:2: undefined: y\n" + noise
	for _, level := range levels {
		for _, streams := range [][2]string{{noise, failing}, {failing, noise}, {failing, ""}, {"", failing}, {"ok\n", failing}, {failing, failing}} {
			r, err := s.Record("", level)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = r.Stdout.Write([]byte(streams[0]))
			_, _ = r.Stderr.Write([]byte(streams[1]))
			shown := r.Finish()
			if n := len(shown.Stdout) + len(shown.Stderr); n > level.Budget() {
				t.Errorf("%s: %d bytes", level, n)
			}
			if !strings.Contains(shown.Stdout+shown.Stderr, "x.go:1:2: undefined") {
				t.Errorf("%s: the error is not shown:\n%s\n--\n%s", level, shown.Stdout, shown.Stderr)
			}
		}
	}
}

// TestNoiseBesideErrors: where one stream tells of the error, the other's noise
// does not fill the budget.
func TestNoiseBesideErrors(t *testing.T) {
	s, err := OpenStore(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var noise strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&noise, "noise line %d\n", i)
	}
	const trace = "Traceback (most recent call last):\n  File \"t.py\", line 1, in <module>\nKeyError: 1\n"
	calm, told := record(t, s, "calm", noise.String(), "done\n"), record(t, s, "told", noise.String(), trace)
	if told.Stderr != trace || !strings.Contains(told.Stdout, "noise line 1999\n") {
		t.Errorf("%q\n%q", told.Stdout, told.Stderr)
	}
	// What the noise does not take is the other stream's.
	long := "a.c:1:1: error: one\n" + strings.Repeat("a.c:2:2: warning: another thing\n  | int x\n", 30) + "make: *** [all] Error 1\n"
	for _, swapped := range []bool{false, true} {
		out, errs := noise.String(), long
		if swapped {
			out, errs = errs, out
		}
		got := record(t, s, "long", out, errs)
		if all := len(got.Stdout) + len(got.Stderr); all > Concise.Budget() || all < Concise.Budget()*3/4 {
			t.Errorf("%d bytes of %d, swapped %v: %q\n%q", all, Concise.Budget(), swapped, got.Stdout, got.Stderr)
		}
	}
	if len(told.Stdout) > len(calm.Stdout)/2 {
		t.Errorf("%d bytes of noise beside errors, %d without", len(told.Stdout), len(calm.Stdout))
	}
}
