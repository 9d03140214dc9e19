//go:build linux || darwin

package output

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// commandVar has [TestRunChild] run a line of shell.
const commandVar = "AGENT_LSP_TEST_RUN"

// TestRunChild is the child's part of TestKillingTheParentEndsTheGroup.
func TestRunChild(t *testing.T) {
	if command := os.Getenv(commandVar); command != "" {
		ended, _, err := shell(t.Context(), t, newStore(t), command, 0)
		t.Fatalf("the command ended: %+v %v", ended, err)
	}
}

func TestKillingTheParentEndsTheGroup(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"a pipeline":         `sleep 600 & sleep 600 | cat & sh -c 'sleep 600; true' & echo $$ >PID; wait`,
		"a deaf one":         `trap "" TERM HUP INT; (sleep 600; sleep 600) & echo $$ >PID; while :; do sleep 600; done`,
		"one that is halted": `sleep 600 & echo $$ >PID; kill -STOP 0`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			parent := exec.Command(os.Args[0], "-test.run=^TestRunChild$")
			parent.Env = append(os.Environ(), commandVar+"="+strings.ReplaceAll(command, "PID", file), "TMPDIR="+t.TempDir())
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			pid := numberIn(t, file)
			if len(living(pid)) < 2 {
				t.Errorf("only %v live", living(pid))
			}
			_ = parent.Process.Kill()
			_ = parent.Wait()
			waitUntilGone(t, pid)
		})
	}
}

// TestACommandOfAKilledParentDoesNotBegin kills the parent while the command
// still waits for its watcher, which cannot be met by chance.
func TestACommandOfAKilledParentDoesNotBegin(t *testing.T) {
	held, begin, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "begun")
	cmd := exec.CommandContext(t.Context(), "touch", file)
	_ = ownGroup(cmd)
	cmd.ExtraFiles = []*os.File{held}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	held.Close()
	begin.Close() // as the end of the parent does
	err = cmd.Wait()
	if _, stat := os.Stat(file); err == nil || stat == nil {
		t.Errorf("it began: %v", err)
	}
}

// numberIn waits for a line with a number in a file.
func numberIn(t *testing.T, file string) int {
	t.Helper()
	for start := time.Now(); time.Since(start) < guard; time.Sleep(5 * time.Millisecond) {
		raw, _ := os.ReadFile(file)
		if line, whole := strings.CutSuffix(string(raw), "\n"); whole {
			n, err := strconv.Atoi(line)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("%s is not written", file)
	return 0
}
