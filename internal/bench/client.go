package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server under test, spoken to over its standard input and
// output.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	id   int
	body []byte // of the last answer; reused
}

func start(name string, args ...string) (*process, error) {
	return startCommand(exec.Command(name, args...))
}

func startCommand(cmd *exec.Cmd) (*process, error) {
	theirIn, in, err := blockingPipe()
	if err != nil {
		return nil, err
	}
	defer theirIn.Close()
	out, theirOut, err := blockingPipe()
	if err != nil {
		return nil, err
	}
	defer theirOut.Close()
	cmd.Stdin, cmd.Stdout = theirIn, theirOut
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 256<<10)}, nil
}

// blockingPipe returns a pipe whose ends block in the system. To wait by the
// runtime's poller costs a client more than many an answer costs a server.
func blockingPipe() (r, w *os.File, err error) {
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(fds[0]), "|0"), os.NewFile(uintptr(fds[1]), "|1"), nil
}

// stop ends the process and waits for it.
func (p *process) stop() {
	p.in.Close()
	_ = p.cmd.Wait() // how it ends says nothing about its speed
}

// exchange sends a body and returns the answer's, good until the next call.
// What goes wrong here is wrong with the measurement, and ends it.
func (p *process) exchange(body []byte) []byte {
	p.send(body)
	for {
		n, err := readHeader(p.out)
		check(err)
		p.body = grow(p.body, n)
		_, err = io.ReadFull(p.out, p.body)
		check(err)
		if !bytes.Contains(p.body[:min(len(p.body), 64)], []byte(`"method"`)) {
			return p.body
		}
	}
}

func (p *process) send(body []byte) {
	message := append([]byte("Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"), body...)
	_, err := p.in.Write(message)
	check(err)
}

// call makes a request and returns the whole answer.
func (p *process) call(method string, params any) []byte {
	p.id++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params})
	check(err)
	return p.exchange(body)
}

func (p *process) notify(method string, params any) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	check(err)
	p.send(body)
}

// tool calls a tool and fails when that does.
func (p *process) tool(name string, arguments map[string]any) []byte {
	return p.ask(toolBody(name, arguments))
}

// toolBody is the request of a tool call, made beforehand so that making it is
// not measured.
func toolBody(name string, arguments map[string]any) []byte {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1_000_000, "method": "agent/tools/call",
		"params": map[string]any{"name": name, "arguments": arguments}})
	check(err)
	return body
}

// ask sends the request of a tool call and fails when the tool does.
func (p *process) ask(body []byte) []byte {
	answer := p.exchange(body)
	if bytes.HasSuffix(answer, []byte(`"isError":true}}`)) || bytes.HasPrefix(answer, []byte(`{"jsonrpc":"2.0","id":1000000,"error"`)) {
		panic(fmt.Sprintf("%s: %.500s", body, answer))
	}
	return answer
}

// hash returns the content_hash of an answer.
func hash(answer []byte) string {
	_, rest, _ := strings.Cut(string(answer), `"content_hash":"`)
	h, _, _ := strings.Cut(rest, `"`)
	return h
}

// server starts the program under test in a workspace and initializes it.
func server(binary, dir string) *process {
	p, err := start(binary, "lsp")
	check(err)
	p.initialize(dir)
	return p
}

// initialize does an editor's handshake.
func (p *process) initialize(dir string) {
	p.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": fileURI(dir), "capabilities": map[string]any{},
		"initializationOptions": map[string]any{"agentLsp": map[string]any{"log.level": "error"}},
	})
	p.notify("initialized", map[string]any{})
}

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// memory returns what a process holds in physical memory, in bytes.
func (p *process) memory() float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	check(err)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(rest)
	kb, err := strconv.ParseFloat(fields[0], 64)
	check(err)
	return kb * 1024
}

// awaitIdle waits until the server has nothing to do any more: after the first
// call of a tool it indexes its folders, all 1.5 GB of fixtures.
func (p *process) awaitIdle() {
	for before, now := -1.0, 0.0; before != now; {
		time.Sleep(300 * time.Millisecond)
		before, now = now, p.ticks()
	}
}

// ticks returns the processor time that a process has used, in the system's
// ticks.
func (p *process) ticks() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	check(err)
	fields := strings.Fields(string(stat))
	user, err := strconv.ParseFloat(fields[13], 64)
	check(err)
	system, err := strconv.ParseFloat(fields[14], 64)
	check(err)
	return user + system
}

// check ends the run: a measurement that failed has no figure.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
