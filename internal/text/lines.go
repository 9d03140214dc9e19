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
	line := p.before.breaks(rule) + countBreaks(p.text[:k], rule)
	if rule == OnlyLF {
		return line
	}
	if k > 0 && p.insidePair(0) {
		line-- // counted with its CR, and again in the chunk
	}
	if p.insidePair(k) {
		line--
	}
	return line
}

// insidePair tells that byte k of the place's chunk is an LF after a CR.
func (p *place) insidePair(k int) bool {
	if k >= len(p.text) || p.text[k] != '\n' {
		return false
	}
	if k == 0 {
		return p.before.endsCR()
	}
	return p.text[k-1] == '\r'
}

// lineStart returns where a 0-based line begins under a rule. A line after
// the last line end begins at the text's end.
func (t Text) lineStart(line int, rule LineRule) Offset {
	_, chunkStart, k := t.placeOfLine(line, rule)
	return chunkStart + k
}

// placeOfLine returns the chunk in which a line begins, the chunk's start,
// and the line's start within the chunk. A line that begins at the text's end
// begins at the end of the last chunk.
func (t Text) placeOfLine(line int, rule LineRule) (chunk string, chunkStart Offset, k int) {
	if line <= 0 {
		chunk, _ = t.chunkAt(0)
		return chunk, 0, 0
	}
	if line > t.summary().breaks(rule) {
		chunk, chunkStart = t.chunkAt(t.Len())
		return chunk, chunkStart, len(chunk)
	}
	r, chunkStart, n, afterCR := t.chunkOfBreak(line, rule)
	k = r.breakEnd(n, rule, afterCR)
	if k < len(r.text) {
		return r.text, chunkStart, k
	}
	chunk, nextStart := t.chunkAt(chunkStart + k)
	k += chunkStart - nextStart
	cutPair := rule == AnyLineEnd && r.sum.endsCR() && k < len(chunk) && chunk[k] == '\n'
	if cutPair {
		k++
	}
	return chunk, nextStart, k
}

// chunkOfBreak returns the chunk in which the k-th line end stands (that of a
// CR LF in two chunks: its CR), where the chunk begins, how many line ends
// into the chunk that is, and whether a CR comes right before the chunk. k
// counts from 1 and is no more than the number of line ends.
func (t Text) chunkOfBreak(k int, rule LineRule) (r *ref, start Offset, n int, afterCR bool) {
	r = t.root
	for !r.isLeaf() {
		kids := r.node.kids()
		for i := range kids {
			sum := &kids[i].sum
			breaks := sum.breaks(rule)
			if rule == AnyLineEnd && afterCR && sum.startsLF() {
				breaks-- // counted with its CR
			}
			if k <= breaks {
				r = &kids[i]
				break
			}
			k -= breaks
			start += int(sum.bytes)
			afterCR = sum.endsCR()
		}
	}
	return r, start, k, afterCR
}

// breakEnd returns the offset after the n-th line end of a chunk, n counting
// from 1. With afterCR an LF that begins the chunk is none of them.
func (r *ref) breakEnd(n int, rule LineRule, afterCR bool) Offset {
	if noCR := r.sum.cr == 0 && !afterCR; noCR || rule == OnlyLF {
		return skipLFs(r.text, n)
	}
	chunk, end := r.text, 0
	if afterCR && chunk[0] == '\n' {
		end = 1
	}
	for range n {
		end += nextBreak(chunk[end:], AnyLineEnd)
		if strings.HasPrefix(chunk[end:], "\r\n") {
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

// countBreaks returns the number of line ends in s.
func countBreaks(s string, rule LineRule) int {
	breaks := strings.Count(s, "\n")
	if rule == OnlyLF {
		return breaks
	}
	return breaks + strings.Count(s, "\r") - strings.Count(s, "\r\n")
}
