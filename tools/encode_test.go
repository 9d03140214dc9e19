package tools

import (
	"encoding/json"
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

// TestEncode: what each form says of the same results, read back by another
// JSON library.
func TestEncode(t *testing.T) {
	odd := "a \"quoted\" \\ line\twith <tags> & \u2028\r\nand a second one\n"
	results := map[string]Result{
		"all parts": {
			Rendering:  Rendering{Header: "head\nsecond", Body: odd, After: "after"},
			structured: &encodedOutput{Path: "p", Content: odd},
		},
		"a header alone": {Rendering: Rendering{Header: odd}, structured: &encodedOutput{}},
		"an outline":     {Rendering: Rendering{Header: "h", After: odd}, structured: &encodedOutput{}},
		"a picture": {
			Rendering:  Rendering{Header: "h", Blocks: []Block{{MIMEType: "image/png", Data: []byte("png")}, {MIMEType: "application/pdf", URI: "file:///a", Data: []byte("pdf")}}},
			structured: &encodedOutput{},
		},
		"an error": Failed(fault.New(fault.StaleFile, "it changed").At(odd).Advise("read again").With("actual", "x")),
	}
	for name, r := range results {
		t.Run(name, func(t *testing.T) {
			want := r.Header
			for _, part := range []string{r.Body, r.After} {
				if part != "" {
					want += "\n\n" + part
				}
			}
			checkEncoded(t, r, FormMCP, want, false, r.Err != nil)
			checkEncoded(t, r, FormStructured, want, r.Err == nil, r.Err != nil)
			inLSP := r.Header
			if r.After != "" {
				inLSP += "\n\n" + r.After
			}
			checkEncoded(t, r, FormLSP, inLSP, true, r.Err != nil)
			if got := encodeTo(t, r, FormText); got != want {
				t.Errorf("text %q, want %q", got, want)
			}
			structured, err := r.AppendStructured(nil)
			if got := encodeTo(t, r, FormJSON); err != nil || got != string(structured) {
				t.Errorf("json %q, want %q", got, structured)
			}
		})
	}
}

// encodeTo encodes behind what is there already.
func encodeTo(t *testing.T, r Result, form Form) string {
	t.Helper()
	raw, err := r.Encode([]byte("before"), form)
	rest, ok := strings.CutPrefix(string(raw), "before")
	if err != nil || !ok {
		t.Fatalf("%s: %q %v", form, raw, err)
	}
	return rest
}

func checkEncoded(t *testing.T, r Result, form Form, text string, structured, isError bool) {
	t.Helper()
	var got struct {
		Content []struct {
			Type, Text, Data, MimeType string
			Resource                   struct{ URI, MimeType, Blob string }
		}
		StructuredContent json.RawMessage
		IsError           *bool
	}
	raw := encodeTo(t, r, form)
	if err := json.Unmarshal([]byte(raw), &got); err != nil {
		t.Fatalf("%s: %v: %s", form, err, raw)
	}
	if len(got.Content) != 1+len(r.Blocks) || got.Content[0].Type != "text" || got.Content[0].Text != text {
		t.Errorf("%s: content %+v, want %q", form, got.Content, text)
	}
	if (got.StructuredContent != nil) != structured || (got.IsError != nil) != isError || got.IsError != nil && !*got.IsError {
		t.Errorf("%s: structured %s, error %v", form, got.StructuredContent, got.IsError)
	}
	for i, b := range r.Blocks {
		if c := got.Content[i+1]; c.Type == "image" && (c.Data != "cG5n" || c.MimeType != b.MIMEType) ||
			c.Type == "resource" && (c.Resource.Blob != "cGRm" || c.Resource.URI != b.URI) || c.Type == "text" {
			t.Errorf("%s: block %+v", form, c)
		}
	}
}

func TestNote(t *testing.T) {
	r := Result{Rendering: Rendering{Header: "one\ntwo", Body: "b"}, structured: &encodedOutput{Notes: []string{"first"}}}.Note("a note")
	if got := encodeTo(t, r, FormText); got != "one; a note\ntwo\n\nb" {
		t.Errorf("got %q", got)
	}
	if got := encodeTo(t, r, FormJSON); !strings.Contains(got, `"notes":["first","a note"]`) {
		t.Errorf("got %s", got)
	}
	e := Failed(fault.New(fault.NotFound, "gone").Advise("look")).Note("a note")
	if got := encodeTo(t, e, FormText); got != "not_found: gone\nlook\n(a note)" {
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

func TestPaths(t *testing.T) {
	for arguments, want := range map[string]string{
		``: "", `{}`: "", `[]`: "", `{"path":`: "", `{"path":5}`: "",
		`{"path":"a/b.go"}`:                 "a/b.go",
		`{"content":"x","path":"a"}`:        "a",
		`{"filePath":"a"}`:                  "a",
		`{"file_path":"a","old_text":"{}"}`: "a",
		`{"pattern":"x"}`:                   "",
	} {
		if got := strings.Join(Find("edit_file").Paths(wire.RawValue(arguments)), ","); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
	if got := Find("open_files").Paths(wire.RawValue(`{"path":"a"}`)); got != nil {
		t.Errorf("open_files: %v", got)
	}
}
