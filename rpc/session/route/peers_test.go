package route

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testRouter(t testing.TB, folders ...string) *session.Router {
	r := session.NewRouter(session.RouterConfig{
		Folders: folders, Client: toolcall.Client{Name: "tester", ID: "7"}, Version: "1.2.4",
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Now: time.Now,
	})
	t.Cleanup(r.Close)
	return r
}

// registerIn registers a socket in a folder, whose connections are served by serve.
func registerIn(t *testing.T, folder string, pid int, roots []string, serve func(net.Conn)) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(folder, fmt.Sprintf("%d-abcdef", pid))
	l, err := net.Listen("unix", name+".sock")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(session.Registration{
		PID: pid, Protocol: session.Protocol, Editor: "evil", Roots: append([]string{}, roots...), Socket: l.Addr().String(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".json", raw, 0o600); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer c.Close()
				serve(c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		work.Wait()
	})
}

// TestSilentSessionsAreWaitedForTogether: several that take the connection and
// say nothing cost the time of one.
func TestSilentSessionsAreWaitedForTogether(t *testing.T) {
	t.Parallel()
	const sessions = 5
	var mu sync.Mutex
	connected, most := 0, 0
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		connected += by
		most = max(most, connected)
	}
	folder := t.TempDir() + "/run"
	for i := range sessions {
		registerIn(t, folder, 42+i, nil, func(c net.Conn) {
			count(1)
			defer count(-1)
			_, _ = io.Copy(io.Discard, c)
		})
	}
	peers := testRouter(t, folder).Peers()
	asked := new(backend).each(t.Context(), peers, nil)
	mu.Lock()
	defer mu.Unlock()
	if len(asked) != sessions || most != sessions {
		t.Errorf("%d sessions were asked, %d at once, of %d", len(asked), most, sessions)
	}
	for _, a := range asked {
		if !errors.Is(a.err, session.ErrSilent) {
			t.Errorf("process %d: %v", a.peer.PID, a.err)
		}
	}
}

// TestOtherFoldersAreNotAsked: where a program asks for what is held, a session whose
// folders have nothing to do with that is not even connected to.
func TestOtherFoldersAreNotAsked(t *testing.T) {
	run := t.TempDir() + "/run"
	var connected atomic.Int32
	registerIn(t, run, 42, []string{"/other/project"}, func(net.Conn) { connected.Add(1) })
	r := testRouter(t, run)
	if _, err := Open(t.Context(), r, "/this", []string{"/this/a.txt", "/tmp/b.txt"}); err != nil {
		t.Error(err)
	}
	if list := Unsaved(t.Context(), r, "/this"); len(list) != 0 {
		t.Errorf("unsaved: %v", list)
	}
	if n := connected.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
	for _, c := range []struct{ folder, path string }{{"/other/project/sub", "/tmp/b.txt"}, {"/other", "/tmp/b.txt"}, {"/this", "/other/project/b.txt"}, {"", "/other"}} {
		if len(near(r, []string{c.folder, c.path})) != 1 {
			t.Errorf("%v: not asked", c)
		}
	}
}

func frameOf(header string, body ...byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(header)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	return append(append(b, header...), body...)
}

// nextHeader reads a frame, and returns what its header asks for.
func nextHeader(r io.Reader) (m struct {
	Do string `json:"do"`
	ID uint64 `json:"id"`
}, err error) {
	var lengths [2]uint32
	if err := binary.Read(r, binary.BigEndian, &lengths); err != nil {
		return m, err
	}
	frame := make([]byte, lengths[0]+lengths[1])
	if _, err := io.ReadFull(r, frame); err != nil {
		return m, err
	}
	return m, json.Unmarshal(frame[:lengths[0]], &m)
}

// TestLostConnection: a session that hangs up is gone only when nobody listens
// for it any more; else it may have a file open that is about to be changed.
func TestLostConnection(t *testing.T) {
	tests := []struct {
		name   string
		hangUp int32 // how many connections end when they are asked
		want   error
	}{
		{"once", 1, nil},
		{"always", 100, session.ErrSilent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var connections atomic.Int32
			folder := t.TempDir() + "/run"
			registerIn(t, folder, 42, nil, func(c net.Conn) {
				hangUp := connections.Add(1) <= tt.hangUp
				_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
				for {
					m, err := nextHeader(c)
					if err != nil || m.Do == "documents" && hangUp {
						return
					}
					if m.Do == "documents" {
						_, _ = c.Write(frameOf(fmt.Sprintf(`{"do":"answer","id":%d,"header":2}`, m.ID), '[', ']'))
					}
				}
			})
			peers := testRouter(t, folder).Peers()
			if len(peers) != 1 {
				t.Fatalf("%d sessions", len(peers))
			}
			if a := ask(t.Context(), peers[0], func(*session.Peer) *session.Query { return new(session.Query) }); !errors.Is(a.err, tt.want) || session.IsGone(a.err) {
				t.Errorf("got %v, want %v", a.err, tt.want)
			}
		})
	}
}
