//go:build cgo

package syntax

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestMaskedChanges edits texts at random and rebuilds what the grammar sees from
// what it saw before and the changes.
func TestMaskedChanges(t *testing.T) {
	for name, load := range grammars {
		l := ByName(name)
		for _, file := range corpusFiles(t, name) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(4, uint64(len(src))))
			now := text.New(string(src))
			seen := maskedOf(l, load().rewriter, src, masked{}, nil)
			for range 20 {
				was, before := now, seen
				now = editRandomly(r, now)
				seen = maskedOf(l, load().rewriter, bytesOf(now), before, now.ChangesSince(was))
				if alone := maskedOf(l, load().rewriter, bytesOf(now), masked{}, nil); !bytes.Equal(seen.seen, alone.seen) || !slices.Equal(seen.words, alone.words) {
					t.Fatalf("%s: the edits %v lead to another masked text than the text alone", file, now.ChangesSince(was))
				}
				changes := l.changesTo(seen, before, now.ChangesSince(was))
				if got := seenAfter(before.seen, seen.seen, changes); !bytes.Equal(got, seen.seen) {
					t.Fatalf("%s: the changes %v lead to another masked text", file, changes)
				}
			}
		}
	}
}

func seenAfter(was, now []byte, changes []change) []byte {
	var b []byte
	at := 0
	for _, c := range changes {
		b = append(append(b, was[at:c.old.Start]...), now[c.new.Start:c.new.End]...)
		at = c.old.End
	}
	return append(b, was[at:]...)
}
