//go:build linux || darwin

package output

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() == "" { // there it is the number of processes
		if err := flag.Set("test.parallel", "16"); err != nil { // they wait, they do not work
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// guard is much longer than anything takes, and shorter than the commands
// that have to be ended.
const guard = 60 * time.Second

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := OpenStore(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shell runs a line of shell. It fails the test when that does not end.
func shell(ctx context.Context, t *testing.T, s *Store, command string, timeout time.Duration) (Ended, Shown, error) {
	t.Helper()
	r, err := s.Record("t", Concise)
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		ended Ended
		err   error
	}
	done := make(chan result, 1)
	go func() {
		ended, err := Run(ctx, Command{Args: Shell(command), Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH"), "A=b"}, Timeout: timeout}, r)
		done <- result{ended, err}
	}()
	select {
	case got := <-done:
		return got.ended, r.Finish(), got.err
	case <-time.After(guard):
		t.Fatalf("%q does not end", command)
	}
	return Ended{}, Shown{}, nil
}

func TestRunTellsHowACommandEnded(t *testing.T) {
	s := newStore(t)
	for command, want := range map[string]Ended{
		"true":           {},
		"exit 7":         {ExitCode: 7},
		"kill -KILL $$":  {ExitCode: 137, Signal: "SIGKILL"},
		"kill -SEGV $$":  {ExitCode: 139, Signal: "SIGSEGV"},
		"nosuchprogram1": {ExitCode: 127},
	} {
		if got, _, err := shell(t.Context(), t, s, command, 0); got != want || err != nil {
			t.Errorf("%s: %+v %v, want %+v", command, got, err, want)
		}
	}
}

func TestRunGivesInputFolderAndEnvironment(t *testing.T) {
	_, shown, err := shell(t.Context(), t, newStore(t), `cat; echo "$A $HOME."; test "$PWD" = "$(pwd)" && echo same; echo err >&2`, 0)
	if err != nil || shown.Stdout != "b .\nsame\n" || shown.Stderr != "err\n" || !shown.Whole {
		t.Errorf("%+v %v", shown, err)
	}
}

// TestTimeEndsTheWholeGroup: also who ignores SIGTERM, and children that keep
// the pipes open.
func TestTimeEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"a sleeping child":          "echo $$; sleep 600",
		"who ignores the signal":    `trap "" TERM; echo $$; while :; do sleep 600; done`,
		"a grandchild":              "echo $$; (sleep 600; echo late) & wait",
		"a deaf grandchild":         `echo $$; (trap "" TERM; sleep 600; sleep 600) & wait`,
		"one that keeps the output": `echo $$; sh -c 'trap "" TERM; while :; do sleep 1; done' & exec sleep 600`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended, shown, err := shell(t.Context(), t, newStore(t), command, 500*time.Millisecond)
			if err != nil || !ended.TimedOut || ended.ExitCode == 0 {
				t.Errorf("%+v %v", ended, err)
			}
			checkGroupGone(t, shown)
		})
	}
}

func TestCancellingEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	marker := filepath.Join(t.TempDir(), "running")
	go func() {
		for {
			if _, err := os.Stat(marker); err == nil {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, shown, err := shell(ctx, t, s, `echo $$; touch `+marker+`; sh -c 'trap "" TERM; sleep 600' & sleep 600`, 0)
	if fault.KindOf(err) != fault.Cancelled {
		t.Errorf("%v", err)
	}
	checkGroupGone(t, shown)
}

// TestWhatIsLeftBehindDoesNotHoldTheCall: the command ends at once, its child
// would keep the pipes for ten minutes.
func TestWhatIsLeftBehindDoesNotHoldTheCall(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"with the pipes": "echo $$; sleep 600 &",
		"without them":   "echo $$; sleep 600 >/dev/null 2>&1 &",
		"deaf":           `echo $$; sh -c 'trap "" TERM; sleep 600; sleep 600' &`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended, shown, err := shell(t.Context(), t, newStore(t), command, 0)
			if err != nil || ended != (Ended{}) {
				t.Errorf("%+v %v", ended, err)
			}
			checkGroupGone(t, shown)
		})
	}
}

// checkGroupGone: the first line is the leader's number. Who was killed may
// stay in the table until its parent looks at it, so only the living count.
func checkGroupGone(t *testing.T, shown Shown) {
	t.Helper()
	first, _, _ := strings.Cut(shown.Stdout, "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatalf("no process number in %q", shown.Stdout)
	}
	waitUntilGone(t, pid)
}

// waitUntilGone waits for the end of all processes of a group.
func waitUntilGone(t *testing.T, pid int) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if alive := living(pid); len(alive) == 0 {
			return
		} else if time.Since(start) > guard {
			t.Fatalf("still alive: %v", alive)
		}
	}
}

// living returns the processes of a group that are no zombies.
func living(group int) []string {
	if errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
		return nil
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var alive []string
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		if len(fields) > 2 && fields[2] == strconv.Itoa(group) && fields[0] != "Z" && fields[0] != "X" {
			alive = append(alive, path+" "+fields[0])
		}
	}
	return alive
}

func TestKeptFilesHoldTheExactBytes(t *testing.T) {
	s := newStore(t)
	const script = `i=0; while [ $i -lt 3000 ]; do printf 'o\033[1m%s\r\n\000' $i; printf 'e%s\377' $i >&2; i=$((i+1)); done`
	_, shown, err := shell(t.Context(), t, s, script, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&out, "o\033[1m%d\r\n\000", i)
		fmt.Fprintf(&errs, "e%d\377", i)
	}
	for i, want := range [][]byte{out.Bytes(), errs.Bytes()} {
		got, err := os.ReadFile(s.Path(shown.Files[i]))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d: %v", shown.Files[i], len(got), len(want), err)
		}
	}
	if shown.Bytes != int64(out.Len()+errs.Len()) || shown.Whole {
		t.Errorf("%d bytes, whole %v", shown.Bytes, shown.Whole)
	}
}

func TestWhatCannotBeStarted(t *testing.T) {
	s := newStore(t)
	r, err := s.Record("", Concise)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Finish()
	if _, err := Run(t.Context(), Command{Args: []string{"no-such-program-here"}}, r); fault.KindOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
	if _, err := Run(t.Context(), Command{Args: []string{t.TempDir()}}, r); fault.KindOf(err) != fault.PermissionDenied {
		t.Errorf("%v", err)
	}
}
