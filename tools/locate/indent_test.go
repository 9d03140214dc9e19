package locate

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestLikestLine: of lines that are equally long the first is looked for.
func TestLikestLine(t *testing.T) {
	have := []string{"one", "two", "total += price", "three"}
	if line, ok := likestLine(have, []string{"total += prize", "count -= index"}); !ok || line != 2 {
		t.Errorf("line %d, %v", line, ok)
	}
}

// TestIndentedOtherwise is what becomes of lines that are found but for their
// indentation: the new ones get that of the text.
func TestIndentedOtherwise(t *testing.T) {
	const code = "func f() {\n\t\tif x {\n\t\t\ta()\n\t\t}\n}\n"
	for _, tt := range []struct{ name, text, old, new, want string }{
		{"the first line is indented least", code, "if x {\n\ta()\n", "if x {\n\tb()\n}\nelse {\n", "func f() {\n\t\tif x {\n\t\t\tb()\n\t\t}\n\t\telse {\n\t\t}\n}\n"},
		{"the last line is", code, "\ta()\n}\n", "\tb()\n\n}\nc()\n", "func f() {\n\t\tif x {\n\t\t\tb()\n\n\t\t}\n\t\tc()\n}\n"},
		{"copied from its first character on", code, "if x {\n    \ta()\n    }", "if y {\n    \tb()\n    }", "func f() {\n\t\tif y {\n\t\t\tb()\n\t\t}\n}\n"},
		{"a blank line, and one behind it that is indented less", "      a\n\n    b\n", "    a\n\n  b\n", "    A\n\n  B\n", "      A\n\n    B\n"},
		{"the last lines, of which nothing ends the last", "x\n\ta\n\tb", "  a\n  b", "  A\n  B", "x\n\tA\n\tB"},
		{"a blank line between", "\ta\n\n\tb\n", "  a\n\n  b\n", "  A\n\n  B\n", "\tA\n\n\tB\n"},
	} {
		edits, match, err := Edits(t.Context(), &Haystack{Text: text.New(tt.text)}, []Item{{OldText: &tt.old, NewText: &tt.new}})
		if got := diff.Apply(text.New(tt.text), edits).String(); got != tt.want || err != nil {
			t.Errorf("%s: got %q (%s, %v), want %q", tt.name, got, match, err, tt.want)
		}
	}
}
