package search

import (
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// fromEnd searches a text piece by piece, from its end until as many hits are
// found as are kept. Lines that are longer than the longest are passed over.
func (s *scan) fromEnd(ctx context.Context, c buffers.Content, sizes sizes, buf []byte) ([]byte, error) {
	for end := c.Len(); end > 0 && !s.full(); {
		start := c.LineStart(c.LineAt(max(0, end-sizes.piece)))
		if end-start > sizes.piece+sizes.longest { // the first line of the piece is longer than all of it should be
			next := c.LineStart(c.LineAt(start) + 1)
			if s.passedOver = true; next >= end {
				end = start
				continue
			}
			start = next
		}
		buf = c.Append(buf[:0], text.Span{Start: start, End: end})
		if err := s.before(ctx, buf, start, c.LineAt(start)); err != nil {
			return buf, err
		}
		end = start
	}
	return buf, ctx.Err()
}

// before is piece, of a piece before all that were searched.
func (s *scan) before(ctx context.Context, b []byte, base, first int) error {
	later := s.hits
	s.hits = nil
	err := s.piece(ctx, b, base, first)
	s.hits = append(lastOf(s.hits, s.keep), later...)
	return err
}

// lastOf returns the last n hits, or all, without holding on to others.
func lastOf(hits []Hit, n int) []Hit {
	if len(hits) <= n {
		return hits
	}
	return append(make([]Hit, 0, 2*n), hits[len(hits)-n:]...)
}

// collectLast adds the files of a batch, which is behind all others, and drops
// those before the last hits.
func (h *hunt) collectLast(files []FileHits) {
	a := h.answer
	for i := range files {
		a.Files = append(a.Files, files[i])
		h.taken += len(files[i].Hits)
	}
	for len(a.Files) > 0 && h.taken-len(a.Files[0].Hits) > h.request.Max {
		h.taken -= len(a.Files[0].Hits)
		a.Files = a.Files[1:]
	}
}

// endLast leaves the last hits alone.
func (h *hunt) endLast() {
	a := h.answer
	over := h.taken - h.request.Max
	for a.More = over > 0; over > 0; {
		first := &a.Files[0]
		n := min(over, len(first.Hits))
		first.Hits = first.Hits[n:]
		if over -= n; len(first.Hits) == 0 {
			a.Files = a.Files[1:]
		}
	}
}
