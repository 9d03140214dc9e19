package syntax

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Recast is syntax that a grammar does not know and that cannot be told by one
// [Spelling]: it depends on what stands around it, or goes over lines.
type Recast struct {
	// Marks: a text without any of them does not have the syntax, and is not
	// searched for it.
	Marks []string
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
	// Block: the last group is the brace that opens a block, all of which is
	// shown as blanks, and which belongs to the definition in front of it. Then
	// is shown only if no comma or parenthesis follows it.
	Block bool
	// Lines: line ends in the groups are shown as blanks, too.
	Lines bool
	// Kind is that of the definition whose head holds the first group; NoKind
	// for what the rules say.
	Kind Kind
	// Own: the first group is a definition by itself, and the second its name.
	Own bool
}

// recastPlace is where a text is shown to the grammar otherwise.
type recastPlace struct {
	text.Span
	kind  Kind
	block bool
	name  text.Span // of a definition that the grammar does not see
}

// recaster is a language's recasts, ready to be used.
type recaster struct {
	language *Language
	finds    []*regexp.Regexp
	withins  []*regexp.Regexp // nil where there is none
}

func newRecaster(l *Language) *recaster {
	r := &recaster{language: l}
	for _, one := range l.recasts {
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
func (r *recaster) show(src []byte) ([]byte, []recastPlace) {
	var w *recasting
	for i := range r.language.recasts {
		one := &r.language.recasts[i]
		if !slices.ContainsFunc(one.Marks, func(m string) bool { return bytes.Contains(src, []byte(m)) }) {
			continue
		}
		if w == nil {
			w = &recasting{shown: bytes.Clone(src), code: r.language.codeOnly(src)}
		}
		w.apply(one, r.finds[i], r.withins[i])
	}
	if w == nil || len(w.places) == 0 {
		return src, nil
	}
	slices.SortFunc(w.places, func(a, b recastPlace) int { return a.Start - b.Start })
	return w.shown, w.places
}

// recasting is the work on one text. code is shown with blanks for comments
// and the insides of strings.
type recasting struct {
	shown, code []byte
	places      []recastPlace
	blocks      []text.Span // in order of their starts; nil before they are asked for
}

func (w *recasting) apply(one *Recast, find, within *regexp.Regexp) {
	if within == nil {
		w.applyIn(one, find, text.Span{End: len(w.code)})
		return
	}
	done := 0
	for _, m := range within.FindAllIndex(w.code, -1) {
		if end := w.blockEnd(m[1] - 1); end > done {
			w.applyIn(one, find, text.Span{Start: m[1], End: end - 1})
			done = end
		}
	}
}

func (w *recasting) applyIn(one *Recast, find *regexp.Regexp, in text.Span) {
	for _, m := range find.FindAllSubmatchIndex(w.code[in.Start:in.End], -1) {
		kind := one.Kind
		for g := 1; 2*g < len(m); g++ {
			if m[2*g] < 0 {
				continue
			}
			s := text.Span{Start: in.Start + m[2*g], End: in.Start + m[2*g+1]}
			then := ""
			if g <= len(one.Then) {
				then = one.Then[g-1]
			}
			block := one.Block && 2*g+2 == len(m)
			if block {
				s, then = w.block(s, then)
			}
			if s.Len() == 0 || !w.put(s, then, one.Lines) {
				continue
			}
			place := recastPlace{Span: s, kind: kind, block: block}
			if one.Own {
				place.name = text.Span{Start: in.Start + m[4], End: in.Start + m[5]}
			}
			w.places = append(w.places, place)
			if kind = NoKind; one.Own {
				break
			}
		}
	}
}

// block returns all of the block that s opens, and what is shown for it.
func (w *recasting) block(s text.Span, then string) (text.Span, string) {
	if s.End = w.blockEnd(s.Start); s.End == 0 {
		return text.Span{}, ""
	}
	rest := bytes.TrimLeft(w.code[s.End:min(len(w.code), s.End+200)], " \t\r\n")
	if len(rest) > 0 && (rest[0] == ',' || rest[0] == ')') {
		then = ""
	}
	return s, then
}

// put shows then for what stands at s, but for line ends if they stay. It tells whether then
// has room there.
func (w *recasting) put(s text.Span, then string, lines bool) bool {
	fill := byte(' ')
	if short, names := bytes.CutSuffix([]byte(then), []byte("…")); names {
		then, fill = string(short), '_'
	}
	if len(then) > s.Len() {
		return false
	}
	for i := s.Start; i < s.End; i++ {
		c := fill
		if i-s.Start < len(then) {
			c = then[i-s.Start]
		}
		if lines || !isLineEnd(w.shown[i]) {
			w.shown[i], w.code[i] = c, c
		}
	}
	return true
}

// blockEnd returns the end of the block that the brace at open begins; 0 when
// it is not closed.
func (w *recasting) blockEnd(open text.Offset) text.Offset {
	if w.blocks == nil {
		w.blocks = blocksOf(w.code)
	}
	i, found := slices.BinarySearchFunc(w.blocks, open, func(s text.Span, at int) int { return s.Start - at })
	if !found {
		return 0
	}
	return w.blocks[i].End
}

// blocksOf returns what stands between braces, with them.
func blocksOf(code []byte) []text.Span {
	var open []int // indexes of blocks
	blocks := []text.Span{}
	for i, c := range code {
		switch {
		case c == '{':
			open = append(open, len(blocks))
			blocks = append(blocks, text.Span{Start: i})
		case c == '}' && len(open) > 0:
			blocks[open[len(open)-1]].End = i + 1
			open = open[:len(open)-1]
		}
	}
	return blocks
}

// codeOnly returns src with blanks for comments and for what is between
// quotes. Strings that go over lines are known by three quotes only: a single
// one that is not closed in its line is no string, but an apostrophe.
func (l *Language) codeOnly(src []byte) []byte {
	code := bytes.Clone(src)
	for i := 0; i < len(src); {
		n, quote := l.Comments.lenAt(src[i:]), 0
		if n == 0 && (src[i] == '"' || src[i] == '\'') {
			n, quote = quotationLen(src[i:])
		}
		for j := i + quote; j < i+n-quote; j++ {
			if !isLineEnd(code[j]) {
				code[j] = ' '
			}
		}
		i += max(n, 1)
	}
	return code
}

// lenAt returns the length of the comment that b begins with; 0 for none.
func (c Comments) lenAt(b []byte) int {
	for _, marks := range c.Block { // before those for lines: Lua's "--[[" begins with "--"
		if bytes.HasPrefix(b, []byte(marks[0])) {
			if n := bytes.Index(b[len(marks[0]):], []byte(marks[1])); n >= 0 {
				return len(marks[0]) + n + len(marks[1])
			}
			return len(b)
		}
	}
	for _, mark := range c.Line {
		if bytes.HasPrefix(b, []byte(mark)) {
			if n := bytes.IndexAny(b, "\r\n"); n >= 0 {
				return n
			}
			return len(b)
		}
	}
	return 0
}

// quotationLen returns the length of the string that b begins with, and that
// of its quotes; 1 and 0 when it is none.
func quotationLen(b []byte) (n, quote int) {
	if three := bytes.Repeat(b[:1], 3); bytes.HasPrefix(b, three) {
		if end := bytes.Index(b[3:], three); end >= 0 {
			return end + 6, 3
		}
		return 3, 0
	}
	for i := 1; i < len(b) && !isLineEnd(b[i]); i++ {
		switch b[i] {
		case '\\':
			i++
		case b[0]:
			return i + 1, 1
		}
	}
	return 1, 0
}

// defineRecast makes the definitions that the grammar was not shown, each in
// its place.
func (a *assembly) defineRecast() {
	for _, p := range a.recast {
		if p.name.Len() == 0 {
			continue
		}
		d := draft{rule: &Rule{}, recast: true}
		d.Kind, d.Name, d.Span, d.NameSpan = p.kind, a.name(p.name), p.Span, p.name
		d.Head, d.Body = p.Start, p.End
		n, _ := slices.BinarySearchFunc(a.made, p.Start, func(d draft, at int) int { return d.Span.Start - at })
		a.made = slices.Insert(a.made, n, d)
	}
}

// unmask makes of a definition in the text as the grammar was shown it one in
// the text as it is.
func (a *assembly) unmask(d *draft) {
	n, _ := slices.BinarySearchFunc(a.recast, d.Span.Start, func(p recastPlace, at int) int { return p.Start - at })
	for i := n; i < len(a.recast) && a.recast[i].Start <= d.NameSpan.Start; i++ {
		if kind := a.recast[i].kind; kind != NoKind && a.recast[i].name.Len() == 0 {
			d.Kind, d.recast = kind, true
			if p := a.recast[i]; p.Start < d.NameSpan.Start && d.NameSpan.End <= p.End {
				d.Name, d.NameSpan = a.name(p.Span), p.Span
			}
			break
		}
	}
	for n--; n >= 0 && !a.recast[n].block && a.recast[n].name.Len() == 0 && a.recast[n].End <= d.Span.Start; n-- {
		if a.src[a.recast[n].End-1] == '}' || !isShortGap(a.src[a.recast[n].End:d.Span.Start]) {
			break
		}
		d.Span.Start = a.recast[n].Start
	}
}

// isLocal tells that definition i is a variable or the like inside of what only
// turned out to be a function here, by its call or by a [Recast]: the walk took
// it for something else and went on. So is a call that looks like a constructor.
func (a *assembly) isLocal(defs []Definition, i int) bool {
	p := defs[i].Parent
	if a.made[i].recast && defs[i].Kind == Constructor {
		return p < 0 || defs[p].Name != defs[i].Name
	}
	if p < 0 || !defs[i].Kind.IsDetail() || !defs[p].Kind.IsFunction() || a.made[i].rule.Hoist {
		return false
	}
	return a.made[p].recast || a.made[p].rule.Calls != nil
}
