package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// open decides where a definition begins and ends: without the blanks and
// comments that some grammars count to a node, and with the words and marks
// before the node that belong to it. Its head begins with the words.
func (a *assembly) open(d *draft) {
	blanks := a.src[d.Span.Start:max(d.Span.Start, min(d.NameSpan.Start, d.Span.End))]
	d.Span.Start += len(blanks) - len(bytes.TrimLeft(blanks, " \t\r\n\v\f"))
	if d.rule.Solid && a.language.lines == nil { // in YAML, text can look like comments
		d.Span.End = a.solidEnd(d.Span)
	}
	d.Head = d.Span.Start
	for words := d.rule.Opening; words != ""; {
		start := wordBefore(a.src, d.Span.Start, words)
		if start == d.Span.Start {
			return
		}
		d.Span.Start = start
		if isWordByte(a.src[start]) {
			d.Head = start
		}
	}
}

// wordBefore returns the start of that of the words which stands before at, on
// the same line; at if there is none.
func wordBefore(src []byte, at text.Offset, words string) text.Offset {
	end := skipBlanksBack(src, at)
	for word := range strings.FieldsSeq(words) {
		start := end - len(word)
		if start < 0 || string(src[start:end]) != word {
			continue
		}
		if start == 0 || !isWordByte(word[0]) || !isWordByte(src[start-1]) {
			return start
		}
	}
	return at
}

// solidEnd returns the end of s without the lines at its end that are nothing
// but comments, where a grammar counts them to the node before.
func (a *assembly) solidEnd(s text.Span) text.Offset {
	for {
		line := lineUpTo(a.src, s.End)
		_, found := a.language.Comments.lineComment(a.src, line)
		if !found || line.Start <= s.Start {
			return s.End
		}
		s.End = s.Start + len(bytes.TrimRight(a.src[s.Start:line.Start], " \t\r\n\v\f"))
	}
}

// isLead tells that a node is part of the definition that follows it.
func (a *assembly) isLead(r *record) bool {
	return r.rule.Lead || r.rule.Leads != nil && r.rule.Leads[a.name(r.callee)]
}

// dropStrangers removes the definitions that count only within another kind
// than that of what is around them, and locals, and reports whether there were
// any.
func (a *assembly) dropStrangers(defs []Definition) bool {
	kept := make([]draft, 0, len(a.made))
	for i := range a.made {
		in := a.made[i].rule.In
		if p := defs[i].Parent; (in == NoKind || p >= 0 && defs[p].Kind == in) && !a.isLocal(defs, i) {
			kept = append(kept, a.made[i])
		}
	}
	dropped := len(kept) < len(a.made)
	a.made = kept
	return dropped
}
