package syntax

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Rewrite is syntax that a grammar does not know and that cannot be told by one
// [Spelling]: it depends on what stands around it, or goes over lines.
type Rewrite struct {
	// Marks: where the syntax is, one of them is in its lines, or as many lines
	// Around. With Within they are those of the block.
	Marks  []string
	Around int
	// Find is a regular expression for the text in which comments and what
	// strings hold are blanks. Its groups are what the grammar is shown
	// otherwise.
	Find string
	// Then is what is shown for each group, filled up with blanks to its
	// length; blanks alone where it ends. A "…" at its end fills up with
	// underscores: names.
	Then []string
	// Within is a regular expression whose match ends with the brace of a
	// block: only in such blocks Find counts.
	Within string
	// Lines: line ends in the groups are shown as blanks, too.
	Lines bool
	// Kind is that of the definition whose head holds the first group; NoKind
	// for what the rules say.
	Kind Kind
	// Own: the first group is a definition by itself, and the second its name.
	Own bool
}

// rewrittenPlace is where a text is shown to the grammar otherwise.
type rewrittenPlace struct {
	text.Span
	kind Kind
	name text.Span // of a definition that the grammar does not see
}

// rewriter is a language's rewrites, ready to be used.
type rewriter struct {
	language *Language
	finds    []*regexp.Regexp
	withins  []*regexp.Regexp // nil where there is none
}

func newRewriter(l *Language) *rewriter {
	r := &rewriter{language: l}
	for _, one := range l.rewrites {
		r.finds = append(r.finds, regexp.MustCompile(one.Find))
		var within *regexp.Regexp
		if one.Within != "" {
			within = regexp.MustCompile(one.Within)
		}
		r.withins = append(r.withins, within)
	}
	return r
}

// show returns src as the grammar is to see it, and where that differs, in
// order. Without difference it is src itself.
func (r *rewriter) show(src []byte) ([]byte, []rewrittenPlace) {
	var w *rewriting
	for i := range r.language.rewrites {
		one := &r.language.rewrites[i]
		near := one.near(src)
		if len(near) == 0 {
			continue
		}
		if w == nil {
			w = &rewriting{shown: bytes.Clone(src), code: r.language.CodeOnly(src)}
		}
		w.within = 0
		for _, in := range near {
			w.apply(one, r.finds[i], r.withins[i], in)
		}
	}
	if w == nil || len(w.places) == 0 {
		return src, nil
	}
	slices.SortFunc(w.places, func(a, b rewrittenPlace) int { return a.Start - b.Start })
	return w.shown, w.places
}

// near returns the parts of src that have one of the marks, with the lines
// around it, in order: regular expressions are too slow for all of a text.
func (r *Rewrite) near(src []byte) []text.Span {
	var found []text.Span
	for _, mark := range r.Marks {
		for at := 0; at < len(src); {
			n := bytes.Index(src[at:], []byte(mark))
			if n < 0 {
				break
			}
			in := linesAround(src, text.Span{Start: at + n, End: at + n + len(mark)}, r.Around)
			found, at = append(found, in), max(in.End, at+n+1)
		}
	}
	slices.SortFunc(found, func(a, b text.Span) int { return a.Start - b.Start })
	merged := found[:0]
	for _, in := range found {
		if last := len(merged) - 1; last >= 0 && in.Start <= merged[last].End {
			merged[last].End = max(merged[last].End, in.End)
			continue
		}
		merged = append(merged, in)
	}
	return merged
}

// linesAround returns the lines of a place, and so many before and after.
func linesAround(src []byte, s text.Span, around int) text.Span {
	for left := around; s.Start > 0; s.Start-- {
		if src[s.Start-1] != '\n' {
			continue
		}
		if left == 0 {
			break
		}
		left--
	}
	for left := around; s.End < len(src); s.End++ {
		if src[s.End] != '\n' {
			continue
		}
		if left == 0 {
			s.End++
			break
		}
		left--
	}
	return s
}
