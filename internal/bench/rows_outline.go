package bench

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/judge"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
)

const megabyte = 1 << 20

// code returns at least size bytes of real code in a language: what there is,
// over and over.
func code(language string, size int) []byte {
	once, err := judge.Text(context.Background(), filepath.Join("internal", "judge"), language, size)
	check(err)
	return bytes.Repeat(once, (size+len(once)-1)/len(once))
}

// newCache returns a cache with a worker in the background, and what ends both.
func newCache() (c *outline.Cache, end func()) {
	group := parallel.NewGroup(context.Background(), 1, 1000, func(err error) { panic(err) })
	c = outline.NewCache(group.Go)
	return c, func() {
		group.Wait()
		c.Close()
	}
}

// A Shower makes a text ready for the grammars' library, with what the tree of
// an earlier one spares. What it returns is the library's parse alone.
type Shower func(l *syntax.Language, t text.Text, src []byte, earlier *syntax.Tree) (parse func() *syntax.Tree)

// OutlineRows measures outlines, where it can against the parse alone.
func OutlineRows(show Shower) []Figure {
	var rows []Figure
	for _, language := range []string{"go", "c"} {
		rows = append(rows, coldRow(language, show))
	}
	rows = append(rows, againRow(), enclosingRow())
	for _, after := range []struct {
		language string
		share    float64
	}{{"go", 20}, {"python", 20}, {"javascript", 12}} {
		rows = append(rows, editRow(after.language, after.share))
	}
	for _, language := range []string{"c", "cpp", "rust"} {
		rows = append(rows, overReparseRow(language, show))
	}
	return rows
}

// coldRow holds an outline from nothing against the library's parse alone, of
// the text as its grammar is shown it.
func coldRow(language string, show Shower) Figure {
	l, src := syntax.ByName(language), code(language, megabyte)
	parse := show(l, text.New(string(src)), src, nil)
	got, floor := pairs(7, func(int) { outline.New(context.Background(), l, src) }, func(int) { parse().Close() })
	return Figure{Name: fmt.Sprintf("outline of 1 MB of %s, against the bare parse", language), Got: got, Floor: floor, Unit: "µs", Bar: 1.3}
}

func againRow() Figure {
	l, t := syntax.ByName("go"), text.New(string(code("go", megabyte)))
	c, end := newCache()
	defer end()
	got := medianOf(100, func(int) { outlined(c, l, t) })
	return Figure{Name: "outline again, unchanged text", Got: got, Unit: "µs", Bar: 1000}
}

func outlined(c *outline.Cache, l *syntax.Language, t text.Text) *outline.Outline {
	o, err := c.Document(context.Background(), "bench", l, t)
	check(err)
	return o
}

// enclosingRow measures finding where windows end in a text of 10 MB.
func enclosingRow() Figure {
	src := code("go", 10*megabyte)
	o, t := outline.New(context.Background(), syntax.ByName("go"), src), text.New(string(src))
	r := rand.New(rand.NewPCG(5, 6))
	got := medianOf(1000, func(int) {
		line := r.IntN(t.Lines() - 400)
		o.Widen(t, outline.Window{
			Span:     text.Span{Start: t.LineStart(line), End: t.LineStart(line + 300)},
			MaxBytes: 256 << 10, MaxLines: 500,
		})
	})
	return Figure{Name: "enclosing definition of a window in 10 MB", Got: got, Unit: "µs", Bar: 200}
}

// typing edits one character in the middle of a text, again and again.
type typing struct{ t text.Text }

func (x *typing) key() {
	at := x.t.LineStart(x.t.LineAt(x.t.Len()/2)) - 1 // at a line's end
	x.t = x.t.Replace(text.Span{Start: at, End: at}, " ")
}

func (x *typing) bytes() []byte {
	return x.t.Append(make([]byte, 0, x.t.Len()), text.Span{End: x.t.Len()})
}

// editRow holds an outline after one character against one from nothing.
func editRow(language string, share float64) Figure {
	l := syntax.ByName(language)
	x := typing{text.New(string(code(language, megabyte)))}
	c, end := newCache()
	defer end()
	outlined(c, l, x.t)
	cold := medianOf(7, func(int) {
		x.key()
		outline.New(context.Background(), l, x.bytes())
	})
	got := medianOf(30, func(int) {
		x.key()
		outlined(c, l, x.t)
	})
	return Figure{
		Name: fmt.Sprintf("outline after a character in 1 MB of %s, against one from nothing", language),
		Got:  got, Floor: cold, Unit: "µs", Bar: 1 / share,
	}
}

// overReparseRow tells what an outline after one character takes beyond the
// library's own work, where that reuses little. The floor is the reparse of a
// text that has been shown to the grammar, and of a tree that has been told the
// difference: both are ours.
func overReparseRow(language string, show Shower) Figure {
	l := syntax.ByName(language)
	x := typing{text.New(string(code(language, megabyte)))}
	c, end := newCache()
	defer end()
	outlined(c, l, x.t)
	var spent *syntax.Tree
	tree := show(l, x.t, x.bytes(), nil)()
	got, floor := readyPairs(30, func(int) {
		x.key()
		outlined(c, l, x.t)
	}, func(int) func() {
		x.key()
		spent.Close()
		parse := show(l, x.t, x.bytes(), tree)
		return func() { spent, tree = tree, parse() }
	})
	spent.Close()
	tree.Close()
	return Figure{
		Name: fmt.Sprintf("outline after a character in 1 MB of %s, beyond the bare reparse", language),
		Got:  got - floor, Unit: "µs", Bar: 5000, Note: fmt.Sprintf("the reparse takes %s µs", short(floor)),
	}
}
