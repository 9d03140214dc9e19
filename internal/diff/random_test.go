package diff

import (
	"math/rand/v2"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// randomText returns up to n parts, most of them line ends, marks of unified
// diffs, and characters whose UTF-8 forms share bytes.
func randomText(r *rand.Rand, n int) string {
	parts := []string{"\n", "\n", "\r\n", "\r", "a", "b", "é", "è", "ǩ", "😀", "- x\n", "+ x\n", "@@ -1 +1 @@\n", " \n", "\\ No\n"}
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// randomEdit returns an edit of up to 6 bytes of t that begins at or before
// most.
func randomEdit(r *rand.Rand, t text.Text, most int) Edit {
	start := t.FloorChar(r.IntN(most + 1))
	end := t.FloorChar(min(t.Len(), start+r.IntN(7)))
	return Edit{Span: text.Span{Start: start, End: end}, New: randomText(r, 3)}
}

// randomEdits returns a list of edits of t that Check accepts.
func randomEdits(r *rand.Rand, t text.Text) []Edit {
	var edits []Edit
	at := 0
	for range r.IntN(6) {
		at = t.FloorChar(min(t.Len(), at+r.IntN(12)))
		end := t.FloorChar(min(t.Len(), at+r.IntN(9)))
		edits = append(edits, Edit{Span: text.Span{Start: at, End: end}, New: randomText(r, 4)})
		at = end
	}
	return edits
}
