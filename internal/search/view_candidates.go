package search

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
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
	ctx context.Context, files *workspace.Files, needs [][]Literal, perFile bool, yield func(i int, blocks []Block) bool,
) error {
	q := newQuery(needs, perFile)
	var all []candidate
	for _, p := range v.of(files).parts {
		if ctx.Err() != nil {
			return fault.From(ctx.Err())
		}
		all = p.candidates(&q, all)
	}
	slices.SortFunc(all, func(a, b candidate) int { return int(a.place - b.place) })
	for _, c := range all {
		if !yield(int(c.place), c.blocks) {
			return nil
		}
	}
	return nil
}

// candidate is a file of the list to look at.
type candidate struct {
	place  int32
	blocks []Block
}

// candidates appends those of one segment.
func (p *part) candidates(q *query, all []candidate) []candidate {
	if p.live == 0 {
		return all
	}
	if len(q.needs) == 0 || p.lost.Load() {
		return p.every(all, nil)
	}
	l := lookup{segment: p.segment, query: q}
	set, err := l.run()
	switch {
	case err != nil:
		p.lost.Store(true)
		return p.every(all, nil)
	case q.perFile:
		return p.every(all, set)
	}
	return p.withBlocks(all, set)
}

// every appends the files that set has, all for nil, to be looked at as a
// whole.
func (p *part) every(all []candidate, set bitmap) []candidate {
	for f, place := range p.place {
		k := p.kind(f)
		if place >= 0 && k != binary_ && (set == nil || k == opaque || set.has(f)) {
			all = append(all, candidate{place: place})
		}
	}
	return all
}

// withBlocks appends the files that blocks in set are of.
func (p *part) withBlocks(all []candidate, set bitmap) []candidate {
	room := make([]Block, 0, set.count())
	b := set.next(0)
	for f, place := range p.place {
		first, end := p.blocksOf(f)
		if b >= 0 && b < first {
			b = set.next(first)
		}
		hit := b >= 0 && b < end
		switch k := p.kind(f); {
		case place < 0 || k == binary_:
		case k == opaque || hit && k != plain:
			all = append(all, candidate{place: place})
		case hit:
			start := len(room)
			for ; b >= 0 && b < end; b = set.next(b + 1) {
				room = append(room, p.block(b, b+1 == end, p.state(f).Size))
			}
			all = append(all, candidate{place, room[start:len(room):len(room)]})
		}
	}
	return all
}
