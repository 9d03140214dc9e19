package syntax

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Definition is a named thing in a text: a function, a type, a heading, a key.
type Definition struct {
	Kind Kind
	Name string
	// Container is the name of what it belongs to: the definition around it,
	// or the type that a method names as its receiver. Empty at the top.
	Container string
	// Parent is the index of the definition around it, -1 at the top; Depth
	// is how many there are.
	Parent, Depth int
	// Span is what a person would cut out: doc comments, decorators and
	// export keyword to closing brace, without the line's end.
	Span text.Span
	// Head is where the definition itself begins, past comments and
	// decorators; Body is where its signature ends, Span.End without a body.
	Head, Body text.Offset
	// NameSpan is where the name stands.
	NameSpan text.Span
}

// Means is how definitions were found.
type Means string

// The means.
const (
	ByGrammar  Means = "grammar"
	ByKeywords Means = "keywords" // line patterns and indentation: a guess
	ByNothing  Means = "none"
)

// Result is what is known of a text's structure.
type Result struct {
	// Definitions are in document order, parents before children. Children
	// lie inside their parents; siblings do not overlap, but for names that
	// one declaration gives, which have the same span.
	Definitions []Definition
	// Statements are the parts of the definitions that are too large to be
	// shown whole (500 lines, or 128 KiB), in document order.
	Statements []text.Span
	Method     Means
	// Reason tells why the method is not [ByGrammar].
	Reason string
	// Reused tells what [Reparse] took over from the earlier text.
	Reused Reused
}

// Reused tells which definitions of a text are those of an earlier one of the
// same document: the first Head of them and the last Tail. Those of the tail
// stand By bytes further down. Those of the head that Around tells by their
// indexes hold what changed, and end further down. The zero value is for none.
type Reused struct {
	Since          text.Text // the earlier text
	Head, Tail, By int
	Around         []int
}

// Limits beyond which a text is not parsed, in bytes. They are shapes, not
// times, so that the same text always has the same structure.
const (
	maxGrammarBytes = 12 << 20
	// Parsing takes ten times as long, and four times the memory, where all
	// stands on one line.
	maxDenseBytes = 1 << 20
	denseLine     = 500
	maxScanBytes  = 64 << 20
	shapeSample   = 64 << 10
)

// Analyze finds the definitions of src in the language l, which may be nil for
// an unknown one. It is total: whatever the bytes, there is a result, in time
// and memory bounded by their number. Cancelling ctx makes it return early,
// with a result whose Reason says so.
func Analyze(ctx context.Context, l *Language, src []byte) Result {
	if why := l.refuses(src); why != "" {
		return withoutGrammar(l, src, why)
	}
	var none *Tree
	tree, why := none.next(ctx, l, text.Text{}, src)
	if tree == nil {
		return withoutGrammar(l, src, why)
	}
	defer tree.Close()
	return tree.definitions(ctx, src, nil)
}

// unfit tells why a text has no structure worth looking for.
func unfit(src []byte) string {
	if len(src) > maxScanBytes {
		return "the text is larger than 64 MiB"
	}
	controls := 0
	sample := src[:min(len(src), shapeSample)]
	for _, c := range sample {
		if c < ' ' && (c < '\a' || c > '\r') && c != '\x1b' {
			controls++
		}
	}
	if controls > len(sample)/50 {
		return "the bytes are no source text"
	}
	return ""
}

// Reparse is [Analyze] of the text t, whose bytes are src, with the work that
// the tree of an earlier text of the same document spares, which may be nil.
// next is the tree to go on from, or nil; spent is one to close, or nil: the
// earlier tree is one of the two.
func Reparse(ctx context.Context, l *Language, t text.Text, src []byte, earlier *Tree) (r Result, next, spent *Tree) {
	if why := l.refuses(src); why != "" {
		return withoutGrammar(l, src, why), nil, earlier
	}
	next, why := earlier.next(ctx, l, t, src)
	switch {
	case next != nil:
		return next.definitions(ctx, src, earlier), next, earlier
	case ctx.Err() != nil && earlier.isOf(l):
		return withoutGrammar(l, src, why), earlier, nil
	}
	return withoutGrammar(l, src, why), nil, earlier
}

// refuses tells why the grammar is not used on src; "" when it is.
func (l *Language) refuses(src []byte) string {
	switch {
	case l == nil:
		return "the language is not known"
	case !l.HasGrammar():
		return "there is no grammar for " + l.Name
	case len(src) > maxGrammarBytes:
		return "the text is larger than 12 MiB"
	case len(src) > maxDenseBytes && isDense(src):
		return "the text is minified and larger than 1 MiB"
	case annotationsInRow(src) > maxAnnotations:
		return "thousands of annotations stand in a row"
	case l.nesting != "" && bytes.Count(src, []byte(l.nesting)) > maxSelfCalls:
		return fmt.Sprintf("it has thousands of %q, which may be nested", l.nesting)
	case l.isProse(src):
		return "the text is prose"
	}
	return unfit(src)
}

// maxAnnotations bounds what stands before a definition: over annotations in a
// row a grammar takes time with their square, and does not stop when told to.
const maxAnnotations = 2048

// maxSelfCalls bounds how often a grammar's scanner may call itself: it does so on
// the stack of C, and does not count.
const maxSelfCalls = 8192

// annotationsInRow returns how many words that begin with an at sign stand one
// after the other, at most.
func annotationsInRow(src []byte) int {
	if bytes.Count(src, []byte{'@'}) <= maxAnnotations {
		return 0
	}
	most, run := 0, 0
	for word := range bytes.FieldsSeq(src) {
		if word[0] != '@' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}

// isDense tells that lines are very long on average.
func isDense(src []byte) bool {
	lines := 1
	for _, c := range src[:min(len(src), shapeSample)] {
		if c == '\n' || c == '\r' {
			lines++
		}
	}
	return min(len(src), shapeSample) > lines*denseLine
}

// withoutGrammar falls back to line patterns.
func withoutGrammar(l *Language, src []byte, why string) Result {
	if unfit := unfit(src); unfit != "" {
		return Result{Method: ByNothing, Reason: unfit}
	}
	r := Result{Method: ByKeywords, Reason: why}
	if l != nil && l.lines != nil {
		r.Definitions = l.lines(src)
	} else {
		r.Definitions = keywordDefinitions(l, src, text.Span{End: len(src)})
	}
	return r
}

// fromRecords makes the result of a walk. Where the grammar failed, line
// patterns fill in what it did not see.
func fromRecords(ctx context.Context, l *Language, src []byte, records []record, rewritten []rewrittenPlace) Result {
	defs, failed := assemble(l, src, records, rewritten)
	if len(failed) > 0 && l.lines != nil {
		return withoutGrammar(l, src, "the grammar failed on the text")
	}
	defs = withEmbedded(ctx, defs, src, records)
	var found []Definition
	for _, s := range linesOf(src, failed) {
		found = append(found, keywordDefinitions(l, src, s)...)
	}
	return Result{Definitions: patch(src, defs, found), Method: ByGrammar}
}

// linesOf returns the lines that spans lie in, each once. The spans are in the
// order of their starts.
func linesOf(src []byte, spans []text.Span) []text.Span {
	var lines []text.Span
	for _, s := range spans {
		last := len(lines) - 1
		if last >= 0 && s.End <= lines[last].End {
			continue
		}
		s = wholeLines(src, s)
		if last >= 0 && s.Start <= lines[last].End {
			lines[last].End = s.End
			continue
		}
		lines = append(lines, s)
	}
	return lines
}

// patch adds the definitions that were found by line patterns and that are
// neither known already nor inside of code.
func patch(src []byte, defs, found []Definition) []Definition {
	if len(found) == 0 {
		return defs
	}
	known, heads := make(map[text.Offset]bool, len(defs)), make(map[text.Offset]Kind, len(defs))
	for i := range defs {
		known[defs[i].NameSpan.Start] = true
		heads[defs[i].Head] = defs[i].Kind
	}
	seen := len(defs)
	for _, d := range found {
		if known[d.NameSpan.Start] || heads[d.Head] == d.Kind {
			continue
		}
		around := codeAround(defs[:seen], d.Head)
		if around >= 0 && !cutShort(src, &defs[around], &d) {
			continue
		}
		defs = append(defs, d)
	}
	if len(defs) == seen {
		return defs
	}
	return rearrange(defs)
}

// codeAround returns the innermost function among defs that a place is inside
// of, or -1.
func codeAround(defs []Definition, at text.Offset) int {
	i, _ := slices.BinarySearchFunc(defs, at+1, func(d Definition, at int) int { return cmp.Compare(d.Span.Start, at) })
	for i--; i >= 0; i = defs[i].Parent {
		if defs[i].Kind.IsFunction() && at < defs[i].Span.End {
			return i
		}
	}
	return -1
}

// cutShort ends a function before a definition that was found in its head, and
// that is not indented deeper: the function is half typed, and the grammar took
// what follows for a part of it. It reports whether it did.
func cutShort(src []byte, function, found *Definition) bool {
	inHead := found.Head > function.NameSpan.End && found.Head < function.Body
	if !inHead || margin(src, found.Head) > margin(src, function.Head) {
		return false
	}
	function.Span.End = max(function.NameSpan.End, len(bytes.TrimRight(src[:found.Span.Start], " \t\r\n\v\f")))
	function.Body = function.Span.End
	return true
}

// margin returns how many bytes of blanks stand before a place on its line, or
// a large number where something else does.
func margin(src []byte, at text.Offset) int {
	start := at
	for start > 0 && (src[start-1] == ' ' || src[start-1] == '\t') {
		start--
	}
	if start > 0 && !isLineEnd(src[start-1]) {
		return math.MaxInt
	}
	return at - start
}

// rearrange orders definitions from several sources and nests them anew.
func rearrange(defs []Definition) []Definition {
	slices.SortStableFunc(defs, func(x, y Definition) int {
		return cmp.Or(cmp.Compare(x.Span.Start, y.Span.Start), cmp.Compare(y.Span.End, x.Span.End))
	})
	nest(defs)
	for i := range defs {
		d := &defs[i]
		if d.Container != "" || d.Parent < 0 {
			continue
		}
		if parent := &defs[d.Parent]; !d.Kind.IsDetail() || d.Kind != parent.Kind || d.Span.End != parent.Span.End { // a = b = 0
			d.Container = parent.Name
		}
	}
	return defs
}

func wholeLines(src []byte, s text.Span) text.Span {
	for s.Start > 0 && src[s.Start-1] != '\n' && src[s.Start-1] != '\r' {
		s.Start--
	}
	for s.End < len(src) && src[s.End] != '\n' && src[s.End] != '\r' {
		s.End++
	}
	return s
}

// withEmbedded adds the definitions of parts in other languages.
func withEmbedded(ctx context.Context, defs []Definition, src []byte, records []record) []Definition {
	added := false
	for i := range records {
		r := &records[i]
		if r.rule == nil || r.rule.Embed == nil || r.scope.Len() == 0 {
			continue
		}
		l := ByName(r.rule.Embed.languageOf(src[r.node.Start:r.scope.Start]))
		if l == nil {
			continue
		}
		for _, d := range Analyze(ctx, l, src[r.scope.Start:r.scope.End]).Definitions {
			defs, added = append(defs, d.moved(r.scope.Start)), true
		}
	}
	if added {
		return rearrange(defs)
	}
	return defs
}

// moved returns d as it stands by bytes further down.
func (d Definition) moved(by int) Definition {
	for _, o := range []*text.Offset{&d.Span.Start, &d.Span.End, &d.Head, &d.Body, &d.NameSpan.Start, &d.NameSpan.End} {
		*o += by
	}
	return d
}
