package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// What changed is told from the caller's own word, of a text of this file alone,
// and only where that is shorter.
func TestShorten(t *testing.T) {
	var lines strings.Builder
	for n := range 50 {
		fmt.Fprintf(&lines, "line %d\n", n)
	}
	before := lines.String()
	after := strings.Replace(before, "line 9\n", "other\n", 1)
	had := text.HashBytes([]byte(before))
	path := func(name string) workspace.Path { return workspace.Path{Rel: name, Abs: "/w/" + name} }
	for name, c := range map[string]struct {
		key, content string
		had          text.Hash
		want         string
	}{
		"changed":         {path("a.txt").Key(), after, had, "@@ -9,3 +9,3 @@\n line 8\n-line 9\n+other\n line 10\n"},
		"nothing is had":  {path("a.txt").Key(), after, text.Hash{}, ""},
		"not remembered":  {path("a.txt").Key(), after, text.HashBytes(nil), ""},
		"of another file": {path("b.txt").Key(), after, had, ""},
		"a short answer":  {path("a.txt").Key(), "all\nis new\n", had, ""},
	} {
		env := &toolcall.Env{Texts: buffers.NewTexts()}
		env.Texts.Remember(c.key, had, text.New(before))
		f := &buffers.File{Path: path("a.txt"), Source: buffers.FromDisk, Content: text.New(c.content)}
		out := &Output{Content: &c.content}
		out.shorten(env, f, c.had)
		if out.Changes != c.want || (out.Content == nil) != (c.want != "") {
			t.Errorf("%s: %q", name, out.Changes)
		}
	}
}
