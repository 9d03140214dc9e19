package text

// summary holds what is counted of a run of text. Summaries of adjacent runs
// add up; a CRLF that falls on their border is one pair, which is why the
// edges are part of it.
//
// Characters are counted beside UTF-16 units because a position in utf-32 on
// a line of many megabytes must not scan the line; four bytes for each chunk
// are cheap.
type summary struct {
	bytes uint32
	chars uint32 // Unicode code points
	utf16 uint32 // UTF-16 code units
	lf    uint32 // LF, those of a CRLF too
	cr    uint32 // CR, those of a CRLF too
	pairs pairs
}

// pairs is the number of CR LF pairs in a run, times onePair, plus the edges:
// what the run begins and ends with. In one word, because there is a summary
// for every chunk and an edit copies dozens. An empty run is 0.
type pairs uint32

const (
	startsLF pairs = 1 << iota
	endsCR         // one above startsLF: add shifts it there
	endsLF
	onePair

	edges = onePair - 1
)

func (s *summary) crlf() uint32   { return uint32(s.pairs / onePair) }
func (s *summary) startsLF() bool { return s.pairs&startsLF != 0 }
func (s *summary) endsCR() bool   { return s.pairs&endsCR != 0 }

// endsLine tells that the run's last byte ends a line.
func (s *summary) endsLine() bool { return s.pairs&(endsCR|endsLF) != 0 }

// sameEdges tells that both runs begin and end in the same way, so that one
// can stand in the other's place without making or losing a pair around it.
func (s *summary) sameEdges(t *summary) bool { return (s.pairs^t.pairs)&edges == 0 }

// breaks returns the number of line ends under a rule. A CR at the run's end
// counts, even where the next run begins with its LF.
func (s *summary) breaks(rule LineRule) int {
	if rule == OnlyLF {
		return int(s.lf)
	}
	return int(s.lf + s.cr - s.crlf())
}

// units returns the run's length in an encoding's units.
func (s *summary) units(e PositionEncoding) int {
	switch e {
	case UTF8:
		return int(s.bytes)
	case UTF32:
		return int(s.chars)
	default:
		return int(s.utf16)
	}
}

// add appends the run that next counts to the one that s counts.
func (s *summary) add(next *summary) {
	if s.bytes == 0 {
		*s = *next
		return
	}
	if next.bytes == 0 {
		return
	}
	across := s.pairs >> 1 & next.pairs & startsLF
	s.pairs = s.pairs&^(endsCR|endsLF) + next.pairs&^startsLF + across*onePair
	s.bytes += next.bytes
	s.chars += next.chars
	s.utf16 += next.utf16
	s.lf += next.lf
	s.cr += next.cr
}

// exchange counts what became of a run in which the part that old counts was
// replaced by the part that new counts. Both parts reach one byte beyond the
// change on either side (where the run does), so that pairs are right. The
// edges are left to the caller.
func (s *summary) exchange(old, new *summary) {
	s.bytes += new.bytes - old.bytes
	s.chars += new.chars - old.chars
	s.utf16 += new.utf16 - old.utf16
	s.lf += new.lf - old.lf
	s.cr += new.cr - old.cr
	s.pairs += new.pairs&^edges - old.pairs&^edges
}
