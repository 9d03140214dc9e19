//go:build cgo

package syntax

import (
	"flag"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

var updateEdits = flag.Int("updates", 60, "how many edits TestUpdate makes in each file")

// TestUpdate edits files of every language at random, and holds the definitions
// that go on from those of the text before against all that the same tree gives
// by itself.
func TestUpdate(t *testing.T) {
	for name, load := range grammars {
		if l := ByName(name); l != nil && load().local {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				updated := 0
				for _, file := range corpusFiles(t, name) {
					src, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					updated += updateRandomly(t, l, file, string(src))
				}
				if updated == 0 && !l.braces { // with them, only in texts that parse
					t.Error("nothing was ever gone on from")
				}
			})
		}
	}
}

// TestUpdateLarge is TestUpdate for definitions that are too large for a window,
// whose statements are gathered.
func TestUpdateLarge(t *testing.T) {
	for name, part := range map[string][3]string{
		"go":     {"package p\n\nfunc a() {\n", "\tif a {\n\t\tb(c)\n\t}\n", "}\n\nfunc b() {}\n"},
		"python": {"class A:\n", "  def f(self):\n    g(1)\n    return 2\n\n", "\ndef g(x): pass\n"},
		"rust":   {"mod a {\n", "  #[test]\n  fn f() {\n    g!(1);\n  }\n", "}\n\nfn g() {}\n"},
		"cpp":    {"namespace a {\nclass A {\n", "  int f() {\n    return g(1);\n  }\n", "};\n}\nint b;\n"},
	} {
		large := part[0] + strings.Repeat(part[1], testscale.Of(200, 50)) + part[2]
		t.Run(name, func(t *testing.T) {
			if updateRandomly(t, ByName(name), name, large+part[0]+part[1]+part[2]+large) == 0 {
				t.Error("nothing was ever gone on from")
			}
		})
	}
}

func updateRandomly(t *testing.T, l *Language, file, src string) (updated int) {
	r := rand.New(rand.NewPCG(11, uint64(len(src))))
	whole := text.New(src)
	now := whole
	var tree *Tree
	defer func() { tree.Close() }()
	few := testscale.Of(*updateEdits, 25)
	for i := 0; i < few || i < *updateEdits && updated == 0; i++ {
		if i%20 == 19 { // broken as it is by now
			now = whole
		}
		was := now
		now = editStructure(r, now)
		b := bytesOf(now)
		got, next, spent := Reparse(t.Context(), l, now, b, tree)
		spent.Close()
		tree = next
		if got.Reused.Since.Same(was) && got.Reused.Head+got.Reused.Tail > 0 {
			updated++
		}
		if next == nil {
			continue
		}
		alone := *next
		want := alone.definitions(t.Context(), b, nil)
		alone.forget()
		if !reflect.DeepEqual(got.Definitions, want.Definitions) {
			t.Fatalf("%s, edit %d: the changes %v lead to other definitions:%s", file, i, now.ChangesSince(was),
				firstDifference(listed(b, got.Definitions), listed(b, want.Definitions)))
		}
		if !slices.Equal(got.Statements, want.Statements) {
			t.Fatalf("%s, edit %d: the changes %v lead to other statements: %v, not %v", file, i, now.ChangesSince(was), got.Statements, want.Statements)
		}
	}
	return updated
}

// editStructure changes up to three places of t, most of all what opens and
// closes something, and moves lines.
func editStructure(r *rand.Rand, t text.Text) text.Text {
	if r.IntN(3) == 0 {
		return editRandomly(r, t)
	}
	pieces := []string{
		"{", "}", "(", ")", "[", "]", "/*", "*/", "//", "#", "\"", "'", "`", "\"\"\"", "<<EOF\n", ";", ",", ":", "\n\n", "\r", "\n}\n", "<", ">",
		"\n#if 0\n", "\n#else\n", "\n#endif\n", "\n#[a]\n", "\n@A\n", "\n// a\n", "\n# a\n", "\n-- a\n", "\nend\n", "\nconst a = 1, b = 2\n",
		"\nclass A {\n", "\nfunction f() {\n", "\ndef f():\n", "\nint F_X f(int a) {\n", "\nnamespace a {\n", "export ", "static ", "=",
	}
	for range 1 + r.IntN(3) {
		start := t.FloorChar(r.IntN(t.Len() + 1))
		end := start
		piece := pieces[r.IntN(len(pieces))]
		switch r.IntN(6) {
		case 0: // without a byte of what is there: a bracket, perhaps
			end = max(start, t.FloorChar(min(t.Len(), start+1+r.IntN(3))))
		case 1: // some lines stand somewhere else
			line := t.LineAt(start)
			start = t.LineStart(line)
			end = t.LineStart(min(line+1+r.IntN(10), t.Lines()))
			lines := t.Slice(text.Span{Start: start, End: end})
			t = t.Replace(text.Span{Start: start, End: end}, "")
			start = t.LineStart(r.IntN(t.Lines() + 1))
			end, piece = start, lines
		}
		t = t.Replace(text.Span{Start: start, End: end}, piece)
	}
	return t
}
