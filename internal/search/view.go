package search

import (
	"slices"
	"sort"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
)

// Block is a part of a text: the bytes [Start, End), which are whole lines.
type Block struct {
	Start, End int64
	Line       int // number of the first line, 0-based
}

// View is what the index knows at one moment. It never changes, but for what
// turns out to be damaged: from then on that counts as not indexed. The zero
// value knows nothing. It is safe for concurrent use.
type View struct {
	segments map[string][]*segment // by the path of the workspace folder, oldest first

	mu     sync.Mutex
	recent []*mapping // of the lists asked for last, at most maxMappings
}

// maxMappings is how many lists a view relates itself to at the same time.
const maxMappings = 2

// Unindexed returns, in order, the files of the list that are not indexed: only
// reading them tells what they hold. The slice is shared and must not be
// changed.
func (v *View) Unindexed(files *catalog.Files) []int { return v.of(files).unindexed }

// mapping relates the files of segments to those of a list.
type mapping struct {
	files     *catalog.Files
	parts     []part
	known     bitmap // files of the list that are indexed
	unindexed []int  // the others
}

// part is a segment and, for each of its files, its place in the list, or -1
// when the list has it not, or not in that state, or from another segment.
type part struct {
	*segment
	place []int32
	live  int   // how many files have a place
	bytes int64 // of those
}

// of returns how the view relates to files; it is worked out once.
func (v *View) of(files *catalog.Files) *mapping {
	v.mu.Lock()
	for _, m := range v.recent {
		if m.files == files {
			v.mu.Unlock()
			return m
		}
	}
	v.mu.Unlock()
	m := v.relate(files)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.recent) == maxMappings {
		v.recent = append(v.recent[:0:0], v.recent[1:]...)
	}
	v.recent = append(v.recent, m)
	return m
}

func (v *View) relate(files *catalog.Files) *mapping {
	m := &mapping{files: files, known: newBitmap(len(files.List))}
	roots := files.Gate().Folders()
	for n, r := range roots {
		first := sort.Search(len(files.List), func(i int) bool { return files.List[i].Root >= n })
		list := files.List[first:]
		list = list[:sort.Search(len(list), func(i int) bool { return list[i].Root > n })]
		// The newest first: most of it is true. Damaged ones too: whenever a
		// list is related to a view, each file is either unindexed or a candidate.
		for _, s := range slices.Backward(v.segments[r.Path]) {
			m.parts = append(m.parts, m.place(s, list, first))
		}
	}
	for i := range files.List {
		if !m.known.has(i) {
			m.unindexed = append(m.unindexed, i)
		}
	}
	return m
}

// place finds the files of s in list, which begins at first in the whole list.
func (m *mapping) place(s *segment, list []catalog.FileEntry, first int) part {
	p, files := part{segment: s, place: make([]int32, s.files)}, m.files.List
	at := 0
	for f := range p.place {
		p.place[f] = -1
		path := s.path(f)
		at += seek(list[at:], path)
		if at == len(list) || list[at].Rel != string(path) {
			continue
		}
		i := first + at
		at++ // paths are in the same order
		if s.kind(f) == deadFile || m.known.has(i) || s.state(f) != files[i].ID {
			continue
		}
		m.known.set(i)
		p.place[f] = int32(i)
		p.live++
		p.bytes += files[i].ID.Size
	}
	return p
}

// seek returns the place of the first entry of list whose path is not before
// path. It is fast when that is near.
func seek(list []catalog.FileEntry, path []byte) int {
	before := func(i int) bool {
		return list[i].Rel != string(path) && catalog.ComparePaths(list[i].Rel, string(path)) < 0
	}
	step := 1
	for step <= len(list) && before(step-1) {
		step *= 2
	}
	low := step / 2 // all that is below is before path
	high := min(step-1, len(list))
	return low + sort.Search(high-low, func(i int) bool { return !before(low + i) })
}
