package buffers

import (
	"bytes"
	"sort"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// index finds lines and offsets of a text in the file that holds it. It is
// built by add and immutable afterwards.
type index struct {
	len          int // bytes of the text
	lf, crlf, cr int // line ends by kind
	endsInBreak  bool
	points       []checkpoint
}

// checkpoint is a place where reading can start: it lies neither in a
// character nor between CR and LF.
type checkpoint struct {
	raw    int64 // bytes of the file before it
	text   int   // bytes of the text before it
	breaks int   // line ends before it
}

// add appends the block of text that begins at raw in the file.
func (x *index) add(raw int64, block []byte) {
	x.points = append(x.points, checkpoint{raw: raw, text: x.len, breaks: x.breaks()})
	lf, cr, crlf := bytes.Count(block, lineFeed), 0, 0
	if bytes.IndexByte(block, '\r') >= 0 {
		cr = bytes.Count(block, carriageReturn)
		crlf = bytes.Count(block, crLF)
	}
	x.lf, x.crlf, x.cr = x.lf+lf-crlf, x.crlf+crlf, x.cr+cr-crlf
	x.len += len(block)
	x.endsInBreak = bytes.HasSuffix(block, lineFeed) || bytes.HasSuffix(block, carriageReturn)
}

var (
	lineFeed       = []byte{'\n'}
	carriageReturn = []byte{'\r'}
	crLF           = []byte{'\r', '\n'}
)

func (x *index) breaks() int { return x.lf + x.crlf + x.cr }

func (x *index) lines() int {
	if x.len > 0 && !x.endsInBreak {
		return x.breaks() + 1
	}
	return x.breaks()
}

func (x *index) eol() text.EOL {
	kinds, eol := 0, text.None
	for _, k := range [...]struct {
		n   int
		eol text.EOL
	}{{x.lf, text.LF}, {x.crlf, text.CRLF}, {x.cr, text.CR}} {
		if k.n > 0 {
			kinds, eol = kinds+1, k.eol
		}
	}
	if kinds > 1 {
		return text.Mixed
	}
	return eol
}

// holding returns the number of the block that holds the byte of the text at
// o, which must be less than len.
func (x *index) holding(o int) int {
	return sort.Search(len(x.points), func(i int) bool { return x.points[i].text > o }) - 1
}

// before returns the number of the block in which the line end before line
// (0-based, greater than 0) lies.
func (x *index) before(line int) int {
	return sort.Search(len(x.points), func(i int) bool { return x.points[i].breaks >= line }) - 1
}

// blockLen returns the length of block i in bytes of the text and of the file
// of size bytes.
func (x *index) blockLen(i int, size int64) (textBytes int, rawBytes int64) {
	if i+1 < len(x.points) {
		return x.points[i+1].text - x.points[i].text, x.points[i+1].raw - x.points[i].raw
	}
	return x.len - x.points[i].text, size - x.points[i].raw
}

// countBreaks counts the line ends in b, as a part that neither begins nor
// ends between CR and LF, of a text in which loneCRs lines end in a CR alone.
func countBreaks(b []byte, loneCRs int) int {
	n := bytes.Count(b, lineFeed)
	if loneCRs != 0 {
		n += bytes.Count(b, carriageReturn) - bytes.Count(b, crLF)
	}
	return n
}

// afterBreak returns the offset in b just after its nth line end, n > 0, or
// len(b) when there are fewer. loneCRs is as for countBreaks.
func afterBreak(b []byte, n int, loneCRs int) int {
	const stride = 4 << 10
	at := 0
	for len(b)-at > stride {
		end := at + stride
		if b[end-1] == '\r' { // keep CR and LF together
			end--
		}
		in := countBreaks(b[at:end], loneCRs)
		if in >= n {
			break
		}
		n, at = n-in, end
	}
	for ; at < len(b); at++ {
		if loneCRs == 0 {
			i := bytes.IndexByte(b[at:], '\n')
			if i < 0 {
				return len(b)
			}
			at += i
		}
		ends := b[at] == '\n' || b[at] == '\r' && (at+1 == len(b) || b[at+1] != '\n')
		if !ends {
			continue
		}
		if n--; n == 0 {
			return at + 1
		}
	}
	return len(b)
}
