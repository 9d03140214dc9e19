package text

import (
	"io"
	"iter"
	"strings"
)

// String returns the whole text.
func (t Text) String() string { return t.Slice(Span{0, t.Len()}) }

// Slice returns the bytes of s, clamped to the text but not moved to
// characters. What lies in one chunk is not copied, so a short result may
// hold on to a chunk of memory.
func (t Text) Slice(s Span) string {
	s = s.within(t.Len())
	if s.Len() == 0 {
		return ""
	}
	chunk, start := t.chunkAt(s.Start)
	if s.End <= start+len(chunk) {
		return chunk[s.Start-start : s.End-start]
	}
	var b strings.Builder
	b.Grow(s.Len())
	for part := range t.Chunks(s) {
		b.WriteString(part)
	}
	return b.String()
}

// Append appends the bytes of s, clamped to the text, to dst.
func (t Text) Append(dst []byte, s Span) []byte {
	for part := range t.Chunks(s) {
		dst = append(dst, part...)
	}
	return dst
}

// Chunks yields the bytes of s, clamped to the text, in order and without
// copying. No part is empty; a part ends inside a character only where s does.
func (t Text) Chunks(s Span) iter.Seq[string] {
	s = s.within(t.Len())
	return func(yield func(string) bool) {
		if s.Len() > 0 {
			t.root.yield(s, yield)
		}
	}
}

// yield passes on the bytes s of the subtree, by offsets within it, until the
// function says no. s is not empty.
func (r *ref) yield(s Span, yield func(string) bool) bool {
	if r.isLeaf() {
		return yield(r.text[s.Start:s.End])
	}
	kids := r.node.kids()
	kid, start := r.node.kidHolding(s.Start)
	for ; start < s.End; kid++ {
		size := kids[kid].size()
		part := Span{max(s.Start-start, 0), min(s.End-start, size)}
		if !kids[kid].yield(part, yield) {
			return false
		}
		start += size
	}
	return true
}

// WriteTo writes the whole text to w, a chunk at a time, and returns the
// number of bytes written.
func (t Text) WriteTo(w io.Writer) (int64, error) {
	var written int64
	for chunk := range t.Chunks(Span{0, t.Len()}) {
		n, err := io.WriteString(w, chunk)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// FloorChar returns the start of the character that holds byte o, clamped to
// the text.
func (t Text) FloorChar(o Offset) Offset {
	o = min(max(o, 0), t.Len())
	chunk, start := t.chunkAt(o)
	return start + floorChar(chunk, o-start)
}
