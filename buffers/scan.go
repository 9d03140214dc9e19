package buffers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// blockBytes is how far checkpoints lie apart at most, in bytes of the
	// file. A look-up reads at most one block; the index takes 24 bytes for
	// each, 0.07 % of the file.
	blockBytes = 32 << 10
	// scanBytes is how much of a file is read at once while it is scanned.
	scanBytes = 256 << 10
	// sampleBytes is how much of a file its encoding is guessed from.
	sampleBytes = 256 << 10
)

// facts is what is known of a file's bytes and of the text in them. Facts
// never change.
type facts struct {
	id     fsys.ID
	hash   text.Hash
	magic  string // the first bytes, at most magicBytes
	binary bool   // then nothing below is known

	format   text.Format
	detected bool // the encoding was guessed
	lossy    bool // encoding the text again does not give the file's bytes
	index    index
}

const (
	// sniffBytes is how much of a file its kind is told from.
	sniffBytes = 8 << 10
	// magicBytes is how much of it formats are known by.
	magicBytes = 16
)

// scan reads a whole file once, through r, and returns its facts. forced names
// the encoding to read it in; empty detects it. A file that changes meanwhile
// is an error, but where growing is set only if that changed the bytes that
// stood there when it was opened. Cancelling ctx stops it between two reads.
func scan(ctx context.Context, r io.ReaderAt, h *fsys.Handle, forced text.Encoding, growing bool) (*facts, error) {
	head := make([]byte, min(sniffBytes, h.ID.Size))
	if err := readAt(r, head, 0); err != nil {
		return nil, err
	}
	sniffed := text.Sniff(head, forced)
	f := &facts{id: h.ID, format: sniffed.Format, detected: sniffed.Detected}
	f.magic = string(head[:min(magicBytes, len(head))])
	f.binary = forced == "" && isBinary(head, sniffed)
	s := scanner{file: r, facts: f, hash: sha256.New(), assumed: sniffed.Assumed}
	err := s.run(ctx)
	if err == nil && s.notUTF8 {
		err = s.runDetected(ctx)
	}
	if err == nil && !h.Unchanged() && (!growing || !stands(r, f.id.Size, f.hash)) {
		err = errChanged
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func isBinary(head []byte, sniffed text.Sniffed) bool {
	return !sniffed.Detected && text.IsBinary(head)
}

// stands reports whether a file begins with size bytes of that hash. Where
// they were read before, they are what was read then, whatever was appended.
func stands(r io.ReaderAt, size int64, hash text.Hash) bool {
	sum := sha256.New()
	_, err := io.CopyBuffer(sum, io.NewSectionReader(r, 0, size), make([]byte, min(scanBytes, size+1)))
	return err == nil && text.Hash(sum.Sum(nil)) == hash
}

// errChanged tells that a file changed while it was read.
var errChanged = fault.New(fault.IO, "the file changed while it was read").Advise("Call again.").With("changed", true)

// IsChanged reports whether err is that a file changed while it was read:
// reading it anew from the beginning may work.
func IsChanged(err error) bool {
	e, ok := errors.AsType[*fault.Error](err)
	return ok && e.Details["changed"] == true
}

// readAt fills p from offset off. A file that ends before that has shrunk.
func readAt(r io.ReaderAt, p []byte, off int64) error {
	_, err := r.ReadAt(p, off)
	if err == io.EOF {
		return errChanged
	}
	return err
}

// scanner carries one pass over a file.
type scanner struct {
	file  io.ReaderAt
	facts *facts
	hash  hash.Hash // nil in a second pass
	// assumed: nothing speaks for UTF-8 but the bytes, so that others end the
	// indexing and set notUTF8 instead of being replaced.
	assumed bool
	notUTF8 bool
	badAt   int64 // the block where that was

	decoder *text.Decoder
	decoded []byte // scratch for texts that are not in UTF-8
	raw     int64  // how far the index reaches, in bytes of the file
}

// run reads the file in two buffers by turns: while one is hashed, the other
// is filled and indexed. In front of each is room for what the indexing of
// the one before left over.
func (s *scanner) run(ctx context.Context) error {
	size := s.facts.id.Size
	s.decoder = s.facts.format.NewDecoder()
	s.raw = int64(s.facts.format.BOMLen())
	s.facts.index = index{}
	chunk := min(scanBytes, size)
	var buffers [2][]byte
	var rest []byte
	var hashing sync.WaitGroup
	defer hashing.Wait()
	for off, current := int64(0), 0; off < size; current = 1 - current {
		if ctx.Err() != nil {
			return fault.From(ctx.Err())
		}
		if buffers[current] == nil {
			buffers[current] = make([]byte, blockBytes+chunk)
		}
		data := buffers[current][blockBytes:][:min(chunk, size-off)]
		if err := readAt(s.file, data, off); err != nil {
			return err
		}
		hashing.Wait()
		if s.hash != nil {
			s.hashLater(&hashing, data, size)
		}
		skip := max(0, min(s.raw-off, int64(len(data)))) // the mark, at the beginning
		off += int64(len(data))
		if s.facts.binary || s.notUTF8 {
			continue
		}
		from := blockBytes - len(rest)
		copy(buffers[current][from:], rest)
		rest = s.index(buffers[current][from+int(skip):blockBytes+len(data)], off == size)
	}
	hashing.Wait()
	if s.hash != nil {
		s.hash.Sum(s.facts.hash[:0])
	}
	return nil
}

// hashLater hashes data, beside the indexing when the file is large enough to
// gain by it.
func (s *scanner) hashLater(wg *sync.WaitGroup, data []byte, size int64) {
	if size <= blockBytes {
		s.hash.Write(data)
		return
	}
	wg.Go(func() { s.hash.Write(data) })
}

// index adds raw to the index block by block, and returns what must be seen
// together with the bytes that follow: less than a block unless last.
func (s *scanner) index(raw []byte, last bool) (rest []byte) {
	for {
		n := min(blockBytes, len(raw))
		if !last && n != blockBytes {
			return raw
		}
		block, used := s.decode(raw[:n], last && n == len(raw))
		if used == 0 {
			return raw // none is left, or it cannot be read
		}
		s.facts.index.add(s.raw, block)
		s.raw += int64(used)
		raw = raw[used:]
	}
}

// decode returns the text of one block and how many bytes of it were used: all
// but an unfinished character, or a CR whose LF may follow. A block that is not
// at the end has blockBytes bytes.
func (s *scanner) decode(raw []byte, atEnd bool) (block []byte, used int) {
	if s.facts.format.Encoding == text.EncodingUTF8 {
		used = len(raw)
		if !atEnd {
			used = floorChar(raw)
		}
		if utf8.Valid(raw[:used]) {
			if !atEnd && raw[used-1] == '\r' {
				used--
			}
			return raw[:used], used
		}
		if s.assumed {
			s.notUTF8, s.badAt = true, s.raw
			return nil, 0
		}
	}
	out, used, lossy := s.decoder.Append(s.decoded[:0], raw, atEnd)
	s.decoded = out
	s.facts.lossy = s.facts.lossy || lossy
	if !atEnd && bytes.HasSuffix(out, carriageReturn) {
		out, used = out[:len(out)-1], used-unitBytes(s.facts.format.Encoding)
	}
	return out, used
}

// unitBytes returns how many bytes a CR takes in e.
func unitBytes(e text.Encoding) int {
	switch e {
	case text.EncodingUTF16LE, text.EncodingUTF16BE:
		return 2
	case text.EncodingUTF32LE, text.EncodingUTF32BE:
		return 4
	}
	return 1
}

// floorChar returns the length of b without the character that b's end cuts.
func floorChar(b []byte) int {
	for n := range min(len(b), utf8.UTFMax) {
		if i := len(b) - 1 - n; utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
	}
	return len(b)
}

// runDetected guesses the encoding from the bytes around the place where the
// file ceased to be UTF-8, and indexes it anew.
func (s *scanner) runDetected(ctx context.Context) error {
	size := s.facts.id.Size
	from := max(0, min(s.badAt, size-sampleBytes))
	sample := make([]byte, min(sampleBytes, size-from))
	if err := readAt(s.file, sample, from); err != nil {
		return err
	}
	s.facts.format, s.facts.detected = text.Format{Encoding: text.Detect(sample)}, true
	s.assumed, s.notUTF8, s.hash = false, false, nil
	return s.run(ctx)
}
