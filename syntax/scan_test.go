//go:build cgo

package syntax

import (
	"os"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// readers are the languages that have a reader beside their grammar, with
// texts that would make a careless one recurse or search without end.
var readers = map[string][]string{
	"proto":      {"message a{", "service a{rpc ", "option a={", "extend a{[", "enum"},
	"sql":        {"create procedure p is procedure a is ", "$1$2", "create table a(", "[", "copy x from stdin;\n", "create type x as enum('"},
	"dockerfile": {"RUN <<a\n", "ENV a=1\\\n", "FROM a as b\n#x\n", "LABEL a=\""},
}

// TestReadersCut reads the corpus cut off at every few bytes: definitions lie
// in the text and in their parents, with their names, in order.
func TestReadersCut(t *testing.T) {
	for name := range readers {
		for _, file := range corpusFiles(t, name) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for end := 0; end < len(src); end += 7 {
				if why := wrongWith(ByName(name).lines(src[:end]), end); why != "" {
					t.Fatalf("%s cut at %d: %s", file, end, why)
				}
			}
		}
	}
}

// wrongWith tells what is wrong with the definitions of a text of n bytes.
func wrongWith(defs []Definition, n int) string {
	for i := range defs {
		d := &defs[i]
		switch {
		case d.Span.Start < 0 || d.Span.End > n || d.Span.Len() <= 0:
			return d.Name + " is not in the text"
		case !within(d.Span, d.NameSpan) || d.Head < d.Span.Start || d.Body < d.Head || d.Body > d.Span.End:
			return "the parts of " + d.Name + " are not in it"
		case d.Parent >= i || d.Parent >= 0 && !within(defs[d.Parent].Span, d.Span):
			return d.Name + " is not in its parent"
		case i > 0 && d.Span.Start < defs[i-1].Span.Start:
			return d.Name + " is out of order"
		}
	}
	return ""
}

func within(outer, inner text.Span) bool { return outer.Start <= inner.Start && inner.End <= outer.End }

// TestReadersHostile reads what nests or is left open a hundred thousand
// times. That it ends is the test.
func TestReadersHostile(t *testing.T) {
	for name, texts := range readers {
		for _, one := range texts {
			src := []byte(strings.Repeat(one, testscale.Of(100_000, 20_000)))
			if why := wrongWith(ByName(name).lines(src), len(src)); why != "" {
				t.Errorf("%s, %q: %s", name, one, why)
			}
		}
	}
}
