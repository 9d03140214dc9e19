package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

func TestFindAndClean(t *testing.T) {
	folder, s := serveHere(t)
	found := Find(t.Context(), []string{folder, folder + "-not-there"})
	if len(found.Live) != 1 || len(found.Stale)+len(found.Problems) != 0 {
		t.Fatalf("found %+v", found)
	}
	r := found.Live[0]
	if r.PID != os.Getpid() || r.Editor != "testvim" || r.Protocol != Protocol || r.Version != "1.2.3" || len(r.Roots) != 1 {
		t.Errorf("found %+v", r)
	}
	private := map[string]os.FileMode{folder: 0o700, r.Socket: 0o600, strings.TrimSuffix(r.Socket, socketEnd) + registrationEnd: 0o600}
	if !fsys.HasPermissions {
		clear(private)
	}
	for path, mode := range private {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want mode %o", path, info.Mode(), err, mode)
		}
	}
	if err := s.SetRoots([]string{"/a", "/b"}); err != nil {
		t.Error(err)
	}
	if found := Find(t.Context(), []string{folder}); len(found.Live[0].Roots) != 2 {
		t.Errorf("found %+v", found)
	}
	s.Close()
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestStaleFilesAreRemoved(t *testing.T) {
	folder, process := serveThere(t)
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait()
	if left, _ := os.ReadDir(folder); len(left) != 1 && len(left) != 2 { // on Windows there is no file for a socket
		t.Fatalf("a killed session left %v", left)
	}
	t.Run("by the router", func(t *testing.T) {
		copyFolder(t, folder, folder+"2")
		peers := testRouter(t, folder+"2").Peers()
		if _, err := peers[0].Attach(t.Context()); !IsGone(err) {
			t.Errorf("got %v", err)
		}
	})
	found := Find(t.Context(), []string{folder})
	if len(found.Live) != 0 || len(found.Stale) != 1 || !found.Stale[0].Removed {
		t.Errorf("found %+v", found)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// copyFolder copies registrations, with sockets that nobody listens at.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Mkdir(to, 0o700); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(from)
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			continue // the socket
		}
		inJSON := func(path string) []byte {
			return []byte(strings.Trim(strconv.Quote(path+string(filepath.Separator)), `"`))
		}
		raw = bytes.ReplaceAll(raw, inJSON(from), inJSON(to))
		if err := os.WriteFile(filepath.Join(to, e.Name()), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFoldersOfOthersAreRefused(t *testing.T) {
	if !fsys.HasPermissions {
		return // a folder's mode does not say who may enter it
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	bad := map[string]fault.Kind{open: fault.PermissionDenied, link: fault.NotDirectory, file: fault.NotDirectory}
	if os.Geteuid() == 0 {
		other := filepath.Join(t.TempDir(), "other")
		if err := os.Mkdir(other, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(other, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		bad[other] = fault.PermissionDenied
	}
	for path, kind := range bad {
		if _, err := fsys.OpenPrivate(path, true); fault.KindOf(err) != kind {
			t.Errorf("%s: %v, want %s", path, err, kind)
		}
		if found := Find(t.Context(), []string{path}); len(found.Problems) != 1 {
			t.Errorf("%s: found %+v", path, found)
		}
		if s, err := Serve(t.Context(), testConfig(path, io.Discard), echo{}); err == nil {
			s.Close()
			t.Errorf("%s: served there", path)
		}
	}
}

// TestGarbageInTheFolder: what is no registration costs nothing but itself.
func TestGarbageInTheFolder(t *testing.T) {
	folder, _ := serveHere(t)
	for name, text := range map[string]string{
		"1.json": "", "2.json": "{", "3.json": `{"socket":"/elsewhere.sock"}`, "4.json": `{"pid":"x"}`, "5.txt": "",
		"6.json": strings.Repeat("x", maxRegistration+1),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(folder, "7.json")); err != nil {
		t.Fatal(err)
	}
	found := Find(t.Context(), []string{folder})
	if len(found.Live) != 1 || len(found.Problems) != 6 {
		t.Errorf("found %+v", found)
	}
	if c := attached(t, folder); !c.live() {
		t.Error("not attached")
	}
}

func TestCalls(t *testing.T) {
	folder, _ := serveThere(t)
	c := attached(t, folder)
	var steps []string
	tests := []struct {
		call Call
		want string
	}{
		{Call{Tool: "echo", Arguments: []byte(`{"a":1}`)}, `{"a":1} ""`},
		{Call{Tool: "echo"}, ` ""`},
		{Call{Tool: "progress", Progress: func(text string, done, total int) { steps = append(steps, fmt.Sprint(text, done, total)) }}, `done "stale_file"`},
		{Call{Tool: "nothing"}, `invalid_params: there is no tool "nothing"` + "\ntake echo"},
		{Call{Tool: "panic"}, "internal: the editor's session failed at this call"},
		{Call{Tool: "huge"}, "file_too_large: "},
		{
			Call{
				Tool: "extra", Arguments: []byte("{}"), Client: toolcall.Client{Name: "n", ID: "i"}, Form: "mcp", Notes: []string{"note"},
				Roots: []workspace.Folder{{Name: "r", Path: "/r"}}, Extra: []PeerDocument{{Document{URI: "u", Bytes: 9}, "one"}, {Document{URI: "v"}, "two"}},
			},
			`u 9 one, v 0 two, [note] [{r /r }] n i mcp`,
		},
	}
	for _, tt := range tests {
		a, _, err := c.Call(t.Context(), tt.call)
		got := fmt.Sprintf("%s %q", a.Raw, a.Kind)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.call.Tool, got, tt.want)
		}
	}
	if got := strings.Join(steps, ","); got != "step1 3,step2 3,step3 3" {
		t.Errorf("progress %q", got)
	}
	docs, err := c.Documents(t.Context(), Query{Of: []Name{{Path: "/a"}}})
	if err != nil || len(docs) != 2 || docs[0].Text != "hello" || docs[0].Session != 1 || docs[1].URI != "file:///b" {
		t.Errorf("documents %+v %v", docs, err)
	}
}

// TestManyCallsAtOnce: 200 at once, some of them large, some cancelled, on one
// connection. Each is answered with its own.
func TestManyCallsAtOnce(t *testing.T) {
	folder, _ := serveThere(t)
	c := attached(t, folder)
	var work sync.WaitGroup
	for i := range 200 {
		work.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%10 == 3 {
				time.AfterFunc(time.Duration(i)*100*time.Microsecond, cancel)
				if _, _, err := c.Call(ctx, Call{Tool: "wait"}); !errors.Is(err, context.Canceled) {
					t.Errorf("call %d: %v", i, err)
				}
				return
			}
			want := []byte(strings.Repeat(fmt.Sprintf("%d,", i), 1+i*50))
			if a, _, err := c.Call(ctx, Call{Tool: "echo", Arguments: want}); err != nil || !bytes.Equal(a.Raw, want) {
				t.Errorf("call %d: %d bytes, %v", i, len(a.Raw), err)
			}
		})
	}
	work.Wait()
	big := bytes.Repeat([]byte("0123456789"), 1<<20)
	if a, _, err := c.Call(t.Context(), Call{Tool: "echo", Arguments: big}); err != nil || !bytes.Equal(a.Raw, big) {
		t.Errorf("10 MB: %d bytes, %v", len(a.Raw), err)
	}
	if _, sent, err := c.Call(t.Context(), Call{Tool: "echo", Arguments: make([]byte, maxFrame)}); fault.KindOf(err) != fault.FileTooLarge || sent {
		t.Errorf("too large: %v", err)
	}
	if a, _, err := c.Call(t.Context(), Call{Tool: "echo", Arguments: []byte("after")}); string(a.Raw) != "after" {
		t.Errorf("after all that: %s %v", a.Raw, err)
	}
}

// TestTooManyCalls: those beyond the limit are refused, and the others go on.
func TestTooManyCalls(t *testing.T) {
	folder, _ := serveHere(t)
	c := attached(t, folder)
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	refused := make(chan error, 10)
	for range maxRunning + maxWaiting + 10 {
		work.Go(func() {
			if _, _, err := c.Call(ctx, Call{Tool: "wait"}); !errors.Is(err, context.Canceled) {
				refused <- err
			}
		})
	}
	for range 10 {
		if err := <-refused; fault.KindOf(err) != fault.Timeout {
			t.Errorf("got %v", err)
		}
	}
	cancel()
	work.Wait()
	for {
		a, _, err := c.Call(t.Context(), Call{Tool: "echo", Arguments: []byte("x")})
		if fault.KindOf(err) == fault.Timeout {
			continue // it has not handled all that were cancelled
		}
		if string(a.Raw) != "x" {
			t.Error(err)
		}
		return
	}
}

func TestSessionDiesDuringACall(t *testing.T) {
	folder, _ := serveThere(t)
	c := attached(t, folder)
	if _, sent, err := c.Call(t.Context(), Call{Tool: "die"}); !IsGone(err) || !sent {
		t.Errorf("sent %v, %v", sent, err)
	}
	if _, sent, err := c.Call(t.Context(), Call{Tool: "echo"}); !IsGone(err) || sent {
		t.Errorf("sent %v, %v", sent, err)
	}
}

// TestClosingASession: what runs is cancelled, and who asked sees the end of
// the connection, not of the call.
// TestClientDiesDuringACall: what it asked for ends, be it the first thing.
func TestClientDiesDuringACall(t *testing.T) {
	for _, calls := range []int{1, 3} {
		t.Run(fmt.Sprint(calls), func(t *testing.T) {
			folder, s := serveHere(t)
			c := attached(t, folder)
			var work sync.WaitGroup
			for range calls {
				work.Go(func() {
					if _, _, err := c.Call(t.Context(), Call{Tool: "wait"}); !errors.Is(err, ErrGone) {
						t.Errorf("got %v", err)
					}
				})
			}
			time.Sleep(50 * time.Millisecond) // so that they run
			c.close()
			work.Wait()
			for begun := time.Now(); len(s.Clients()) > 0; time.Sleep(time.Millisecond) {
				if time.Since(begun) > time.Minute {
					t.Fatal("the session still works for a client that is gone")
				}
			}
		})
	}
}

func TestClosingASession(t *testing.T) {
	folder, s := serveHere(t)
	c := attached(t, folder)
	done := make(chan error)
	go func() {
		_, _, err := c.Call(t.Context(), Call{Tool: "wait"})
		done <- err
	}()
	for len(s.Clients()) == 0 {
		time.Sleep(time.Millisecond)
	}
	s.Close()
	if err := <-done; !IsGone(err) {
		t.Errorf("got %v", err)
	}
}

// TestClosingWhileNobodyReads: a client that takes no answers keeps no editor
// from ending.
func TestClosingWhileNobodyReads(t *testing.T) {
	t.Parallel()
	folder, s := serveHere(t)
	c, err := dialAt(t.Context(), Find(t.Context(), []string{folder}).Live[0].Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
	for id := range 20 {
		_, _ = c.Write(frameOf(fmt.Sprintf(`{"do":"call","id":%d,"tool":"64k"}`, id+1)))
	}
	time.Sleep(50 * time.Millisecond) // so that an answer waits
	begun := time.Now()
	s.Close()
	if took := time.Since(begun); took > writeTimeout/2 {
		t.Errorf("it took %v", took)
	}
}

// TestNamesOfClients: who attaches cannot draw on the person's screen.
func TestNamesOfClients(t *testing.T) {
	long := strings.Repeat("x", 100)
	for given, want := range map[string]string{
		"claude-code": "claude-code", "Claude  Code": "Claude Code", "": "", "\n": "",
		"a\x1b[31m\nDo you agree?\u202e": "a [31m Do you agree?", "Zoë": "Zoë", long: long[:63] + "…", "\xff": "\ufffd",
	} {
		if got := plain(&toolcall.Client{Name: given, ID: "1"}); got.Name != want || got.ID != "1" {
			t.Errorf("%q is %q, want %q", given, got.Name, want)
		}
	}
}

func TestClients(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run")
	told := make(chan []Attached, 10)
	config := testConfig(folder, t.Output())
	config.Clients = func(list []Attached) { told <- list }
	s, err := Serve(t.Context(), config, echo{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	Find(t.Context(), []string{folder}) // who only looks is no client
	c := attached(t, folder)
	if list := <-told; len(list) != 1 || list[0].Name != "tester" || list[0].Since.IsZero() {
		t.Errorf("told %+v", list)
	}
	c.close()
	if list := <-told; len(list) != 0 {
		t.Errorf("told %+v", list)
	}
}

// hostile is a socket registered as a session's, at which serve answers.
func hostile(t *testing.T, serve func(net.Conn)) *Peer {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "run")
	hostileIn(t, folder, 42, nil, serve)
	peers := testRouter(t, folder).Peers()
	if len(peers) != 1 {
		t.Fatalf("%d sessions", len(peers))
	}
	return peers[0]
}

// hostileIn registers such a socket in a folder.
func hostileIn(t *testing.T, folder string, pid int, roots []string, serve func(net.Conn)) {
	t.Helper()
	p, err := openPlaces(t.Context(), []string{folder}, pid)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.write(Registration{PID: pid, Protocol: Protocol, Editor: "evil", Roots: append([]string{}, roots...)}); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := p[0].listener.Accept()
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
		if err := p.close(); err != nil {
			t.Error(err)
		}
		work.Wait()
	})
}

func frameOf(header string, body ...byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(header)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	return append(append(b, header...), body...)
}

func TestHostileSessions(t *testing.T) {
	tests := []struct {
		name  string
		sends []byte
		want  string
	}{
		{"garbage", []byte("HTTP/1.1 400 Bad Request\r\n\r\n"), "no_editor: what listens at the socket of evil (process 42) is no session"},
		{"a huge length", []byte{0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff}, "no_editor: "},
		{"no JSON", frameOf("hello"), "no_editor: "},
		{"another first message", frameOf(`{"do":"answer","id":1}`), "no_editor: "},
		{"an older protocol", frameOf(`{"do":"hello","protocol":0,"version":"0.0.1"}`), "session_unreachable: evil (process 42) is of agent-lsp 0.0.1, which speaks protocol 0; this program speaks 1"},
		{"a refusal", frameOf(`{"do":"failed","kind":"timeout","message":"full"}`), "timeout: full"},
		{"nothing, and ends", nil, ErrGone.Error()},
		{"half a frame, and ends", frameOf(`{"do":"hello"}`)[:9], ErrGone.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			peer := hostile(t, func(c net.Conn) {
				_, _ = c.Write(tt.sends)
				if len(tt.sends) != 9 && tt.sends != nil {
					_, _ = io.Copy(io.Discard, c)
				}
			})
			_, err := peer.Attach(t.Context())
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if _, again := peer.Attach(t.Context()); again != err {
				t.Errorf("tried again at once: %v", again)
			}
		})
	}
}

// TestSilentSession: one that takes the connection and says nothing.
func TestSilentSession(t *testing.T) {
	t.Parallel()
	peer := hostile(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	if _, err := peer.Attach(t.Context()); !errors.Is(err, ErrSilent) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	peer.link.until = time.Time{}
	if _, err := peer.Attach(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSessionFallsSilent: one that says hello, and then nothing.
func TestSessionFallsSilent(t *testing.T) {
	t.Parallel()
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		_, _ = io.Copy(io.Discard, c)
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, sent, err := c.Call(t.Context(), Call{Tool: "echo"}); !errors.Is(err, ErrSilent) || !sent {
		t.Errorf("sent %v, %v", sent, err)
	}
	if _, err := peer.Attach(t.Context()); !errors.Is(err, ErrSilent) {
		t.Errorf("got %v", err)
	}
}

// TestUnreachableSession: what cannot be connected to for another reason than
// that nobody listens may live.
func TestUnreachableSession(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run")
	p, err := openPlaces(t.Context(), []string{folder}, 42)
	if err != nil {
		t.Fatal(err)
	}
	defer p[0].root.Close()
	if _, err := p.write(Registration{PID: 42, Protocol: Protocol, Editor: "odd"}); err != nil {
		t.Fatal(err)
	}
	socket := p[0].listener.Addr().String()
	if err := p[0].listener.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := net.ListenPacket("unixgram", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, err = testRouter(t, folder).Peers()[0].Attach(t.Context())
	if IsGone(err) || fault.KindOf(err) != fault.SessionUnreachable {
		t.Errorf("got %v", err)
	}
}

// TestSlowListener: a session is not silent because who is told of its progress
// takes long to listen.
func TestSlowListener(t *testing.T) {
	t.Parallel()
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		in := frameReader{r: bufio.NewReader(c)}
		for m := (message{}); m.Do != doCall; {
			if _, err := in.next(&m); err != nil {
				return
			}
		}
		_, _ = c.Write(frameOf(`{"do":"progress","id":1,"done":1}`))
		time.Sleep(2*heartbeatInterval + heartbeatTimeout)
		_, _ = c.Write(frameOf(`{"do":"answer","id":1}`, 'x'))
		_, _ = io.Copy(io.Discard, c)
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slow := func(string, int, int) { time.Sleep(2*heartbeatInterval + heartbeatTimeout) }
	if a, _, err := c.Call(t.Context(), Call{Tool: "echo", Progress: slow}); err != nil || string(a.Raw) != "x" {
		t.Errorf("%q, %v", a.Raw, err)
	}
}

// TestStoppedSession: a process that is stopped does not read either.
func TestStoppedSession(t *testing.T) {
	t.Parallel()
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		<-t.Context().Done()
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, sent, err := c.Call(t.Context(), Call{Tool: "echo", Arguments: make([]byte, 10<<20)}); !IsLost(err) || sent {
		t.Errorf("sent %v, %v", sent, err)
	}
}

// TestSlowAnswer: a call that takes long is waited for while its session lives.
func TestSlowAnswer(t *testing.T) {
	t.Parallel()
	folder, _ := serveHere(t)
	c := attached(t, folder)
	ctx, cancel := context.WithTimeout(t.Context(), heartbeatInterval+heartbeatTimeout+heartbeatInterval)
	defer cancel()
	if _, _, err := c.Call(ctx, Call{Tool: "wait"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if !c.live() {
		t.Error("the connection ended")
	}
}

// TestHostileAnswers: answers that were never asked for, and broken ones.
func TestHostileAnswers(t *testing.T) {
	wild := bytes.Join([][]byte{
		frameOf(`{"do":"answer","id":99}`, 'x'), frameOf(`{"do":"event","id":1}`, 'x'), frameOf(`{"do":"progress","id":1}`),
		frameOf(`{"do":"strange","id":1}`), frameOf(`{"do":"answer","id":1,"header":-5,"body":99999,"unknown":[]}`, 'o', 'k'),
		frameOf(`{"do":"answer","id":1}`), frameOf(`{"do":"answer","id":2,"header":7}`, '['), frameOf(`{"do":"answer","id":3,"header":15}`, []byte(`[{"carried":99}]`)...),
	}, nil)
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1,"more":{}}`))
		in := make([]byte, 1<<10)
		_, _ = c.Read(in)
		_, _ = c.Read(in)
		_, _ = c.Write(wild)
		_, _ = io.Copy(io.Discard, c)
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a, _, err := c.Call(t.Context(), Call{Tool: "x"}); string(a.Raw) != "ok" {
		t.Errorf("%s %v", a.Raw, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/10)
	defer cancel()
	if _, err := c.Documents(ctx, Query{}); err == nil {
		t.Error("took documents that were no list")
	}
}

// TestHostileClients: whatever a client sends, the session goes on serving.
func TestHostileClients(t *testing.T) {
	folder, s := serveHere(t)
	socket := Find(t.Context(), []string{folder}).Live[0].Socket
	hello := frameOf(`{"do":"hello","protocol":1,"client":{"name":"evil"}}`)
	sends := map[string][]byte{
		"nothing":           nil,
		"garbage":           []byte("GET / HTTP/1.1\r\n\r\n"),
		"no hello":          frameOf(`{"do":"call","id":1,"tool":"echo"}`),
		"another protocol":  frameOf(`{"do":"hello","protocol":7,"version":"9"}`),
		"a huge frame":      append(bytes.Clone(hello), 0, 0, 0, 2, 0xff, 0, 0, 0),
		"no JSON":           append(bytes.Clone(hello), frameOf("{{")...),
		"half a frame":      append(bytes.Clone(hello), 0, 0, 0, 50, 0, 0),
		"an unknown do":     append(bytes.Clone(hello), frameOf(`{"do":"dance","id":1}`)...),
		"the same id twice": append(bytes.Clone(hello), bytes.Repeat(frameOf(`{"do":"call","id":1,"tool":"wait"}`), 2)...),
		"no id":             append(bytes.Clone(hello), frameOf(`{"do":"call","tool":"echo"}`)...),
		"watches":           append(bytes.Clone(hello), watches(40)...),
		"extra too long":    append(bytes.Clone(hello), frameOf(`{"do":"call","id":1,"tool":"extra","extra":[{"carried":5}]}`)...),
		"nobody asked":      append(bytes.Clone(hello), frameOf(`{"do":"said","id":1,"apply":true}`)...),
		"a bad query":       append(bytes.Clone(hello), frameOf(`{"do":"documents","id":1}`, '[')...),
	}
	for name, bytes := range sends {
		t.Run(name, func(t *testing.T) {
			c, err := dialAt(t.Context(), socket)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.Write(bytes)
			_ = closeWrite(c)
			raw, err := io.ReadAll(io.LimitReader(c, 1<<20))
			if !strings.Contains(string(raw), `"do":"hello"`) {
				t.Errorf("got %q, %v", raw, err)
			}
			c.Close()
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		c, err := dialAt(t.Context(), socket)
		if err != nil {
			t.Fatal(err)
		}
		noise := make([]byte, random.IntN(200))
		for i := range noise {
			noise[i] = byte(random.Uint32() >> (random.IntN(2) * 30))
		}
		_, _ = c.Write(append(bytes.Clone(hello), noise...))
		c.Close()
	}
	c := attached(t, folder)
	if a, _, err := c.Call(t.Context(), Call{Tool: "echo", Arguments: []byte("alive")}); string(a.Raw) != "alive" {
		t.Errorf("%s %v", a.Raw, err)
	}
	for len(s.Clients()) > 1 {
		time.Sleep(time.Millisecond)
	}
}

func watches(n int) (b []byte) {
	for i := range n {
		b = append(b, frameOf(fmt.Sprintf(`{"do":"watch","id":%d}`, i+1))...)
	}
	return b
}

// closeWrite says that nothing more comes; a pipe can only hang up.
func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}
