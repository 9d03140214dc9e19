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

// maxPooled is the largest room that is kept.
const maxPooled = 1 << 20

// put takes room back, but not what one long line made large.
func (p *bufferPool) put(b []byte) {
	if cap(b) <= maxPooled {
		p.pool.Put(&b)
	}
}
