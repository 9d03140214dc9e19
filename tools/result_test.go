package tools

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

type encodedOutput struct {
	Path    string   `json:"path"`
	Content string   `json:"content"`
	Notes   []string `json:"notes,omitempty"`
}

// TestAppendStructured: what a structured result holds is read back as it is by
// another JSON library.
func TestAppendStructured(t *testing.T) {
	want := encodedOutput{Path: "p", Content: "a \"quoted\" \\ line\twith <tags> & \u2028\r\nand a second one\n"}
	raw, err := Result{structured: &want}.AppendStructured([]byte("before"))
	var got encodedOutput
	rest, ok := strings.CutPrefix(string(raw), "before")
	if err != nil || !ok || json.Unmarshal([]byte(rest), &got) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestNote(t *testing.T) {
	r := Result{Rendering: Rendering{Header: "one\ntwo", Body: "b"}, structured: &encodedOutput{Notes: []string{"first"}}}.Note("a note")
	if got := string(r.AppendText(nil)); got != "one; a note\ntwo\n\nb" {
		t.Errorf("got %q", got)
	}
	if got, err := r.AppendStructured(nil); err != nil || !strings.Contains(string(got), `"notes":["first","a note"]`) {
		t.Errorf("got %s, %v", got, err)
	}
	e := Failed(fault.New(fault.NotFound, "gone").Advise("look")).Note("a note")
	if got := string(e.AppendText(nil)); got != "not_found: gone\nlook\n(a note)" {
		t.Errorf("got %q", got)
	}
	type plain struct{}
	for _, structured := range []any{nil, plain{}, &plain{}, 5} {
		r := Result{Rendering: Rendering{Header: "h"}, structured: structured}.Note("n")
		if r.Header != "h; n" {
			t.Errorf("%T: %q", structured, r.Header)
		}
	}
}

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
