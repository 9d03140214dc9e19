package output

// Selector reads one stream and holds on to what may be shown of it: its
// first lines, its last, and the blocks of lines that tell of errors. It sees
// every byte once; what it holds is a few times its budget.
type Selector struct {
	budget int
	reader *lineReader
	table  *ruleTable

	held    *item // the last line, not yet passed on: equal ones may follow
	folded  bool  // lines were folded
	count   int   // shown lines that were passed on
	head    []item
	headLen int // bytes; over budget when the head is complete
	tail    window
	recent  window // the lines before the present one that a block may take in

	open   *block // still growing
	how    *compiled
	blocks blocks
	lines  []item // all lines at hand, once they are asked for
	beside bool   // the command's other stream tells of errors
}

// item is a shown line, in one copy however often it was repeated.
type item struct {
	shownLine
	at    int // place among the shown lines
	times int // how often it stands there, one after the other
}

// maxBack is how many lines before an error may belong to it.
const maxBack = 30

// NewSelector returns a selector for selections of at most budget bytes.
func NewSelector(budget int) *Selector {
	s := &Selector{
		budget: budget, table: table(),
		tail: window{maxBytes: budget}, recent: window{maxBytes: maxBack * maxLine, maxItems: maxBack},
		blocks: blocks{budget: 2 * budget, last: -1, seen: make(map[uint64]bool)},
	}
	s.reader = newLineReader(min(max(budget/3, minLine), maxLine), s.take)
	return s
}

// Write takes the next bytes of the stream. It never fails.
func (s *Selector) Write(p []byte) (int, error) {
	s.reader.write(p)
	return len(p), nil
}

// Close ends the stream.
func (s *Selector) Close() {
	s.reader.close()
	s.release()
	s.endBlock()
}

// Lines is the number of lines of the stream, as files count them; after
// Close.
func (s *Selector) Lines() int { return s.reader.total() }

// take folds equal lines that follow each other into one.
func (s *Selector) take(l shownLine) {
	if s.held != nil && s.held.text == l.text {
		s.held.last = l.last
		s.held.times++
		s.folded = s.folded || l.text == "" || s.held.times > 2
		return
	}
	s.release()
	s.held = &item{shownLine: l, times: 1}
}

func (s *Selector) release() {
	if s.held == nil {
		return
	}
	it := *s.held
	s.held = nil
	it.at = s.count
	s.count++
	s.place(it)
	if s.headLen <= s.budget {
		s.headLen += it.size()
		s.head = append(s.head, it)
	}
	s.tail.push(it)
	s.recent.push(it)
}

// place gives a line to the block that it continues or begins.
func (s *Selector) place(it item) {
	var r *compiled
	refused := s.blocks.refused()
	if s.open != nil || refused < grave {
		r = s.table.match(it.text, s.open != nil)
	}
	if s.open != nil && s.how.goesOn(it.text, s.open.size(), r) {
		s.open.push(it)
		if s.how.until != nil && s.how.until.MatchString(it.text) {
			s.endBlock()
		}
		return
	}
	s.endBlock()
	if r == nil || r.weight <= refused {
		return
	}
	s.how, s.open = r, newBlock(r.weight, s.budget)
	if r.back != nil {
		for _, before := range s.before(r) {
			s.open.push(before)
		}
	}
	s.open.push(it)
}

// before returns the lines before the present one that belong to a line of r.
func (s *Selector) before(r *compiled) []item {
	lines := s.recent.items()
	i := len(lines)
	for i > 0 && lines[i-1].at > s.blocks.last && r.back.MatchString(lines[i-1].text) {
		i--
	}
	return lines[i:]
}

// goesOn reports whether a line, which fits the rule other, continues a block of
// so many lines.
func (r *compiled) goesOn(line string, have int, other *compiled) bool {
	limit := r.lines
	if limit == 0 {
		limit = maxBlock
	}
	atLeast := other != nil && other.weight >= r.weight
	switch {
	case have > limit:
		return false
	case r.until != nil:
		return true
	case r.upto != nil:
		return !atLeast && !r.upto.MatchString(line)
	case r.then != nil:
		return r.then.MatchString(line) && (other == nil || other.weight != noise)
	}
	return r.lines > 0 && !atLeast
}

func (s *Selector) endBlock() {
	if s.open != nil {
		s.blocks.add(s.open)
	}
	s.open, s.how = nil, nil
}

// size is what an item takes when it is shown, in bytes, line end included.
func (it *item) size() int {
	n := len(it.text) + 1
	switch {
	case it.times == 2 && it.text != "":
		n *= 2
	case it.times > 2 && it.text != "":
		n += len(repeatMark(it.times)) + 1
	}
	return n
}
