package hosttest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program that was started, with all that it starts itself.
type process struct {
	cmd   *exec.Cmd
	log   string // the file of what it writes
	ended chan struct{}
	err   error // how it ended; read after ended
}

// start starts a program in a group of its own, in the workspace. What it
// writes goes into a file.
func (s *stage) start(name string, env []string, program string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(program, args...), log: filepath.Join(s.dir, name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.cmd.Dir, p.cmd.Env = s.work, append(append([]string(nil), s.env...), env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	s.waiting.Go(func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	})
	return p, nil
}

// detached is a process that starts others and ends before them: for those it
// stands for, it has not ended.
func (p *process) detached() *process {
	return &process{cmd: p.cmd, log: p.log, ended: make(chan struct{})}
}

// signal sends a signal to the program and what it started; that they have
// ended is no error.
func (p *process) signal(sig syscall.Signal) { _ = syscall.Kill(-p.cmd.Process.Pid, sig) }

// tail is the end of what the program wrote.
func (p *process) tail() string {
	raw, _ := os.ReadFile(p.log)
	return string(raw[max(0, len(raw)-2000):])
}

// leftovers returns the processes that run in the stage's home, as "pid
// command".
func (s *stage) leftovers() []string {
	mark := []byte("\x00HOME=" + s.home + "\x00")
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var out []string
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), mark) {
			continue
		}
		pid := filepath.Base(filepath.Dir(f))
		line, _ := os.ReadFile(filepath.Join("/proc", pid, "cmdline"))
		if len(line) > 0 { // else it has ended, and waits to be taken note of
			out = append(out, pid+" "+strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))))
		}
	}
	return out
}

// gone waits until none of the processes that run in the stage's home and have
// these words in their command is left.
func (s *stage) gone(words string) error {
	var left []string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		left = nil
		for _, p := range s.leftovers() {
			if strings.Contains(p, words) {
				left = append(left, p)
			}
		}
		if len(left) == 0 {
			return nil
		}
	}
	return fmt.Errorf("still running: %s", strings.Join(left, "\n"))
}

// signal sends a signal to the processes that run in the stage's home and have
// these words in their command.
func (s *stage) signal(words string, sig syscall.Signal) {
	for _, p := range s.leftovers() {
		number, _, _ := strings.Cut(p, " ")
		if pid, err := strconv.Atoi(number); err == nil && pid != os.Getpid() && strings.Contains(p, words) {
			_ = syscall.Kill(pid, sig) // it may have ended
		}
	}
}

// sweep ends everything that was started on the stage.
func (s *stage) sweep() {
	s.signal("", syscall.SIGKILL)
	s.waiting.Wait()
}
