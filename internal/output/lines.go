package output

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Where a shown line is cut, in bytes: a third of the budget within these.
const (
	minLine = 24
	maxLine = 1000
)

// cutMark ends a line that was cut.
const cutMark = " [cut]"

// lineReader cuts a stream into lines as a terminal would show them: what a
// carriage return lets be written over is dropped. It counts lines as files
// do, by LF, CRLF and lone CR, so that its numbers are those of read_file.
type lineReader struct {
	emit func(shownLine)
	most int // where a shown line is cut, in bytes

	buf     []byte // of the line so far, at most maxRaw
	over    bool   // the line is longer
	cr      bool   // the last byte was a CR
	first   int    // number of the first line of the file that buf stands for
	number  int    // of the present line of the file, 1-based
	exact   bool   // every line is shown as it is
	started bool   // the present line of the file has bytes
}

// shownLine is one line as it is shown.
type shownLine struct {
	text  string // clean: valid UTF-8, no escapes, at most maxLine bytes
	first int    // its first line in the file, 1-based
	last  int    // its last: a progress bar is many
}

// maxRaw is how much of a line is looked at; escapes make it longer than what
// is shown.
const maxRaw = 8 << 10

func newLineReader(most int, emit func(shownLine)) *lineReader {
	return &lineReader{emit: emit, most: most, exact: true, first: 1, number: 1}
}

// write takes the next bytes of the stream.
func (r *lineReader) write(p []byte) {
	for len(p) > 0 {
		if r.cr {
			r.cr = false
			r.number++
			if p[0] == '\n' {
				r.end()
				p = p[1:]
				continue
			}
			r.started = false
			r.overwrite(p[0])
		}
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			r.add(p)
			return
		}
		r.add(p[:i])
		if p[i] == '\n' {
			r.number++
			r.end()
		} else {
			r.cr, r.exact = true, false
		}
		p = p[i+1:]
	}
}

// overwrite begins the line anew after a CR, unless nothing but further line
// ends follows.
func (r *lineReader) overwrite(next byte) {
	if next != '\r' {
		r.buf, r.over = r.buf[:0], false
	}
}

func (r *lineReader) add(p []byte) {
	if len(p) == 0 {
		return
	}
	r.started = true
	room := maxRaw - len(r.buf)
	if len(p) > room {
		p, r.over = p[:room], true
	}
	r.buf = append(r.buf, p...)
}

// end gives out the line; number is already that of the next one.
func (r *lineReader) end() {
	text := clean(r.buf, r.over, r.most)
	r.exact = r.exact && text == string(r.buf) && !r.over
	r.emit(shownLine{text, r.first, r.number - 1})
	r.buf, r.over, r.started = r.buf[:0], false, false
	r.first = r.number
}

// close gives out what has no line end.
func (r *lineReader) close() {
	if r.cr {
		r.cr, r.started = false, false
		r.number++
	}
	if r.started {
		r.number++
	}
	if r.number > r.first {
		r.end()
	}
}

// total is the number of lines of the stream, once it is closed.
func (r *lineReader) total() int { return r.number - 1 }

// clean returns a line as it is shown: without escapes and control
// characters, in valid UTF-8, cut at most bytes.
func clean(raw []byte, cut bool, most int) string {
	if isPlain(raw) {
		return cutLine(string(raw[:min(len(raw), most+1)]), cut, most)
	}
	out := make([]byte, 0, min(len(raw), most+1))
	for i := 0; i < len(raw); { // to its end: what stands there may take back what was before
		switch c := raw[i]; {
		case c == 0x1b:
			i += escapeLen(raw[i:])
			continue
		case c == '\b':
			_, size := utf8.DecodeLastRune(out)
			out = out[:len(out)-size]
		case c < ' ' && c != '\t' || c == 0x7f:
		case c < utf8.RuneSelf:
			out = append(out, c)
		default:
			r, size := utf8.DecodeRune(raw[i:])
			out = utf8.AppendRune(out, r)
			i += size
			continue
		}
		i++
	}
	return cutLine(string(out), cut, most)
}

// isPlain reports whether a line is shown as it is.
func isPlain(raw []byte) bool {
	for _, c := range raw {
		if c < ' ' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// cutLine cuts at a character and says so.
func cutLine(s string, cut bool, most int) string {
	if cut || len(s) > most {
		s, cut = shorten(s, most-len(cutMark)), true
	}
	s = strings.TrimRight(s, " \t")
	if cut {
		s += cutMark
	}
	return s
}

// shorten returns the first bytes of s, whole characters only.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:max(most, 0)]
}

// escapeLen is the length of the terminal's control sequence that b begins
// with: CSI, OSC and its like, or two bytes.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= '@' && b[i] <= '~' {
				return i + 1
			}
		}
		return len(b)
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(b); i++ {
			if b[i] == '\a' {
				return i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return len(b)
	case '(', ')':
		return min(3, len(b))
	}
	return 2
}
