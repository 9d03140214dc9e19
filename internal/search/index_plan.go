package search

import (
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// plan is what a build of one folder does: index the files of the shards, each
// in a segment, and then drop the old segments, whose files are among them.
type plan struct {
	shards [][]int // places in the list, in order
	old    []*segment
	bytes  int64 // of the files, as they stand on disk
}

const (
	// shardBytes is how much text a segment has at most, but for larger files.
	// It bounds the memory of a build.
	shardBytes = 40 << 20
	// leastShard is how much text is worth a builder of its own.
	leastShard = 8 << 20
)

// plan plans the build of r for a list.
func (x *Indexer) plan(r *rootIndex, files *catalog.Files) plan {
	m := x.Current().of(files)
	root := slices.IndexFunc(files.Gate().Folders(), func(f workspace.Folder) bool { return f.Path == r.path })
	var todo []int
	var total int64
	for _, i := range x.usable(m, m.unindexed) {
		if files.List[i].Root == root {
			todo = append(todo, i)
			total += files.List[i].ID.Size
		}
	}
	var p plan
	for _, part := range x.outdated(m, r, total) {
		p.old = append(p.old, part.segment)
		for _, place := range part.place {
			if place >= 0 {
				todo = append(todo, int(place))
			}
		}
	}
	slices.Sort(todo)
	for _, i := range todo {
		p.bytes += files.List[i].ID.Size
	}
	p.shards = divide(files, todo)
	return p
}

// outdated returns the segments of r to be made anew together with total bytes
// of new text: those of which less than half is true; and small ones, so that
// their sizes keep apart by a factor and their number stays low.
func (x *Indexer) outdated(m *mapping, r *rootIndex, total int64) []part {
	x.mu.Lock()
	mine := r.segments
	x.mu.Unlock()
	var old, rest []part
	for _, p := range m.parts {
		switch {
		case !slices.Contains(mine, p.segment):
		case p.bytes < int64(p.textBytes)/2 || p.live == 0:
			old = append(old, p)
			total += p.bytes
		default:
			rest = append(rest, p)
		}
	}
	slices.SortFunc(rest, func(a, b part) int { return int(a.bytes - b.bytes) })
	for _, p := range rest {
		if p.bytes > 2*total || p.bytes > shardBytes/2 {
			break
		}
		old = append(old, p)
		total += p.bytes
	}
	return old
}

// divide cuts todo into shards of about the same size.
func divide(files *catalog.Files, todo []int) [][]int {
	const perFile = 1 << 10 // opening a file costs as much as reading some of it
	total := int64(0)
	for _, i := range todo {
		total += files.List[i].ID.Size + perFile
	}
	n := max((total+shardBytes-1)/shardBytes, min(int64(builders()), total/leastShard), 1)
	var shards [][]int
	done, start := int64(0), 0
	for k, i := range todo {
		done += files.List[i].ID.Size + perFile
		if done >= total*int64(len(shards)+1)/n || k == len(todo)-1 {
			shards = append(shards, todo[start:k+1])
			start = k + 1
		}
	}
	return shards
}
