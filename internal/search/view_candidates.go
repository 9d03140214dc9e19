package search

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Candidates calls yield, in the order of the list, with every indexed file
// that may match needs: all of the sets, of each at least one literal. With
// perFile the literals may stand in different blocks of the file. Blocks, in
// order, are the parts of the file to look at: bytes of the file, which is
// UTF-8 without mark; nil stands for the whole file, whatever it is. Binary
// files never match. yield returns false to stop.
//
// Literals may begin or end with "\n" for the beginning and the end of a line,
// also where the text begins or ends. Line ends of texts count as "\n".
//
// Errors: cancelled. Damage is no error: the files concerned are candidates.
func (v *View) Candidates(
	ctx context.Context, files *catalog.Files, required [][]Literal, perFile bool, yield func(i int, blocks []Block) bool,
) error {
	q := newQuery(required, perFile)
	var walks []*walk
	parts := v.of(files).parts
	for i := range parts {
		if ctx.Err() != nil {
			return fault.From(ctx.Err())
		}
		if w := parts[i].walk(&q); w.next() {
			walks = append(walks, w)
		}
	}
	// Few segments, most of which follow each other in the list.
	for len(walks) > 0 {
		first := 0
		for i, w := range walks {
			if w.place < walks[first].place {
				first = i
			}
		}
		w := walks[first]
		if !yield(int(w.place), w.blocks) {
			return nil
		}
		if !w.next() {
			walks = slices.Delete(walks, first, first+1)
		}
	}
	return nil
}

// walk goes through the files of one segment that may match, in their order,
// which is that of the list. Nobody may want to see them all.
type walk struct {
	p     *part
	set   bitmap // of files, or of blocks; nil is all files
	whole bool   // set is of files
	file  int    // the next one
	block int    // of set, the next one; -1 for none
	room  []Block

	place  int32 // of the present file, in the list
	blocks []Block
}

// walk begins one.
func (p *part) walk(q *query) *walk {
	w := &walk{p: p, whole: true}
	if p.live == 0 {
		w.file = len(p.place)
		return w
	}
	if len(q.required) == 0 || p.lost.Load() {
		return w
	}
	l := lookup{segment: p.segment, query: q}
	set, err := l.run()
	if err != nil {
		p.lost.Store(true)
		return w
	}
	w.set, w.whole = set, q.perFile
	if !w.whole {
		w.block = set.next(0)
	}
	return w
}

// next goes on to a file; it returns false when there is none.
func (w *walk) next() bool {
	p := w.p
	for w.file < len(p.place) {
		f := w.file
		w.file++
		var hit bool
		var end int
		if w.whole {
			hit = w.set == nil || w.set.has(f)
		} else {
			var first int
			first, end = p.blocksOf(f)
			if w.block >= 0 && w.block < first {
				w.block = w.set.next(first)
			}
			hit = w.block >= 0 && w.block < end
		}
		w.place, w.blocks = p.place[f], nil
		switch k := p.kind(f); {
		case w.place < 0 || k == binary_:
		case k == opaque || hit && (w.whole || k != plain):
			return true
		case hit:
			w.take(f, end)
			return true
		}
	}
	return false
}

// roomBlocks is for how many blocks room is made at once.
const roomBlocks = 256

// take notes the blocks of a file that are in the set: those before end.
func (w *walk) take(f, end int) {
	if len(w.room) == cap(w.room) {
		w.room = make([]Block, 0, roomBlocks)
	}
	start := len(w.room)
	for ; w.block >= 0 && w.block < end; w.block = w.set.next(w.block + 1) {
		w.room = append(w.room, w.p.block(w.block, w.block+1 == end, w.p.state(f).Size))
	}
	w.blocks = w.room[start:len(w.room):len(w.room)]
}
