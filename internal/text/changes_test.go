package text

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// TestChangesSince edits texts at random and rebuilds each from the one before
// and the changes.
func TestChangesSince(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"", "x", "é", "\r\n", "日本語", "line\n", strings.Repeat("wide ", 700)}
	now := New(strings.Repeat("some line of a text, ü\n", 2000))
	for round := range testscale.Of(400, 100) {
		old := now
		for range 1 + r.IntN(3) {
			start := now.FloorChar(r.IntN(now.Len() + 1))
			end := now.FloorChar(min(now.Len(), start+r.IntN(40)))
			now = now.Replace(Span{start, max(start, end)}, words[r.IntN(len(words))])
		}
		changes := now.ChangesSince(old)
		if got := rebuilt(t, old, now, changes); got != textOf(now) {
			t.Fatalf("round %d: the changes %v lead to another text", round, changes)
		}
		size := 0
		for _, c := range changes {
			size += c.New.Len()
		}
		if size > 3*(len(words[6])+4*1536) {
			t.Errorf("round %d: %d bytes are said to be new after a few edits", round, size)
		}
	}
}

func TestChangesSinceAnyTexts(t *testing.T) {
	texts := []string{"", "a", "é", "è", "ab", "ba", "日本", "日", "本", strings.Repeat("a", 5000), strings.Repeat("a", 4999) + "b"}
	for _, a := range texts {
		for _, b := range texts {
			old, now := New(a), New(b)
			changes := now.ChangesSince(old)
			if got := rebuilt(t, old, now, changes); got != b {
				t.Errorf("%.9q to %.9q: %v gives %.9q", a, b, changes, got)
			}
			if a == b && len(changes) > 0 {
				t.Errorf("%.9q: equal texts differ in %v", a, changes)
			}
		}
	}
}

func rebuilt(t *testing.T, old, now Text, changes []Change) string {
	t.Helper()
	var b strings.Builder
	at := Change{}
	for _, c := range changes {
		if c.Old.Start < at.Old.End || c.Old.Start-at.Old.End != c.New.Start-at.New.End {
			t.Fatal(fmt.Sprint("out of step: ", changes))
		}
		b.WriteString(part(old, Span{at.Old.End, c.Old.Start}))
		b.WriteString(part(now, c.New))
		at = c
	}
	b.WriteString(part(old, Span{at.Old.End, old.Len()}))
	return b.String()
}

func part(t Text, s Span) string { return string(t.Append(nil, s)) }
func textOf(t Text) string       { return part(t, Span{0, t.Len()}) }
