package locate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestExactlyInPieces: where the text is cut into pieces does not show.
func TestExactlyInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testscale.Of(5, 1) {
		var b strings.Builder
		for range 2*pieceBytes + r.IntN(pieceBytes) {
			b.WriteByte("aaab\r\n"[r.IntN(6)])
		}
		whole := []byte(b.String())
		wanted := strings.Repeat("zab\n", 1+r.IntN(20))[r.IntN(3):]
		for edge := pieceBytes; edge < len(whole); edge += pieceBytes {
			copy(whole[edge-r.IntN(len(wanted)+2):], wanted)
		}
		copy(whole[len(whole)-len(wanted):], wanted)
		for _, wanted := range []string{wanted, "b\n", "\r", "aaa", string(whole[7 : len(whole)-9])} {
			for _, all := range []bool{false, true} {
				inOne := newGathering(wanted, all)
				inOne.crlf = true
				inOne.in(string(whole), 0, len(whole))
				want := inOne.spans
				got := (&Haystack{Text: text.New(string(whole))}).exactly(wanted, all)
				if !slices.Equal(got, want) {
					t.Fatalf("%.20q, all %v: %d hits, want %d", wanted, all, len(got), len(want))
				}
			}
		}
	}
}

// TestBetweenPieces: a CR at the end of a piece is no lone one when the next
// begins with its LF.
func TestBetweenPieces(t *testing.T) {
	for before := pieceBytes - 3; before < pieceBytes+3; before++ {
		h := &Haystack{Text: text.New(strings.Repeat("a", before) + "\r\nb\r")}
		for wanted, want := range map[string]int{"\r": before + 3, "\r\n": before, "\n": -1} {
			got := h.exactly(wanted, true)
			if want < 0 && len(got) > 0 || want >= 0 && (len(got) != 1 || got[0].Start != want) {
				t.Errorf("%q with %d bytes before it: %v, want %d", wanted, before, got, want)
			}
		}
	}
}
