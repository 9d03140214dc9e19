package toolcall

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
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
	raw, err := Result{Output: &want}.AppendStructured([]byte("before"))
	var got encodedOutput
	rest, ok := strings.CutPrefix(string(raw), "before")
	if err != nil || !ok || json.Unmarshal([]byte(rest), &got) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestNote(t *testing.T) {
	r := Result{Rendering: Rendering{Header: "one\ntwo", Body: "b"}, Output: &encodedOutput{Notes: []string{"first"}}}.Note("a note")
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
		r := Result{Rendering: Rendering{Header: "h"}, Output: structured}.Note("n")
		if r.Header != "h; n" {
			t.Errorf("%T: %q", structured, r.Header)
		}
	}
}
