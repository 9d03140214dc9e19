package read

import (
	"context"
	"fmt"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// reading is one call's view of a text.
type reading struct {
	*buffers.File
	in        Input
	out       *Output
	threshold int64 // texts that are larger are outlined
	toOutline func() (*outline.Outline, error)

	made *outline.Outline // once it was asked for
	err  error            // that kept it from being made
}

func newReading(ctx context.Context, env *toolcall.Env, f *buffers.File, in Input, out *Output) *reading {
	return &reading{
		File: f, in: in, out: out,
		threshold: env.Snapshot.Gate.Settings().Read.OutlineThresholdBytes,
		toOutline: func() (*outline.Outline, error) { return toolcall.OutlineOf(ctx, env, f) },
	}
}

// outline returns the text's outline, which is made when something first asks
// for it. It is empty when that failed.
func (r *reading) outline() *outline.Outline {
	if r.made == nil {
		if r.made, r.err = r.toOutline(); r.err != nil {
			r.made = &outline.Outline{}
		}
	}
	return r.made
}

// outlineInstead answers with the outline where the whole of a large text
// would be asked for, not in its very bytes. It reports whether it did.
func (r *reading) outlineInstead() bool {
	in, length := r.in, r.Content.Len()
	wholeText := in.mode() == modeOffset && in.Offset == nil && in.Limit == nil && in.Format != PlainText
	suits := r.out.ContentType == toolcall.TypeSource || r.out.IsMarkdown()
	if !wholeText || !suits || in.Outline == OutlineNever || int64(length) <= r.threshold {
		return false
	}
	o := r.outline()
	most := min(max(length/20, toolcall.DefaultOutlineBytes), toolcall.MaxOutlineBytes)
	r.show(o, text.Span{}, toolcall.OutlineBudget(length, most), "name one with symbol, or read on with start_line")
	if len(r.out.Outline) == 0 {
		return false
	}
	r.out.ReadMode = modeOutline
	r.out.Truncated = len(r.out.Outline) < len(o.Symbols)
	return true
}

// outlineBeside adds an outline to an answer with content: of what it does not
// show, or of everything where that is asked for.
func (r *reading) outlineBeside() {
	out := r.out
	switch {
	case r.in.Outline == OutlineAlways:
		if why := out.NoStructure(); why != "" {
			r.note("There is no outline: " + why + ".")
			return
		}
		o := r.outline()
		r.show(o, text.Span{}, toolcall.OutlineBudget(r.Content.Len(), toolcall.MaxOutlineBytes), "the outline tool shows them")
	case r.in.Outline == OutlineNever || !out.Truncated || !out.HasStructure():
	default:
		o := r.outline()
		r.show(o, out.bytesShown(), restBudget(len(*out.Content))-len(restTitle), "the outline tool shows them")
		r.restOnly()
	}
}

// restBudget is what the outline of what is not shown may take beside so many
// bytes that are: who asks for a few lines wants no page of names with them.
func restBudget(content int) int {
	return min(max(content, toolcall.LeastRestBytes), toolcall.RestOutlineBytes)
}

// leastLine is about the shortest line of a rendered outline, in bytes.
const leastLine = 8

// restTitle stands above the outline of what is not shown.
const restTitle = "not shown:\n"

func (r *reading) restOnly() {
	if r.out.outlineText != "" {
		r.out.outlineText = restTitle + r.out.outlineText
	}
}

// bytesShown is what of the text stands in the answer.
func (o *Output) bytesShown() text.Span {
	if o.BytesShown == nil {
		return text.Span{}
	}
	return text.Span{Start: o.BytesShown.Start, End: o.BytesShown.End}
}

// show puts as many of the symbols outside of a span into the answer as the
// budget allows.
func (r *reading) show(o *outline.Outline, outside text.Span, budget int, hint string) {
	which, more := o.Foremost(budget/leastLine, outside)
	rendered, shown := o.Render(which, outline.Options{Budget: budget, More: more, Hint: hint})
	r.out.outlineText, r.out.symbols = rendered, len(o.Symbols)
	if len(shown) > 0 {
		r.out.Outline = toolcall.SymbolItems(o, shown)
	}
	asked := r.in.Outline == OutlineAlways
	if note := toolcall.HowFound(o); note != "" && (asked || len(shown) > 0) {
		r.note(note)
	}
}

// outlineShown tells for a header what an outline shows.
func (o *Output) outlineShown() string {
	if len(o.Outline) == o.symbols {
		return fmt.Sprintf("outline, %s in %d lines", wording.Plural(o.symbols, "symbol", "symbols"), *o.TotalLines)
	}
	return fmt.Sprintf("outline, %d of %d symbols in %d lines", len(o.Outline), o.symbols, *o.TotalLines)
}
