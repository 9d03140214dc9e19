package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Sum stands for a line, its end included: the first 8 bytes of its SHA-256.
type Sum uint64

// SumOf returns the sum of a line.
func SumOf(line string) Sum {
	h := sha256.Sum256([]byte(line))
	return Sum(binary.BigEndian.Uint64(h[:8]))
}

// SumsOf returns the sums of the lines of s.
func SumsOf(s string) []Sum {
	sums := make([]Sum, 0, strings.Count(s, "\n")+1)
	for line := range strings.Lines(s) {
		sums = append(sums, SumOf(line))
	}
	return sums
}

// Splice is a run of lines that changed: Del lines from At on, of the text
// before, went, and those of Add came.
type Splice struct {
	At  int  `json:"at"`
	Del int  `json:"del,omitzero"`
	Add Sums `json:"add,omitempty"`
	// Gone are the lines that went; nil where nobody has to have them again.
	Gone []string `json:"gone,omitempty"`
}

// Splices returns the lines that differ between two texts, in order, with the
// lines that went. It reads what the texts do not share, so between texts that
// are some edits apart it costs little.
func Splices(old, now text.Text) []Splice {
	var splices []Splice
	for _, c := range wholeLines(old, now) {
		was, is := old.Slice(c.Old), now.Slice(c.New)
		line, at := lineAt(old, c.Old.Start), 0
		for _, e := range diff.Compute(was, is) {
			line += strings.Count(was[at:e.Span.Start], "\n")
			gone := slices.Collect(strings.Lines(was[e.Span.Start:e.Span.End]))
			splices = append(splices, Splice{At: line, Del: len(gone), Add: SumsOf(e.New), Gone: gone})
			line, at = line+strings.Count(was[e.Span.Start:e.Span.End], "\n"), e.Span.End
		}
	}
	return splices
}

// byLF counts lines as this package does.
var byLF = text.Coord{Encoding: text.UTF8, Lines: text.OnlyLF}

// lineAt returns the 0-based line that begins at o.
func lineAt(t text.Text, o text.Offset) int { return int(t.PositionAt(o, byLF).Line) }

// LineStart returns where a 0-based line of t begins; one past the last gives
// [text.Text.Len].
func LineStart(t text.Text, line int) text.Offset {
	return t.OffsetAt(text.Position{Line: uint32(min(max(line, 0), text.MaxLen))}, byLF)
}

// wholeLines returns the parts in which two texts differ, in order, each
// widened to whole lines in both.
func wholeLines(old, now text.Text) []text.Change {
	var wide []text.Change
	for _, c := range now.ChangesSince(old) {
		if n := len(wide); n > 0 && wide[n-1].Old.End > c.Old.Start {
			// The part before reaches over this one's line already.
			last := &wide[n-1]
			last.Old.End, last.New.End = c.Old.End, c.New.End
			closeLine(old, now, last)
			continue
		}
		back := c.Old.Start - LineStart(old, lineAt(old, c.Old.Start))
		if n := len(wide); n > 0 {
			back = min(back, c.Old.Start-wide[n-1].Old.End)
		}
		c.Old.Start, c.New.Start = c.Old.Start-back, c.New.Start-back
		closeLine(old, now, &c)
		wide = append(wide, c)
	}
	return wide
}

// closeLine moves the ends of c, behind which both texts go on alike, to where
// a line ends in both.
func closeLine(old, now text.Text, c *text.Change) {
	if beginsLine(old, c.Old.End) && beginsLine(now, c.New.End) {
		return
	}
	end := LineStart(old, lineAt(old, c.Old.End)+1)
	c.Old.End, c.New.End = end, c.New.End+end-c.Old.End
}

func beginsLine(t text.Text, o text.Offset) bool {
	return o == 0 || o == t.Len() || t.Slice(text.Span{Start: o - 1, End: o}) == "\n"
}

// sumWidth is how many bytes a sum takes in [tokens].
const sumWidth = 9

// tokens writes sums as lines of a text, so that texts can be compared of which
// only these are known.
func tokens(sums []Sum) string {
	b := make([]byte, 0, sumWidth*len(sums))
	for _, s := range sums {
		for shift := 56; shift >= 0; shift -= 8 {
			c := byte(s >> shift)
			if c == '\n' {
				c = '\r' // one bit of some bytes is given up for that
			}
			b = append(b, c)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// SplicesOfSums is [Splices] of texts of which only the sums are known, without
// the lines that went.
func SplicesOfSums(old, now []Sum) []Splice {
	var splices []Splice
	shift := 0 // from lines of old to those of now
	for _, e := range diff.Compute(tokens(old), tokens(now)) {
		s := Splice{At: e.Span.Start / sumWidth, Del: e.Span.Len() / sumWidth}
		s.Add = now[s.At+shift : s.At+shift+len(e.New)/sumWidth]
		shift += len(s.Add) - s.Del
		splices = append(splices, s)
	}
	return splices
}
