package jsonrpc

import "io"

const (
	// keptBodyBytes is the largest body whose buffer is kept for the next
	// message, and the most that is allocated before the bytes are there.
	keptBodyBytes = 1 << 20
)

// readBody reads n bytes. The result is valid until the next read.
//
// A Content-Length is a claim. Never more than keptBodyBytes are allocated
// beyond the bytes that have arrived, and what a large body took is given
// back with it.
func (s *stream) readBody(n int) ([]byte, error) {
	switch {
	case n <= s.reader.Size():
		return s.peekBody(n)
	case n <= keptBodyBytes:
		if cap(s.body) < n {
			s.body = make([]byte, n)
		}
		return s.fill(s.body[:n])
	default:
		return s.readLarge(n)
	}
}

// peekBody returns a body in place: in the read buffer.
func (s *stream) peekBody(n int) ([]byte, error) {
	body, err := s.reader.Peek(n)
	if err != nil {
		return nil, cut(err)
	}
	_, err = s.reader.Discard(n)
	return body, err
}

// readLarge gathers a body in blocks and joins them once all of it is there.
func (s *stream) readLarge(n int) ([]byte, error) {
	s.body = nil
	var blocks [][]byte
	for have := 0; have < n; have += keptBodyBytes {
		block, err := s.fill(make([]byte, min(keptBodyBytes, n-have)))
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block)
	}
	body := make([]byte, 0, n)
	for i, block := range blocks {
		body = append(body, block...)
		blocks[i] = nil
	}
	return body, nil
}

func (s *stream) fill(buf []byte) ([]byte, error) {
	if _, err := io.ReadFull(s.reader, buf); err != nil {
		return nil, cut(err)
	}
	return buf, nil
}
