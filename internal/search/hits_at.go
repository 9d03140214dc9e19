package search

import (
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// HitsAt returns what a search that found these spans of a text, which are in order
// and none of which begins below 0, would tell of them: of each line the first.
func HitsAt(t text.Text, spans []text.Span) []Hit {
	if len(spans) == 0 {
		return nil
	}
	var hits []Hit
	for _, s := range spans {
		line := t.LineAt(s.Start)
		if n := len(hits); n > 0 && hits[n-1].Line > line {
			continue
		}
		start := t.LineStart(line)
		end := t.LineStart(t.LineAt(max(s.Start, s.End-1)) + 1)
		orig := t.Append(nil, text.Span{Start: start, End: end})
		norm := lineFeeds(nil, orig)
		p := place{orig: orig, norm: norm, base: start, line: line}
		hits = append(hits, p.hit(min(s.Start-start, len(norm)), min(s.End-start, len(norm))))
	}
	return hits
}
