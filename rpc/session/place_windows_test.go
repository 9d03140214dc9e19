package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func TestFolders(t *testing.T) {
	want := []string{`C:\Users\me\AppData\Local\agent-lsp\sessions`}
	for _, temp := range []string{`C:\Temp`, ""} {
		if got := ServeFolders("", temp, `C:\Users\me\AppData\Local`); !slices.Equal(got, want) {
			t.Errorf("registered in %q", got)
		}
		if got := FindFolders("", temp, `C:\Users\me\AppData\Local`); !slices.Equal(got, want) {
			t.Errorf("looked at %q", got)
		}
	}
}

// TestPipeNames: every spelling of a socket's path names one pipe.
func TestPipeNames(t *testing.T) {
	dir := t.TempDir()
	name := pipeName(dir + `\1-a.sock`)
	if !strings.HasPrefix(name, `\\.\pipe\agent-lsp-`) || name != pipeName(strings.ToUpper(dir)+`\1-A.sock`) {
		t.Error(name)
	}
	if name == pipeName(dir+`\2-a.sock`) {
		t.Error("two sockets are one pipe")
	}
}

// TestPipeOfOthers: a pipe that somebody made before is not taken over.
func TestPipeOfOthers(t *testing.T) {
	path := t.TempDir() + `\1-a.sock`
	first, err := listenAt(t.Context(), nil, "", path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if second, err := listenAt(t.Context(), nil, "", path); err == nil {
		second.Close()
		t.Error("two listen at one pipe")
	} else if fault.From(err).Kind == fault.Internal {
		t.Error(err)
	}
}
