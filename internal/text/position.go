package text

// OffsetAt returns the offset of a position. A column past the line's end is
// the line's end, before its line ending; a line past the last is the text's
// end; a position inside a character, or between the surrogates of one, is
// the character's start. It takes O(log n) however long the line is.
func (t Text) OffsetAt(p Position, c Coord) Offset {
	line, column := clampToInt(p.Line), clampToInt(p.Character)
	if line > t.summary().breaks(c.Lines) {
		return t.Len()
	}
	chunk, chunkStart, k := t.placeOfLine(line, c.Lines)
	start, rest := chunkStart+k, chunk[k:]
	if end := nextBreak(rest, c.Lines); end >= 0 {
		return start + skipUnits(rest[:end], column, c.Encoding)
	}
	if o := start + skipUnits(rest, column, c.Encoding); o < chunkStart+len(chunk) || o == t.Len() {
		return o
	}
	return t.offsetOnLongLine(line, start, column, c)
}

// offsetOnLongLine is OffsetAt for a line that goes on past the chunk that it
// starts in.
func (t Text) offsetOnLongLine(line int, start Offset, column int, c Coord) Offset {
	end := t.lineEnd(line, c.Lines)
	before := t.unitsBefore(start, c.Encoding)
	return min(t.offsetOfUnit(before+column, c.Encoding), end)
}

// lineEnd returns where the content of a line ends, before its line ending.
func (t Text) lineEnd(line int, rule LineRule) Offset {
	if line >= t.summary().breaks(rule) {
		return t.Len()
	}
	end := t.lineStart(line+1, rule) - 1
	if rule == AnyLineEnd && end > 0 && t.byteAt(end) == '\n' && t.byteAt(end-1) == '\r' {
		end--
	}
	return end
}

// unitsBefore returns the length of the text before offset o.
func (t Text) unitsBefore(o Offset, e PositionEncoding) int {
	if e == UTF8 {
		return o
	}
	p := t.placeOf(o)
	return p.before.units(e) + countUnits(p.text[:o-p.start], e)
}

// offsetOfUnit returns the start of the character that holds the text's n-th
// unit, counting from 0, and the text's end when there is none.
func (t Text) offsetOfUnit(n int, e PositionEncoding) Offset {
	if t.root == nil {
		return 0
	}
	r, start := t.root, 0
	for !r.isLeaf() {
		kids := r.node.kids()
		kid := 0
		for ; kid < len(kids)-1; kid++ {
			units := kids[kid].sum.units(e)
			if n < units {
				break
			}
			n -= units
			start += kids[kid].size()
		}
		r = &kids[kid]
	}
	return start + skipUnits(r.text, n, e)
}

// PositionAt returns the position of offset o, which is clamped to the text
// and floored to its character. An o between the CR and the LF of one line
// end has no position of its own under [AnyLineEnd]: it gets that of the
// line's end. It takes O(log n) however long the line is.
func (t Text) PositionAt(o Offset, c Coord) Position {
	o = min(max(o, 0), t.Len())
	p := t.placeOf(o)
	k := floorChar(p.text, o-p.start)
	line := p.lineAt(p.start+k, c.Lines)
	return Position{Line: uint32(line), Character: uint32(t.columnAt(&p, k, line, c))}
}

// columnAt returns the column of byte k of a place's chunk, in a given line.
func (t Text) columnAt(p *place, k, line int, c Coord) int {
	if c.Lines == AnyLineEnd && p.insidePair(k) {
		return t.columnAtEnd(p.start+k-1, line, c)
	}
	head := p.text[:k]
	if start := lastBreakEnd(head, c.Lines); start > 0 {
		return countUnits(head[start:], c.Encoding)
	}
	before := t.unitsBefore(t.lineStart(line, c.Lines), c.Encoding)
	return p.before.units(c.Encoding) + countUnits(head, c.Encoding) - before
}

// columnAtEnd returns the column of a line's end, at offset o.
func (t Text) columnAtEnd(o Offset, line int, c Coord) int {
	return t.unitsBefore(o, c.Encoding) - t.unitsBefore(t.lineStart(line, c.Lines), c.Encoding)
}

// lastBreakEnd returns the offset after the last line end of s, 0 without any.
func lastBreakEnd(s string, rule LineRule) Offset {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '\n' || s[i] == '\r' && rule == AnyLineEnd {
			return i + 1
		}
	}
	return 0
}

func clampToInt(n uint32) int { return int(min(n, MaxLen)) }
