package tools

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

func TestAbout(t *testing.T) {
	for arguments, want := range map[string]string{
		``: "", `{}`: "", `[]`: "", `{"path":`: "", `{"path":5}`: "",
		`{"path":"a/b.go"}`:                 "a/b.go",
		`{"content":"x","path":"a"}`:        "a",
		`{"filePath":"a"}`:                  "a",
		`{"file_path":"a","old_text":"{}"}`: "a",
		`{"pattern":"x"}`:                   "",
	} {
		if got := strings.Join(Find("edit_file").About(wire.RawValue(arguments)).Paths, ","); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
	if got := Find("open_files").About(wire.RawValue(`{"path":"a"}`)).Paths; got != nil {
		t.Errorf("open_files: %v", got)
	}
}
