package form

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// TestEncode: what each form says of the same results, read back by another
// JSON library.
func TestEncode(t *testing.T) {
	odd := "a \"quoted\" \\ line\twith <tags> & \u2028\r\nand a second one\n"
	results := map[string]toolcall.Result{
		"all parts": {
			Rendering: toolcall.Rendering{Header: "head\nsecond", Body: odd, After: "after"},
		},
		"a header alone": {Rendering: toolcall.Rendering{Header: odd}},
		"an outline":     {Rendering: toolcall.Rendering{Header: "h", After: odd}},
		"a picture": {
			Rendering: toolcall.Rendering{Header: "h", Blocks: []toolcall.Block{{MIMEType: "image/png", Data: []byte("png")}, {MIMEType: "application/pdf", URI: "file:///a", Data: []byte("pdf")}}},
		},
		"an error": toolcall.Failed(fault.New(fault.StaleFile, "it changed").At(odd).Advise("read again").With("actual", "x")),
	}
	for name, r := range results {
		t.Run(name, func(t *testing.T) {
			want := r.Header
			for _, part := range []string{r.Body, r.After} {
				if part != "" {
					want += "\n\n" + part
				}
			}
			checkEncoded(t, r, MCP, want, false, r.Err != nil)
			checkEncoded(t, r, Structured, want, r.Err == nil, r.Err != nil)
			inLSP := r.Header
			if r.After != "" {
				inLSP += "\n\n" + r.After
			}
			checkEncoded(t, r, LSP, inLSP, true, r.Err != nil)
			if got := encodeTo(t, r, Text); got != want {
				t.Errorf("text %q, want %q", got, want)
			}
			structured, err := r.AppendStructured(nil)
			if got := encodeTo(t, r, JSON); err != nil || got != string(structured) {
				t.Errorf("json %q, want %q", got, structured)
			}
		})
	}
}

// encodeTo encodes behind what is there already.
func encodeTo(t *testing.T, r toolcall.Result, form Form) string {
	t.Helper()
	raw, err := Append([]byte("before"), r, form)
	rest, ok := strings.CutPrefix(string(raw), "before")
	if err != nil || !ok {
		t.Fatalf("%s: %q %v", form, raw, err)
	}
	return rest
}

func checkEncoded(t *testing.T, r toolcall.Result, form Form, text string, structured, isError bool) {
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
