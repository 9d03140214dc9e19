package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// filesystemServer is the reference MCP server for files, below the folder of
// this package.
const filesystemServer = "internal/bench/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"

const (
	logBytes = 100 << 20
	// logWindow is where the window in the log begins.
	logWindow = 77 << 20
	inFlight  = 16
)

// mcpRows measures calls over MCP, attached to a session, against the reference
// server.
func mcpRows(x fixtures, binary string) []Figure {
	makeLog(x)
	environment := privateEnvironment(filepath.Join(x.dir, "mcp-home"))
	ours := func() *mcpServer { return startMCP(environment, binary, "mcp", "--root", x.dir) }
	startUp := medianOf(30, func(int) { ours().stopNow() })

	session := exec.Command(binary, "lsp")
	session.Env = environment
	editor, err := startCommand(session)
	check(err)
	defer editor.stop()
	editor.initialize(x.dir)
	s := ours()
	defer s.stop()
	peer := startMCP(environment, "node", filesystemServer, x.dir)
	defer peer.stop()

	read := mcpBody("read_file", map[string]any{"path": "f10k.txt", "format": "plain"})
	if answer := s.exchange(read); bytes.Contains(answer, []byte("no editor is attached")) {
		panic("the server did not find the session")
	}
	theirs := func(arguments map[string]any) []byte { return mcpBody("read_text_file", arguments) }
	peerRead := theirs(map[string]any{"path": x.path("f10k.txt")})
	editor.awaitIdle()
	ask, askPeer := func(int) { s.exchange(read) }, func(int) { peer.exchange(peerRead) }
	got, floor := series(10, 200, ask, askPeer)
	turns, peerTurns := pairs(1000, ask, askPeer)
	alone := startMCP(privateEnvironment(filepath.Join(x.dir, "mcp-alone")), binary, "mcp", "--root", x.dir)
	defer alone.stop()
	aloneTurns, peerAloneTurns := pairs(1000, func(int) { alone.exchange(read) }, askPeer)
	chain, err := startCommand(exec.Command("sh", "-c", "cat | cat"))
	check(err)
	defer chain.stop()
	echo := &mcpServer{chain}
	bytesOnly := bytes.TrimSuffix(slices.Clone(s.exchange(read)), []byte("\n"))
	passed := medianOf(2000, func(int) { echo.exchange(bytesOnly) })
	half, tail := s.crowd(read, 20_000)

	window := mcpBody("read_file", windowAt("f100m.log", logWindow))
	wholeLog := theirs(map[string]any{"path": x.path("f100m.log")})
	s.exchange(window)
	deep, peerDeep := medianOf(200, func(int) { s.exchange(window) }), medianOf(3, func(int) { peer.exchange(wholeLog) })
	end := mcpBody("read_file", map[string]any{"path": "f100m.log", "limit": 100})
	peerEnd := theirs(map[string]any{"path": x.path("f100m.log"), "tail": 100})
	askEnd, askPeerEnd := func(int) { s.exchange(end) }, func(int) { peer.exchange(peerEnd) }
	last, peerLast := series(10, 50, askEnd, askPeerEnd)
	lastTurns, peerLastTurns := pairs(300, askEnd, askPeerEnd)

	idle := ours()
	defer idle.stop()
	idle.exchange(read)
	idle.awaitIdle()
	list := s.exchange([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	return []Figure{
		{Name: "mcp: process start to first answer", Got: startUp / 1000, Unit: "ms", Bar: 20},
		{Name: "mcp: a 10 KB file read, attached to a session, against the reference filesystem server", Got: turns, Floor: peerTurns, Unit: "µs", Bar: 0.67,
			Note: fmt.Sprintf("each called again and again: %s against %s µs; two processes that only pass the answer on: %s µs", short(got), short(floor), short(passed))},
		{Name: "… without an editor", Got: aloneTurns, Floor: peerAloneTurns, Unit: "µs", Bar: 0.4},
		{Name: "… with 16 calls in flight, p99 against p50", Got: tail, Floor: half, Unit: "µs", Bar: 10},
		{Name: "mcp: 64 KiB at 77 MB of a 100 MB log, against that server", Got: deep, Floor: peerDeep, Unit: "µs", Bar: 1. / 1000, Note: "it reads the whole file"},
		{Name: "mcp: the last 100 lines of it, against that server", Got: last, Floor: peerLast, Unit: "µs", Bar: 1. / 4, Note: byTurns(lastTurns, peerLastTurns)},
		{Name: "mcp: idle memory, attached", Got: idle.memory() / (1 << 20), Unit: "MB", Bar: 30},
		{Name: "mcp: tools/list", Got: float64(len(list)) / 1024, Unit: "KB", Bar: 14},
	}
}

// byTurns tells of a comparison in which each call was followed by one of the
// other server's.
func byTurns(got, floor float64) string {
	return fmt.Sprintf("call by call in turns: %s against %s µs", short(got), short(floor))
}

// privateEnvironment has a server keep its files, and look for sessions, in home.
func privateEnvironment(home string) []string {
	check(os.MkdirAll(home, 0o700))
	return append(os.Environ(), "XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "TMPDIR="+home)
}

// makeLog makes a log of 100 MB.
func makeLog(x fixtures) {
	f, err := os.Create(x.path("f100m.log"))
	check(err)
	w := bufio.NewWriterSize(f, 1<<20)
	for i, written := 1, 0; written < logBytes; i++ {
		n, err := w.WriteString(line(i))
		check(err)
		written += n
	}
	check(w.Flush())
	check(f.Close())
}

// mcpServer is a server that is spoken to in lines.
type mcpServer struct{ *process }

// startMCP starts a server and waits until it has answered the handshake.
func startMCP(environment []string, name string, args ...string) *mcpServer {
	cmd := exec.Command(name, args...)
	cmd.Env = environment
	p, err := startCommand(cmd)
	check(err)
	s := &mcpServer{p}
	s.exchange([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`))
	s.write([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	return s
}

func mcpBody(tool string, arguments map[string]any) []byte {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1_000_000, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	check(err)
	return body
}

func (s *mcpServer) write(body []byte) {
	_, err := s.in.Write(append(slices.Clip(body), '\n'))
	check(err)
}

// exchange sends a request and returns the answer, good until the next one. It
// fails when the answer is an error.
func (s *mcpServer) exchange(body []byte) []byte {
	s.write(body)
	return s.answer()
}

func (s *mcpServer) answer() []byte {
	for {
		s.body = s.body[:0]
		for more := true; more; {
			part, err := s.out.ReadSlice('\n')
			if more = errors.Is(err, bufio.ErrBufferFull); err != nil && !more {
				check(err)
			}
			s.body = append(s.body, part...)
		}
		switch head := s.body[:min(len(s.body), 64)]; {
		case bytes.Contains(head, []byte(`"method"`)):
			continue
		case bytes.Contains(head, []byte(`"error":{"code"`)), bytes.HasSuffix(s.body, []byte(`"isError":true}}`+"\n")):
			panic(fmt.Sprintf("%.500s", s.body))
		}
		return s.body
	}
}

// crowd makes n calls, 16 of them in flight at any time, and returns the
// median and the 99th percentile of how long each took, in microseconds.
func (s *mcpServer) crowd(body []byte, n int) (p50, p99 float64) {
	before, after, _ := bytes.Cut(body, []byte("1000000"))
	begun, took := make([]time.Time, n), make([]float64, 0, n)
	ask := func(i int) {
		begun[i] = time.Now()
		s.write(fmt.Appendf(nil, "%s%d%s", before, i, after))
	}
	for i := range inFlight {
		ask(i)
	}
	for next := inFlight; len(took) < n; next++ {
		id := answerID(s.answer())
		took = append(took, float64(time.Since(begun[id]).Nanoseconds())/1000)
		if next < n {
			ask(next)
		}
	}
	p50 = median(took) // which sorts them
	return p50, took[n*99/100]
}

func answerID(answer []byte) int {
	_, rest, _ := bytes.Cut(answer, []byte(`"id":`))
	digits, _, _ := bytes.Cut(rest, []byte(","))
	id, err := strconv.Atoi(string(digits))
	check(err)
	return id
}
