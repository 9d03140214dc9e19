package output

import (
	"slices"
	"strings"
)

// Summary reads a log, or the end of one, and holds on to its last lines and to
// what tells of errors in it: each error once, as it came last, with its number.
type Summary struct {
	selector *Selector
	tail     int // bytes of the last lines
	errors   int
}

// Line is a line of a log as a terminal shows it.
type Line struct {
	Text string
	// Number is its last line in the stream, from 1: a progress bar is many.
	Number int
	// Times is how often it stands there, one after the other.
	Times int
}

// Told is an error in a log.
type Told struct {
	Lines []Line
	// Count is how often it came, but for what numbers it names.
	Count int
}

// NewSummary returns a summary that holds tail bytes of last lines and errors
// bytes of what tells of errors.
func NewSummary(tail, errors int) *Summary {
	s := NewSelector(max(tail, errors))
	s.blocks.budget = errors
	s.blocks.latest = &latest{kept: make(map[string]*block)}
	return &Summary{selector: s, tail: tail, errors: errors}
}

// Write takes the next bytes of the log. It never fails.
func (s *Summary) Write(p []byte) (int, error) { return s.selector.Write(p) }

// Close ends the log.
func (s *Summary) Close() { s.selector.Close() }

// Exact reports whether all lines are shown as they stand in the log.
func (s *Summary) Exact() bool { return s.selector.reader.exact && !s.selector.folded }

// Last returns the last lines; after Close. Where errors were told, it leaves out
// what is sure to be noise, as tests that passed are.
func (s *Summary) Last() []Line {
	items := s.selector.tail.items()
	if len(s.selector.blocks.list) > 0 {
		items = slices.DeleteFunc(slices.Clone(items), func(it item) bool { return isNoise(it.text) })
	}
	size := 0
	for i, it := range slices.Backward(items) {
		if size += it.size(); size > s.tail && i < len(items)-1 {
			items = items[i+1:]
			break
		}
	}
	return linesOf(items)
}

// Errors returns the last errors that end before a line, in their order, and how
// many are left out; after Close.
func (s *Summary) Errors(before int) (told []Told, left int) {
	l := s.selector.blocks.latest
	size, left := 0, l.left
	for _, b := range slices.Backward(s.selector.blocks.list) {
		items := b.items()
		if items[len(items)-1].last >= before {
			continue
		}
		if len(items) > maxToldLines {
			items = slices.Concat(items[:maxToldLines-2], items[len(items)-2:])
		}
		for _, it := range items {
			size += it.size()
		}
		if size > s.errors && len(told) > 0 {
			left++
			continue
		}
		told = append(told, Told{Lines: linesOf(items), Count: b.times})
	}
	slices.Reverse(told)
	return told, left
}

// maxToldLines is how many lines of an error are told.
const maxToldLines = 12

func linesOf(items []item) []Line {
	lines := make([]Line, len(items))
	for i, it := range items {
		lines[i] = Line{Text: it.text, Number: it.last, Times: it.times}
	}
	return lines
}

// latest makes blocks keep the last ones of a stream, each once.
type latest struct {
	kept map[string]*block
	left int // blocks that were dropped
}

// add adds a block, in the place of one that tells the same.
func (l *latest) add(bs *blocks, b *block) {
	if b.weight < summary {
		return
	}
	key := sameness(b)
	b.times = 1
	if before := l.kept[key]; before != nil {
		b.times += before.times
		l.drop(bs, slices.Index(bs.list, before), "")
	}
	l.kept[key] = b
	bs.list = append(bs.list, b)
	bs.bytes += b.bytes()
	for bs.bytes > bs.budget && len(bs.list) > 1 {
		worst := 0
		for i, other := range bs.list[:len(bs.list)-1] {
			if other.weight < bs.list[worst].weight {
				worst = i
			}
		}
		l.left++
		l.drop(bs, worst, sameness(bs.list[worst]))
	}
}

func (l *latest) drop(bs *blocks, i int, key string) {
	bs.bytes -= bs.list[i].bytes()
	bs.list = slices.Delete(bs.list, i, i+1)
	if key != "" {
		delete(l.kept, key)
	}
}

// sameness returns the text of a block without the numbers in it, but for those
// that are a part of a name: times, durations, ports and counts differ in what is
// the same error.
func sameness(b *block) string {
	var key strings.Builder
	for _, it := range b.items() {
		name, number := false, false // what the byte before belongs to
		for i := range len(it.text) {
			c := it.text[i]
			isDigit := c >= '0' && c <= '9'
			switch {
			case isDigit && name:
				key.WriteByte(c)
			case isDigit && !number:
				key.WriteByte('#')
			case !isDigit:
				key.WriteByte(c)
				name = c == '_' || c == '[' || c|0x20 >= 'a' && c|0x20 <= 'z'
			}
			number = isDigit && !name
		}
		key.WriteByte('\n')
	}
	return key.String()
}
