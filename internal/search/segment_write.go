package search

import (
	"bytes"
	"encoding/binary"
	"io"
)

// writeTo writes the segment that b has collected. It can be called again
// when that failed.
func (b *builder) writeTo(w io.Writer) error {
	out := &segmentWriter{w: w, chunk: make([]byte, 0, chunkBytes)}
	b.writeLists(out)
	out.endChunk()
	tables := b.tables(out)
	t := trailer{
		files: uint32(len(b.files)), blocks: uint32(len(b.starts)), listed: uint32(len(out.grams) / 4),
		pathBytes: uint32(len(b.paths)), postingBytes: out.written, textBytes: uint64(b.textBytes),
	}
	var sum uint32
	for _, table := range tables {
		sum = checksumOn(sum, table)
		out.write(table)
	}
	out.write(t.append(nil, sum))
	return out.err
}

func (b *builder) writeLists(out *segmentWriter) {
	blocks := len(b.starts)
	var buf []byte
	set := newBitmap(blocks)
	for g := range gram(gramCount) {
		buf = b.postings.appendList(buf[:0], g)
		switch {
		case len(buf) == 0:
		case len(buf) <= bitmapBytes(blocks):
			out.list(g, 0, buf)
		default:
			clear(set)
			addVarints(set, buf, blocks)
			out.list(g, asBitmap, appendBitmap(buf[:0], set, blocks))
		}
	}
}

func appendBitmap(dst []byte, set bitmap, n int) []byte {
	start := len(dst)
	for _, w := range set {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst[:start+bitmapBytes(n)]
}

// tables returns the tables in the order of the file.
func (b *builder) tables(out *segmentWriter) [][]byte {
	le := binary.LittleEndian
	var states, pathEnds, kinds, firstBlocks, starts, lines []byte
	for _, f := range b.files {
		states = appendState(states, f.id)
		pathEnds = le.AppendUint32(pathEnds, f.pathEnd)
		kinds = append(kinds, byte(f.kind))
		firstBlocks = le.AppendUint32(firstBlocks, f.firstBlock)
	}
	firstBlocks = le.AppendUint32(firstBlocks, uint32(len(b.starts)))
	for i := range b.starts {
		starts = le.AppendUint32(starts, b.starts[i])
		lines = le.AppendUint32(lines, b.lines[i])
	}
	return [][]byte{states, pathEnds, b.paths, kinds, firstBlocks, starts, lines, out.grams, out.ends, out.sums}
}

// segmentWriter writes postings, and the tables that tell where they are.
type segmentWriter struct {
	w       io.Writer
	err     error
	written uint64
	chunk   []byte // what is not written yet

	grams, ends, sums []byte
}

func (out *segmentWriter) list(g gram, form uint32, b []byte) {
	le := binary.LittleEndian
	for len(b) > 0 {
		n := min(len(b), chunkBytes-len(out.chunk))
		out.chunk = append(out.chunk, b[:n]...)
		b = b[n:]
		if len(out.chunk) == chunkBytes {
			out.endChunk()
		}
	}
	out.grams = le.AppendUint32(out.grams, 2*uint32(g)+form)
	out.ends = le.AppendUint32(out.ends, uint32(out.written)+uint32(len(out.chunk)))
}

func (out *segmentWriter) endChunk() {
	if len(out.chunk) == 0 {
		return
	}
	out.sums = binary.LittleEndian.AppendUint32(out.sums, checksum(out.chunk))
	out.write(out.chunk)
	out.written += uint64(len(out.chunk))
	out.chunk = out.chunk[:0]
}

func (out *segmentWriter) write(b []byte) {
	if out.err == nil {
		_, out.err = out.w.Write(b)
	}
}

// inMemory returns the segment that b has collected, kept in memory alone.
func (b *builder) inMemory() (*segment, error) {
	var buf bytes.Buffer
	buf.Grow(int(b.postings.bytes) + len(b.paths) + 64*len(b.files) + 8*len(b.starts) + 8*b.postings.distinct)
	if err := b.writeTo(&buf); err != nil {
		return nil, err
	}
	data := bytes.Clone(buf.Bytes())
	return openSegment("", bytes.NewReader(data), int64(len(data)), func() {})
}
