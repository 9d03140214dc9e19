//go:build cgo

package syntax

import (
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

var maskEdits = flag.Int("masks", 60, "how many edits TestMaskFollows makes in each file")

// TestMaskFollows edits texts at random and holds what is hidden, going on from
// the text before, against what is hidden in the text alone.
func TestMaskFollows(t *testing.T) {
	for _, name := range []string{"c", "cpp", "csharp"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spared := 0
			for _, file := range corpusFiles(t, name) {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, every := range []int{1, 50, 1000} {
					spared += hideRandomly(t, ByName(name).family, file, string(src), every)
				}
			}
			r := rand.New(rand.NewPCG(8, 9))
			for range testscale.Of(20, 5) { // nothing but what tells what is hidden
				soup := ""
				for range 100 {
					soup += hiddenPiece(r)
				}
				spared += hideRandomly(t, ByName(name).family, "soup", soup, 1)
			}
			if spared == 0 {
				t.Error("the rest of a text was never taken over")
			}
		})
	}
}

// hideRandomly returns how often the rest of a text was taken over.
func hideRandomly(t *testing.T, f family, file, src string, every int) (spared int) {
	r := rand.New(rand.NewPCG(uint64(every), uint64(len(src))))
	whole := text.New(src)
	now := whole
	way := f.mask(withLineFeeds(bytesOf(now)), nil, change{}, every)
	for i := range testscale.Of(*maskEdits, 15) {
		was := now
		if now = editHidden(r, now); i%20 == 19 { // broken as it is by now
			now = whole
		}
		edits := now.ChangesSince(was)
		if len(edits) == 0 {
			continue
		}
		b := withLineFeeds(bytesOf(now))
		way = f.mask(b, way, around(edits), every)
		alone := f.mask(b, nil, change{}, every)
		if !slices.Equal(way.spans, alone.spans) || !slices.Equal(way.types.names, alone.types.names) {
			t.Fatalf("%s, stops each %d, edit %d: the changes %v lead to\n%v\nnot\n%v\nin\n%s",
				file, every, i, edits, way.spans, alone.spans, b)
		}
		if n := len(way.stops); n > 0 && way.stops[n-1].at > edits[len(edits)-1].New.End {
			spared++
		}
	}
	return spared
}

// editHidden changes t, most of all what tells what is hidden.
func editHidden(r *rand.Rand, t text.Text) text.Text {
	if r.IntN(3) == 0 {
		return editStructure(r, t)
	}
	start := t.FloorChar(r.IntN(t.Len() + 1))
	end := start
	if r.IntN(2) == 0 {
		end = max(start, t.FloorChar(min(t.Len(), start+r.IntN(8))))
	}
	return t.Replace(text.Span{Start: start, End: end}, hiddenPiece(r))
}

// hiddenPiece returns something that tells what is hidden.
func hiddenPiece(r *rand.Rand) string {
	pieces := []string{
		"\n#if 0\n", "\n#if A\n", "\n#else\n", "\n#elif B\n", "\n#endif\n", "\n#define A \\\n", "EXPORT ", " FOO", "FOO(1)", "class FOO {", "struct API A { };",
		"{", "}", "(", ")", ";", "=", "\"", "'", "R\"x(", ")x\"", "@\"", "\"\"\"", "/*", "*/", "//", "\\\n", "\r", "\r\n", " ", "\n", "1", "x",
		"operator", "int", "extension(A b) {", "::", "*", "template<", "enum {", "A::*", "[[", "]]", "f(a, b) int a;", "export import a;", "return",
		"int ", "a ", "API ", "\n", " ",
	}
	return pieces[r.IntN(len(pieces))]
}

func FuzzHideFollows(f *testing.F) {
	f.Add("int API f();\n#if A\nclass B {\n#else\n#endif\n", uint8(0), 4, 7, "EXPORT")
	f.Fuzz(func(t *testing.T, src string, which uint8, start, end int, with string) {
		family := familyC + family(which%3)
		was := text.New(src)
		start, end = min(max(start, 0), was.Len()), min(max(end, 0), was.Len())
		now := was.Replace(text.Span{Start: min(start, end), End: max(start, end)}, with)
		edits := now.ChangesSince(was)
		if len(edits) == 0 {
			return
		}
		b := withLineFeeds(bytesOf(now))
		way := family.mask(b, family.mask(withLineFeeds(bytesOf(was)), nil, change{}, 1), around(edits), 1)
		if alone := family.mask(b, nil, change{}, 1); !slices.Equal(way.spans, alone.spans) {
			t.Errorf("%v lead to\n%v\nnot\n%v", edits, way.spans, alone.spans)
		}
	})
}
