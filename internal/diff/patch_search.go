package diff

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Limits of a search, so that no text and no patch make it long. Steps are
// lines compared, and allow some seconds at worst.
const (
	maxSearched    = 1 << 24 // lines of a text
	maxSearchSteps = 1 << 29 // steps
	maxPlaces      = 10_000  // of one hunk; where there are more, no other hunk tells which
	perPlace       = 1 << 8  // steps that keeping a place counts for
)

// search finds hunks in a text.
type search struct {
	whole   string
	exact   *lineTable // lines as git has them: only LF ends one
	any     *lineTable // lines as editors have them
	indexes [MatchIndentation + 1]*lineIndex
	steps   int // left
}

func newSearch(t text.Text, steps int) *search {
	s := &search{whole: t.String(), steps: steps}
	s.exact = tableOf(s.whole, false)
	s.any = s.exact
	if t.EOL() == text.CR || t.EOL() == text.Mixed {
		s.any = tableOf(s.whole, true)
	}
	return s
}

// place finds where a hunk can stand with its changes at or behind an offset:
// at least one place, or an error.
//
// What nobody sees who reads a text, line ends and blanks before them, does
// not speak against the header's numbers. Another indentation does: it counts
// only where nothing else is found.
func (s *search) place(p *placed, from int) error {
	for match := MatchExact; match <= MatchBlanks; match++ {
		if s.use(p, match); s.numbered(p, from) {
			return nil
		}
	}
	for match := MatchExact; match <= MatchIndentation; match++ {
		if s.use(p, match); s.numbered(p, from) {
			return nil
		}
		if err := s.find(p, from); err != nil {
			return err
		}
		if len(p.places) > maxPlaces {
			return p.ambiguous()
		}
		if len(p.places) > 0 {
			s.steps -= len(p.places) * perPlace
			p.places = slices.Clone(p.places) // it was cut out of more
			return nil
		}
	}
	return s.notFound(p, from)
}

// use makes a match the present one of a hunk.
func (s *search) use(p *placed, match Match) {
	p.match, p.lines = match, s.any
	if match == MatchExact {
		p.lines = s.exact
	}
}

// numbered takes the place that the header's numbers tell, if it fits.
func (s *search) numbered(p *placed, from int) bool {
	at := p.hunk.at
	if at < 0 || !s.fits(p, at) || p.coreStart(int32(at)) < from {
		return false
	}
	p.places = []int32{int32(at)}
	return true
}

// find finds all places by the present match.
func (s *search) find(p *placed, from int) error {
	if n := p.lines.len(); n > maxSearched {
		return fault.New(fault.FileTooLarge, "%d lines; hunks are searched in files of up to %d", n, maxSearched).
			Advise("Give the hunks right line numbers.")
	}
	var all []int32
	if len(p.old) > 0 {
		all = s.index(p).find(p, &s.steps)
	} else {
		all = s.insertions(p)
	}
	s.steps -= len(all)
	p.places = all[:0]
	for _, place := range all {
		if s.steps < 0 {
			break
		}
		if p.coreStart(place) >= from && s.standsSo(p, int(place)) {
			p.places = append(p.places, place)
		}
	}
	if len(p.hunk.anchors) > 0 && len(p.old) > 0 && len(p.places) > 0 {
		p.places = s.behind(p.lines, s.anchored(p), p.places, int32(len(p.old)))
	}
	if s.steps < 0 {
		return fault.New(fault.FileTooLarge, "to find the hunks in the file takes too long: too many of its lines are the same").
			Advise("Give the hunks right line numbers, or make the change with edit_file.")
	}
	return nil
}

// insertions returns where lines that replace none can go: behind an anchor,
// or at the end.
func (s *search) insertions(p *placed) []int32 {
	if p.hunk.atEnd {
		return []int32{int32(p.lines.len())}
	}
	var places []int32
	for _, line := range s.anchored(p) {
		places = append(places, line+1)
	}
	return places
}

// fits reports whether the hunk's old lines stand at a line by the present match.
func (s *search) fits(p *placed, line int) bool {
	if line+len(p.old) > p.lines.len() || !s.standsSo(p, line) {
		return false
	}
	for i, old := range p.old {
		if p.match.key(old) != p.match.key(p.lines.line(line+i)) {
			return false
		}
	}
	return true
}

// standsSo reports whether old lines whose keys stand at a line stand there in
// all that keys do not tell.
func (s *search) standsSo(p *placed, line int) bool {
	end := line + len(p.old)
	if p.hunk.atEnd && end != p.lines.len() {
		return false
	}
	switch {
	case len(p.old) == 0:
		return true
	case p.match == MatchExact:
		return p.noEnd != strings.HasSuffix(p.lines.line(end-1), "\n")
	case p.match == MatchIndentation:
		s.steps -= len(p.old)
		_, ok := p.indentation(line)
		return ok
	}
	return true
}

// key is what two lines have in common that are the same by a match. For
// MatchIndentation that is not all: see indentation.
func (m Match) key(line string) string {
	switch m {
	case MatchExact:
		return strings.TrimSuffix(line, "\n")
	case MatchLineEnding:
		return bare(line)
	case MatchBlanks:
		return unblanked(line)
	}
	return strings.Trim(bare(line), " \t")
}

// unblanked returns a line without its end and the blanks before that.
func unblanked(line string) string { return strings.TrimRight(bare(line), " \t") }

// notFound is the error for a hunk that fits nowhere behind an offset.
func (s *search) notFound(p *placed, from int) error {
	h := p.hunk
	if missing := s.missingAnchor(p); missing != "" {
		return h.wrong(p.index, fault.TextNotFound, "the file has no line %q, which its @@ names", shown(missing)).
			Advise("Copy the line of the class or function as it stands in the file, or leave it out.").With("anchor", missing)
	}
	e := h.wrong(p.index, fault.TextNotFound, "its lines do not stand in the file")
	if len(p.old) == 0 {
		return e.Advise("It has only new lines: give some of the lines around them, so that their place is known.")
	}
	if from > 0 {
		for match := MatchExact; match <= MatchIndentation; match++ {
			s.use(p, match)
			if err := s.find(p, 0); err != nil || len(p.places) == 0 {
				continue
			}
			return h.wrong(p.index, fault.TextNotFound, "its lines stand at line %d, before the hunk in front of it", p.places[0]+1).
				Advise("Put the hunks of a file in the order of its lines; each refers to the file as it is before the patch.")
		}
	}
	return e
}

// lineTable is where the lines of a text begin.
type lineTable struct {
	whole  string
	starts []int32 // and, as the last, the text's end
}

// tableOf divides a text at LF, or as editors do, also at lone CRs.
func tableOf(whole string, cr bool) *lineTable {
	t := &lineTable{whole: whole, starts: make([]int32, 0, strings.Count(whole, "\n")+2)}
	for at := 0; at < len(whole); {
		t.starts = append(t.starts, int32(at))
		if cr {
			at += lineLen(whole[at:])
		} else {
			at += len(firstLine(whole[at:]))
		}
	}
	t.starts = append(t.starts, int32(len(whole)))
	return t
}

// lineLen returns the length of the first line, which ends at LF, CRLF or a
// lone CR.
func lineLen(s string) int {
	i := strings.IndexAny(s, "\r\n")
	switch {
	case i < 0:
		return len(s)
	case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
		return i + 2
	}
	return i + 1
}

func (t *lineTable) len() int { return len(t.starts) - 1 }

// start returns the offset of a 0-based line, the text's end behind the last.
func (t *lineTable) start(line int) int { return int(t.starts[min(line, t.len())]) }

// line returns a 0-based line with its end.
func (t *lineTable) line(i int) string { return t.whole[t.starts[i]:t.starts[i+1]] }
