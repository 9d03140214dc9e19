package syntax

import (
	"testing"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// checkResult holds a result against what [Result] promises.
func checkResult(t testing.TB, src []byte, r Result) {
	t.Helper()
	valid := utf8.Valid(src)
	for i := range r.Definitions {
		d := &r.Definitions[i]
		switch {
		case d.Name == "" || d.Kind == NoKind || !utf8.ValidString(d.Name):
			t.Fatalf("no name or kind: %+v", d)
		case d.Span.Start < 0 || d.Span.End > len(src) || d.Span.Start >= d.Span.End:
			t.Fatalf("outside of the text, or empty: %+v", d)
		case d.Head < d.Span.Start || d.Head > d.Span.End || d.Body < d.Head || d.Body > d.Span.End:
			t.Fatalf("head or body outside: %+v", d)
		case d.Parent >= i || d.Parent < -1:
			t.Fatalf("the parent comes later: %d %+v", i, d)
		case i > 0 && d.Span.Start < r.Definitions[i-1].Span.Start:
			t.Fatalf("out of order: %+v after %+v", d, r.Definitions[i-1])
		case valid && (!atCharacter(src, d.Span.Start) || !atCharacter(src, d.Span.End)):
			t.Fatalf("inside a character: %+v", d)
		}
		checkPlace(t, r.Definitions, i)
	}
	for i, s := range r.Statements {
		if s.Start > s.End || s.End > len(src) || i > 0 && s.Start < r.Statements[i-1].Start {
			t.Fatalf("statement %d: %v", i, s)
		}
	}
}

func checkPlace(t testing.TB, defs []Definition, i int) {
	t.Helper()
	d := &defs[i]
	if d.Parent < 0 {
		if d.Depth != 0 {
			t.Fatalf("depth without parent: %+v", d)
		}
		return
	}
	p := &defs[d.Parent]
	if d.Depth != p.Depth+1 || d.Span.Start < p.Span.Start || d.Span.End > p.Span.End {
		t.Fatalf("not inside its parent: %+v in %+v", d, p)
	}
}

func atCharacter(src []byte, o text.Offset) bool { return o == len(src) || utf8.RuneStart(src[o]) }
