package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
)

func openLog(t testing.TB, dir string, limit int64) (*Log, Opened) {
	t.Helper()
	folder, err := statedir.OpenKeptFolder(dir)
	disktest.Must(t, err)
	l, opened, err := Open(folder, []string{"/w"}, limit, time.Now, Shrunk)
	disktest.Must(t, err)
	t.Cleanup(l.Close)
	return l, opened
}

func change(i int) Entry {
	return Entry{Do: DoChange, Key: fmt.Sprintf("e%d", i), Value: []byte(fmt.Sprintf(`{"n":%d}`, i))}
}

func keys(s *State) string {
	var all []string
	for _, k := range s.Changes {
		all = append(all, k.Key)
	}
	return strings.Join(all, " ")
}

func ledgers(t testing.TB, dir string) (names []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	disktest.Must(t, err)
	return names
}

// TestLogCutAnywhere: a file that ends in the middle of an entry has all those
// before it, takes more, and tells of no damage.
func TestLogCutAnywhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "l")
	l, _ := openLog(t, dir, 1<<20)
	var ends []int64
	for i := range 3 {
		ends = append(ends, l.size)
		disktest.Must(t, l.Append(change(i)))
	}
	l.Close()
	name := ledgers(t, dir)[0]
	whole, err := os.ReadFile(name)
	disktest.Must(t, err)
	for cut := int(ends[0]); cut <= len(whole); cut++ {
		disktest.Must(t, os.WriteFile(name, whole[:cut], 0o600))
		l, opened := openLog(t, dir, 1<<20)
		if opened.Damaged != 0 {
			t.Fatalf("cut at %d: %d damaged", cut, opened.Damaged)
		}
		want := ""
		for i, end := range append(ends[1:], int64(len(whole))) {
			if int64(cut) >= end {
				want = strings.TrimSpace(want + " " + change(i).Key)
			}
		}
		if got := keys(opened.State); got != want {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
		disktest.Must(t, l.Append(change(9)))
		l.Close()
		if l, opened = openLog(t, dir, 1<<20); keys(opened.State) != strings.TrimSpace(want+" e9") || opened.Damaged != 0 {
			t.Fatalf("cut at %d, gone on: %q, %d damaged", cut, keys(opened.State), opened.Damaged)
		}
		l.Close()
		for _, other := range ledgers(t, dir) {
			if other != name {
				disktest.Must(t, os.Remove(other))
			}
		}
	}
}

// TestLogDamaged: a byte that was changed anywhere costs its entry alone, is told,
// and the next start has a whole log.
func TestLogDamaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "l")
	l, _ := openLog(t, dir, 1<<20)
	for i := range 3 {
		disktest.Must(t, l.Append(change(i)))
	}
	l.Close()
	name := ledgers(t, dir)[0]
	whole, err := os.ReadFile(name)
	disktest.Must(t, err)
	for at := range whole[:len(whole)-1] { // without the last line end the last entry is one that was never written
		bad := append([]byte(nil), whole...)
		bad[at] ^= 0x11
		disktest.Must(t, os.WriteFile(name, bad, 0o600))
		l, opened := openLog(t, dir, 1<<20)
		if n := len(opened.State.Changes); n < 1 || opened.Damaged == 0 && n < 3 {
			t.Fatalf("byte %d: %d changes are left, %d entries damaged", at, n, opened.Damaged)
		}
		l.Close()
		l, again := openLog(t, dir, 1<<20)
		if again.Damaged != 0 || keys(again.State) != keys(opened.State) {
			t.Fatalf("byte %d: after mending %q, before %q", at, keys(again.State), keys(opened.State))
		}
		l.Close()
		for _, other := range ledgers(t, dir) {
			disktest.Must(t, os.Remove(other))
		}
	}
}

// TestLogNewer: what a later version wrote is left alone, and told.
func TestLogNewer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "l")
	l, _ := openLog(t, dir, 1<<20)
	l.Close()
	raw, err := line(map[string]any{"agent_lsp_ledger": Version + 1, "shape": 7})
	disktest.Must(t, err)
	newer := filepath.Join(dir, "00000000000000000001"+suffix)
	disktest.Must(t, os.WriteFile(newer, raw, 0o600))
	_, opened := openLog(t, dir, 1<<20)
	if len(opened.Newer) != 1 {
		t.Errorf("newer: %q", opened.Newer)
	}
	if left, err := os.ReadFile(newer); err != nil || string(left) != string(raw) {
		t.Errorf("it holds %q, %v", left, err)
	}
}

// TestTwoLogs: two processes in one folder write files of their own, and who comes
// after them has what both knew.
func TestTwoLogs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "l")
	one, _ := openLog(t, dir, 1<<20)
	two, opened := openLog(t, dir, 1<<20)
	if len(opened.State.Changes) != 0 {
		t.Error("the second read what the first has open")
	}
	begin := func(path, line string) Entry {
		return Entry{Do: DoBegin, Track: 1, Path: path, Sums: SumsOf(line)}
	}
	for i, l := range []*Log{one, two} {
		disktest.Must(t, l.Append(change(i)))
		disktest.Must(t, l.Append(begin("/both", fmt.Sprint(i))))
		e := begin(fmt.Sprint("/", i), "x")
		e.Track = 2
		disktest.Must(t, l.Append(e))
	}
	one.Close()
	two.Close()
	for range 2 {
		l, opened := openLog(t, dir, 1<<20)
		if got := keys(opened.State); got != "e0 e1" || len(opened.State.Tracks) != 3 {
			t.Errorf("there are %q and %d tracks", got, len(opened.State.Tracks))
		}
		l.Close()
		if n := len(ledgers(t, dir)); n != 1 {
			t.Errorf("%d files are left", n)
		}
	}
}

// TestLogIsBounded: a log that is full takes no more until it is made anew, of what
// is newest, and never takes more than its limit.
func TestLogIsBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "l")
	const limit = 20_000
	l, _ := openLog(t, dir, limit)
	state := NewState()
	for i := range 2000 {
		e := change(i)
		state.Add(e)
		if err := l.Append(e); errors.Is(err, errFull) {
			disktest.Must(t, l.Shrink(Shrunk(state, limit/2)))
		} else {
			disktest.Must(t, err)
		}
		info, err := os.Stat(ledgers(t, dir)[0])
		disktest.Must(t, err)
		if info.Size() > limit {
			t.Fatalf("%d bytes", info.Size())
		}
		if info.Mode().Perm() != 0o600 {
			t.Fatalf("mode %v", info.Mode())
		}
	}
	l.Close()
	_, opened := openLog(t, dir, limit)
	if n := len(opened.State.Changes); n < 20 || opened.State.Changes[n-1].Key != "e1999" {
		t.Errorf("%d changes are left", n)
	}
}

// TestLogWritesFail: whichever write fails, half done, what was written before it is
// there, and after the log is made anew all is.
func TestLogWritesFail(t *testing.T) {
	for n := 1; n < 12; n++ {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(n))
		l, _ := openLog(t, dir, 1<<20)
		writes := 0
		l.FailBefore(func(string) error {
			if writes++; writes == n || writes == n+1 {
				return errors.New("no room")
			}
			return nil
		})
		state := NewState()
		for i := range 6 {
			state.Add(change(i))
			if err := l.Append(change(i)); err != nil {
				_ = l.Shrink(Shrunk(state, 1<<19))
			}
		}
		if l.broken {
			disktest.Must(t, l.Shrink(Shrunk(state, 1<<19)))
		}
		l.Close()
		_, opened := openLog(t, dir, 1<<20)
		if got := keys(opened.State); got != "e0 e1 e2 e3 e4 e5" || opened.Damaged != 0 {
			t.Errorf("write %d failed: %q, %d damaged", n, got, opened.Damaged)
		}
	}
}

func BenchmarkApplyTyping(b *testing.B) {
	t := NewTrack(1, "/f", SumsOf(numbered(100_000)))
	add := SumsOf("typed\n")
	for i := range b.N {
		_ = t.Apply(Origin{Kind: Editor}, []Splice{{At: i % 100_000, Del: 1, Add: add}})
	}
}
