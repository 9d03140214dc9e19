package buffers

import (
	"slices"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// diskText is the text of a file on disk, read in parts. The first failure to
// read sticks in err; from then on what is read is zero bytes. It belongs to
// one goroutine.
type diskText struct {
	handle *fsys.Handle
	facts  *facts
	disk   *Disk
	err    error

	loaded int     // the block in block, -1 when none is
	block  []byte  // its text
	raw    []byte  // scratch: its bytes, where they differ from its text
	pooled *[]byte // what block is made of; nil after release
}

var _ Content = (*diskText)(nil)

func newDiskText(h *fsys.Handle, f *facts, disk *Disk) *diskText {
	pooled := disk.blocks.Get().(*[]byte)
	return &diskText{handle: h, facts: f, disk: disk, loaded: -1, pooled: pooled, block: *pooled}
}

// release gives back what was lent. The text is not read afterwards.
func (d *diskText) release() {
	*d.pooled = d.block
	d.disk.blocks.Put(d.pooled)
	d.pooled, d.block, d.loaded = nil, nil, -1
}

// Len implements [Content].
func (d *diskText) Len() int { return d.facts.index.len }

// Lines implements [Content].
func (d *diskText) Lines() int { return d.facts.index.lines() }

// LineStart implements [Content].
func (d *diskText) LineStart(line int) text.Offset {
	x := &d.facts.index
	if line <= 0 {
		return 0
	}
	if line > x.breaks() {
		return x.len
	}
	i := x.before(line)
	return x.points[i].text + afterBreak(d.load(i), line-x.points[i].breaks, x.cr)
}

// LineAt implements [Content].
func (d *diskText) LineAt(o text.Offset) int {
	x := &d.facts.index
	if o >= x.len {
		return max(0, x.lines()-1)
	}
	o = max(0, o)
	i := x.holding(o)
	block, at := d.load(i), o-x.points[i].text
	if at > 0 && block[at-1] == '\r' && block[at] == '\n' {
		at-- // o lies in a CRLF, which its line has not passed yet
	}
	return x.points[i].breaks + countBreaks(block[:at], x.cr)
}

// FloorChar implements [Content].
func (d *diskText) FloorChar(o text.Offset) text.Offset {
	x := &d.facts.index
	o = max(0, min(o, x.len))
	if o == x.len {
		return o
	}
	i := x.holding(o)
	block, start := d.load(i), x.points[i].text
	for o > start && !utf8.RuneStart(block[o-start]) {
		o--
	}
	return o
}

// Append implements [Content].
func (d *diskText) Append(dst []byte, s text.Span) []byte {
	x := &d.facts.index
	s.Start, s.End = max(0, s.Start), min(s.End, x.len)
	if s.Start >= s.End {
		return dst
	}
	i, last := x.holding(s.Start), x.holding(s.End-1)
	if last == i && d.loaded == i {
		start := x.points[i].text
		return append(dst, d.block[s.Start-start:s.End-start]...)
	}
	if d.verbatim() {
		n := len(dst)
		dst = append(dst, make([]byte, s.End-s.Start)...)
		d.read(dst[n:], int64(s.Start+d.facts.format.BOMLen()))
		return dst
	}
	for ; i <= last; i++ {
		block, start := d.load(i), x.points[i].text
		dst = append(dst, block[max(0, s.Start-start):min(len(block), s.End-start)]...)
	}
	return dst
}

// verbatim reports whether the file holds the very bytes of the text, after
// its mark.
func (d *diskText) verbatim() bool {
	return d.facts.format.Encoding == text.EncodingUTF8 && !d.facts.lossy
}

// load returns the text of block i; it is good until the next load.
func (d *diskText) load(i int) []byte {
	if d.loaded == i {
		return d.block
	}
	textBytes, rawBytes := d.facts.index.blockLen(i, d.facts.id.Size)
	from := d.facts.index.points[i].raw
	if d.verbatim() {
		d.block = slices.Grow(d.block[:0], textBytes)[:textBytes]
		d.read(d.block, from)
	} else {
		d.raw = slices.Grow(d.raw[:0], int(rawBytes))[:rawBytes]
		d.read(d.raw, from)
		// A block ends with a character, whatever its last bytes begin: those
		// that would have gone on are known not to.
		d.block, _, _ = d.facts.format.NewDecoder().Append(d.block[:0], d.raw, true)
		if len(d.block) != textBytes { // the bytes are not those that were scanned
			d.fail(errChanged)
			d.block = make([]byte, textBytes)
		}
	}
	d.loaded = i
	return d.block
}

func (d *diskText) read(p []byte, off int64) {
	if d.err == nil {
		if err := readAt(d.handle.File, p, off); err != nil {
			d.fail(err)
		}
	}
	if d.err != nil {
		clear(p)
	}
}

func (d *diskText) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// failed returns the first failure, that of a file changed since it was
// opened included, unless the bytes of then still stand in it.
func (d *diskText) failed() error {
	if d.err == nil && !d.handle.Unchanged() && !stands(d.handle.File, d.facts.id.Size, d.facts.hash) {
		d.err = errChanged
	}
	return d.err
}
