package output

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// What a process of this test, which is its binary again, is told.
const (
	sleepVar = "AGENT_LSP_TEST_SLEEP" // the folder in which it and its child note their numbers
	runVar   = "AGENT_LSP_TEST_RUN"   // the folder: it runs such a one, and waits for it
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(sleepVar) != "":
		sleepWithChild(os.Getenv(sleepVar))
	case os.Getenv(runVar) != "":
		dir := os.Getenv(runVar)
		s, err := OpenStore(dir, time.Now)
		if err == nil {
			r, _ := s.Record("t", Concise)
			_, err = Run(context.Background(), sleeper(dir, 0), r)
		}
		panic(err)
	}
	os.Exit(m.Run())
}

// sleepWithChild notes this process's number, starts one like it, and sleeps.
func sleepWithChild(dir string) {
	if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())+".pid"), nil, 0o600); err != nil {
		panic(err)
	}
	if os.Getenv("CHILD") == "" {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "CHILD=1")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	}
	time.Sleep(time.Minute)
}

func sleeper(dir string, timeout time.Duration) Command {
	return Command{Args: []string{os.Args[0]}, Dir: dir, Env: append(os.Environ(), sleepVar+"="+dir, runVar+"="), Timeout: timeout}
}

// begun waits for a sleeper and its child.
func begun(t *testing.T, dir string) (pids []int) {
	t.Helper()
	for range 1000 {
		found, _ := filepath.Glob(filepath.Join(dir, "*.pid"))
		if len(found) == 2 {
			for _, name := range found {
				pid, _ := strconv.Atoi(strings.TrimSuffix(filepath.Base(name), ".pid"))
				pids = append(pids, pid)
			}
			return pids
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("no process began")
	return nil
}

// wantEnded waits until processes have ended.
func wantEnded(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		h, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(pid))
		if err != nil {
			continue // it is gone
		}
		if ended, _ := syscall.WaitForSingleObject(h, 10_000); ended != syscall.WAIT_OBJECT_0 {
			t.Errorf("process %d goes on", pid)
		}
		syscall.CloseHandle(h)
	}
}

func recording(t *testing.T) *Recording {
	t.Helper()
	s, err := OpenStore(t.TempDir(), time.Now)
	if err == nil {
		var r *Recording
		if r, err = s.Record("t", Concise); err == nil {
			t.Cleanup(func() { r.Finish() })
			return r
		}
	}
	t.Fatal(err)
	return nil
}

// TestALineOfShell: with quotes, and its exit code.
func TestALineOfShell(t *testing.T) {
	r := recording(t)
	ended, err := Run(t.Context(), Command{Args: Shell(`echo "a b" && exit 3`), Dir: t.TempDir(), Env: os.Environ(), Timeout: time.Minute}, r)
	if shown := r.Finish(); err != nil || ended.ExitCode != 3 || strings.TrimSpace(shown.Stdout) != `"a b"` {
		t.Errorf("%+v, %v, %q", ended, err, shown.Stdout)
	}
	if _, err := Run(t.Context(), Command{Args: []string{"no-such-program"}, Dir: t.TempDir(), Env: os.Environ()}, recording(t)); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
}

// TestTimeEndsAllProcesses: those that a command started, too.
func TestTimeEndsAllProcesses(t *testing.T) {
	dir := t.TempDir()
	done := make(chan Ended, 1)
	go func() {
		ended, _ := Run(t.Context(), sleeper(dir, 5*time.Second), recording(t))
		done <- ended
	}()
	pids := begun(t, dir)
	if ended := <-done; !ended.TimedOut {
		t.Errorf("%+v", ended)
	}
	wantEnded(t, pids)
}

// TestCancellingEndsAllProcesses likewise.
func TestCancellingEndsAllProcesses(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := Run(ctx, sleeper(dir, 0), recording(t))
		done <- err
	}()
	pids := begun(t, dir)
	cancel()
	if err := <-done; fault.KindOf(err) != fault.Cancelled {
		t.Error(err)
	}
	wantEnded(t, pids)
}

// TestKillingTheParentEndsAllProcesses: a command ends with the process that runs
// it, whatever ends that.
func TestKillingTheParentEndsAllProcesses(t *testing.T) {
	dir := t.TempDir()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), runVar+"="+dir)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	pids := begun(t, dir)
	if err := parent.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	_ = parent.Wait()
	wantEnded(t, pids)
}
