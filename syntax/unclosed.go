package syntax

import (
	"bytes"
	"math"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// closeFunctions is for languages in which functions hold no functions. One
// that seems to begin inside of another, and no further to the right, begins
// after it: a brace is missing. Any other is none. It reports whether there was
// something to do.
func (a *assembly) closeFunctions(defs []Definition) bool {
	if !a.language.flat {
		return false
	}
	found := false
	for i := range defs {
		inner := &defs[i]
		if inner.Parent < 0 || !inner.Kind.IsFunction() || !defs[inner.Parent].Kind.IsFunction() || a.src[inner.Head] == '#' {
			continue // macros do stand in functions
		}
		found = true
		outer := &a.made[inner.Parent]
		if column(a.src, inner.Head) > column(a.src, outer.Head) || inner.Span.Start <= outer.Head {
			a.made[i].Kind = NoKind
			continue
		}
		end := len(bytes.TrimRight(a.src[:inner.Span.Start], " \t\r\n\v\f"))
		outer.Span.End = min(outer.Span.End, end)
		outer.Body = min(outer.Body, outer.Span.End)
	}
	a.made = slices.DeleteFunc(a.made, func(d draft) bool { return d.Kind == NoKind })
	return found
}

// column returns how far to the right a place is that begins its line, more
// than anything if it does not.
func column(src []byte, at text.Offset) int {
	const far = 500
	line := src[max(0, at-far):at]
	line = line[bytes.LastIndexAny(line, "\r\n")+1:]
	if len(bytes.Trim(line, " \t")) > 0 {
		return math.MaxInt
	}
	return len(line)
}
