package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// applied is what a patch of one file makes of a text.
func applied(t testing.TB, patch, content string) (string, Match, error) {
	t.Helper()
	p, err := ParsePatch(patch)
	if err != nil {
		return "", 0, err
	}
	if len(p.Files) != 1 {
		t.Fatalf("the patch is of %d files", len(p.Files))
	}
	old := text.New(content)
	edits, match, err := p.Files[0].Locate(t.Context(), old)
	if err != nil {
		return "", 0, err
	}
	if err := Check(old, edits); err != nil {
		t.Fatalf("%v\n%s", err, patch)
	}
	return Apply(old, edits).String(), match, nil
}

// TestUnifiedIsTaken: what Unified renders, and no number or count of it
// matters where lines are told apart, makes the same text again.
func TestUnifiedIsTaken(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range testscale.Of(30_000, 8_000) {
		context := r.IntN(6)
		content := randomText(r, 30)
		if context == 0 {
			content = strings.ReplaceAll(content, "\r", "") // lines that come between others do not tell of their ends
		}
		old := text.New(content)
		edits := randomEdits(r, old)
		if context == 0 {
			for i := range edits {
				edits[i].New = strings.ReplaceAll(edits[i].New, "\r", "")
			}
		}
		patch := Unified("f", old, edits, context)
		if patch == "" {
			continue
		}
		want := Apply(old, edits).String()
		got, match, err := applied(t, patch, content)
		if err != nil || got != want || match != MatchExact {
			t.Fatalf("got %q (%v, %v), want %q\ntext %q\n%s", got, match, err, want, content, patch)
		}
	}
}

// TestNumbersMayBeWrong: where lines are told apart, patches fit whatever
// stands above now, and whatever their headers say.
func TestNumbersMayBeWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for range 5_000 {
		lines := make([]string, 1+r.IntN(40))
		for i := range lines {
			lines[i] = fmt.Sprintf("%sline %d\n", strings.Repeat("  ", r.IntN(3)), i)
		}
		content := strings.Join(lines, "")
		old := text.New(content)
		var edits []Edit
		for i := range lines {
			at := text.Span{Start: old.LineStart(i), End: old.LineStart(i + r.IntN(2))}
			if r.IntN(8) == 0 && (at.Len() > 0 || i > 0) {
				edits = append(edits, Edit{Span: at, New: strings.Repeat("new\n", r.IntN(3))})
			}
		}
		patch := Unified("f", old, edits, 1+r.IntN(4))
		if patch == "" {
			continue
		}
		want := Apply(old, edits).String()
		above := strings.Repeat("above\n", r.IntN(50))
		if got, _, err := applied(t, patch, above+content); err != nil || got != above+want {
			t.Fatalf("lines above: got %q (%v), want %q\n%s", got, err, above+want, patch)
		}
		lying := spoil(r, patch)
		if got, _, err := applied(t, lying, content); err != nil || got != want {
			t.Fatalf("wrong numbers: got %q (%v), want %q\n%s", got, err, want, lying)
		}
		crlf := strings.ReplaceAll(content, "\n", "\r\n")
		if got, _, err := applied(t, patch, crlf); err != nil || got != strings.ReplaceAll(want, "\n", "\r\n") {
			t.Fatalf("CRLF: got %q (%v), want %q\n%s", got, err, want, patch)
		}
		if got, _, err := applied(t, strings.ReplaceAll(lying, "\n", "\r\n"), content); err != nil || got != want {
			t.Fatalf("CRLF patch: got %q (%v), want %q\n%s", got, err, want, patch)
		}
	}
}

// spoil makes the headers of hunks wrong, or takes their numbers away.
func spoil(r *rand.Rand, patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if strings.HasPrefix(line, "@@ -") {
			switch r.IntN(6) {
			case 4:
				line = "@@ -X,Y +X,Y @@\n"
			case 5:
				line = fmt.Sprintf("@@ -%d @@\n", r.IntN(90))
			case 0:
				line = "@@ @@\n"
			case 1:
				line = "@@ ... @@\n"
			case 2:
				line = "@@\n"
			default:
				line = fmt.Sprintf("@@ -%d,%d +%d,%d @@ heading\n", r.IntN(90), 1+r.IntN(9), r.IntN(90), r.IntN(9))
			}
		}
		if line == " \n" && r.IntN(2) == 0 {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestPlaces: where hunks belong, and where nobody can say.
func TestPlaces(t *testing.T) {
	const twice = "func a() {\n\tx := 1\n\treturn x\n}\n\nfunc b() {\n\tx := 1\n\treturn x\n}\n"
	change := " \tx := 1\n-\treturn x\n+\treturn x + 1\n }\n"
	inA := strings.Replace(twice, "return x", "return x + 1", 1)
	inB := "func a() {\n\tx := 1\n\treturn x\n}\n\nfunc b() {\n\tx := 1\n\treturn x + 1\n}\n"
	both := strings.ReplaceAll(twice, "return x", "return x + 1")
	tests := []struct {
		name, content, hunks string
		want                 string // of a text, or of an error's kind and words
		match                Match
	}{
		{"numbers decide", twice, "@@ -7,3 +7,3 @@\n" + change, inB, 0},
		{"wrong counts: they do not", twice, "@@ -7,9 +7,9 @@\n" + change, "ambiguous_match: hunk 1 (line 3 of the patch): its lines stand at 2 places, from lines 2, 7 on", 0},
		{"a header without its end: they do not", twice, "@@ -7,3 +7,3\n" + change, "ambiguous_match", 0},
		{"a line of one minus goes, and no signature comes", "a\n-\nb\n", "@@\n a\n--\n+*\n b\n", "a\n*\nb\n", 0},
		{"nothing there: they do not", twice, "@@ -6,3 +6,3 @@\n" + change, "ambiguous_match", 0},
		{"numbers decide over blanks", "x \ny\nx\ny\n", "@@ -1,2 +1,2 @@\n x\n-y\n+z\n", "x \nz\nx\ny\n", MatchBlanks},
		{"but not over indentation", "\tx\n\ty\nx\ny\n", "@@ -1,2 +1,2 @@\n x\n-y\n+z\n", "\tx\n\ty\nx\nz\n", 0},
		{"no numbers", twice, "@@\n" + change, "ambiguous_match", 0},
		{"an anchor", twice, "@@ func b() {\n" + change, inB, 0},
		{"an anchor, in whose block the nearer place is", twice, "@@ func a() {\n" + change, inA, 0},
		{"an anchor that begins a line", twice, "@@ func b() @@\n" + change, inB, 0},
		{"an anchor within a word", twice, "@@ fun @@\n" + change, `text_not_found: hunk 1 (line 3 of the patch): the file has no line "fun"`, 0},
		{"an anchor that is in the hunk too", twice, "@@ func b() {\n func b() {\n" + change, inB, 0},
		{"two hunks, two places", twice, "@@\n" + change + "@@\n" + change, both, 0},
		{"three hunks, two places", twice, "@@\n" + change + "@@\n" + change + "@@\n" + change, "text_not_found: hunk 3 (line 13 of the patch)", 0},
		{"behind the hunk before it", twice, "@@\n-func b() {\n+func c() {\n@@\n" + change, strings.Replace(inB, "b()", "c()", 1), 0},
		{"out of order", twice, "@@\n-func b() {\n+func c() {\n@@\n-func a() {\n+func d() {\n",
			"text_not_found: hunk 2 (line 6 of the patch): its lines stand at line 1, before the hunk in front of it", 0},
		{"out of order, and indented otherwise", "\ta\nb\n", "@@\n-b\n+B\n@@\n-a\n+A\n",
			"text_not_found: hunk 2 (line 6 of the patch): its lines stand at line 1, before the hunk in front of it", 0},
		{"context of both", "a\nb\nc\n", "@@\n-a\n+A\n b\n@@\n b\n-c\n+C\n", "A\nb\nC\n", 0},
		{"blanks at the end of lines", "a  \nb\nc\n", "@@\n a\n-b\n+B\t\n c\n", "a  \nB\t\nc\n", MatchBlanks},
		{"indentation", "if x {\n\t\ta\n\n\t\t\tb\n}\n", "@@\n a\n \n-\tb\n+\tB\n+C\n", "if x {\n\t\ta\n\n\t\t\tB\n\t\tC\n}\n", MatchIndentation},
		{"indentation, new lines that lack it or are blank", "\t\ta\n\t\tb\n", "@@\n \ta\n-\tb\n+c\n+\t\n+\td\n", "\t\ta\nc\n\t\n\t\td\n", MatchIndentation},
		{"the rarest line stands where the hunk cannot", "b\na\nb\na\na\n", "@@\n a\n-b\n+B\n", "b\na\nB\na\na\n", 0},
		{"and at the end", "b\na\na\nb\n", "@@\n-b\n+B\n a\n", "B\na\na\nb\n", 0},
		{"new lines at the beginning end as the one behind them", "a\r\n", "@@ -0,0 +1 @@\n+b\n", "b\r\na\r\n", 0},
		{"an anchor that begins with a minus", "- x:\n  a\n- y:\n  a\n", "@@ - y:\n-  a\n+  b\n", "- x:\n  a\n- y:\n  b\n", 0},
		{"another indentation for each line", "\ta\nb\n", "@@\n a\n-b\n+B\n", "text_not_found", 0},
		{"another indentation behind a blank line", "\ta\n\n  b\n", "@@\n a\n\n-b\n+B\n", "text_not_found", 0},
		{"an anchor whose block ends where the lines stand again", "def a:\n\t\tx\nx\n", "@@ def a:\n-  x\n+  y\n", "def a:\n\t\ty\nx\n", MatchIndentation},
		{"an anchor in another, the last line of the hunk", "class A:\n  y\n  foo\nclass B:\n  y\n  foo\n", "@@ class A:\n@@   foo\n-  y\n+  z\n   foo\n", "class A:\n  z\n  foo\nclass B:\n  y\n  foo\n", 0},
		{"nowhere", "a\n", "@@\n-b\n+c\n", "text_not_found: hunk 1 (line 3 of the patch): its lines do not stand in the file", 0},
		{"only new lines, and no place", "a\n", "@@ -9,9 +9,9 @@\n+b\n", "text_not_found", 0},
		{"only new lines, at the beginning", "a\n", "@@ -0,0 +1 @@\n+b\n", "b\na\n", 0},
		{"only new lines, behind a line", "a\nc\n", "@@ -1,0 +2 @@\n+b\n", "a\nb\nc\n", 0},
		{"only new lines, past the end", "a\n", "@@ -9,0 +10 @@\n+b\n", "text_not_found", 0},
		{"only new lines, behind an anchor", "a {\n\tc\n", "@@ a {\n+\tb\n", "a {\n\tb\n\tc\n", 0},
		{"only new lines, behind an anchor that stands twice", "a {\nb\na {\n\tc\n", "@@ a {\n+\tn\n", "ambiguous_match", 0},
		{"only context", "a\n", "@@\n nowhere\n", "a\n", 0},
		{"a last line stays without end", "a\nb", "@@\n a\n-b\n+c\n+d\n", "a\nc\nd", MatchLineEnding},
		{"appended to a last line without end", "a\r\nb", "@@\n b\n+c\n", "a\r\nb\r\nc", MatchLineEnding},
		{"a last line gets its end", "a\nb", "@@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n", 0},
		{"a last line loses its end", "a\nb\n", "@@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb", 0},
		{"an end that is not the file's", "a\nb\n", "@@\n-a\n+A\n\\ No newline at end of file\n b\n", "A\nb\n", 0},
		{"each new line ends as the one it replaces", "a\r\nb\nc\r\nd\n", "@@\n-a\n-b\n-c\n+A\n+B\n+C\n+D\n d\n", "A\r\nB\nC\r\nD\r\nd\n", MatchLineEnding},
		{"lines of lone carriage returns", "a\rb\rc\r", "@@\n a\n-b\n+B\n+x\n c\n", "a\rB\rx\rc\r", MatchLineEnding},
		{"lines of all ends", "a\nb\rc\r\nd\n", "@@\n a\n-b\n+B\n c\n", "a\nB\rc\r\nd\n", MatchLineEnding},
		{"a CR that is none of a CRLF's is no line end", "a\nb\n", "@@\n-a\r\r\n+x\n b\n", "text_not_found", 0},
		{"nor with blanks behind it", "a\nb\n", "@@\n-a\r \n+x\n b\n", "text_not_found", 0},
		{"nor in the middle of a line", "a\nb\n", "@@\n-a\rb\n+x\n", "text_not_found", 0},
		{"nor before a CRLF of the text", "a\r\r\nb\r\n", "@@\n-a\n+x\n b\n", "text_not_found", 0},
		{"it is found as it stands", "a\r\r\nb\rc\n", "@@\n a\r\r\n-b\rc\n+x\ry\n", "a\r\r\nx\ry\n", 0},
		{"and is no end of new lines beside it", "a\r\r\nb", "@@\n b\n\\ No newline at end of file\n+x\n", "a\r\r\nb\r\nx", 0},
		{"a CR in a line that comes stays", "a\r\nb\r\n", "@@\n-a\n+x\ry\n b\n", "x\ry\r\nb\r\n", MatchLineEnding},
		{"an empty text", "", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n", 0},
		{"a byte-order mark in the patch", "a\nb\n", "@@ -1,2 +1,2 @@\n \uFEFFa\n-b\n+c\n", "a\nc\n", 0},
		{"a byte-order mark before a changed line", "a \uFEFF\nb\n", "@@ -1,2 +1,2 @@\n-\uFEFFa \uFEFF\n+\uFEFFA \uFEFF\n b\n", "A \uFEFF\nb\n", 0},
		{"removed lines that look like names", "-- a\n++ b\n@@\nx\n", "@@ -1,4 +1,2 @@\n--- a\n-++ b\n @@\n-x\n+y\n", "@@\ny\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			patch := "--- a/f\n+++ b/f\n" + tt.hunks
			got, match, err := applied(t, patch, tt.content)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want && (err == nil || !strings.HasPrefix(got, tt.want)) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if err == nil && match != tt.match {
				t.Errorf("match %d, want %d", match, tt.match)
			}
			if kind := fault.KindOf(err); kind == fault.Internal {
				t.Error(err)
			}
		})
	}
}

// TestAtEnd: *** End of File.
func TestAtEnd(t *testing.T) {
	for hunk, want := range map[string]string{
		"@@\n-a\n+b\n*** End of File\n": "a\nx\nb\n",
		"@@\n+b\n*** End of File\n":     "a\nx\na\nb\n",
		"@@\n+b\n":                      "a\nx\na\nb\n",
		"-x\n+b\n":                      "a\nb\na\n",
		"@@\n-x\n+b\n*** End of File\n": "text_not_found",
	} {
		got, _, err := applied(t, "*** Begin Patch\n*** Update File: f\n"+hunk+"*** End Patch", "a\nx\na\n")
		if err != nil {
			got = string(fault.KindOf(err))
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", hunk, got, want)
		}
	}
}

// FuzzPatch: nothing makes the reader or the search fail otherwise than by an
// error, and what they find are edits of the text.
func FuzzPatch(f *testing.F) {
	f.Add("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n\\ No newline at end of file\n", "a\nb")
	f.Add("diff --git \"a/\\303\" b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n", "")
	f.Add("*** Begin Patch\n*** Update File: f\n*** Move to: g\n@@ x {\n@@ y\n a\n\n-\tb\n+\tc\n@@\n+z\n*** End of File\n*** End Patch", "x {\r\n y\r  a\n\n  \tb\n")
	f.Add("--- f\r\n+++ f\r\n@@\r\n-a\r\n+b\r\n-- \r\n2.1\r\n", "a\na\n")
	f.Fuzz(func(t *testing.T, patch, content string) {
		p, err := ParsePatch(patch)
		if err != nil {
			if fault.KindOf(err) != fault.InvalidPatch {
				t.Fatal(err)
			}
			return
		}
		old := text.New(content)
		for i := range p.Files {
			f := &p.Files[i]
			if f.Path == "" || f.Op == PatchAdd && len(f.Content()) > len(patch) {
				t.Fatalf("%+v", f)
			}
			edits, _, err := f.Locate(t.Context(), old)
			if err == nil {
				err = Check(old, edits)
			}
			if kind := fault.KindOf(err); kind == fault.Internal || kind == fault.OverlappingEdits {
				t.Fatal(err)
			}
		}
	})
}

// TestHugePatches: neither many files, nor many hunks, nor lines that are all
// the same take long.
func TestHugePatches(t *testing.T) {
	same := strings.Repeat("x\n", 1<<15)
	r := rand.New(rand.NewPCG(5, 5))
	two := make([]byte, 0, 2<<15)
	for range 1 << 15 {
		two = append(two, "xy"[r.IntN(2)], '\n')
	}
	var unique strings.Builder
	for at := 0; at+64 < len(two); at += 64 {
		unique.WriteString("@@\n")
		for i := at; i < at+60; i += 2 {
			unique.WriteString(" " + string(two[i:i+2]))
		}
		unique.WriteString("+z\n")
	}
	hunk := "@@\n" + strings.Repeat(" x\n", 1<<12) + "-x\n+y\n"
	for _, tt := range []struct {
		name, content, patch string
		want                 fault.Kind
	}{
		{"long hunks in equal lines", same, strings.Repeat(hunk, 3), fault.AmbiguousMatch},
		{"an anchor at every line", same, "@@ x\n@@ x\n-x\n+y\n", fault.AmbiguousMatch},
		{"no line is there", same, strings.Repeat("@@\n-y\n+x\n", 1<<16), fault.TextNotFound},
		{"many hunks", same, strings.Repeat("@@ -1 +1 @@\n-x\n+y\n", 1<<16), fault.AmbiguousMatch},
		{"hunks that are hard to find", string(two), unique.String(), fault.FileTooLarge},
		{"many names", same, "@@\n-x\n+y\n" + strings.Repeat("--- f\n+++ f\n@@\n-x\n+y\n", maxPatchFiles), fault.InvalidPatch},
		{"very many hunks", same, strings.Repeat("@@\n-x\n+y\n", maxHunks+1), fault.InvalidPatch},
		{"many anchors", same, strings.Repeat("@@ x\n", maxAnchors+1) + "-x\n+y\n", fault.InvalidPatch},
		{"long names", same, "@@\n-x\n+y\ndiff --git " + strings.Repeat("a ", 1<<20) + "\n", fault.InvalidPatch},
	} {
		p, err := ParsePatch("--- f\n+++ f\n" + tt.patch)
		if err == nil {
			_, _, err = p.Files[0].locate(t.Context(), text.New(tt.content), maxSearchSteps>>4)
		}
		if fault.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestLimits: as much as is allowed is taken.
func TestLimits(t *testing.T) {
	for what, patch := range map[string]string{
		"hunks":   "--- f\n+++ f\n" + strings.Repeat("@@\n-x\n+y\n", maxHunks),
		"anchors": "--- f\n+++ f\n" + strings.Repeat("@@ x\n", maxAnchors) + "-x\n+y\n",
		"files":   strings.Repeat("rename from f\nrename to g\n", maxPatchFiles),
		"names":   "diff --git " + strings.Repeat("f", maxNames/2-1) + " " + strings.Repeat("f", maxNames/2-1) + "~\nnew mode 100755\n",
	} {
		if _, err := ParsePatch(patch); err != nil || len(patch) > MaxPatch {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestManyPlaces: of 10,000 places of a hunk the one behind it may tell which is
// meant; of more nothing does.
func TestManyPlaces(t *testing.T) {
	const patch = "--- f\n+++ f\n@@\n-x\n+y\n@@ -2 +2 @@\n-x\n+z\n"
	for places, want := range map[int]fault.Kind{maxPlaces: "", maxPlaces + 1: fault.AmbiguousMatch} {
		got, _, err := applied(t, patch, strings.Repeat("x\n", places))
		if fault.KindOf(err) != want || err == nil && got != "y\nz\n"+strings.Repeat("x\n", places-2) {
			t.Errorf("%d places: %.20q, %v", places, got, err)
		}
	}
}

// TestOldLines: what a hunk expects, up to a number of lines.
func TestOldLines(t *testing.T) {
	p, err := ParsePatch("--- f\n+++ f\n@@\n a\n-b\n+x\n c\n")
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range []string{"", "a\n", "a\nb\n", "a\nb\nc\n", "a\nb\nc\n"} {
		if got := p.Files[0].Hunks[0].Old(limit); got != want {
			t.Errorf("up to %d lines: %q, want %q", limit, got, want)
		}
	}
}

// BenchmarkPatch reads a patch of 50 MB, and places 10,000 hunks whose numbers
// are off in a text of 10 MB.
func BenchmarkPatch(b *testing.B) {
	b.Run("parse", func(b *testing.B) {
		patch := "--- a/f\n+++ b/f\n@@ -1 +1,9 @@\n-x\n" + strings.Repeat("+some line of source text\n", 2_000_000)
		b.SetBytes(int64(len(patch)))
		for b.Loop() {
			if _, err := ParsePatch(patch); err != nil {
				b.Fatal(err)
			}
		}
	})
	var content, patch strings.Builder
	patch.WriteString("--- f\n+++ f\n")
	for i := range 250_000 {
		line := fmt.Sprintf("some line of source text, %d\n", i)
		content.WriteString(line)
		if i%25 == 5 {
			fmt.Fprintf(&patch, "@@ -%d +%d @@\n-%s+changed\n", i+7, i+7, line)
		}
	}
	for _, bad := range []string{"right", "off"} {
		b.Run("locate "+bad, func(b *testing.B) {
			old := text.New(content.String())
			if bad == "right" {
				old = text.New(strings.Repeat("\n", 6) + content.String())
			}
			p, err := ParsePatch(patch.String())
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, _, err := p.Files[0].Locate(b.Context(), old); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
