package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// recorder is a test that keeps its failures instead of failing.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// canned is a surface whose calls have one answer.
type canned struct {
	editor *fakeeditor.Editor
	answer Answer
}

func (c *canned) Editor() *fakeeditor.Editor             { return c.editor }
func (c *canned) Begin(string, json.RawMessage) Call     { return c }
func (c *canned) Answer(context.Context) (Answer, error) { return c.answer, nil }
func (c *canned) Cancel()                                {}
func (c *canned) Close(context.Context) error            { return nil }

// judged returns what the oracle says of an answer about a.txt, which holds
// "one\r\ntwo".
func judged(t *testing.T, tool string, isError bool, structured string) []string {
	t.Helper()
	w, err := newWorld(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.write("a.txt", "one\r\ntwo"); err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	editor := fakeeditor.New(ours, fakeeditor.Options{})
	t.Cleanup(func() { editor.Kill(); _ = theirs.Close() })
	rec := &recorder{TB: t}
	r := &runner{
		t: rec, ctx: t.Context(), archive: &archive{}, world: w,
		names: make(map[string]string), ids: make(map[string]bool),
	}
	structured = strings.ReplaceAll(structured, "URI", fakeeditor.FileURI(filepath.Join(w.work, "a.txt")))
	r.surface = &canned{editor, Answer{
		Content: []Block{{Type: "text", Text: "not_found: a.txt"}}, IsError: isError,
		Structured: json.RawMessage(structured),
	}}
	if err := r.do(command{1, "call", tool + ` {"path": "a.txt", "format": "plain"}`}); err != nil {
		t.Fatal(err)
	}
	return rec.failures
}

func TestOracle(t *testing.T) {
	hash := hashOf([]byte("one\r\ntwo"))
	honest := map[string]any{
		"uri": "URI", "source": "disk", "content_hash": hash, "size_bytes": 8, "text_bytes": 8, "total_lines": 2,
		"eol": "crlf", "final_newline": false, "bom": false, "read_mode": "bytes", "content": "two",
		"bytes_shown": map[string]int{"start": 5, "end": 8}, "lines_shown": map[string]int{"start": 2, "end": 2},
	}
	if got := judged(t, "read_file", false, marshal(t, honest)); len(got) > 0 {
		t.Fatalf("an honest answer is refused: %q", got)
	}
	lies := map[string]any{
		"uri": "file:///nowhere", "source": "buffer", "content_hash": hashOf(nil), "size_bytes": 9, "text_bytes": 9,
		"total_lines": 3, "eol": "lf", "final_newline": true, "bom": true, "content": "Two",
		"bytes_shown": map[string]int{"start": 6, "end": 8}, "lines_shown": map[string]int{"start": 1, "end": 2},
		"next_start_byte": 7,
	}
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			answer := maps.Clone(honest)
			answer[name] = lie
			if got := judged(t, "read_file", false, marshal(t, answer)); len(got) == 0 {
				t.Error("the lie is not seen")
			}
		})
	}
}

func TestOracleOfErrorsAndEdits(t *testing.T) {
	tests := []struct {
		name, tool, structured string
		isError, fine          bool
	}{
		{"error", "read_file", `{"error": {"kind": "not_found"}}`, true, true},
		{"error of two minds", "read_file", `{"error": {"kind": "is_directory"}}`, true, false},
		{"error without kind", "read_file", `{}`, true, false},
		{"edit", "edit_file", `{"files": [{"content_hash": "` + hashOf([]byte("one\r\ntwo")) + `"}]}`, false, true},
		{"edit with another hash", "edit_file", `{"files": [{"content_hash": "sha256:00"}]}`, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := judged(t, tt.tool, tt.isError, tt.structured); (len(got) == 0) != tt.fine {
				t.Errorf("complaints %q", got)
			}
		})
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestRender(t *testing.T) {
	r := &runner{t: t, world: &world{work: "/w/ws", tmp: "/w"}, ids: make(map[string]bool)}
	got := r.render(Answer{
		Content: []Block{
			{Type: "text", Text: "a.txt at /w/ws/a.txt, edit e-17"},
			{Type: "image", MimeType: "image/png", Data: "AAAA"},
		},
		Structured: json.RawMessage(`{"id":"e-17","n":1,"span":{"start":1,"end":2},"content":"a\nb\n","crlf":"a\r\nb","open":"a\nb","none":null}`),
	})
	want := `a.txt at $WORK/a.txt, edit $ID
[image image/png 3 bytes sha256:709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c]

{
  "id": "$ID", "n": 1, "span": {"start": 1, "end": 2}
  "content": |
    a
    b
  "crlf": |q
    "a\r\n"
    "b"
  "open": |-
    a
    b
  "none": null
}
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestWorldSeesWhatNobodyMentioned(t *testing.T) {
	w, err := newWorld(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kept", "changed", "gone"} {
		if err := w.write(name, name+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		os.WriteFile(w.path("changed"), []byte("other\n"), 0o600),
		os.Remove(w.path("gone")),
		os.WriteFile(filepath.Join(w.tmp, "new"), []byte("new\n"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.changed(map[string]string{"kept": ""})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"kept": "kept\n", "changed": "other\n", "gone": absent, "$TMP/new": "new\n"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q", got)
	}
}
