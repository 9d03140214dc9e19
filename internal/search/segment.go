package search

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// A segment is the index of some files of one workspace folder. It never
// changes. On disk it is, numbers being little endian:
//
//	postings  for each gram the blocks that hold it
//	tables    in this order:
//	          states of files, paths' ends, paths, kinds, first blocks (and one more),
//	          blocks' starts, blocks' first lines,
//	          grams in order, ends of their postings, checksums of the chunks of postings
//	trailer   counts, and checksums of the tables and of itself
//
// The tables, some 2 % of the text, are read into memory and verified once;
// postings are read and verified when they are needed.
type segment struct {
	name  string // of its file; empty for one in memory only
	src   io.ReaderAt
	close func()

	trailer
	states, pathEnds, paths, kinds, firstBlocks []byte
	starts, lines                               []byte
	grams, listEnds, sums                       []byte

	// lost: something was found damaged. Its files count as not indexed from
	// then on.
	lost atomic.Bool
}

// kind is what an index knows about a file.
type kind byte

const (
	plain    kind = iota // UTF-8 without mark: offsets in the text are offsets in the file
	decoded              // its text was indexed, but stands otherwise in the file
	opaque               // nothing is known about its text
	binary_              // it has no text
	deadFile             // it changed while it was read; the entry is for nothing
	kinds
)

// trailer ends a segment's file.
type trailer struct {
	files, blocks, listed uint32 // listed: grams that have postings
	pathBytes             uint32
	postingBytes          uint64
	textBytes             uint64 // of the files, as they stand on disk
}

const (
	// magic names the format. Whatever changes what a segment says about the
	// same files (classes of bytes, how texts are decoded or cut) changes it.
	magic        = "agentlsp-grams-2"
	trailerBytes = len(magic) + 4*4 + 2*8 + 2*4
	stateBytes   = 5 * 8
	chunkBytes   = 4 << 10 // of postings, each with a checksum
)

// errDamaged tells that an index file is not what was written.
var errDamaged = fault.New(fault.IO, "a saved search index is damaged").
	Advise("nothing needs to be done: it is built anew")

func checksum(b []byte) uint32 { return checksumOn(0, b) }

// checksumOn returns the checksum of what sum is of with b behind it.
func checksumOn(sum uint32, b []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), b)
}

func (t trailer) chunks() int64 { return (int64(t.postingBytes) + chunkBytes - 1) / chunkBytes }

// tableBytes returns the length of all tables.
func (t trailer) tableBytes() int64 {
	return int64(t.files)*(stateBytes+4+1+4) + 4 + int64(t.pathBytes) +
		int64(t.blocks)*8 + int64(t.listed)*8 + 4*t.chunks()
}

// openSegment reads what src, which is size bytes long, holds. Errors are
// those of reading, and errDamaged.
func openSegment(name string, src io.ReaderAt, size int64, closing func()) (*segment, error) {
	s := &segment{name: name, src: src, close: closing}
	end := size - int64(trailerBytes)
	tail := make([]byte, trailerBytes)
	if err := readFull(src, tail, end); err != nil {
		return nil, err
	}
	sum, ok := s.parse(tail)
	tables := s.tableBytes()
	if !ok || int64(s.postingBytes) < 0 || end-int64(s.postingBytes) != tables {
		return nil, errDamaged
	}
	all := make([]byte, tables)
	if err := readFull(src, all, int64(s.postingBytes)); err != nil {
		return nil, err
	}
	if checksum(all) != sum {
		return nil, errDamaged
	}
	s.divide(all)
	if !s.consistent() {
		return nil, errDamaged
	}
	return s, nil
}

// readFull fills b from off. A file that ends before that is damaged.
func readFull(src io.ReaderAt, b []byte, off int64) error {
	if off < 0 {
		return errDamaged
	}
	n, err := src.ReadAt(b, off)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF:
		return errDamaged
	}
	return err
}

// parse takes the trailer and returns the checksum of the tables.
func (t *trailer) parse(b []byte) (tables uint32, ok bool) {
	le, n := binary.LittleEndian, len(magic)
	t.files, t.blocks, t.listed, t.pathBytes = u32(b[n:], 0), u32(b[n:], 1), u32(b[n:], 2), u32(b[n:], 3)
	t.postingBytes, t.textBytes = le.Uint64(b[n+16:]), le.Uint64(b[n+24:])
	ok = string(b[:n]) == magic && checksum(b[:len(b)-4]) == le.Uint32(b[len(b)-4:])
	return u32(b[n:], 8), ok
}

// append appends the trailer as it stands in the file.
func (t trailer) append(b []byte, tables uint32) []byte {
	le, start := binary.LittleEndian, len(b)
	b = append(b, magic...)
	for _, n := range []uint32{t.files, t.blocks, t.listed, t.pathBytes} {
		b = le.AppendUint32(b, n)
	}
	b = le.AppendUint64(b, t.postingBytes)
	b = le.AppendUint64(b, t.textBytes)
	b = le.AppendUint32(b, tables)
	return le.AppendUint32(b, checksum(b[start:]))
}

// divide cuts the tables out of all.
func (s *segment) divide(all []byte) {
	take := func(n int64) []byte {
		t := all[:n:n]
		all = all[n:]
		return t
	}
	files, blocks, listed := int64(s.files), int64(s.blocks), int64(s.listed)
	s.states = take(files * stateBytes)
	s.pathEnds = take(files * 4)
	s.paths = take(int64(s.pathBytes))
	s.kinds = take(files)
	s.firstBlocks = take(files*4 + 4)
	s.starts, s.lines = take(blocks*4), take(blocks*4)
	s.grams, s.listEnds = take(listed*4), take(listed*4)
	s.sums = take(4 * s.chunks())
}

// consistent reports whether all that is later used as a place in something is
// one, so that nothing else needs to be checked.
func (s *segment) consistent() bool {
	return ascending(s.pathEnds, s.pathBytes) && ascending(s.firstBlocks, s.blocks) &&
		u32(s.firstBlocks, 0) == 0 && u32(s.firstBlocks, int(s.files)) == s.blocks &&
		s.postingBytes <= 1<<32-1 && ascending(s.listEnds, uint32(s.postingBytes)) &&
		ascending(s.grams, 1<<32-1) && allBelow(s.kinds, byte(kinds))
}

func ascending(table []byte, limit uint32) bool {
	before := uint32(0)
	for i := range len(table) / 4 {
		n := u32(table, i)
		if n < before || n > limit {
			return false
		}
		before = n
	}
	return true
}

func allBelow(b []byte, limit byte) bool {
	for _, c := range b {
		if c >= limit {
			return false
		}
	}
	return true
}

// u32 returns the i-th number of a table.
func u32(table []byte, i int) uint32 { return binary.LittleEndian.Uint32(table[4*i:]) }

// path returns the path of file f below its folder. The bytes are the
// segment's own.
func (s *segment) path(f int) []byte {
	start := uint32(0)
	if f > 0 {
		start = u32(s.pathEnds, f-1)
	}
	return s.paths[start:u32(s.pathEnds, f)]
}

func (s *segment) kind(f int) kind { return kind(s.kinds[f]) }

// state returns the state in which file f was indexed.
func (s *segment) state(f int) fsys.ID {
	le, b := binary.LittleEndian, s.states[f*stateBytes:][:stateBytes]
	return fsys.ID{
		Dev: le.Uint64(b), Ino: le.Uint64(b[8:]), Size: int64(le.Uint64(b[16:])),
		Mtime: int64(le.Uint64(b[24:])), Ctime: int64(le.Uint64(b[32:])),
	}
}

func appendState(b []byte, id fsys.ID) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, id.Dev)
	b = le.AppendUint64(b, id.Ino)
	b = le.AppendUint64(b, uint64(id.Size))
	b = le.AppendUint64(b, uint64(id.Mtime))
	return le.AppendUint64(b, uint64(id.Ctime))
}

// blocksOf returns the numbers [first, end) of file f's blocks.
func (s *segment) blocksOf(f int) (first, end int) {
	return int(u32(s.firstBlocks, f)), int(u32(s.firstBlocks, f+1))
}

// block returns what block b, of a plain file that is size bytes long, covers.
// last tells that it is the file's last.
func (s *segment) block(b int, last bool, size int64) Block {
	end := size
	if !last {
		end = int64(u32(s.starts, b+1))
	}
	return Block{Start: int64(u32(s.starts, b)), End: end, Line: int(u32(s.lines, b))}
}

// fileBytes returns the length of the segment's file.
func (s *segment) fileBytes() int64 {
	return int64(s.postingBytes) + s.tableBytes() + int64(trailerBytes)
}

// heapBytes returns how much memory the segment takes.
func (s *segment) heapBytes() int64 {
	if s.name == "" {
		return s.tableBytes() + s.fileBytes()
	}
	return s.tableBytes()
}
