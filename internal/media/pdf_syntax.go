package media

import (
	"bytes"
	"strconv"
)

// What the syntax of PDF is made of: nil, bool, float64, string (bytes), and
// these.
type (
	pdfName    string
	pdfDict    map[pdfName]any
	pdfRef     int // the number of an object
	pdfKeyword string
)

const (
	// maxPDFDepth is how deep arrays and dictionaries may lie in each other.
	maxPDFDepth = 40
	// maxPDFMembers is how many members an object may have altogether.
	maxPDFMembers = 1 << 20
)

// pdfParser reads objects from src. It cannot fail: what makes no sense is
// nil, and every step moves on, so that it ends with src.
type pdfParser struct {
	src     []byte
	at      int
	depth   int
	members int // of the outermost object under way
}

// enter begins an array or a dictionary, member counts what it holds: what is
// too deep or too large ends everything.
func (p *pdfParser) enter() {
	if p.depth == 0 {
		p.members = 0
	}
	if p.depth++; p.depth > maxPDFDepth {
		p.at = len(p.src)
	}
}

func (p *pdfParser) leave() { p.depth-- }

func (p *pdfParser) member() {
	if p.members++; p.members > maxPDFMembers {
		p.at = len(p.src)
	}
}

func (p *pdfParser) ended() bool { return p.at >= len(p.src) }

// skipSpace passes over blanks and comments.
func (p *pdfParser) skipSpace() {
	for !p.ended() {
		c := p.src[p.at]
		switch {
		case c == '%':
			for !p.ended() && p.src[p.at] != '\n' && p.src[p.at] != '\r' {
				p.at++
			}
		case isPDFSpace(c):
			p.at++
		default:
			return
		}
	}
}

// next returns the next object, or keyword; a closing bracket is a keyword.
// At the end it is nil and ended is true.
func (p *pdfParser) next() any {
	p.skipSpace()
	if p.ended() {
		return nil
	}
	c := p.src[p.at]
	switch {
	case c == '/':
		p.at++
		return p.name()
	case c == '(':
		p.at++
		return p.literal()
	case bytes.HasPrefix(p.src[p.at:], []byte("<<")):
		p.at += 2
		return p.dict()
	case c == '<':
		p.at++
		return p.hex()
	case c == '[':
		p.at++
		return p.array()
	case bytes.HasPrefix(p.src[p.at:], []byte(">>")):
		p.at += 2
		return pdfKeyword(">>")
	case isPDFDelimiter(c):
		p.at++
		return pdfKeyword(c)
	}
	return p.word()
}

func (p *pdfParser) regular() []byte {
	start := p.at
	for !p.ended() && !isPDFSpace(p.src[p.at]) && !isPDFDelimiter(p.src[p.at]) {
		p.at++
	}
	return p.src[start:p.at]
}

func (p *pdfParser) name() pdfName {
	raw := p.regular()
	if bytes.IndexByte(raw, '#') < 0 {
		return pdfName(raw)
	}
	var out []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if b, err := strconv.ParseUint(string(raw[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(b))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return pdfName(out)
}

// word reads a number, a reference ("12 0 R") or a keyword.
func (p *pdfParser) word() any {
	raw := p.regular()
	switch string(raw) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if c := raw[0]; c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') {
		return pdfKeyword(raw)
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return pdfKeyword(raw)
	}
	if n >= 0 && n < 1<<23 && n == float64(int(n)) && p.isReference() {
		return pdfRef(n)
	}
	return n
}

// isReference passes over what makes a number a reference, if it follows.
func (p *pdfParser) isReference() bool {
	at := p.at
	digits := 0
	for at < len(p.src) && isPDFSpace(p.src[at]) {
		at++
	}
	for at < len(p.src) && p.src[at] >= '0' && p.src[at] <= '9' && digits < 6 {
		at++
		digits++
	}
	from := at
	for at < len(p.src) && isPDFSpace(p.src[at]) {
		at++
	}
	if digits == 0 || at == from || at >= len(p.src) || p.src[at] != 'R' {
		return false
	}
	if at+1 < len(p.src) && !isPDFSpace(p.src[at+1]) && !isPDFDelimiter(p.src[at+1]) {
		return false
	}
	p.at = at + 1
	return true
}

func (p *pdfParser) array() []any {
	all := []any{}
	p.enter()
	defer p.leave()
	for {
		v := p.next()
		if v == pdfKeyword("]") || v == nil && p.ended() {
			return all
		}
		all = append(all, v)
		p.member()
	}
}

func (p *pdfParser) dict() pdfDict {
	d := pdfDict{}
	p.enter()
	defer p.leave()
	for !p.ended() {
		key := p.next()
		if key == pdfKeyword(">>") {
			break
		}
		if name, ok := key.(pdfName); ok {
			value := p.next()
			if value == pdfKeyword(">>") {
				break
			}
			d[name] = value
			p.member()
		}
	}
	return d
}

// literal reads a string in parentheses, past the first.
func (p *pdfParser) literal() string {
	var out []byte
	for open := 1; !p.ended(); {
		c := p.src[p.at]
		p.at++
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return string(out)
			}
		case '\\':
			out = p.escape(out)
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

// escape reads what follows a backslash in a string.
func (p *pdfParser) escape(out []byte) []byte {
	if p.ended() {
		return out
	}
	c := p.src[p.at]
	p.at++
	switch c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b', 'f':
		return append(out, ' ')
	case '\r':
		if !p.ended() && p.src[p.at] == '\n' {
			p.at++
		}
		return out
	case '\n':
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	value := int(c - '0')
	for n := 0; n < 2 && !p.ended() && p.src[p.at] >= '0' && p.src[p.at] <= '7'; n++ {
		value = value*8 + int(p.src[p.at]-'0')
		p.at++
	}
	return append(out, byte(value))
}

func (p *pdfParser) hex() string {
	var out []byte
	half, digits := byte(0), 0
	for !p.ended() {
		c := p.src[p.at]
		p.at++
		if c == '>' {
			break
		}
		d, ok := hexDigit(c)
		if !ok {
			continue
		}
		if digits++; digits%2 == 1 {
			half = d << 4
		} else {
			out = append(out, half|d)
		}
	}
	if digits%2 == 1 {
		out = append(out, half)
	}
	return string(out)
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

func isPDFSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isPDFDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }
