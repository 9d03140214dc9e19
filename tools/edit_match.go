package tools

import (
	"fmt"
	"sort"
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

// locateText returns the edits that replace old_text, found in whole, the
// string of old.
func (item editItem) locateText(old text.Text, whole string) ([]diff.Edit, matchRung, error) {
	spans, rung := findAll(whole, *item.OldText, item.ReplaceAll)
	switch {
	case len(spans) == 0:
		return nil, "", textNotFound(whole, *item.OldText)
	case len(spans) > 1 && !item.ReplaceAll:
		return nil, "", ambiguous(old, spans)
	}
	edits := make([]diff.Edit, len(spans))
	for i, s := range spans {
		edits[i] = diff.Edit{Span: s, New: adaptLines(old, s, *item.NewText)}
	}
	return edits, rung, nil
}

// findAll returns the places where wanted stands in whole. For replacing all,
// they do not overlap; else every one counts.
func findAll(whole, wanted string, apart bool) ([]text.Span, matchRung) {
	if spans := occurrences(whole, wanted, apart); len(spans) > 0 {
		return spans, matchExact
	}
	if !strings.ContainsAny(wanted, "\r\n") || !strings.ContainsAny(whole, "\r") && !strings.ContainsAny(wanted, "\r") {
		return nil, ""
	}
	flat := flatten(whole)
	wantedFlat := flatten(wanted)
	spans := occurrences(flat.text, wantedFlat.text, apart)
	for i, s := range spans {
		spans[i] = text.Span{Start: flat.origin(s.Start), End: flat.origin(s.End)}
	}
	return spans, matchLineEnding
}

func occurrences(whole, wanted string, apart bool) []text.Span {
	var spans []text.Span
	for at := 0; ; {
		i := strings.Index(whole[at:], wanted)
		if i < 0 {
			return spans
		}
		start := at + i
		spans = append(spans, text.Span{Start: start, End: start + len(wanted)})
		at = start + 1
		if apart {
			at = start + len(wanted)
		}
	}
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
	list := strings.Trim(fmt.Sprint(lines), "[]") + more
	return fault.New(fault.AmbiguousMatch, "old_text occurs %d times, on lines %s; nothing was changed", len(spans), list).
		Advise("Give more of the text around it, or set replace_all.").
		With("lines", lines).With("count", len(spans))
}
