package search

import "sync"

// bufferPool lends room for pieces of texts.
type bufferPool struct{ pool sync.Pool }

func (p *bufferPool) get() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return *b
	}
	return nil
}

// put takes room back, but not what one long line made large.
func (p *bufferPool) put(b []byte) {
	if cap(b) <= 4*pieceBytes {
		p.pool.Put(&b)
	}
}
