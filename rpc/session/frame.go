package session

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// A frame is two lengths in bytes, of four bytes each and big endian, then the
// header, a JSON object, then the body, raw bytes.
const (
	frameLengths = 8
	// maxHeader and maxFrame bound what one frame may hold, in bytes.
	maxHeader = 1 << 20
	maxFrame  = 64 << 20
	// frameChunk is how much is made room for before it arrived, and written
	// within one writeTimeout, in bytes.
	frameChunk = 1 << 20
	// writeTimeout is how long the other end may take to read a chunk.
	writeTimeout = 5 * time.Second
)

// errFrame is a frame that is no good. The connection cannot go on: where the
// next one begins is not known.
type errFrame struct{ why string }

func (e errFrame) Error() string { return "broken frame: " + e.why }

// frameReader reads frames from one connection. It is used by one goroutine.
type frameReader struct {
	r      *bufio.Reader
	header []byte // of the last frame; its room is used again
}

// waiting reports whether more has been read than next returned.
func (r *frameReader) waiting() bool { return r.r.Buffered() > 0 }

// next reads a frame's header into *m, and returns the body, which belongs to
// the caller. The error is io.EOF when the connection ended between frames.
func (r *frameReader) next(m *message) (body []byte, err error) {
	var lengths [frameLengths]byte
	if _, err := io.ReadFull(r.r, lengths[:]); err != nil {
		return nil, err
	}
	header, size := int64(binary.BigEndian.Uint32(lengths[:4])), int64(binary.BigEndian.Uint32(lengths[4:]))
	if header < 2 || header > maxHeader || header+size > maxFrame {
		return nil, errFrame{fmt.Sprintf("header of %d bytes, body of %d", header, size)}
	}
	if r.header, err = readBytes(r.r, r.header[:0], int(header)); err != nil {
		return nil, noEOF(err)
	}
	*m = message{}
	if err := wire.Unmarshal(r.header, m); err != nil {
		return nil, errFrame{"the header is no JSON object of the known form"}
	}
	body, err = readBytes(r.r, nil, int(size))
	return body, noEOF(err)
}

// readBytes appends n bytes to dst. Room is made as they arrive, at most as
// much again as there is.
func readBytes(r io.Reader, dst []byte, n int) ([]byte, error) {
	for n > 0 {
		have := len(dst)
		step := min(n, max(frameChunk, have))
		if cap(dst) < have+step {
			grown := make([]byte, have, have+step)
			copy(grown, dst)
			dst = grown
		}
		dst = dst[:have+step]
		if _, err := io.ReadFull(r, dst[have:]); err != nil {
			return nil, err
		}
		n -= step
	}
	return dst, nil
}

// noEOF names an end within a frame.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// frameWriter writes frames to one connection, one at a time.
type frameWriter struct {
	conn net.Conn
	now  func() time.Time

	mu     sync.Mutex
	header []byte // its room is used again
	failed error  // a frame may have been cut: nothing can follow
}

// write sends one frame, whose body is the parts one after the other. After an
// error the connection is closed.
func (w *frameWriter) write(m *message, parts ...[]byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return w.failed
	}
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	head := m.append(append(w.header[:0], make([]byte, frameLengths)...))
	header := len(head) - frameLengths
	if header > maxHeader || header+size > maxFrame {
		return errTooLarge(header + size)
	}
	binary.BigEndian.PutUint32(head, uint32(header))
	binary.BigEndian.PutUint32(head[4:], uint32(size))
	w.header = head
	if cap(head) > frameChunk/4 {
		w.header = nil
	}
	if w.failed = w.send(append(net.Buffers{head}, parts...)); w.failed != nil {
		w.conn.Close()
	}
	return w.failed
}

// send writes all of b, in chunks that each have their time.
func (w *frameWriter) send(b net.Buffers) error {
	for len(b) > 0 {
		var chunk net.Buffers
		for room := frameChunk; room > 0 && len(b) > 0; {
			if len(b[0]) == 0 { // which a pipe may take for the end
				b = b[1:]
				continue
			}
			n := min(room, len(b[0]))
			chunk = append(chunk, b[0][:n])
			room -= n
			if b[0] = b[0][n:]; len(b[0]) == 0 {
				b = b[1:]
			}
		}
		if err := w.sendChunk(chunk); err != nil {
			return err
		}
	}
	return nil
}

func (w *frameWriter) sendChunk(b net.Buffers) error {
	if err := w.conn.SetWriteDeadline(w.now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err := b.WriteTo(w.conn)
	return err
}
