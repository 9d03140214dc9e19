package syntax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// tails extends definitions over what belongs to them and stands behind them.
func (a *assembly) tails() {
	for i := range a.records {
		if r := &a.records[i]; r.rule != nil && r.rule.Tail {
			a.extend(r.node)
		}
	}
	for i := range a.made {
		if d := &a.made[i].Definition; a.language.EndMarks {
			d.Span.End += endMarkLen(a.src[d.Span.End:], d.Name)
		}
	}
}

// endMarkLen returns the length of the line "end Name", with the line end in
// front of it, that b begins with; 0 if it does not.
func endMarkLen(b []byte, name string) int {
	line := bytes.TrimLeft(b, " \t\r\n")
	if !bytes.HasPrefix(line, []byte("end ")) || !bytes.Contains(b[:len(b)-len(line)], []byte("\n")) {
		return 0
	}
	if n := bytes.IndexAny(line, "\r\n"); n >= 0 {
		line = line[:n]
	}
	what := string(bytes.TrimSpace(line[len("end "):]))
	if what != name && !strings.HasPrefix(name, what+" ") {
		return 0
	}
	return cap(b) - cap(line) + len(bytes.TrimRight(line, " \t"))
}

// extend makes the definition that ends directly before s end with s.
func (a *assembly) extend(s text.Span) {
	n, _ := slices.BinarySearchFunc(a.made, s.Start, func(d draft, at int) int { return cmp.Compare(d.Span.Start, at) })
	for far := max(0, n-16); n > far; n-- { // inner definitions may stand between
		d := &a.made[n-1]
		if d.Span.End <= s.Start+1 && isShortGap(a.src[min(d.Span.End, s.Start):s.Start]) {
			d.Body, d.Span.End = min(d.Body, d.Span.End), a.trimEnd(s)
			return
		}
	}
}
