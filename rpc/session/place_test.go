package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// serveInAll serves echo, registered in all of folders.
func serveInAll(t *testing.T, folders ...string) {
	t.Helper()
	config := testConfig("", t.Output())
	config.Folders = folders
	s, err := Serve(context.WithoutCancel(t.Context()), config, echo{buffers.NewStore()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
}

// TestRegisteredInEachFolder: it is found by any of them, counts once, moves in
// all, and leaves nothing behind.
func TestRegisteredInEachFolder(t *testing.T) {
	a, b, missing := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b"), filepath.Join(t.TempDir(), "no", "such")
	config := testConfig("", t.Output())
	config.Folders = []string{a, missing, b}
	s, err := Serve(context.WithoutCancel(t.Context()), config, echo{buffers.NewStore()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.SetRoots([]string{"/moved"}); err != nil {
		t.Fatal(err)
	}
	for _, folders := range [][]string{{a}, {b}, {b, a}} {
		found := Find(t.Context(), folders)
		if len(found.Live) != 1 || found.Live[0].Roots[0] != "/moved" || filepath.Dir(found.Live[0].Socket) != folders[0] {
			t.Errorf("in %v: %+v", folders, found)
		}
		peers := testRouter(t, folders...).Peers()
		if len(peers) != 1 {
			t.Fatalf("in %v: %d sessions", folders, len(peers))
		}
		c, err := peers[0].Attach(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := c.Call(t.Context(), Call{Tool: "echo", Arguments: []byte("x")}); err != nil || string(got.Raw) != "x" {
			t.Errorf("in %v: %s, %v", folders, got.Raw, err)
		}
	}
	s.Close()
	for _, folder := range []string{a, b} {
		if left, _ := os.ReadDir(folder); len(left) != 0 {
			t.Errorf("left behind in %s: %v", folder, left)
		}
	}
}

// TestOtherMachines: sessions of other machines in a shared folder are told, not
// asked, and never cleaned up after; what is left from before this machine's last
// start is.
func TestOtherMachines(t *testing.T) {
	here := fsys.ThisMachine()
	if here.Machine == "" || here.Boot == "" {
		here = fsys.MachineID{}
	}
	for _, tt := range []struct {
		name            string
		machine, boot   string
		live, elsewhere int
		stale           int
	}{
		{"here", here.Machine, here.Boot, 1, 0, 0},
		{"of 0.1", "", "", 1, 0, 0},
		{"another machine", "another", "another", 0, 1, 0},
		{"a container", "another", here.Boot, 0, 1, 0},
		{"before the last start", here.Machine, "another", 0, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if here.Machine == "" && tt.machine+tt.boot != "" {
				return // nothing tells machines apart on this one
			}
			folder := filepath.Join(t.TempDir(), "run")
			open, err := openPlaces(t.Context(), []string{folder}, 42)
			if err != nil {
				t.Fatal(err)
			}
			defer open[0].listener.Close()
			defer open[0].root.Close()
			if _, err := open.write(Registration{PID: 42, Protocol: OldestProtocol, Machine: tt.machine, Boot: tt.boot, Started: time.Now()}); err != nil {
				t.Fatal(err)
			}
			if peers := testRouter(t, folder).Peers(); len(peers) > 0 && tt.elsewhere > 0 {
				t.Error("it would be asked")
			}
			found := Find(t.Context(), []string{folder})
			if len(found.Live) != tt.live || len(found.Elsewhere) != tt.elsewhere || len(found.Stale) != tt.stale {
				t.Errorf("found %+v", found)
			}
		})
	}
}

// TestProtocols: two ends talk when one version is in the ranges of both.
func TestProtocols(t *testing.T) {
	for _, tt := range []struct {
		oldest, newest int
		want           string
	}{
		{Protocol, 0, ""}, // as programs of 0.1 tell it
		{OldestProtocol, Protocol, ""},
		{OldestProtocol, Protocol + 1, ""},
		{OldestProtocol - 1, OldestProtocol, ""},
		{Protocol + 1, Protocol + 2, "speaks protocol 2 to 3; this program speaks 1 Update the older of the two, this one"},
		{OldestProtocol - 2, OldestProtocol - 1, "speaks protocol -1 to 0; this program speaks 1 Update the older of the two, the editor's"},
	} {
		err := Registration{Protocol: tt.oldest, Newest: tt.newest, Version: "0"}.Compatible()
		got := ""
		if err != nil {
			e := fault.From(err)
			got = e.Message + " " + e.Hint
		}
		if (tt.want == "") != (err == nil) || tt.want != "" && !strings.Contains(got, tt.want) {
			t.Errorf("%d to %d: got %q, want %q", tt.oldest, tt.newest, got, tt.want)
		}
	}
}

// TestPlaceWithoutRoom: where a session cannot be registered any more, it is not
// registered there with what is no more so; the other places serve it.
func TestPlaceWithoutRoom(t *testing.T) {
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	config := testConfig("", t.Output())
	config.Folders = []string{a, b}
	s, err := Serve(context.WithoutCancel(t.Context()), config, echo{buffers.NewStore()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	name := strings.TrimSuffix(Find(t.Context(), []string{b}).Live[0].Name(), socketEnd)
	if err := os.Mkdir(filepath.Join(b, name+tempEnd), 0o700); err != nil { // in the way of writing it
		t.Fatal(err)
	}
	if err := s.SetRoots([]string{"/moved"}); err != nil {
		t.Error(err)
	}
	if found := Find(t.Context(), []string{b}); len(found.Live) != 0 {
		t.Errorf("still registered: %+v", found.Live)
	}
	if found := Find(t.Context(), []string{a, b}); len(found.Live) != 1 || found.Live[0].Roots[0] != "/moved" {
		t.Errorf("found %+v", found)
	}
	if err := os.Mkdir(filepath.Join(a, name+tempEnd), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.SetRoots([]string{"/again"}); err == nil {
		t.Error("it cannot be registered, and that is not said")
	}
	if found := Find(t.Context(), []string{a}); len(found.Live) != 1 || found.Live[0].Roots[0] != "/moved" {
		t.Errorf("nowhere else: found %+v", found)
	}
}
