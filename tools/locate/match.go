package locate

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Match says how literally old_text was found. A less literal one is tried only
// when the ones before it found nothing, and the two last count only where they
// give one place.
type Match string

// The matches.
const (
	MatchNone        Match = ""                // no text was searched
	MatchExact       Match = "exact"           // byte for byte
	MatchLineEnding  Match = "line_endings"    // but for LF, CRLF or CR
	MatchBlanks      Match = "trailing_blanks" // and for blanks at the ends of lines
	MatchIndentation Match = "indentation"     // and for the indentation that all lines have in common
	MatchGuess       Match = "guess"           // a symbol, of which it was guessed where it ends
)

// LessLiteral returns the less literal of two matches.
func LessLiteral(a, b Match) Match {
	all := []Match{MatchNone, MatchExact, MatchLineEnding, MatchBlanks, MatchIndentation, MatchGuess}
	return all[max(slices.Index(all, a), slices.Index(all, b))]
}

// maxListedMatches is how many places of an ambiguous match are listed.
const maxListedMatches = 20

// Limits of a search, so that no text and no old_text make it long.
const (
	// maxCounted is how many matches are counted when one was wanted.
	maxCounted = 1000
	// MaxReplaced is how many matches replace_all takes.
	MaxReplaced = 100_000
)

// Haystack is a text to search in, in the forms that are searched.
type Haystack struct {
	Text  text.Text
	whole string // of text, once it is needed
	flat  map[flatForm]*flatText

	Structure func(text.Text) (*structure, error)
	parsed    *structure // once a symbol is looked for
	Notes     []string   // on how symbols were understood
}

// symbols returns what is known of the definitions in the text.
func (h *Haystack) symbols() (_ *structure, err error) {
	if h.parsed == nil {
		h.parsed, err = h.Structure(h.Text)
	}
	return h.parsed, err
}

func (h *Haystack) note(note string) {
	if !slices.Contains(h.Notes, note) {
		h.Notes = append(h.Notes, note)
	}
}

func (h *Haystack) string() string {
	if h.whole == "" {
		h.whole = h.Text.String()
	}
	return h.whole
}

// pieceBytes is how much of a text is in one piece at a time, at least: the next
// one takes its room, which is in the processor's cache by then.
const pieceBytes = 256 << 10

// exactly is occurrences in the text as it is.
func (h *Haystack) exactly(wanted string, all bool) []text.Span {
	g, size := newGathering(wanted, all), h.Text.Len()
	g.crlf = true
	step := max(pieceBytes, len(wanted)) // pieces lie over each other by as much as wanted has
	var piece []byte
	for g.next < size && len(g.spans) <= g.most {
		base, limit := max(g.next-1, 0), min(g.next+step, size)
		piece = h.Text.Append(piece[:0], text.Span{Start: base, End: min(limit+len(wanted), size)})
		g.in(reinterpret.String(piece), base, limit)
	}
	return g.spans
}

// flattened returns the text in a form, made when it is first needed.
func (h *Haystack) flattened(form flatForm) *flatText {
	f := h.flat[form]
	if f == nil {
		if h.flat == nil {
			h.flat = make(map[flatForm]*flatText)
		}
		f = flatten(h.string(), form)
		h.flat[form] = f
	}
	return f
}

// found is a place where old_text stands, and what new_text becomes there.
type found struct {
	span text.Span
	new  string
}

// locateText returns the edits that replace old_text.
func (item Item) locateText(hay *Haystack) ([]diff.Edit, Match, error) {
	places, match := item.find(hay)
	if len(places) > 1 && item.NearLine != nil {
		places = nearest(hay.Text, places, toolcall.NumberOr(item.NearLine, 0))
	}
	switch {
	case len(places) == 0:
		return nil, "", TextNotFound(hay, *item.OldText)
	case len(places) > 1 && !item.ReplaceAll:
		return nil, "", ambiguous(hay.Text, places)
	case len(places) > MaxReplaced:
		return nil, "", fault.New(fault.InvalidParams, "old_text occurs more than %d times", MaxReplaced).
			Advise("Replace larger pieces, or write the file anew.")
	}
	edits := make([]diff.Edit, len(places))
	for i, p := range places {
		edits[i] = diff.Edit{Span: p.span, New: AdaptLines(hay.Text, p.span, p.new)}
	}
	return edits, match, nil
}

// nearest returns the places that begin nearest to a line.
func nearest(t text.Text, places []found, line int) (best []found) {
	least := math.MaxInt
	for _, p := range places {
		away := t.LineAt(p.span.Start) + 1 - line
		away = max(away, -away)
		if away < least {
			least, best = away, best[:0]
		}
		if away == least {
			best = append(best, p)
		}
	}
	return best
}

// find returns the places where old_text stands, by the most literal match that gives
// any: for replacing all those that do not overlap, else every one. A place
// that would begin or end inside a CRLF is none. LF and CRLF in old_text stand
// for any line end; a lone CR stands for itself, and where there is one LF and
// CRLF stand for each other only.
func (item Item) find(h *Haystack) ([]found, Match) {
	old, all := *item.OldText, item.ReplaceAll
	if spans := h.exactly(old, all); len(spans) > 0 {
		return item.places(spans), MatchExact
	}
	form := flatForm{cr: hasLoneCR(old)}
	ends := strings.ContainsAny(old, "\r\n") && (strings.Contains(h.string(), "\r") || strings.Contains(old, "\r"))
	if ends {
		flat := h.flattened(form)
		if spans := occurrences(flat.text, flatten(old, form).text, all); len(spans) > 0 {
			return item.places(flat.origins(spans)), MatchLineEnding
		}
	}
	form.trimmed = true
	trimmed, wanted := h.flattened(form), flatten(old, form).text
	if spans := withoutBlanks(trimmed.text, old, wanted); len(spans) > 0 {
		return item.places(trimmed.origins(spans)), MatchBlanks
	}
	if places := indented(trimmed, wanted, *item.NewText); len(places) > 0 {
		return places, MatchIndentation
	}
	return nil, ""
}

func (item Item) places(spans []text.Span) []found {
	places := make([]found, len(spans))
	for i, s := range spans {
		places[i] = found{s, *item.NewText}
	}
	return places
}

// withoutBlanks finds wanted, which is old without blanks at line ends, in a
// text that has none either. Where old ended with blanks, so must the line.
func withoutBlanks(trimmed, old, wanted string) []text.Span {
	if strings.Trim(wanted, "\r\n") == "" {
		return nil
	}
	spans := occurrences(trimmed, wanted, false)
	if strings.HasSuffix(old, " ") || strings.HasSuffix(old, "\t") {
		spans = slices.DeleteFunc(spans, func(s text.Span) bool {
			return s.End < len(trimmed) && trimmed[s.End] != '\n' && trimmed[s.End] != '\r'
		})
	}
	return spans
}

// occurrences returns where wanted stands in a flat text: one more than are
// counted at most, and with all those that do not overlap.
func occurrences(whole, wanted string, all bool) []text.Span {
	g := newGathering(wanted, all)
	g.in(whole, 0, len(whole))
	return g.spans
}

// gathering gathers the occurrences of a string from the pieces of a text.
type gathering struct {
	finder search.Finder
	size   int // of the string
	all    bool
	crlf   bool // none begins or ends inside a CRLF
	most   int
	next   text.Offset // where the next one may begin
	spans  []text.Span
}

func newGathering(wanted string, all bool) *gathering {
	g := &gathering{finder: search.NewFinder(wanted), size: len(wanted), all: all, most: maxCounted}
	if all {
		g.most = MaxReplaced
	}
	return g
}

// in gathers what begins before limit in a piece that begins at base. The byte
// before g.next, and what is behind limit as far as it counts, are of the piece.
func (g *gathering) in(piece string, base, limit text.Offset) {
	for len(g.spans) <= g.most {
		i := g.finder.Index(piece, g.next-base)
		if i < 0 || base+i >= limit {
			break
		}
		g.next = base + i + 1
		if g.crlf && (inCRLF(piece, i) || inCRLF(piece, i+g.size)) {
			continue
		}
		g.spans = append(g.spans, text.Span{Start: base + i, End: base + i + g.size})
		if g.all {
			g.next = base + i + g.size
		}
	}
	g.next = max(g.next, limit)
}

// inCRLF reports whether s has a CR before i and an LF at i.
func inCRLF(s string, i int) bool {
	return i > 0 && i < len(s) && s[i] == '\n' && s[i-1] == '\r'
}

// flatForm says in what a flat text differs from the text it is made of.
type flatForm struct {
	cr      bool // a lone CR stays one; else it is LF, as CRLF is
	trimmed bool // there are no blanks at line ends
}

// hasLoneCR reports whether s has a CR without an LF behind it.
func hasLoneCR(s string) bool { return strings.Count(s, "\r") > strings.Count(s, "\r\n") }

// flatText is a text in a form, and the way back.
type flatText struct {
	text string
	// dropped are the offsets in text of the bytes before which bytes were
	// dropped, once for each.
	dropped []int
	lines   []string // of text, once they are needed
}

// split returns the lines of the text, without their ends.
func (f *flatText) split() []string {
	if f.lines == nil {
		f.lines = strings.Split(f.text, "\n")
	}
	return f.lines
}

func flatten(s string, form flatForm) *flatText {
	if !strings.Contains(s, "\r") && !form.trimmed {
		return &flatText{text: s}
	}
	f := new(flatText)
	b := make([]byte, 0, len(s))
	trim := func() {
		end := len(b)
		for form.trimmed && len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
			b = b[:len(b)-1]
		}
		for range end - len(b) {
			f.dropped = append(f.dropped, len(b))
		}
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\r' && s[i] != '\n':
			b = append(b, s[i])
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			trim()
			f.dropped = append(f.dropped, len(b))
		case s[i] == '\r' && form.cr:
			trim()
			b = append(b, '\r')
		default:
			trim()
			b = append(b, '\n')
		}
	}
	trim()
	f.text = string(b)
	return f
}

// origin returns the offset in the original text of the byte at i. Before an
// LF it is before what was dropped in front of it too, and after it after all.
func (f *flatText) origin(i int) int {
	return i + sort.SearchInts(f.dropped, i)
}

func (f *flatText) origins(spans []text.Span) []text.Span {
	for i, s := range spans {
		spans[i] = text.Span{Start: f.origin(s.Start), End: f.origin(s.End)}
	}
	return spans
}

func ambiguous(old text.Text, places []found) *fault.Error {
	var lines []int
	more := ""
	for _, p := range places {
		line := old.LineAt(p.span.Start) + 1
		if n := len(lines); n > 0 && lines[n-1] == line {
			continue
		}
		if len(lines) == maxListedMatches {
			more = " …"
			break
		}
		lines = append(lines, line)
	}
	list := strings.ReplaceAll(strings.Trim(fmt.Sprint(lines), "[]"), " ", ", ") + more
	count := strconv.Itoa(len(places))
	if len(places) > maxCounted {
		count = fmt.Sprintf("more than %d", maxCounted)
	}
	return fault.New(fault.AmbiguousMatch, "old_text occurs %s times, on lines %s; nothing was changed", count, list).
		Advise("Give more of the text around it, near_line, or replace_all.").
		With("lines", lines).With("count", len(places))
}
