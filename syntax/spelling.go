package syntax

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Spelling is something in a language that its bundled grammar does not know,
// mostly because it is older, and what the grammar is shown in its place. It
// lies in one line, and counts where it does not go on a word.
type Spelling struct {
	// Now is how it is written. A line feed in front asks for the beginning of
	// a line.
	Now string
	// Then is what the grammar is shown, filled up with blanks to as many
	// bytes.
	Then string
	// Unless: not where one of these follows.
	Unless []string
	// Part tells, if Now is not all there is to it, which part is replaced in
	// the rest of a line that begins with Now; 0, 0 for none.
	Part func(line []byte) (start, end int)
}

// Frame is what stands around a text to make it one that its grammar takes:
// an interface on its own, for a grammar of programs. Before ends a line.
type Frame struct{ Before, After string }

// shown returns src as the grammar is to see it. Offsets are those in src, but
// for the frame.
func (l *Language) shown(src []byte) []byte {
	shown, own := src, false
	for _, s := range l.spellings {
		shown, own = s.replaceIn(shown, own)
	}
	if l.ascii {
		shown = asciiWords(shown, own)
	}
	if l.frame == (Frame{}) {
		return shown
	}
	return append(append([]byte(l.frame.Before), shown...), l.frame.After...)
}

// replaceIn replaces the spelling in b, which it may change if it is its own,
// else in a copy of it, which it returns.
func (s Spelling) replaceIn(b []byte, own bool) ([]byte, bool) {
	now, lineStart := strings.CutPrefix(s.Now, "\n")
	for from := 0; ; {
		at := bytes.Index(b[from:], []byte(now))
		if at < 0 {
			return b, own
		}
		at += from
		from = at + len(now)
		if !mayStart(b, at, lineStart) {
			continue
		}
		part, ok := s.partOf(b, text.Span{Start: at, End: from})
		if !ok {
			continue
		}
		if !own {
			b, own = bytes.Clone(b), true
		}
		from = part.End
		copy(b[part.Start:part.End], s.Then+strings.Repeat(" ", max(0, part.Len()-len(s.Then))))
	}
}

// partOf returns what is replaced where the spelling stands at found, if it
// is meant there.
func (s Spelling) partOf(b []byte, found text.Span) (part text.Span, ok bool) {
	if s.Part == nil {
		follows := func(next string) bool { return bytes.HasPrefix(b[found.End:], []byte(next)) }
		return found, !slices.ContainsFunc(s.Unless, follows)
	}
	line := b[found.Start:]
	if n := bytes.IndexAny(line, "\r\n"); n >= 0 {
		line = line[:n]
	}
	start, end := s.Part(line)
	return text.Span{Start: found.Start + start, End: found.Start + end}, end > 0
}

// asciiWords shows "x" for all bytes beyond ASCII, in b if that is its own,
// else in a copy.
func asciiWords(b []byte, own bool) []byte {
	for i, c := range b {
		if c < 0x80 {
			continue
		}
		if !own {
			b, own = bytes.Clone(b), true
		}
		b[i] = 'x'
	}
	return b
}

func mayStart(b []byte, at int, lineStart bool) bool {
	if lineStart {
		return lineUpTo(b, at).Start == at
	}
	return at == 0 || !isWordByte(b[at]) || !isWordByte(b[at-1])
}

func wordLen(b []byte) int {
	return len(b) - len(bytes.TrimLeftFunc(b, func(r rune) bool { return r >= 0x80 || isWordByte(byte(r)) }))
}

// inText returns where in a text of n bytes the place s is that counts the
// frame.
func (f Frame) inText(s text.Span, n int) text.Span {
	by := len(f.Before)
	if by == 0 || s.End == 0 { // no place
		return s
	}
	return text.Span{Start: min(max(s.Start-by, 0), n), End: min(max(s.End-by, 0), n)}
}

// unframe makes the records those of a text of n bytes without its frame.
func (f Frame) unframe(records []record, n int) {
	if f == (Frame{}) {
		return
	}
	for i := range records {
		r := &records[i]
		for _, s := range []*text.Span{&r.node, &r.name, &r.scope, &r.inner, &r.callee} {
			*s = f.inText(*s, n)
		}
		r.body = min(max(r.body-len(f.Before), 0), n)
	}
}
