package text

import "strings"

// LineStart returns where a 0-based line begins. A line before the first
// gives 0, one past the last [Text.Len].
func (t Text) LineStart(line int) Offset {
	return t.lineStart(line, AnyLineEnd)
}

// LineAt returns the 0-based line that holds byte o; the bytes of a line end
// are their line's. An o before the text gives 0, one past its last byte the
// last line, which is 0 for the empty text.
func (t Text) LineAt(o Offset) int {
	if o >= t.Len() {
		return max(t.Lines()-1, 0)
	}
	o = max(o, 0)
	p := t.placeOf(o)
	return p.lineAt(o, AnyLineEnd)
}

// lineAt returns the number of line ends before offset o of the text, which
// lies in the place's chunk. A CR whose LF stands at o ends no line yet.
func (p *place) lineAt(o Offset, rule LineRule) int {
	k := o - p.start
	head := summarize(p.text[:k])
	sum := p.before
	sum.add(&head)
	line := sum.breaks(rule)
	if rule == AnyLineEnd && sum.endsCR() && k < len(p.text) && p.text[k] == '\n' {
		line--
	}
	return line
}

// lineStart returns where a 0-based line begins under a rule. A line after
// the last line end begins at the text's end.
func (t Text) lineStart(line int, rule LineRule) Offset {
	if line <= 0 {
		return 0
	}
	if line > t.summary().breaks(rule) {
		return t.Len()
	}
	chunk, start, n, afterCR := t.chunkOfBreak(line, rule)
	end := breakEnd(chunk, n, rule, afterCR)
	o := start + end
	// The LF of a CR at a chunk's end stands in the next chunk.
	if rule == AnyLineEnd && end == len(chunk) && chunk[end-1] == '\r' && o < t.Len() && t.byteAt(o) == '\n' {
		o++
	}
	return o
}

// chunkOfBreak returns the chunk in which the k-th line end stands (that of a
// CR LF in two chunks: its CR), where the chunk begins, the how manieth there
// the line end is, and whether a CR comes right before the chunk. k counts
// from 1 and is no more than the number of line ends.
func (t Text) chunkOfBreak(k int, rule LineRule) (chunk string, start Offset, n int, afterCR bool) {
	node := t.root.node
	for node.kids != nil {
		for i := range node.kids {
			sum := &node.kids[i].sum
			breaks := sum.breaks(rule)
			if rule == AnyLineEnd && afterCR && sum.startsLF() {
				breaks-- // counted with its CR
			}
			if k <= breaks {
				node = node.kids[i].node
				break
			}
			k -= breaks
			start += int(sum.bytes)
			afterCR = sum.endsCR()
		}
	}
	return node.text, start, k, afterCR
}

// breakEnd returns the offset after the n-th line end of a chunk, n counting
// from 1. With afterCR an LF that begins the chunk is none of them.
func breakEnd(chunk string, n int, rule LineRule, afterCR bool) Offset {
	end := 0
	if rule == AnyLineEnd && afterCR && chunk[0] == '\n' {
		end = 1
	}
	for range n {
		end += nextBreak(chunk[end:], rule)
		if rule == AnyLineEnd && chunk[end] == '\r' && end+1 < len(chunk) && chunk[end+1] == '\n' {
			end++
		}
		end++
	}
	return end
}

// nextBreak returns where the first line end of s begins, or -1.
func nextBreak(s string, rule LineRule) Offset {
	lf := strings.IndexByte(s, '\n')
	if rule == OnlyLF {
		return lf
	}
	if lf >= 0 {
		s = s[:lf]
	}
	if cr := strings.IndexByte(s, '\r'); cr >= 0 {
		return cr
	}
	return lf
}
