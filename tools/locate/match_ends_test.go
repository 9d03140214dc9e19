package locate

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestLineEnds is what becomes of a text by one edit, where either has line
// ends of several kinds.
func TestLineEnds(t *testing.T) {
	for _, tt := range []struct {
		name, text, old, new string
		all                  bool
		want                 string // the text, or the kind of an error
		match                Match
	}{
		{"CR is none of a CRLF's", "a\r\nb\r\n", "\r", "", true, "text_not_found", ""},
		{"CR at the end would split a CRLF", "a\r\nb\r\n", "a\r", "x", false, "text_not_found", ""},
		{"CR in the middle is no CRLF", "a\r\nb\r\n", "a\rb", "x", false, "text_not_found", ""},
		{"CR is no LF", "a\nb\n", "a\rb", "x", false, "text_not_found", ""},
		{"nor with blanks before it", "a \nb\n", "a\rb", "x", false, "text_not_found", ""},
		{"nor with other indentation", " a\n b\n", "a\rb", "x", false, "text_not_found", ""},
		{"CR is a CR", "a\rb\r", "a\rb", "x\ry", false, "x\ry\r", MatchExact},
		{"all CRs", "a\rb\r", "\r", "", true, "ab", MatchExact},
		{"a CR before a CRLF", "a\r\r\nb", "a\r", "x", false, "x\r\nb", MatchExact},
		{"CRs beside CRLFs", "a\rb\r\nc\r", "\r", "-", true, "a-b\r\nc-", MatchExact},
		{"CR and LF in a CRLF text", "a\rb\r\nc\r\n", "a\rb\nc", "x\ny", false, "x\ry\r\n", MatchLineEnding},
		{"CR and LF behind each other", "a\r\r\nb\r\n", "a\r\r\nb\n", "x\r\n", false, "x\r", MatchLineEnding},
		{"the CR is another line's", "a\r\nb\rc\r\n", "a\rb\nc", "x", false, "text_not_found", ""},
		{"CR with blanks before it", "a  \rb\r", "a\rb", "x", false, "x\r", MatchBlanks},
		{"old_text has the blanks", "a\rb\r", "a  \rb", "x", false, "x\r", MatchBlanks},
		{"only blanks before a CR", "a\rb\r", " \r", "x", false, "text_not_found", ""},
		{"blanks at the end of old_text", "a\rb\r", "a ", "x", false, "x\rb\r", MatchBlanks},
		{"LF is a CRLF", "a\r\nb\r\n", "\n", "", true, "ab", MatchLineEnding},
		{"LF is a CR", "a\rb\r", "a\nb", "x\ny", false, "x\ry\r", MatchLineEnding},
		{"CRLF is an LF", "a\nb\n", "a\r\nb", "x\r\ny", false, "x\ny\n", MatchLineEnding},
		{"CRLF is a CR", "a\rb\r", "a\r\nb", "x\r\ny", false, "x\ry\r", MatchLineEnding},
		{"a CR that comes stays one", "a\r\nb\r\n", "a", "x\ry", false, "x\ry\r\nb\r\n", MatchExact},
		{"also in an LF text", "a\nb\n", "a\n", "x\ry\n", false, "x\ry\nb\n", MatchExact},
		{"also beside LF that becomes CRLF", "a\r\nb\r\n", "a", "x\ry\nz", false, "x\ry\r\nz\r\nb\r\n", MatchExact},
		{"also CRLF in an LF text", "a\nb\n", "a", "x\ry\r\nz", false, "x\ry\nz\nb\n", MatchExact},
		{"also before a CRLF", "a\r\nb\r\n", "a", "x\r", false, "x\r\r\nb\r\n", MatchExact},
		{"also in the place of a CRLF", "a\r\nb\r\n", "a\nb", "a\rb", false, "a\rb\r\n", MatchLineEnding},
		{"LF that comes behind a CR", "a\rb\n", "b", "\nx", false, "a\r\rx\n", MatchExact},
	} {
		item := Item{OldText: &tt.old, NewText: &tt.new, ReplaceAll: tt.all}
		edits, match, err := Edits(t.Context(), &Haystack{Text: text.New(tt.text)}, []Item{item})
		got := diff.Apply(text.New(tt.text), edits).String()
		if err != nil {
			got = string(fault.KindOf(err))
		}
		if got != tt.want || match != tt.match {
			t.Errorf("%s: got %q (%s), want %q (%s)", tt.name, got, match, tt.want, tt.match)
		}
	}
}

// TestLinesEnd is what becomes of a text by an edit of its lines.
func TestLinesEnd(t *testing.T) {
	for _, tt := range []struct {
		text       string
		start, end uint64
		new, want  string
	}{
		{"a\r\nb\r\n", 1, 1, "x", "x\r\nb\r\n"},
		{"a\r\nb\r\n", 1, 1, "x\ny\n", "x\r\ny\r\nb\r\n"},
		{"a\r\nb\r\n", 1, 1, "x\ry\n", "x\ry\r\nb\r\n"},
		{"a\r\nb\r\n", 1, 1, "x\r", "x\rb\r\n"},
		{"a\nb\n", 2, 2, "x\ry", "a\nx\ry\n"},
		{"a\rb\r", 2, 2, "x\ny", "a\rx\ry\r"},
		{"a\rb\r", 3, 2, "x", "a\rb\rx\r"},
		{"a\rb", 3, 2, "x", "a\rb\rx"},
		{"a\r\nb", 3, 2, "x\r\n", "a\r\nb\r\nx"},
		{"a\rb\n", 2, 1, "\nx\n", "a\r\rx\nb\n"},
	} {
		item := Item{StartLine: &tt.start, EndLine: &tt.end, NewText: &tt.new}
		edits, _, err := Edits(t.Context(), &Haystack{Text: text.New(tt.text)}, []Item{item})
		if got := diff.Apply(text.New(tt.text), edits).String(); got != tt.want || err != nil {
			t.Errorf("%q, lines %d to %d with %q: got %q (%v), want %q", tt.text, tt.start, tt.end, tt.new, got, err, tt.want)
		}
	}
}

// TestMatchesAreWhatStandsThere: whatever old_text is, it is found byte for
// byte or but for line ends exactly where a comparison of all spans says so.
func TestMatchesAreWhatStandsThere(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	random := func(most int) string {
		b := make([]byte, r.IntN(most+1))
		for i := range b {
			b[i] = "aab\r\r\n\n"[r.IntN(7)]
		}
		return string(b)
	}
	for range testscale.Of(30_000, 3000) {
		whole, old, new := random(12), "a"+random(4), ""
		if r.IntN(3) == 0 {
			old = old[1:] + "\r"
		}
		all := r.IntN(2) == 0
		item := Item{OldText: &old, NewText: &new, ReplaceAll: all}
		places, match := item.find(&Haystack{Text: text.New(whole)})
		var got []text.Span
		for _, p := range places {
			got = append(got, p.span)
		}
		want, wantMatch := standsAt(whole, old, all)
		if wantMatch == "" && match == MatchIndentation && strings.HasSuffix(old, "\n") && got[len(got)-1].End == len(whole) {
			continue // the end of the text is taken for that of its last line
		}
		if match != wantMatch || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q in %q, all %v: %v by %q, want %v by %q", old, whole, all, got, match, want, wantMatch)
		}
	}
}

// standsAt compares all spans of a text with old.
func standsAt(whole, old string, all bool) (spans []text.Span, match Match) {
	ends := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	if hasLoneCR(old) {
		ends = strings.NewReplacer("\r\n", "\n")
	}
	for _, match := range []Match{MatchExact, MatchLineEnding} {
		for start := 0; start < len(whole); start++ {
			for end := start + 1; end <= len(whole); end++ {
				have := whole[start:end]
				same := have == old || match == MatchLineEnding && ends.Replace(have) == ends.Replace(old)
				if !same || inCRLF(whole, start) || inCRLF(whole, end) || all && len(spans) > 0 && start < spans[len(spans)-1].End {
					continue
				}
				spans = append(spans, text.Span{Start: start, End: end})
			}
		}
		if len(spans) > 0 {
			return slices.Clip(spans), match
		}
	}
	return nil, ""
}
