//go:build linux

package soak

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a process of the program.
type process struct {
	name    string
	cmd     *exec.Cmd
	in, out *os.File
	said    *tail
	ended   chan struct{}
	err     error // how it ended; read after ended
}

// tail keeps the end of what a process writes to its standard error.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const tailBytes = 256 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*tailBytes {
		t.kept = bytes.Clone(t.kept[len(t.kept)-tailBytes:])
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}

// program starts the program, in the world's own environment.
func (w *world) program(name string, args ...string) (*process, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirIn.Close()
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirOut.Close()
	p := &process{name: name, in: in, out: out, said: &tail{}, ended: make(chan struct{})}
	p.cmd = exec.Command(w.command[0], append(w.command[1:], args...)...)
	p.cmd.Dir, p.cmd.Env = w.root, w.environment
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirIn, theirOut, p.said
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	w.waiting.Go(func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	})
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// signal sends a signal; that the process has ended meanwhile is no error.
func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// close lets go of this side's ends.
func (p *process) close() {
	p.in.Close()
	p.out.Close()
}

// wait returns when the process has ended; it fails the run when that takes too
// long, with what the process was doing.
func (p *process) wait(r *run) {
	select {
	case <-p.ended:
	case <-time.After(patience):
		r.fail("%s does not end:\n%s", p.name, p.dump())
		p.signal(syscall.SIGKILL)
		<-p.ended
	}
	p.complain(r)
}

// dump has the process tell what its goroutines do.
func (p *process) dump() string {
	p.signal(syscall.SIGQUIT)
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
	}
	return p.said.String()
}

// complain fails the run for a crash or a data race that the process told of.
func (p *process) complain(r *run) {
	said := p.said.String()
	for _, word := range []string{"DATA RACE", "panic:", "fatal error:", "SIGSEGV"} {
		if strings.Contains(said, word) {
			r.fail("%s says %s:\n%s", p.name, word, said)
		}
	}
}

// usage is what a process holds.
type usage struct{ rss, threads, descriptors int }

func (u usage) String() string {
	return fmt.Sprintf("%.1f MB, %d threads, %d descriptors", float64(u.rss)/(1<<20), u.threads, u.descriptors)
}

// usage reads what a process holds now; all of it is 0 for one that has ended.
func (p *process) usage() usage {
	dir := filepath.Join("/proc", strconv.Itoa(p.pid()))
	tasks, _ := os.ReadDir(filepath.Join(dir, "task"))
	open, _ := os.ReadDir(filepath.Join(dir, "fd"))
	status, _ := os.ReadFile(filepath.Join(dir, "status"))
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	u := usage{threads: len(tasks), descriptors: len(open)}
	if fields := strings.Fields(rest); len(fields) > 0 {
		kb, _ := strconv.Atoi(fields[0])
		u.rss = kb << 10
	}
	return u
}

// processes returns those that were started in the world's environment, and
// their children, as "pid: command".
func (w *world) processes() []string {
	mark := []byte("HOME=" + w.home)
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	var found []string
	for _, name := range all {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, mark) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		found = append(found, filepath.Base(filepath.Dir(name))+": "+string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
	}
	return found
}
