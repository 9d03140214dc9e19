package syntax

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// lead extends definition i over the attributes and the comments that stand
// directly above it. What a definition before it holds is none of them.
func (a *assembly) lead(i int) {
	d, floor := &a.made[i], 0
	if i > 0 && a.made[i-1].Span.End <= d.Span.Start {
		floor = a.made[i-1].Span.End
	}
	for {
		start := leadStart(a.src, a.attributeStart(d.Span.Start), a.language.Comments)
		if start >= d.Span.Start || start < floor {
			return
		}
		d.Span.Start = start
	}
}

// pastLeads returns where a definition that begins at the place at goes on
// after the attributes that are a part of it.
func (a *assembly) pastLeads(at text.Offset) text.Offset {
	n, found := slices.BinarySearchFunc(a.leads, at, func(s text.Span, at int) int { return cmp.Compare(s.Start, at) })
	for ; found && n < len(a.leads) && a.leads[n].Start == at; n++ {
		at = a.leads[n].End + len(a.src[a.leads[n].End:]) - len(bytes.TrimLeft(a.src[a.leads[n].End:], " \t\r\n"))
	}
	return at
}

// attributeStart returns the start of the attributes that end before at, with
// no blank line between.
func (a *assembly) attributeStart(at text.Offset) text.Offset {
	n, _ := slices.BinarySearchFunc(a.leads, at, func(s text.Span, at int) int { return cmp.Compare(s.Start, at) })
	for n--; n >= 0 && a.leads[n].End <= at; n-- {
		lead := a.leads[n]
		end := lead.Start + len(bytes.TrimRight(a.src[lead.Start:lead.End], " \t\r\n"))
		if !isShortGap(a.src[end:at]) {
			break
		}
		at = lead.Start
	}
	return at
}

// isShortGap tells that there are only blanks and at most one line end in b.
func isShortGap(b []byte) bool {
	ends := 0
	for i, c := range b {
		switch {
		case c == '\n', c == '\r' && (i+1 == len(b) || b[i+1] != '\n'):
			ends++
		case c != ' ' && c != '\t' && c != '\r' && c != '\f':
			return false
		}
	}
	return ends <= 1
}
