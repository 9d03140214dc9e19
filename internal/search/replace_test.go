package search

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// replaced returns a text with all matches replaced.
func replaced(t testing.TB, r *Replacer, old string) string {
	t.Helper()
	var b strings.Builder
	at := 0
	err := r.Replace(t.Context(), text.New(old), func(span text.Span, fresh string) error {
		if span.Start < at || span.End <= span.Start {
			t.Fatalf("in %q the match %v is behind %d", old, span, at)
		}
		b.WriteString(old[at:span.Start] + fresh)
		at = span.End
		return nil
	})
	must(t, err)
	return b.String() + old[at:]
}

func TestReplace(t *testing.T) {
	for _, c := range []struct {
		pattern, replacement string
		literal              bool
		old, want            string
	}{
		{"a", "b", false, "aXa\naa\n", "bXb\nbb\n"},
		{"a", "b", true, "aXa\naa", "bXb\nbb"},
		{"a", "b", false, "A", "A"},
		{"(?i)a", "b", false, "A", "b"},
		{"a.c", "$0$1", true, "a.c abc", "$0$1 abc"},
		{`(\w+)\((\w+)\)`, "$2.$1()", false, "f(x) g(y)", "x.f() y.g()"},
		{`(?P<name>\w+)=1`, "${name}=$name", false, "a=1 b=1", "a=a b=b"},
		{`(\w)x`, "$1y$$", false, "ax bx", "ay$ by$"},
		{`(\w)x`, "${1}0", false, "ax", "a0"},
		{`(a)|(b)`, "<$1$2>", false, "ab", "<a><b>"},
		{`x`, "$(x) $ [$0]", false, "x", "$(x) $ [x]"},
		{`x`, `\n\1`, false, "x", `\n\1`},
		{`\bfoo\b`, "bar", false, "foo foobar foo", "bar foobar bar"},
		{`\Bo`, "0", false, "foo o", "f00 o"},
		{`(^|,)x`, "${1}y", false, "x,x\nx", "y,y\ny"},
		{`(x)$`, "[$1]", false, "xx\nx", "x[x]\n[x]"},
		{`[^a]+`, "-", false, "ab\nba", "a-\n-a"},
		{`\s+$`, "", false, "a  \n\nb\t", "a\n\nb"},
		{`(\w)\n(\w)`, "$1 $2", false, "a\nb\nc\nd", "a b\nc d"},
		{"a\nb", "c", true, "a\nb\na\r\nb", "c\nc"},
		{"a\n", "", true, "a\r\na\rb\r\n", "b\r\n"},
		{`(\w+)$`, "<$1>", false, "a\r\nb\rc", "<a>\r\n<b>\r<c>"},
		{`(.)(é)`, "$2$1", false, "aé bé", "éa éb"},
		{`\Q.`, "!", false, "a.b.", "a!b!"},
		{`(?s)(a.*?)\n(z)`, "$2\n$1", false, "a1\r\nb\r\nz", "z\na1\nb"},
		{"x", "", false, "", ""},
	} {
		r, err := NewReplacer(c.pattern, c.literal, c.replacement)
		if err != nil {
			t.Errorf("%q by %q: %v", c.pattern, c.replacement, err)
			continue
		}
		if got := replaced(t, r, c.old); got != c.want {
			t.Errorf("%q by %q in %q gives %q, want %q", c.pattern, c.replacement, c.old, got, c.want)
		}
	}
}

func TestReplacerErrors(t *testing.T) {
	for _, c := range []struct{ pattern, replacement, says string }{
		{"a(", "x", "missing closing"},
		{"a", "$9", "no group 9, at byte 0 of the replacement"},
		{"(a)", "x $2", "$1"},
		{"(a)", "$1$nope", "no group nope"},
		{"(?P<n>a)", "${m}", "$1 n"},
		{"a", "$99999999999999999999", "no group"},
		{"a", "${1", "$$ a dollar"},
		{"a", "$&", "$0 is the match"},
		{"(a)", `\1`, "Write $1"},
		{"", "x", "the empty text"},
		{"a*", "x", "the empty text"},
		{"^", "x", "the empty text"},
		{"(a|)b?", "x", "the empty text"},
		{"(a*){2}", "x", "the empty text"},
		{`\b`, "x", "the empty text"},
	} {
		_, err := NewReplacer(c.pattern, false, c.replacement)
		if e := fault.From(err); fault.KindOf(err) != fault.InvalidPattern || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%q by %q: %v", c.pattern, c.replacement, err)
		}
	}
}

// TestReplaceAgrees: random patterns replace what Go's expressions do, in all
// of a text and however it is cut into lines.
func TestReplaceAgrees(t *testing.T) {
	r := source(17)
	for range testscale.Of(10_000, 1000) {
		pattern := randomPattern(r, 3)
		replacement := []string{"", "x", "[$0]", "<$1>", "$1\n", "${1}$0"}[r.IntN(6)]
		rep, err := NewReplacer("("+pattern+")", false, replacement)
		if err != nil {
			continue
		}
		old := string(randomText(r))
		re, err := regexp.Compile("(?m)(" + pattern + ")")
		must(t, err)
		want := ""
		if rep.Matcher.Multiline() {
			want = re.ReplaceAllString(old, goTemplate(replacement))
		} else {
			for line := range strings.Lines(old) {
				body, end := strings.CutSuffix(line, "\n")
				want += re.ReplaceAllString(body, goTemplate(replacement))
				if end {
					want += "\n"
				}
			}
		}
		if got := replaced(t, rep, old); got != want {
			t.Fatalf("%q by %q in %q gives %q, want %q", pattern, replacement, old, got, want)
		}
		if crlf := strings.ReplaceAll(old, "\n", "\r\n"); !strings.Contains(old, "\r") {
			got := strings.ReplaceAll(replaced(t, rep, crlf), "\r\n", "\n")
			if got != want {
				t.Fatalf("%q by %q in %q gives %q, want %q", pattern, replacement, crlf, got, want)
			}
		}
	}
}

// goTemplate is a replacement as Go's expressions write it.
func goTemplate(s string) string {
	return strings.NewReplacer("$0", "${0}", "$1", "${1}").Replace(s)
}

// TestReplaceInLongLines: many matches of one long line are replaced in a time
// that its length does not square.
func TestReplaceInLongLines(t *testing.T) {
	r, err := NewReplacer(`(f)(\d)`, false, "$2$1")
	must(t, err)
	old := strings.Repeat("f1 and more of it, ", 100_000)
	if got := replaced(t, r, old); got != strings.ReplaceAll(old, "f1", "1f") {
		t.Error("the long line differs")
	}
}

// TestCountsOfEach: a search counts each match, with an index and without.
func TestCountsOfEach(t *testing.T) {
	f := newField(t)
	random := rand.New(rand.NewPCG(1, 7))
	want := map[string]int{}
	for _, name := range []string{"a.txt", "b/c.txt", "d.txt", "open.txt"} {
		var b strings.Builder
		for range random.IntN(20_000) {
			b.WriteString([]string{"foo", "bar ", "\n", " foofoo", "Foo"}[random.IntN(5)])
		}
		want[name] = strings.Count(b.String(), "foo")
		if name == "open.txt" {
			f.open(name, b.String())
		} else {
			f.write(name, text.Format{Encoding: text.EncodingUTF8}, b.String())
		}
	}
	r, err := NewReplacer("foo", true, "x")
	must(t, err)
	for _, indexed := range []bool{false, true} {
		snap := f.snapshot()
		a, err := f.searcher(indexed).Search(t.Context(), snap, Request{Matcher: r.Matcher, Unit: Counts, Max: 100})
		must(t, err)
		for _, file := range a.Files {
			if file.Count != want[file.Path.Rel] || file.Lines > file.Count {
				t.Errorf("%s: %d, want %d", file.Path.Rel, file.Count, want[file.Path.Rel])
			}
		}
		if len(a.Files) != len(want) {
			t.Errorf("%d files", len(a.Files))
		}
		snap.Close()
	}
}
