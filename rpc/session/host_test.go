package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// serveIn has the test's binary serve a session in the folder that it names.
const serveIn = "AGENT_LSP_TEST_SERVE_IN"

func TestMain(m *testing.M) {
	if folder := os.Getenv(serveIn); folder != "" {
		serveUntilEOF(folder)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/Microsoft/go-winio.ioCompletionProcessor"))
}

// serveUntilEOF serves a session until standard input ends. It says when it
// has begun.
func serveUntilEOF(folder string) {
	s, err := Serve(context.Background(), testConfig(folder, io.Discard), echo{buffers.NewStore()})
	if err != nil {
		panic(err)
	}
	fmt.Println("serving")
	_, _ = io.Copy(io.Discard, os.Stdin)
	s.Close()
}

func testConfig(folder string, log io.Writer) Config {
	return Config{
		Folders: []string{folder}, PID: os.Getpid(), Version: "1.2.3", Editor: "testvim", Roots: []string{"/home/somebody/project"},
		Log: slog.New(slog.NewTextHandler(log, nil)), Now: time.Now,
	}
}

// echo is a host whose "tools" show what goes through a connection.
type echo struct{ store *buffers.Store }

func (e echo) Command(context.Context, toolcall.Client, Command) {}

func (e echo) Feed() *buffers.Feed { return e.store.Feed() }

func (e echo) Hides(*buffers.Document) bool { return false }

func (e echo) Documents(_ context.Context, q Query) []PeerDocument {
	return []PeerDocument{{Document{URI: "file:///a", Path: "/a", Bytes: 5, Session: len(q.Of)}, "hello"}, {Document{URI: "file:///b"}, ""}}
}

func (e echo) Call(ctx context.Context, c Call) (Answer, error) {
	switch c.Tool {
	case "echo": // its arguments
		return Answer{Raw: c.Arguments}, nil
	case "10k":
		return Answer{Raw: tenK()}, nil
	case "64k":
		return Answer{Raw: make([]byte, 64<<10)}, nil
	case "extra":
		var raw []byte
		for _, d := range c.Extra {
			raw = fmt.Appendf(raw, "%s %d %s, ", d.URI, d.Bytes, d.Text)
		}
		return Answer{Raw: fmt.Appendf(raw, "%v %v %s %s %s", c.Notes, c.Roots, c.Client.Name, c.Client.ID, c.Form)}, nil
	case "progress":
		for i := range 3 {
			c.Progress("step", i+1, 3)
		}
		return Answer{Raw: []byte("done"), Kind: fault.StaleFile, Header: 1, Body: 2}, nil
	case "ask": // twice, where somebody can be asked
		if c.Ask == nil {
			return Answer{Raw: []byte("nobody")}, nil
		}
		var raw []byte
		for _, path := range []string{"a", "b"} {
			d, err := c.Ask(ctx, toolcall.ConfirmRequest{Tool: "t", Files: []toolcall.ConfirmFile{{Path: path, Diff: "+1\n"}}})
			raw = fmt.Appendf(raw, "%v %s %v, ", d.Apply, d.Reason, err)
		}
		return Answer{Raw: raw}, ctx.Err()
	case "wait": // until it is cancelled
		<-ctx.Done()
		return Answer{}, ctx.Err()
	case "panic":
		panic("secret text")
	case "die":
		os.Exit(3)
	case "huge":
		return Answer{Raw: make([]byte, maxFrame)}, nil
	}
	return Answer{}, fault.New(fault.InvalidParams, "there is no tool %q", c.Tool).Advise("take echo")
}

func tenK() []byte { return []byte(strings.Repeat("0123456789abcde\n", 640)) }

// serveHere serves echo within the test, and returns the folder.
func serveHere(t testing.TB) (folder string, s *Server) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "run")
	s, err := Serve(context.WithoutCancel(t.Context()), testConfig(folder, t.Output()), echo{buffers.NewStore()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return folder, s
}

// serveThere serves echo in a process of its own, and returns the folder.
func serveThere(t testing.TB) (folder string, process *exec.Cmd) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "run")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveIn+"="+folder)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "serving\n" {
		t.Fatal("the session does not serve:", line, err)
	}
	return folder, cmd
}

func testRouter(t testing.TB, folders ...string) *Router {
	r := NewRouter(RouterConfig{
		Folders: folders, Client: toolcall.Client{Name: "tester", ID: "7"}, Version: "1.2.4",
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Now: time.Now,
	})
	t.Cleanup(r.Close)
	return r
}

// attached returns a connection to the one session in folder.
func attached(t testing.TB, folder string) *Conn {
	t.Helper()
	peers := testRouter(t, folder).Peers()
	if len(peers) != 1 {
		t.Fatalf("%d sessions, want one", len(peers))
	}
	c, err := peers[0].Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
