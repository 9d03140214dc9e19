package search

import (
	"bytes"
	"cmp"
	"context"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// maxLineBytes is how much of a hit's line is shown.
	maxLineBytes = 500
	// leadBytes is how much of a cut line stands before the match.
	leadBytes = 100
)

// Hit is a line with a match, or a match that reaches over lines.
type Hit struct {
	// Line and EndLine are the lines of the match's start and end, 1-based.
	Line, EndLine int
	// Column is where the match starts in its line, in bytes from 1.
	Column int
	// Offset is where it starts in the text.
	Offset int
	// Text is the line, or lines, without the last line end: at most
	// maxLineBytes of it around the match's start.
	Text string
	// CutBefore and CutAfter tell that Text lacks something there.
	CutBefore, CutAfter bool
	// Start and End are the match's in Text, half open.
	Start, End int
}

// scan collects the hits of one text.
type scan struct {
	matcher *Matcher
	after   int  // hits up to this offset are passed over; -1 for none
	keep    int  // how many hits are kept
	ends    bool // and then the scan ends; else it goes on counting
	last    bool // the last hits are kept, and pieces are searched from the last to the first

	lineFeeds bool // all line ends of the text are known to be LF

	// each, where it is not nil, is told of every match in a piece.
	each func(p *place, start, end int) error

	hits  []Hit
	count int
	lines int // in which matches begin
	// passedOver tells of lines that were too long to be searched.
	passedOver bool
	fold       []byte // room for a piece whose line ends are all LF
}

func (s *scan) reset() { s.hits, s.count, s.lines = nil, 0, 0 }

// full tells that nothing more needs to be looked at.
func (s *scan) full() bool {
	if s.last {
		return len(s.hits) >= s.keep
	}
	return s.ends && s.count >= s.keep
}

// piece searches b, which is whole lines of the text from byte base and the
// 0-based line first on.
func (s *scan) piece(ctx context.Context, b []byte, base, first int) error {
	p := place{orig: b, norm: b, base: base, line: first}
	if !s.lineFeeds && bytes.IndexByte(b, '\r') >= 0 {
		s.fold = lineFeeds(s.fold[:0], b)
		p.norm = s.fold
	}
	var failed error
	last := -1 // the line of the match before
	err := s.matcher.Match(ctx, p.norm, func(start, end int) bool {
		p.advance(start)
		if p.offset(start) <= s.after {
			return true
		}
		s.count++
		if p.line > last {
			s.lines, last = s.lines+1, p.line
		}
		if s.each != nil {
			failed = s.each(&p, start, end)
			return failed == nil
		}
		if s.last || len(s.hits) < s.keep {
			s.hits = append(s.hits, p.hit(start, end))
		}
		if s.last && len(s.hits) >= 2*s.keep {
			s.hits = lastOf(s.hits, s.keep)
		}
		return s.last || !s.full()
	})
	return cmp.Or(failed, err)
}

// whole searches all of a text, as pieces does.
func (s *scan) whole(ctx context.Context, c buffers.Content, sizes sizes, buf []byte) ([]byte, error) {
	all := text.Span{End: c.Len()}
	switch {
	case s.last && !s.matcher.Multiline():
		return s.fromEnd(ctx, c, sizes, buf)
	case !s.matcher.Multiline():
		return s.pieces(ctx, c, all, sizes.piece, sizes.longest, buf)
	case c.Len() > maxMultiline:
		return buf, fault.New(fault.FileTooLarge, "%d bytes are too many for a search over line ends", c.Len()).
			Advise("Search it without multiline.")
	}
	buf = c.Append(buf[:0], all)
	return buf, s.piece(ctx, buf, 0, 0)
}

// pieces searches the part of a text piece by piece, each of whole lines, and
// returns the buffer that it was given, or a larger one. Lines over longest
// bytes are passed over: a piece is in memory as a whole.
func (s *scan) pieces(ctx context.Context, c buffers.Content, part text.Span, size, longest int, buf []byte) ([]byte, error) {
	for at := part.Start; at < part.End && !s.full(); {
		end := part.End
		if end-at > size {
			end = min(end, lineEnd(c, at+size))
		}
		if end-at > size+longest { // the last line of the piece is longer than all of it should be
			start := c.LineStart(c.LineAt(at + size))
			if start <= at {
				s.passedOver, at = true, end
				continue
			}
			end = start
		}
		buf = c.Append(buf[:0], text.Span{Start: at, End: end})
		if err := s.piece(ctx, buf, at, c.LineAt(at)); err != nil {
			return buf, err
		}
		at = end
	}
	return buf, ctx.Err()
}

// join adds what was found in a later part of the same text.
func (s *scan) join(later *scan) {
	s.passedOver = s.passedOver || later.passedOver
	s.count += later.count
	s.lines += later.lines
	s.hits = append(s.hits, later.hits[:min(len(later.hits), max(0, s.keep-len(s.hits)))]...)
}

// lineFeeds appends b to dst with LF for CRLF and for a lone CR, so that
// lines and columns stay what they are.
func lineFeeds(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(append(dst, b[:i]...), '\n')
		b = b[i+1:]
		if len(b) > 0 && b[0] == '\n' {
			b = b[1:]
		}
	}
}

// place goes along a piece from line to line, in the text as it is and as the
// matcher sees it, in which all lines end with LF.
type place struct {
	orig, norm []byte
	base       int // of orig in the text
	line       int // 0-based, of the line that begins at at and inOrig
	at, inOrig int
	seen       int // of norm: no line begins between at and it
	end        int // of norm: where the line at at ends, once it is needed
}

// advance moves to the line that holds the byte at o of norm.
func (p *place) advance(o int) {
	from := max(p.at, min(p.seen, o))
	p.seen = o
	last := bytes.LastIndexByte(p.norm[from:o], '\n')
	if last < 0 {
		return
	}
	start := from + last + 1
	lines := bytes.Count(p.norm[p.at:start], []byte{'\n'})
	p.line += lines
	if len(p.norm) == len(p.orig) && &p.norm[0] == &p.orig[0] {
		p.inOrig = start
	} else {
		for range lines {
			p.inOrig += text.LineLen(p.orig[p.inOrig:])
		}
	}
	p.at = start
}

// lineText returns the line at which p is, as the matcher sees it.
func (p *place) lineText() []byte {
	if p.end < p.at || p.end == 0 {
		p.end = len(p.norm)
		if n := bytes.IndexByte(p.norm[p.at:], '\n'); n >= 0 {
			p.end = p.at + n
		}
	}
	return p.norm[p.at:p.end]
}

// offset returns the place in the text of the byte at o of norm, which is in
// the line at which p is.
func (p *place) offset(o int) int { return p.base + p.inOrig + o - p.at }

func (p *place) hit(start, end int) Hit {
	h := Hit{Line: p.line + 1, EndLine: p.line + 1, Column: start - p.at + 1, Offset: p.offset(start)}
	if end > start {
		h.EndLine += bytes.Count(p.norm[start:end-1], []byte{'\n'})
	}
	last := len(p.norm)
	if i := bytes.IndexByte(p.norm[max(start, end-1):], '\n'); i >= 0 {
		last = max(start, end-1) + i
	}
	from, to := cut(p.norm, p.at, start, last)
	h.Text, h.CutBefore, h.CutAfter = string(p.norm[from:to]), from > p.at, to < last
	h.Start, h.End = start-from, min(end, to)-from
	return h
}

// cut returns the part of b[first:last] that is shown of a match at start.
func cut(b []byte, first, start, last int) (from, to int) {
	if last-first <= maxLineBytes {
		return first, last
	}
	from = first
	if start-first > leadBytes {
		from = start - leadBytes
	}
	if to = min(last, from+maxLineBytes); to == last {
		from = max(first, to-maxLineBytes)
	}
	for from > first && !utf8.RuneStart(b[from]) {
		from--
	}
	for to < last && !utf8.RuneStart(b[to]) {
		to--
	}
	return from, to
}
