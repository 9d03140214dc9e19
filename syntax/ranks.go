package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// maxRanks is how many ranks of headings there are.
const maxRanks = 8

// closeRanks extends headings over what stands below them: each to the next
// one of its own rank or a higher one.
func (a *assembly) closeRanks() {
	var next [maxRanks]text.Offset // where the next one of each rank begins
	for i := range next {
		next[i] = len(a.src)
	}
	for i := len(a.made) - 1; i >= 0; i-- {
		d := &a.made[i]
		if !d.rule.Ranked || d.rank >= maxRanks {
			continue
		}
		end := len(a.src)
		for _, at := range next[:d.rank+1] {
			end = min(end, at)
		}
		next[d.rank] = d.Span.Start
		d.Body = min(d.Body, d.Span.End)
		d.Span.End = max(d.Span.End, len(bytes.TrimRight(a.src[:end], " \t\r\n\v\f")))
	}
}
