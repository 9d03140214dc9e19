package search

import "bytes"

// blockBytes is the length that blocks of text do not exceed unless one line
// is longer.
const blockBytes = 32 << 10

// blockCutter cuts a text into blocks and collects the grams of the present one.
type blockCutter struct {
	grams gramSet
	flat  []byte // scratch: a piece whose lines all end with "\n"
	open  bool   // the block was begun with a part of a line that is too long
	ended bool   // the last byte ended a line
	at    int64  // bytes of the text before what comes next
	line  int    // lines before, 0 based number of the next
}

// begin starts a text.
func (c *blockCutter) begin() {
	c.open, c.ended, c.at, c.line = false, true, 0, 0
}

// addText indexes the whole text of a file.
func (b *builder) addText(text []byte) {
	b.block.begin()
	b.cut(text, true)
}

// cut indexes as many blocks as text, which goes on from the last call, holds
// and returns how many bytes that took: all if it is the last. What is left
// is less than a block.
func (b *builder) cut(text []byte, last bool) (used int) {
	c := &b.block
	for used < len(text) {
		n, ends := c.next(text[used:], last)
		if n == 0 {
			break
		}
		if !c.open {
			b.starts = append(b.starts, uint32(c.at))
			b.lines = append(b.lines, uint32(c.line))
			c.grams.begin()
		}
		c.feed(text[used : used+n])
		used += n
		c.open = !ends
		if ends {
			b.endBlock()
		}
	}
	return used
}

// next returns how many bytes of rest to take next, 0 for none as long as no
// more is there, and whether the block ends with them.
func (c *blockCutter) next(rest []byte, last bool) (n int, ends bool) {
	if c.open {
		return restOfLine(rest, last)
	}
	switch {
	case len(rest) <= blockBytes && last:
		return len(rest), true
	case len(rest) < blockBytes:
		return 0, false
	}
	if n := lastLineEnd(rest[:blockBytes]); n > 0 {
		return n, true
	}
	return beforeCR(rest[:blockBytes]), false
}

// lastLineEnd returns where the last line end in b that is surely whole ends;
// 0 without one.
func lastLineEnd(b []byte) int {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return bytes.LastIndexByte(b[:len(b)-1], '\r') + 1
}

// restOfLine returns how many bytes of b belong to the line that it begins in,
// and whether the line ends there. A CR at the end of b waits for what follows.
func restOfLine(b []byte, last bool) (n int, ends bool) {
	end := len(b)
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		end = i + 1
	}
	i := bytes.IndexByte(b[:end], '\r')
	switch {
	case i < 0:
		return end, end < len(b) || last || b[end-1] == '\n'
	case i+1 == len(b) && !last:
		return i, false
	case i+1 < len(b) && b[i+1] == '\n':
		return i + 2, true
	}
	return i + 1, true
}

// beforeCR returns the length of b without a CR at its end, which may be half
// a line end.
func beforeCR(b []byte) int {
	if b[len(b)-1] == '\r' {
		return len(b) - 1
	}
	return len(b)
}

// feed adds a piece of text, which cuts no line end in two, to the block.
func (c *blockCutter) feed(piece []byte) {
	c.at += int64(len(piece))
	if bytes.IndexByte(piece, '\r') >= 0 {
		c.flat = appendFlat(c.flat[:0], piece)
		piece = c.flat
	}
	c.line += bytes.Count(piece, []byte{'\n'})
	c.ended = piece[len(piece)-1] == '\n'
	c.grams.add(piece)
}

// appendFlat appends b with "\n" for every line end.
func appendFlat(dst, b []byte) []byte {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		dst = append(dst, '\n')
		b = b[i+1:]
		if len(b) > 0 && b[0] == '\n' {
			b = b[1:]
		}
	}
	return dst
}

// endBlock lists the block under its grams. A last line that does not end
// counts as one that does.
func (b *builder) endBlock() {
	c := &b.block
	if !c.ended {
		c.grams.add([]byte{'\n'})
	}
	n := uint32(len(b.starts) - 1)
	for _, g := range c.grams.grams() {
		b.postings.add(g, n)
	}
}
