package outline

import (
	"bytes"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// lineTable holds where each line begins. LF, CRLF and a lone CR each end a
// line.
type lineTable []text.Offset

func linesOf(src []byte) lineTable {
	t := make(lineTable, 1, bytes.Count(src, []byte{'\n'})+2)
	returns := bytes.IndexByte(src, '\r') >= 0
	for at := 0; at < len(src); {
		n := bytes.IndexByte(src[at:], '\n')
		line := src[at:]
		if n >= 0 {
			line = src[at : at+n]
		}
		if returns {
			t = appendReturns(t, src, at, line)
		}
		if n < 0 {
			break
		}
		at += n + 1
		t = append(t, at)
	}
	return t
}

// appendReturns adds the lines that lone CRs begin in a line, which stands at
// a place in src and ends before an LF or with the text.
func appendReturns(t lineTable, src []byte, at text.Offset, line []byte) lineTable {
	for i, c := range line {
		if next := at + i + 1; c == '\r' && (next == len(src) || src[next] != '\n') {
			t = append(t, next)
		}
	}
	return t
}

// at returns the 1-based line that holds the byte at a place.
func (t lineTable) at(o text.Offset) int {
	i, found := slices.BinarySearch(t, o)
	if found {
		i++
	}
	return max(i, 1)
}
