package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// scope is what one search looks at.
type scope struct {
	files      *catalog.Files
	start, end int        // the part of files.List in question
	listed     bool       // files are the catalog's list
	docs       []document // in order
	open       map[int]bool
	total      int // files and documents, those behind Request.After included
	// after is where an earlier search ended, nil for the beginning; it stands,
	// or would stand, at place.
	after      *workspace.Path
	single     *workspace.Path // the one file to search, which is in no list
	place      int
	placeFound bool
}

// hidden counts the places that policy leaves out, where they are counted for
// what r asks for.
func (sc *scope) hidden(r *Request) int {
	if r.Under != nil && sc.listed {
		return 0 // they may be anywhere
	}
	return sc.files.Hidden
}

// named returns the path of a file as it is held against patterns.
func (sc *scope) named(i int) string {
	e := &sc.files.List[i]
	return sc.files.Base(e.Root) + e.Rel
}

// kept counts the files in question.
func (sc *scope) kept(keep func(rel string) bool) int {
	if keep == nil {
		return sc.end - sc.start
	}
	n := 0
	for i := sc.start; i < sc.end; i++ {
		if keep(sc.named(i)) {
			n++
		}
	}
	return n
}

// problems are the places in question that could not be read.
func (sc *scope) problems(r *Request) []error {
	if r.Under != nil && sc.listed {
		return sc.files.ProblemsBelow(*r.Under)
	}
	return slices.Clone(sc.files.Problems)
}

// document is an open document to search.
type document struct {
	*buffers.Document
	// at is the place in files.List, or the place before which it belongs.
	at   int
	path workspace.Path
}

// unit is a file or document to search.
type unit struct {
	at   int // in files.List
	doc  *document
	path *workspace.Path // of a file that is in no list
	// blocks are the parts of the file that may match; nil is all of it.
	blocks []Block
	after  int // hits up to this offset are behind; -1 for none
}

// scope finds what r asks for.
func (s *Searcher) scope(ctx context.Context, snap *buffers.Snapshot, r *Request) (*scope, error) {
	sc := new(scope)
	err := s.files(ctx, snap, r, sc)
	if err == nil {
		err = sc.begin(snap, r.After)
	}
	if err != nil {
		return nil, err
	}
	if sc.single != nil {
		sc.total = 1
		return sc, nil
	}
	sc.documents(snap, r)
	sc.total += sc.kept(r.Keep)
	return sc, nil
}

// units calls take with all that may match, in order, until it says no.
func (s *Searcher) units(ctx context.Context, sc *scope, r *Request, take func(unit) bool) error {
	if sc.single != nil {
		u := unit{path: sc.single, after: -1}
		if sc.after != nil {
			u.after = r.After.Offset
		}
		if sc.after == nil || u.after >= 0 {
			take(u)
		}
		return nil
	}
	docs, more := sc.docs, true
	upTo := func(at int) bool { // the documents before a file
		for ; more && len(docs) > 0 && docs[0].at <= at; docs = docs[1:] {
			if u := (unit{at: docs[0].at, doc: &docs[0], after: -1}); !sc.behind(&u, r.After.Offset) {
				more = take(u)
			}
		}
		return more
	}
	from := max(sc.start, sc.place)
	err := s.candidates(ctx, sc, r, func(i int, blocks []Block) bool {
		if i >= sc.end || !upTo(i) {
			return false
		}
		u := unit{at: i, blocks: blocks, after: -1}
		if i < from || sc.open[i] || r.Keep != nil && !r.Keep(sc.named(i)) || sc.behind(&u, r.After.Offset) {
			return true
		}
		more = take(u)
		return more
	})
	if err == nil {
		upTo(len(sc.files.List))
	}
	return err
}

// files finds the list of files in question and the part of it.
func (s *Searcher) files(ctx context.Context, snap *buffers.Snapshot, r *Request, sc *scope) (err error) {
	if r.Under != nil && snap.Gate.IsOutput(*r.Under) {
		_, err := snap.File(ctx, *r.Under, "")
		if fault.KindOf(err) == fault.NotFound && r.Under.Rel+"/" == workspace.OutputsPrefix {
			_, err = s.catalog.Walk(ctx, snap.Gate, *r.Under, false)
		}
		sc.files, sc.single = new(catalog.Files), r.Under
		return err
	}
	if !r.Ignored {
		if sc.files, err = s.list(ctx, snap.Gate); err != nil {
			return err
		}
		sc.end, sc.listed = len(sc.files.List), true
		if r.Under == nil {
			return nil
		}
		if sc.start, sc.end = sc.files.Below(*r.Under); sc.start < sc.end {
			return nil
		}
	}
	// Nothing that is listed: it is ignored, elsewhere, a link, or not there.
	if r.Under == nil {
		sc.files, err = s.catalog.WalkAll(ctx, snap.Gate)
	} else {
		sc.files, err = s.catalog.Walk(ctx, snap.Gate, *r.Under, r.Ignored)
	}
	switch kind := fault.KindOf(err); {
	case kind == fault.NotFound && inEditor(snap, *r.Under):
		sc.files, err = s.catalog.Files(ctx, snap.Gate)
		sc.start, sc.end, sc.listed = 0, 0, false
		return err
	case kind == fault.OutsideWorkspace && snap.Overlay.Get(r.Under.Key()) != nil:
		_, err = snap.File(ctx, *r.Under, "")
		sc.files, sc.single = new(catalog.Files), r.Under
		return err
	case err != nil:
		return err
	}
	sc.start, sc.end, sc.listed = 0, len(sc.files.List), false
	return nil
}

// inEditor reports whether the editor has p, or something below it, open.
func inEditor(snap *buffers.Snapshot, p workspace.Path) bool {
	return slices.ContainsFunc(snap.Overlay.Documents(), func(d *buffers.Document) bool {
		return d.Path.Key() == p.Key() || d.Path.Within(p)
	})
}

// list returns the catalog's list. The first search reads what was saved of
// the index meanwhile.
func (s *Searcher) list(ctx context.Context, g *workspace.Gate) (files *catalog.Files, err error) {
	if s.index == nil || s.begun.Swap(true) {
		return s.catalog.Files(ctx, g)
	}
	err = parallel.ForEach(ctx, 2, 2, func(ctx context.Context, i int) (err error) {
		if i == 0 {
			files, err = s.catalog.Files(ctx, g)
		} else {
			s.index.load(g)
		}
		return err
	})
	return files, err
}

// candidates calls take with the files that may match, in order.
func (s *Searcher) candidates(ctx context.Context, sc *scope, r *Request, take func(int, []Block) bool) error {
	if s.index == nil || !sc.listed {
		for i := sc.start; i < sc.end && take(i, nil); i++ {
		}
		return nil
	}
	view := s.index.View(sc.files)
	unindexed, more := view.Unindexed(sc.files), true
	next, _ := slices.BinarySearch(unindexed, sc.start)
	unindexedBefore := func(i int) bool {
		for ; more && next < len(unindexed) && unindexed[next] < i; next++ {
			more = take(unindexed[next], nil)
		}
		return more
	}
	err := view.Candidates(ctx, sc.files, r.Matcher.RequiredLiterals(), r.Matcher.Multiline(), func(i int, blocks []Block) bool {
		more = unindexedBefore(i) && (i < sc.start || take(i, blocks))
		return more
	})
	if err == nil {
		unindexedBefore(sc.end)
	}
	return err
}

// documents finds the open documents that r asks for, and which files of the
// list they stand for.
func (sc *scope) documents(snap *buffers.Snapshot, r *Request) {
	sc.open = make(map[int]bool)
	for _, d := range snap.Overlay.Documents() {
		p, err := snap.Gate.FromURI(d.URI) // roots may have changed since
		if err != nil || snap.Gate.CheckRead(p) != nil {
			continue
		}
		at, found, inside := sc.files.Seek(p)
		if !found && d.Real() != "" { // by another name than the list has
			if real, err := snap.Gate.FromURI(workspace.FileURI(d.Real())); err == nil {
				if i := sc.files.Find(real); i >= 0 && snap.OpenAs(d.Real(), sc.files.List[i].ID) == d {
					at, found, inside, p = i, true, true, real
				}
			}
		}
		switch {
		case found && at >= sc.start && at < sc.end:
			sc.open[at] = true
		case found, !wanted(r, p, inside), d.Real() != "" && sc.listed, !r.Ignored && isHidden(r, p):
			continue // the third: a file that is ignored
		}
		if r.Keep != nil && !r.Keep(p.Below()) {
			continue
		}
		sc.docs = append(sc.docs, document{d, at, p})
		if !found {
			sc.total++
		}
	}
	slices.SortStableFunc(sc.docs, func(a, b document) int {
		return cmp.Or(cmp.Compare(a.at, b.at), catalog.ComparePaths(a.path.Rel, b.path.Rel))
	})
}

// wanted reports whether r asks for a document that is no listed file.
func wanted(r *Request, p workspace.Path, inside bool) bool {
	if r.Under == nil {
		return inside || p.Untitled()
	}
	return p.Key() == r.Under.Key() || p.Within(*r.Under)
}

// isHidden reports whether a name of p, below what r asks for, begins with a dot.
func isHidden(r *Request, p workspace.Path) bool {
	rel := p.Below()
	if r.Under != nil {
		if p.Key() == r.Under.Key() {
			return false
		}
		rel = strings.TrimPrefix(p.Rel, r.Under.Rel+"/")
	}
	return !p.Untitled() && strings.Contains("/"+rel, "/.")
}

// begin finds what an earlier search ended with.
func (sc *scope) begin(snap *buffers.Snapshot, after Place) error {
	if after.Path == "" {
		return nil
	}
	// It need not be there any more.
	p, err := snap.Gate.Resolve(after.Path, func(string) bool { return true })
	if err != nil {
		return err
	}
	sc.after = &p
	if sc.single == nil {
		sc.place, sc.placeFound, _ = sc.files.Seek(p)
	}
	return nil
}

// behind reports whether all of u lies behind what an earlier search ended with,
// and else notes in u how much does. offset is -1 for a whole file.
func (sc *scope) behind(u *unit, offset int) bool {
	if sc.after == nil {
		return false
	}
	if u.at != sc.place {
		return u.at < sc.place
	}
	same := sc.placeFound && u.doc == nil
	if u.doc != nil {
		order := catalog.ComparePaths(u.doc.path.Rel, sc.after.Rel)
		if order < 0 {
			return true
		}
		same = order == 0
	}
	if same {
		u.after = offset
	}
	return same && offset < 0
}
