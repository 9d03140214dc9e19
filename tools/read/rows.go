package read

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

const (
	// maxRecord is about the longest row that is looked into, in bytes. Where a
	// row has line ends in quotations and is longer than maxQuotation, the mark of
	// the first is a stray one.
	maxRecord    = 1 << 20
	maxQuotation = 64 << 10
	// rowColumn is the row's number among the data, from 1, where no column has
	// that name.
	rowColumn = "row"
	// maxColumns is how many columns an error lists.
	maxColumns = 50
)

// readRows answers the rows of a table that have the values asked for, with its
// header.
func (r *reading) readRows() error {
	if r.out.ContentType != toolcall.TypeTable {
		return fault.New(fault.InvalidParams, `"where" picks rows of csv and tsv, and this is %s`, r.out.ContentType).At(r.Path.Rel).
			Advise("grep_files finds lines by what they hold; symbol reads keys of JSON, YAML and TOML.")
	}
	limit := toolcall.NumberOr(toolcall.NonZero(r.in.Limit), r.out.ContentType.PageLines())
	s := recordScanner{content: r.Content}
	if !s.next() {
		return fault.New(fault.InvalidParams, "the table is empty").At(r.Path.Rel)
	}
	wanted, err := r.wantedCells(s.record)
	if err != nil {
		return err
	}
	p := page{content: r.Content, style: r.in.Format, end: r.Content.Lines(), budget: r.in.client.RoomFor(MaxPageBytes)}
	if r.in.MaxBytes != nil {
		p.budget = min(p.budget, max(1, toolcall.NumberOr(r.in.MaxBytes, 0)))
	}
	p.addRecord(&s)
	from, rows := toolcall.NumberOr(r.in.Offset, 0), 0
	for s.next() {
		if s.line < from || !wanted.match(&s) {
			continue
		}
		if rows == limit || !p.addRecord(&s) && rows > 0 {
			next := s.line
			r.out.NextOffset, r.out.Truncated = &next, true
			break
		}
		rows++
	}
	r.out.EOF = !r.out.Truncated
	r.out.rendered = wording.Plural(rows, "row", "rows")
	if s.passedOver > 0 {
		r.note(fmt.Sprintf("%s of more than %d bytes not looked into.", wording.Plural(s.passedOver, "line is", "lines are"), maxRecord))
	}
	if p.cut > 0 {
		r.note(p.cutNote())
	}
	setContent(r.out, p.text(r.out))
	return nil
}

// addRecord adds the lines of a row, or tells that there is no room for them.
func (p *page) addRecord(s *recordScanner) bool {
	lines, buf, cut, budget := len(p.lines), len(p.buf), p.cut, p.budget
	start, rest := s.start, s.record
	for line := s.line; len(rest) > 0; line++ {
		n := text.LineLen(rest)
		if !p.add(line, text.Span{Start: start, End: start + n}, rest[:n]) {
			p.lines, p.buf, p.cut, p.budget = p.lines[:lines], p.buf[:buf], cut, budget
			return false
		}
		start, rest = start+n, rest[n:]
	}
	return true
}

// rowFilter is the values that a row is to have.
type rowFilter struct {
	separator byte
	row       int // its number; 0 for any
	columns   []columnValue
}

type columnValue struct {
	columns []int // that have the name
	value   string
}

// wantedCells holds the columns that are asked for against the header.
func (r *reading) wantedCells(header []byte) (*rowFilter, error) {
	w := &rowFilter{separator: separatorOf(r.out.Language, header)}
	names := splitCells(header, w.separator)
	for _, name := range slices.Sorted(maps.Keys(r.in.Where)) {
		value := strings.TrimSpace(r.in.Where[name])
		columns := columnsNamed(names, name)
		switch {
		case len(columns) > 0:
			w.columns = append(w.columns, columnValue{columns, value})
		case name == rowColumn:
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return nil, fault.New(fault.InvalidParams, `"where.row" must be a row's number, from 1`).At(r.Path.Rel)
			}
			w.row = n
		default:
			return nil, fault.New(fault.InvalidParams, "there is no column %q", wording.Shortened(name)).At(r.Path.Rel).
				Advise("The columns are: %s.", columnList(names))
		}
	}
	return w, nil
}

// columnsNamed returns the columns of a name: as written, else in any case.
func columnsNamed(names []string, name string) (columns []int) {
	same := func(a, b string) bool { return a == b }
	for range 2 {
		for i, n := range names {
			if same(strings.TrimSpace(n), strings.TrimSpace(name)) {
				columns = append(columns, i)
			}
		}
		if len(columns) > 0 {
			break
		}
		same = strings.EqualFold
	}
	return columns
}

func columnList(names []string) string {
	short := make([]string, 0, maxColumns)
	for _, n := range names[:min(len(names), maxColumns)] {
		short = append(short, wording.OneLine(wording.Shortened(n)))
	}
	if more := len(names) - len(short); more > 0 {
		short = append(short, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(short, ", ")
}

// match reports whether a row has the values.
func (w *rowFilter) match(s *recordScanner) bool {
	if w.row > 0 && s.row != w.row {
		return false
	}
	for _, c := range w.columns {
		if !strings.Contains(c.value, `"`) && !bytes.Contains(s.record, []byte(c.value)) {
			return false
		}
	}
	if len(w.columns) == 0 {
		return true
	}
	values := splitCells(s.record, w.separator)
	for _, c := range w.columns {
		if !slices.ContainsFunc(c.columns, func(i int) bool { return i < len(values) && strings.TrimSpace(values[i]) == c.value }) {
			return false
		}
	}
	return true
}

// separatorOf returns what divides the cells of a table: in csv what the header
// has most of.
func separatorOf(language string, header []byte) byte {
	if language == "tsv" {
		return '\t'
	}
	best, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		if n := len(splitCells(header, c)); n > most {
			best, most = c, n
		}
	}
	return best
}

// splitCells returns the values of a row, without quotation marks.
func splitCells(record []byte, separator byte) (values []string) {
	body, _ := wording.SplitEnd(record)
	for {
		var value []byte
		if len(body) > 0 && body[0] == '"' {
			value, body = unquote(body[1:])
		}
		end := bytes.IndexByte(body, separator)
		if end < 0 {
			return append(values, string(append(value, body...)))
		}
		values = append(values, string(append(value, body[:end]...)))
		body = body[end+1:]
	}
}

// unquote returns what stands up to the closing mark, and what is behind it.
func unquote(b []byte) (value, rest []byte) {
	for {
		end := bytes.IndexByte(b, '"')
		if end < 0 {
			return append(value, b...), nil
		}
		value, b = append(value, b[:end]...), b[end+1:]
		if len(b) == 0 || b[0] != '"' {
			return value, b
		}
		value, b = append(value, '"'), b[1:]
	}
}

// recordScanner goes through the rows of a table, of which each is a line, or
// several where a quotation has line ends.
type recordScanner struct {
	content buffers.Content
	record  []byte // with its line end; valid until the next
	start   int    // of the record in the text
	line    int    // its first, from 0
	row     int    // how many records are before it

	begun            bool
	buf              []byte // of the text, from base on
	base, at, nextNo int    // at: where the next record begins in buf; its line
	passedOver       int
}

// next goes to the next record.
func (s *recordScanner) next() bool {
	for {
		n, lines := s.length()
		if n == 0 && !s.more() {
			return false
		}
		if n == 0 {
			continue
		}
		if s.begun {
			s.row++
		}
		s.begun = true
		s.record, s.start, s.line = s.buf[s.at:s.at+n], s.base+s.at, s.nextNo
		s.at, s.nextNo = s.at+n, s.nextNo+lines
		if body, _ := wording.SplitEnd(s.record); len(body) == 0 {
			s.row--
			continue // a line without anything
		}
		return true
	}
}

// length returns the length of the next record and its lines; 0 where more of
// the text is needed.
func (s *recordScanner) length() (n, lines int) {
	rest := s.buf[s.at:]
	atEnd := s.base+len(s.buf) == s.content.Len()
	first, odd := 0, false
	for n < len(rest) {
		line := text.LineLen(rest[n:])
		if n+line == len(rest) && !atEnd {
			return 0, 0
		}
		odd = odd != (bytes.Count(rest[n:n+line], []byte{'"'})%2 == 1)
		n, lines = n+line, lines+1
		if first == 0 {
			first = n
		}
		if !odd {
			return n, lines
		}
		if n > maxQuotation {
			break
		}
	}
	if first > 0 {
		return first, 1 // the mark is a stray one
	}
	return 0, 0
}

// more reads on; it passes over a line that is longer than a record may be.
func (s *recordScanner) more() bool {
	at := s.base + s.at
	have := len(s.buf) - s.at
	if have > 2*maxRecord {
		s.passedOver++
		s.nextNo++
		at, have = s.content.LineStart(s.content.LineAt(at)+1), 0
	}
	if at+have >= s.content.Len() {
		return false
	}
	end := min(at+have+chunkBytes*4, s.content.Len())
	s.buf, s.base, s.at = s.content.Append(s.buf[:0], text.Span{Start: at, End: end}), at, 0
	return true
}
