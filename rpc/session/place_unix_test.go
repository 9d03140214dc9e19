//go:build unix

package session

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// TestFolders: whatever part of the environment a host passes on, one of the
// folders that are looked at is one of those in which a session is registered.
func TestFolders(t *testing.T) {
	usual := filepath.Join(userRuntimeDir(), "agent-lsp")
	served := ServeFolders("/runtime", "/tmp", "/home/me/.local/state")
	for _, of := range [][3]string{
		{"/runtime", "/other", ""}, {"", "/tmp", ""}, {"", "/var/tmp", "/home/me/.local/state"}, {"/elsewhere", "/tmp", "/another"},
	} {
		found := FindFolders(of[0], of[1], of[2])
		if !slices.ContainsFunc(found, func(f string) bool { return slices.Contains(served, f) }) {
			t.Errorf("with %q: looked at %v, registered in %v", of, found, served)
		}
		if !slices.Contains(found, usual) {
			t.Errorf("with %q: %s is not among %v", of, usual, found)
		}
	}
	if got := ServeFolders("", "", ""); !slices.Equal(got, []string{usual}) {
		t.Errorf("without environment it is registered in %v", got)
	}
	if got := FindFolders(userRuntimeDir(), "/tmp", ""); len(got) != 2 {
		t.Errorf("a folder is looked at twice: %v", got)
	}
}

// TestAnotherSocketOfASession: where one cannot be connected to, another of the
// same session is taken.
func TestAnotherSocketOfASession(t *testing.T) {
	a, b := t.TempDir()+"/a", t.TempDir()+"/b"
	serveInAll(t, a, b)
	socket := Find(t.Context(), []string{a}).Live[0].Socket
	if err := os.Remove(socket); err != nil {
		t.Fatal(err)
	}
	other, err := net.ListenPacket("unixgram", socket) // which no stream connects to
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := testRouter(t, a, b).Peers()[0].Attach(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := testRouter(t, a).Peers()[0].Attach(t.Context()); fault.KindOf(err) != fault.SessionUnreachable {
		t.Errorf("by the one alone: %v", err)
	}
}
