package search

import (
	"slices"
	"strings"
)

// query is what is looked up: all of the needs, of each one of the literals.
type query struct {
	required []clause
	perFile  bool // it is enough that one file holds all
}

type clause []gramLiteral

// gramLiteral is a literal, cut where its lines end: each piece stands in one
// block.
type gramLiteral struct {
	pieces [][]gram
	fold   bool
}

// newQuery prepares needs. Those that the index can say nothing about are left
// out.
func newQuery(required [][]Literal, perFile bool) query {
	q := query{perFile: perFile}
	for _, literals := range required {
		if n, ok := newNeed(literals, perFile); ok {
			q.required = append(q.required, n)
		}
	}
	return q
}

// newNeed prepares a choice of literals. It is not ok when the index knows
// nothing about one of them: then each file may hold that one.
func newNeed(literals []Literal, perFile bool) (n clause, ok bool) {
	for _, l := range literals {
		s, ok := newGramLiteral(l)
		if !ok || len(s.pieces) > 1 && !perFile {
			return nil, false
		}
		n = append(n, s)
	}
	return n, true
}

// newGramLiteral prepares a literal. It is not ok for those that are too short, and
// for those with a CR, which no text has when it is searched.
func newGramLiteral(l Literal) (s gramLiteral, ok bool) {
	if strings.Contains(l.Text, "\r") {
		return gramLiteral{}, false
	}
	s.fold = l.Fold
	lines := 0
	for line := range strings.SplitAfterSeq(l.Text, "\n") {
		if line == "" {
			break // the text ended with the last line
		}
		if lines > 0 {
			line = "\n" + line
		}
		lines++
		if grams := gramsOf(Literal{line, l.Fold}); len(grams) > 0 {
			s.pieces = append(s.pieces, grams)
		}
	}
	return s, len(s.pieces) > 0
}

// lookup finds the candidates of a query in one segment.
type lookup struct {
	*segment
	query *query
	buf   []byte // scratch
	one   bitmap // scratch: the blocks of one gram
}

// run returns the blocks, with perFile the files, that may match. What is
// dead or has no text is among them at random.
func (l *lookup) run() (bitmap, error) {
	l.one = newBitmap(int(l.blocks))
	var all bitmap
	for _, n := range l.query.required {
		any, err := l.need(n)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = any
		} else {
			all.and(any)
		}
		if all.next(0) < 0 {
			break
		}
	}
	return all, nil
}

// need returns the blocks or files that hold one of the literals.
func (l *lookup) need(n clause) (bitmap, error) {
	any := newBitmap(l.units())
	for _, s := range n {
		set, err := l.withLiteral(s)
		if err != nil {
			return nil, err
		}
		any.or(set)
	}
	return any, nil
}

func (l *lookup) units() int {
	if l.query.perFile {
		return int(l.files)
	}
	return int(l.blocks)
}

// withLiteral returns the blocks or files that hold a literal.
func (l *lookup) withLiteral(s gramLiteral) (all bitmap, err error) {
	for _, grams := range s.pieces {
		set, err := l.piece(grams, s.fold)
		if err != nil {
			return nil, err
		}
		if l.query.perFile {
			set = l.filesOf(set)
		}
		if all == nil {
			all = set
		} else {
			all.and(set)
		}
	}
	return all, nil
}

// filesOf returns the files that blocks are of.
func (l *lookup) filesOf(blocks bitmap) bitmap {
	files := newBitmap(int(l.files))
	b := blocks.next(0)
	for f := 0; b >= 0; f++ {
		first, end := l.blocksOf(f)
		if b < first {
			b = blocks.next(first)
		}
		if b >= first && b < end {
			files.set(f)
			b = blocks.next(end)
		}
	}
	return files
}

// gramLists are the postings of a gram, or of its two forms, which have either
// case.
type gramLists struct {
	lists []list
	bytes uint32
}

// maxIdleLists is how many lists in a row may leave no block out before the rest
// are not read.
const maxIdleLists = 4

// piece returns the blocks that hold all of grams. The shortest lists come
// first: they leave out most and cost least.
func (l *lookup) piece(grams []gram, fold bool) (bitmap, error) {
	all := newBitmap(int(l.blocks))
	lists, ok := l.listsOf(grams, fold)
	if !ok {
		return all, nil
	}
	if err := l.union(all, lists[0]); err != nil {
		return nil, err
	}
	left, idle := all.count(), 0
	for _, g := range lists[1:] {
		if left == 0 || idle == maxIdleLists {
			break
		}
		clear(l.one)
		if err := l.union(l.one, g); err != nil {
			return nil, err
		}
		all.and(l.one)
		now := all.count()
		idle++
		if now < left {
			left, idle = now, 0
		}
	}
	return all, nil
}

func (l *lookup) union(set bitmap, g gramLists) error {
	for _, one := range g.lists {
		if err := l.addTo(set, one, &l.buf); err != nil {
			return err
		}
	}
	return nil
}

// listsOf returns the postings of grams, shortest first. It is not ok when no
// block holds one of them.
func (l *lookup) listsOf(grams []gram, fold bool) (all []gramLists, ok bool) {
	for _, g := range grams {
		var lists gramLists
		lists.take(l.find(g))
		if fold {
			lists.take(l.find(g | capital))
		}
		if len(lists.lists) == 0 {
			return nil, false
		}
		all = append(all, lists)
	}
	slices.SortFunc(all, func(a, b gramLists) int { return int(a.bytes) - int(b.bytes) })
	return all, true
}

func (g *gramLists) take(l list, found bool) {
	if found {
		g.lists = append(g.lists, l)
		g.bytes += l.end - l.start
	}
}
