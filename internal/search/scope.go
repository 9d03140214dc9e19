package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// scope is what one search looks at, in order.
type scope struct {
	files *workspace.Files
	units []unit
	total int // files and documents, those behind Request.After included
}

// unit is a file or document to search.
type unit struct {
	// at is the place in files.List; documents without a file there have the
	// place before which they belong, and path.
	at   int
	doc  *buffers.Document
	path workspace.Path
	// blocks are the parts of the file that may match; nil is all of it.
	blocks []Block
	after  int // hits up to this offset are behind; -1 for none
}

// scope finds what r asks for.
func (s *Searcher) scope(ctx context.Context, snap *buffers.Snapshot, r *Request) (*scope, error) {
	files, start, end, listed, err := s.files(ctx, snap, r)
	if err != nil {
		return nil, err
	}
	sc := &scope{files: files}
	docs, open := documents(snap, files, r, start, end, listed)
	after, err := placeOf(snap, r.After)
	if err != nil {
		return nil, err
	}
	from := max(start, sc.begin(after))
	take := func(i int, blocks []Block) bool {
		if i >= end {
			return false
		}
		if i >= from && !open[i] && (r.Keep == nil || r.Keep(files.List[i].Rel)) {
			sc.units = append(sc.units, unit{at: i, blocks: blocks, after: -1})
		}
		return true
	}
	if err := s.candidates(ctx, snap, r, files, listed, start, end, take); err != nil {
		return nil, err
	}
	sc.total = end - start + len(docs) - len(open)
	sc.merge(docs)
	sc.skip(after, r.After.Offset)
	return sc, nil
}

// files returns the list of files in question and the part of it. listed
// tells that it is the catalog's list, which the index knows.
func (s *Searcher) files(ctx context.Context, snap *buffers.Snapshot, r *Request) (f *workspace.Files, start, end int, listed bool, err error) {
	if !r.Ignored {
		if f, err = s.catalog.Files(ctx, snap.Gate); err != nil {
			return nil, 0, 0, false, err
		}
		if r.Under == nil {
			return f, 0, len(f.List), true, nil
		}
		if start, end = f.Below(*r.Under); start < end {
			return f, start, end, true, nil
		}
	}
	// Nothing that is listed: it is ignored, elsewhere, a link, or not there.
	if r.Under == nil {
		f, err = s.catalog.WalkAll(ctx, snap.Gate)
	} else {
		f, err = s.catalog.Walk(ctx, snap.Gate, *r.Under, r.Ignored)
	}
	if err != nil {
		return nil, 0, 0, false, err
	}
	return f, 0, len(f.List), false, nil
}

// candidates calls take with the files that may match, in order.
func (s *Searcher) candidates(ctx context.Context, snap *buffers.Snapshot, r *Request, files *workspace.Files, listed bool, start, end int, take func(int, []Block) bool) error {
	if s.index == nil || !listed {
		for i := start; i < end; i++ {
			take(i, nil)
		}
		return nil
	}
	view := s.index.View(files)
	loose := view.Loose(files)
	next, _ := slices.BinarySearch(loose, start)
	err := view.Candidates(ctx, files, r.Matcher.Needs(), r.Matcher.Multiline(), func(i int, blocks []Block) bool {
		for ; next < len(loose) && loose[next] < i; next++ {
			take(loose[next], nil)
		}
		return i < start || take(i, blocks)
	})
	for ; next < len(loose); next++ {
		take(loose[next], nil)
	}
	return err
}

// documents returns the open documents that r asks for, in order, and which
// files of the list they stand for.
func documents(snap *buffers.Snapshot, files *workspace.Files, r *Request, start, end int, listed bool) (docs []unit, open map[int]bool) {
	open = make(map[int]bool)
	for _, d := range snap.Overlay.Documents() {
		p, err := snap.Gate.FromURI(d.URI) // roots may have changed since
		if err != nil || snap.Gate.CheckRead(p) != nil {
			continue
		}
		at, found, inside := files.Seek(p)
		if !found && d.Real() != "" { // by another name than the list has
			if real, err := snap.Gate.FromURI(workspace.FileURI(d.Real())); err == nil {
				if i, ok, _ := files.Seek(real); ok && snap.OpenAs(d.Real(), files.List[i].ID) == d {
					at, found, inside, p = i, true, true, real
				}
			}
		}
		switch {
		case found && at >= start && at < end:
			open[at] = true
		case found, !wanted(r, p, inside), d.Real() != "" && listed:
			continue // the last: a file that is ignored
		}
		if r.Keep == nil || r.Keep(p.Below()) {
			docs = append(docs, unit{at: at, doc: d, path: p, after: -1})
		}
	}
	slices.SortStableFunc(docs, func(a, b unit) int {
		return cmp.Or(cmp.Compare(a.at, b.at), workspace.ComparePaths(a.path.Rel, b.path.Rel))
	})
	return docs, open
}

// wanted tells whether r asks for a document that is no listed file.
func wanted(r *Request, p workspace.Path, inside bool) bool {
	if r.Under == nil {
		return inside || p.Untitled()
	}
	return p.Key() == r.Under.Key() || p.Within(*r.Under)
}

// merge puts documents in their places among the files.
func (sc *scope) merge(docs []unit) {
	if len(docs) == 0 {
		return
	}
	units := make([]unit, 0, len(sc.units)+len(docs))
	n := 0
	for _, d := range docs {
		for ; n < len(sc.units) && sc.units[n].at < d.at; n++ {
			units = append(units, sc.units[n])
		}
		units = append(units, d)
	}
	sc.units = append(units, sc.units[n:]...)
}

// placeOf finds what an earlier search named; nil is before all.
func placeOf(snap *buffers.Snapshot, after Place) (*workspace.Path, error) {
	if after.Path == "" {
		return nil, nil
	}
	// It need not be there any more.
	p, err := snap.Gate.Resolve(after.Path, func(string) bool { return true })
	return &p, err
}

// begin returns the first place in the list that is not wholly behind after.
func (sc *scope) begin(after *workspace.Path) int {
	if after == nil {
		return 0
	}
	at, _, _ := sc.files.Seek(*after)
	return at
}

// skip leaves out the units that are behind after, and of the unit that after
// is in the hits up to offset; all of it for -1.
func (sc *scope) skip(after *workspace.Path, offset int) {
	if after == nil {
		return
	}
	at, found, _ := sc.files.Seek(*after)
	sc.units = slices.DeleteFunc(sc.units, func(u unit) bool {
		switch {
		case u.at != at:
			return u.at < at
		case u.doc == nil:
			return found && offset < 0
		}
		order := workspace.ComparePaths(u.path.Rel, after.Rel)
		return order < 0 || order == 0 && offset < 0
	})
	if len(sc.units) > 0 && sc.pathOf(&sc.units[0]).Key() == after.Key() {
		sc.units[0].after = offset
	}
}

func (sc *scope) pathOf(u *unit) workspace.Path {
	if u.doc != nil {
		return u.path
	}
	return sc.files.Path(u.at)
}
