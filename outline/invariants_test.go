package outline

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// TestOutlinesAreTrees outlines the files of the corpus, whole and cut in the
// middle, with their lines ended in each way, and as another language.
func TestOutlinesAreTrees(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus, "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	r := rand.New(rand.NewPCG(9, 10))
	languages := corpusLanguages(t)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, ".symbols") {
			continue
		}
		src, l := string(b), syntax.ByName(filepath.Base(filepath.Dir(file)))
		for _, s := range []string{
			src, strings.ReplaceAll(src, "\n", "\r\n"), strings.ReplaceAll(src, "\n", "\r"), strings.ReplaceAll(src, "\n", " "),
			src[:r.IntN(len(src))], src[r.IntN(len(src)):],
		} {
			checkTree(t, l, strings.ToValidUTF8(s, "?"))
		}
		checkTree(t, languages[r.IntN(len(languages))], src)
		checkTree(t, nil, src)
	}
}

// corpusLanguages returns the languages of the corpus, ordered by name, one that
// has no grammar, and nil.
func corpusLanguages(t testing.TB) []*syntax.Language {
	t.Helper()
	folders, err := os.ReadDir(corpus)
	if err != nil {
		t.Fatal(err)
	}
	var found []*syntax.Language
	for _, f := range folders {
		found = append(found, syntax.ByName(f.Name()))
	}
	return append(found, syntax.ByName("vim"), nil)
}

func FuzzOutline(f *testing.F) {
	f.Add("package p\n\n// F does.\nfunc (t *T) F() {\n}\n", "T.F", uint8(20), uint16(0), uint16(12))
	f.Add("{\"a\": {\"b\": [1]}}\r", "a/b", uint8(45), uint16(3), uint16(9))
	languages := corpusLanguages(f)
	f.Fuzz(func(t *testing.T, src, query string, language uint8, start, end uint16) {
		c := text.New(src) // what is not UTF-8 is replaced
		src, l := c.String(), languages[int(language)%len(languages)]
		checkTree(t, l, src)
		o := New(t.Context(), l, []byte(src))
		if found, near := o.Find(query); len(found) > 0 && len(near) > 0 {
			t.Fatalf("%q: %v and %q", query, found, near)
		}
		o.Match(query)
		w := Window{MaxBytes: 1000, MaxLines: 5, FreeStart: end%2 == 0}
		w.Start, w.End = c.LineStart(int(start)), c.LineStart(int(end))
		if w.Len() <= 0 || w.Len() > w.MaxBytes {
			return
		}
		got := o.Widen(c, w)
		if got.Start > w.Start || got.End < w.End || got.Len() > w.MaxBytes || got.End > c.Len() {
			t.Fatalf("%+v became %+v", w, got)
		}
	})
}

func checkTree(t *testing.T, l *syntax.Language, src string) {
	t.Helper()
	o := New(t.Context(), l, []byte(src))
	lines := linesOf([]byte(src))
	for i := range o.Symbols {
		s := &o.Symbols[i]
		switch {
		case s.Span.Start < 0 || s.Span.End > len(src) || s.Span.Len() <= 0,
			s.NameSpan.Start < s.Span.Start || s.NameSpan.Start >= s.Span.End,
			i > 0 && s.Span.Start < o.Symbols[i-1].Span.Start:
			t.Fatalf("%s: symbol %d has the bytes %v and its name %v: %+v", o.Language, i, s.Span, s.NameSpan, s)
		case s.StartLine != lines.at(s.Span.Start) || s.EndLine != lines.at(s.Span.End-1) || s.HeadLine < s.StartLine || s.HeadLine > s.EndLine:
			t.Fatalf("%s: symbol %d has the wrong lines: %+v", o.Language, i, s)
		case s.Name == "" || !utf8.ValidString(s.Name+s.Container+s.Signature),
			len(s.Signature) > maxSignature || strings.ContainsAny(s.Signature, "\r\n"):
			t.Fatalf("%s: symbol %d: %q, %q in %q", o.Language, i, s.Signature, s.Name, s.Container)
		case s.Kind == syntax.NoKind:
			t.Fatalf("%s: %s has no kind", o.Language, s.Name)
		}
		if s.Parent < 0 {
			if s.Depth != 0 {
				t.Fatalf("%s: %s has the depth %d", o.Language, s.Name, s.Depth)
			}
			continue
		}
		p := &o.Symbols[s.Parent]
		if s.Parent >= i || s.Depth != p.Depth+1 || s.Span.Start < p.Span.Start || s.Span.End > p.Span.End {
			t.Fatalf("%s: %+v is no child of %+v", o.Language, s, p)
		}
	}
}
