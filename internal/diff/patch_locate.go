package diff

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Match tells how literally the lines of a hunk stand in a text.
type Match int

// The ways to match, each tried only where the ones before it give no place.
const (
	MatchExact       Match = iota // byte for byte
	MatchLineEnding               // but for LF, CRLF or CR, and the end of the last line
	MatchBlanks                   // and for blanks at the ends of lines
	MatchIndentation              // and for the indentation that all lines have in common
)

// Locate returns the edits of t that the hunks of f ask for, and how literally
// the least literal of them was found. Hunks without a change are not looked
// for.
//
// A hunk belongs where the numbers of its header say if its old lines stand
// there; else they must stand in one place, behind the changes of the hunk
// before it and where its anchors lead. Only the lines that go and come are
// edited, and all edits refer to t.
//
// Errors are of kind text_not_found, ambiguous_match (with the details "lines"
// and "count"), both with the details "hunk" (1-based) and "patch_line", file_too_large where a search would be too long, and cancelled.
func (f *FilePatch) Locate(ctx context.Context, t text.Text) ([]Edit, Match, error) {
	return f.locate(ctx, t, maxSearchSteps)
}

// locate is Locate with a search of so many steps at most.
func (f *FilePatch) locate(ctx context.Context, t text.Text, steps int) ([]Edit, Match, error) {
	s := newSearch(t, steps)
	all := make([]placed, 0, len(f.Hunks))
	from := 0
	for i := range f.Hunks {
		h := &f.Hunks[i]
		p := newPlaced(h, i)
		if p.unchanging() {
			continue
		}
		if ctx.Err() != nil {
			return nil, 0, fault.From(ctx.Err())
		}
		if err := s.place(&p, from); err != nil {
			return nil, 0, err
		}
		from = p.coreEnd(p.places[0])
		if p.match != MatchIndentation {
			p.old = nil // found: only its place counts now
		}
		all = append(all, p)
	}
	if err := choosePlaces(t, all); err != nil {
		return nil, 0, err
	}
	match := MatchExact
	var edits []Edit
	for i := range all {
		match = max(match, all[i].match)
		edits = all[i].appendEdits(edits)
	}
	return edits, match, nil
}

// placed is a hunk on its way to its place.
type placed struct {
	hunk  *Hunk
	index int      // of the hunk, 0-based
	old   []string // its old lines, without LF
	noEnd bool     // the last of them has none in the text either
	lead  int      // old lines before the first change
	trail int      // old lines behind the last one

	lines  *lineTable // that places are lines of
	match  Match
	places []int32 // where its first old line can stand, ascending
}

func newPlaced(h *Hunk, index int) placed {
	p := placed{hunk: h, index: index, old: make([]string, 0, h.old)}
	changed := false
	for l := range h.lines() {
		if l.mark != ' ' {
			changed, p.trail = true, 0
		} else if p.trail++; !changed {
			p.lead++
		}
		if l.isOld() {
			p.old, p.noEnd = append(p.old, l.text), l.noEnd
		}
	}
	return p
}

// unchanging tells that the hunk changes nothing.
func (p *placed) unchanging() bool {
	return p.lead == len(p.old) && p.hunk.new == p.hunk.old && p.trail == p.lead
}

// coreStart and coreEnd are the offsets between which the text changes when
// the hunk stands at a place.
func (p *placed) coreStart(place int32) int { return p.lines.start(int(place) + p.lead) }
func (p *placed) coreEnd(place int32) int {
	return p.lines.start(int(place) + p.hunk.old - p.trail)
}

// choosePlaces leaves each hunk its one place. They are in the order of the text:
// were each as far down as it can be, and stood then where it stands when each
// is as far up as it can be, there is no other way.
func choosePlaces(t text.Text, all []placed) error {
	before := t.Len()
	for i := len(all) - 1; i >= 0; i-- {
		p := &all[i]
		n := sort.Search(len(p.places), func(k int) bool { return p.coreEnd(p.places[k]) > before })
		p.places = p.places[:n] // never empty: the first of all were found one behind the other
		before = p.coreStart(p.places[n-1])
	}
	for i := range all {
		if len(all[i].places) > 1 {
			return all[i].ambiguous()
		}
	}
	return nil
}

// maxPlacesListed is how many places an error lists.
const maxPlacesListed = 20

func (p *placed) ambiguous() error {
	lines := make([]int, 0, maxPlacesListed)
	for _, place := range p.places[:min(len(p.places), maxPlacesListed)] {
		lines = append(lines, int(place)+1)
	}
	list := strings.ReplaceAll(strings.Trim(fmt.Sprint(lines), "[]"), " ", ", ")
	if len(lines) < len(p.places) {
		list += " …"
	}
	return p.hunk.wrong(p.index, fault.AmbiguousMatch, "its lines stand at %d places, from lines %s on", len(p.places), list).
		Advise("Give more of the lines around the change, or name what it is in: @@ with the line of the class or function.").
		With("lines", lines).With("count", len(p.places))
}

// wrong is an error of a hunk.
func (h *Hunk) wrong(index int, kind fault.Kind, format string, args ...any) *fault.Error {
	return fault.New(kind, "hunk %d (line %d of the patch): %s; nothing was changed", index+1, h.Line, fmt.Sprintf(format, args...)).
		With("hunk", index+1).With("patch_line", h.Line)
}
