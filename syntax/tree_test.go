//go:build cgo

package syntax

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

var dump = flag.String("dump", "", "file whose tree and definitions TestDump prints")

// TestDump prints how a file is parsed, for those who write rules.
func TestDump(t *testing.T) {
	if *dump == "" {
		t.Skip("no -dump")
	}
	src, err := os.ReadFile(*dump)
	if err != nil {
		t.Fatal(err)
	}
	l := Detect(*dump, src)
	if l.HasGrammar() {
		var none *Tree
		tree, why := none.next(t.Context(), l, text.Text{}, src)
		if tree == nil {
			t.Fatal(why)
		}
		defer tree.Close()
		c := sitter.NewTreeCursor(tree.tree.RootNode())
		defer c.Close()
		dumpNode(c, src, 0)
	}
	r := Analyze(t.Context(), l, src)
	fmt.Println(r.Method, r.Reason, len(r.Statements), "statements")
	for _, d := range r.Definitions {
		line := func(o int) int { return 1 + strings.Count(string(src[:o]), "\n") }
		fmt.Printf("%d-%d\t%s\t%s\t%s\t(head %d)\n", line(d.Span.Start), line(max(d.Span.Start, d.Span.End-1)), d.Kind, d.Name, d.Container, line(d.Head))
	}
}

func dumpNode(c *sitter.TreeCursor, src []byte, depth int) {
	n := c.CurrentNode()
	name, field := n.Type(), c.CurrentFieldName()
	if !n.IsNamed() {
		name = fmt.Sprintf("%q", name)
	}
	if field != "" {
		name = field + ": " + name
	}
	shown := src[n.StartByte():min(n.EndByte(), n.StartByte()+50)]
	fmt.Printf("%s%s %d-%d %q\n", strings.Repeat("  ", depth), name, n.StartPoint().Row+1, n.EndPoint().Row+1, shown)
	if depth < 200 && c.GoToFirstChild() {
		for ok := true; ok; ok = c.GoToNextSibling() {
			dumpNode(c, src, depth+1)
		}
		c.GoToParent()
	}
}
