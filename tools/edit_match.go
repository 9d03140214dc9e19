package tools

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// matchRung tells how literally old_text was found. A rung is tried only when
// the ones before it found nothing.
type matchRung string

const (
	matchNone       matchRung = ""             // no text was searched
	matchExact      matchRung = "exact"        // byte for byte
	matchLineEnding matchRung = "line_endings" // but for LF, CRLF or CR
)

// lower returns the less literal of two rungs.
func lower(a, b matchRung) matchRung {
	if a == matchLineEnding || b == matchNone {
		return a
	}
	return b
}

// maxListedMatches is how many places of an ambiguous match are listed.
const maxListedMatches = 20

// Limits of a search, so that no text and no old_text make it long.
const (
	// maxCounted is how many matches are counted when one was wanted.
	maxCounted = 1000
	// maxReplaced is how many matches replace_all takes.
	maxReplaced = 100_000
)

// haystack is a text to search in, in the forms that are searched.
type haystack struct {
	text  text.Text
	whole string   // of text, once it is needed
	flat  flatText // of whole, once it is needed
}

func (h *haystack) string() string {
	if h.whole == "" {
		h.whole = h.text.String()
	}
	return h.whole
}

func (h *haystack) flattened() *flatText {
	if h.flat.text == "" {
		h.flat = flatten(h.string())
	}
	return &h.flat
}

// locateText returns the edits that replace old_text.
func (item editItem) locateText(hay *haystack) ([]diff.Edit, matchRung, error) {
	spans, rung := hay.find(*item.OldText, item.ReplaceAll)
	switch {
	case len(spans) == 0:
		return nil, "", textNotFound(hay.string(), *item.OldText)
	case len(spans) > 1 && !item.ReplaceAll:
		return nil, "", ambiguous(hay.text, spans)
	case len(spans) > maxReplaced:
		return nil, "", fault.New(fault.InvalidParams, "old_text occurs more than %d times", maxReplaced).
			Advise("Replace larger pieces, or write the file anew.")
	}
	edits := make([]diff.Edit, len(spans))
	for i, s := range spans {
		edits[i] = diff.Edit{Span: s, New: adaptLines(hay.text, s, *item.NewText)}
	}
	return edits, rung, nil
}

// find returns the places where wanted stands: for replacing all those that
// do not overlap, else every one. A place that would begin or end inside a
// CRLF is none: what was meant is the whole line end.
func (h *haystack) find(wanted string, all bool) ([]text.Span, matchRung) {
	if spans := occurrences(h.string(), wanted, all); len(spans) > 0 {
		return spans, matchExact
	}
	if !strings.ContainsAny(wanted, "\r\n") || !strings.Contains(h.string(), "\r") && !strings.Contains(wanted, "\r") {
		return nil, ""
	}
	flat := h.flattened()
	spans := occurrences(flat.text, flatten(wanted).text, all)
	for i, s := range spans {
		spans[i] = text.Span{Start: flat.origin(s.Start), End: flat.origin(s.End)}
	}
	return spans, matchLineEnding
}

func occurrences(whole, wanted string, all bool) []text.Span {
	var spans []text.Span
	most := maxCounted
	if all {
		most = maxReplaced
	}
	for at := 0; len(spans) <= most; {
		i := strings.Index(whole[at:], wanted)
		if i < 0 {
			break
		}
		s := text.Span{Start: at + i, End: at + i + len(wanted)}
		at = s.Start + 1
		if inCRLF(whole, s.Start) || inCRLF(whole, s.End) {
			continue
		}
		spans = append(spans, s)
		if all {
			at = s.End
		}
	}
	return spans
}

// inCRLF reports whether s has a CR before i and an LF at i.
func inCRLF(s string, i int) bool {
	return i > 0 && i < len(s) && s[i] == '\n' && s[i-1] == '\r'
}

// flatText is a text with every line end as LF, and the way back.
type flatText struct {
	text string
	// dropped are the offsets in text of the LFs before which a CR was
	// dropped.
	dropped []int
}

func flatten(s string) flatText {
	if !strings.Contains(s, "\r") {
		return flatText{text: s}
	}
	var f flatText
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\r':
			b = append(b, s[i])
		case i+1 < len(s) && s[i+1] == '\n':
			f.dropped = append(f.dropped, len(b))
		default:
			b = append(b, '\n')
		}
	}
	f.text = string(b)
	return f
}

// origin returns the offset in the original text of the byte at i. Before an
// LF it is before the CR too, and after it after both.
func (f flatText) origin(i int) int {
	return i + sort.SearchInts(f.dropped, i)
}

func textNotFound(whole, wanted string) *fault.Error {
	e := fault.New(fault.TextNotFound, "old_text does not occur; nothing was changed")
	first, _, _ := strings.Cut(strings.TrimSpace(wanted), "\n")
	first = strings.TrimSpace(first)
	if i := strings.Index(whole, first); first != "" && i >= 0 {
		line := strings.Count(whole[:i], "\n") + 1
		return e.Advise("Its first line is like line %d; read around there and copy the text exactly, blanks included.", line).
			With("near_line", line)
	}
	return e.Advise("Read the file again and copy the text exactly, blanks included.")
}

func ambiguous(old text.Text, spans []text.Span) *fault.Error {
	var lines []int
	more := ""
	for _, s := range spans {
		line := old.LineAt(s.Start) + 1
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
	count := strconv.Itoa(len(spans))
	if len(spans) > maxCounted {
		count = fmt.Sprintf("more than %d", maxCounted)
	}
	return fault.New(fault.AmbiguousMatch, "old_text occurs %s times, on lines %s; nothing was changed", count, list).
		Advise("Give more of the text around it, or set replace_all.").
		With("lines", lines).With("count", len(spans))
}
