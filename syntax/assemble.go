package syntax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// record is a node of interest that the walk met, in document order. Spans
// that are empty at 0 are not there.
type record struct {
	node, name, scope, inner, callee text.Span

	body  text.Offset // where the head ends
	rule  *Rule       // nil for a node that could not be parsed
	which int         // the case that holds, 1-based; 0 for none
	part  bool        // a further part of the name of the record before
	makes bool        // makes a definition
}

func (r *record) failed() bool { return r.rule == nil }

// maxNameBytes is where a name is cut.
const maxNameBytes = 120

// assembly makes definitions of what the walk met.
type assembly struct {
	language *Language
	src      []byte
	records  []record
	recast   []recastPlace
	leads    []text.Span // attributes and decorators, in document order
	made     []draft
}

// draft is a definition before it has found its place among the others.
type draft struct {
	Definition
	rule   *Rule
	inner  string // what its children have as their container
	scoped bool   // Container is told by the definition itself
	recast bool   // Kind is that of a [Recast]
	rank   int    // for a rule with ranks; the least is the highest
}

// assemble returns the definitions that the records make, in document order,
// parents before children, and the spans that could not be parsed.
func assemble(l *Language, src []byte, records []record, recast []recastPlace) (made []Definition, failed []text.Span) {
	a := &assembly{language: l, src: src, records: records, recast: recast}
	for i := range records {
		r := &records[i]
		switch {
		case r.failed():
			failed = append(failed, r.node)
		case a.isLead(r):
			a.leads = append(a.leads, r.node)
		}
	}
	for i := range records {
		a.define(i)
	}
	byStart := func(x, y draft) int { return cmp.Compare(x.Span.Start, y.Span.Start) }
	if !slices.IsSortedFunc(a.made, byStart) { // where matches of a name are definitions each
		slices.SortStableFunc(a.made, byStart)
	}
	a.defineRecast()
	if len(failed) > 0 && l.braces {
		a.repair()
	}
	a.wrap()
	a.tails()
	for i := range a.made {
		a.lead(i)
	}
	a.closeRanks()
	a.made = slices.DeleteFunc(a.made, func(d draft) bool { return d.Kind == NoKind })
	a.closeRests()
	return a.arrange(), failed
}

// define makes the definition of record i, if it makes one.
func (a *assembly) define(i int) {
	r := &a.records[i]
	if !r.makes || r.part {
		return
	}
	kind := r.rule.Kind
	if r.which > 0 {
		kind = r.rule.Cases[r.which-1].Kind
	}
	if k, ok := r.rule.Kinds[a.name(r.callee)]; ok {
		kind = k
	}
	if r.rule.Calls != nil {
		call, ok := r.rule.Calls[a.name(r.callee)]
		if !ok || !call.All && i > 0 && a.records[i-1].node == r.node && a.records[i-1].rule == r.rule {
			return
		}
		kind = call.Kind
	}
	name := strings.TrimLeft(a.name(r.name), r.rule.Trim)
	if r.rule.Join != "" {
		for _, more := range a.records[i+1:] {
			if !more.part {
				break
			}
			name += r.rule.Join + a.name(more.name)
		}
	}
	if r.rule.Read != nil {
		kind, name = r.rule.Read(a.src[r.node.Start:r.node.End], kind, name)
		r.name = narrowed(a.src, r.name, name)
	}
	if name == "" || kind == NoKind {
		if !r.rule.Ranked {
			return
		}
		kind = NoKind // ends what is above all the same
	}
	if r.rule.Caps != NoKind && isCaps(name) {
		kind = r.rule.Caps
	}
	scope := r.rule.cutScope(a.name(r.scope))
	if scope != "" {
		kind = r.rule.member(kind)
	}
	d := draft{rule: r.rule, inner: a.name(r.inner), rank: r.which}
	d.Kind, d.Name, d.Span, d.NameSpan = kind, name, r.node, r.name
	if r.rule.Inner == "" || d.inner != "" {
		d.Name = r.rule.Prefix + name
	}
	if r.rule.Each {
		d.Span = r.name
	}
	d.Span.End = a.trimEnd(d.Span)
	d.NameSpan.End = min(d.NameSpan.End, d.Span.End)
	a.unmask(&d)
	a.open(&d)
	d.Head = a.pastLeads(d.Head)
	d.Body = min(max(r.body, d.Head), d.Span.End)
	if kind == String && !r.rule.Ranked { // a heading is all head
		d.Body = d.Span.End
	}
	if r.rule.Reach != nil {
		d.Span.End = r.rule.Reach(a.src, d.Span.End)
	}
	a.qualify(&d, scope)
	if !a.isTwin(&d) {
		a.made = append(a.made, d)
	}
}

// narrowed returns where in s the name stands, if it does in so many words.
func narrowed(src []byte, s text.Span, name string) text.Span {
	within := src[s.Start:min(s.End, s.Start+4*maxNameBytes)]
	if at := bytes.Index(within, []byte(name)); name != "" && at >= 0 {
		return text.Span{Start: s.Start + at, End: s.Start + at + len(name)}
	}
	return s
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

// name returns the text at s as a name: without quotes, in one line.
func (a *assembly) name(s text.Span) string {
	if s.End == 0 {
		return ""
	}
	return cleanName(a.src[s.Start:s.End])
}

func cleanName(b []byte) string {
	b = bytes.TrimSpace(b[:min(len(b), 4*maxNameBytes)])
	if isQuoted(b) {
		b = bytes.TrimSpace(b[1 : len(b)-1])
	}
	name := string(b)
	if bytes.ContainsAny(b, " \t\r\n\v\f") {
		name = strings.Join(strings.Fields(name), " ")
	}
	return cutName(strings.ToValidUTF8(name, ""))
}

// isQuoted tells that b is one quotation, and does not only begin and end
// with one each.
func isQuoted(b []byte) bool {
	if len(b) < 2 || b[0] != '"' && b[0] != '\'' && b[0] != '`' || b[len(b)-1] != b[0] {
		return false
	}
	for i := 1; i < len(b)-1; i++ {
		switch {
		case b[i] == '\\':
			i++
		case b[i] == b[0]:
			if i++; b[i] != b[0] || i == len(b)-1 { // one that is not doubled
				return false
			}
		}
	}
	return true
}

func cutName(name string) string {
	if len(name) <= maxNameBytes {
		return name
	}
	end := maxNameBytes
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

func isCaps(name string) bool {
	upper := false
	for _, r := range name {
		if unicode.IsLower(r) {
			return false
		}
		upper = upper || unicode.IsUpper(r)
	}
	return upper
}

// trimEnd returns the end of s without the blanks and line ends that some
// grammars put into a node, and with a semicolon that stands right behind.
func (a *assembly) trimEnd(s text.Span) text.Offset {
	end := s.Start + len(bytes.TrimRight(a.src[s.Start:s.End], " \t\r\n\v\f"))
	if end < len(a.src) && a.src[end] == ';' {
		end++
	}
	return end
}

// wrap widens definitions to the nodes that wrap them alone.
func (a *assembly) wrap() {
	for i := len(a.records) - 1; i >= 0; i-- { // inner wraps first
		r := &a.records[i]
		switch {
		case r.rule == nil || !r.rule.Wrap:
		case r.makes:
			a.pair(r)
		default:
			a.widen(r.node)
			a.settleVariables(r)
		}
	}
}

// settleVariables gives the variables that a record wraps the kind that the
// case in it tells.
func (a *assembly) settleVariables(r *record) {
	if r.which == 0 {
		return
	}
	for i := a.firstFrom(r.node.Start); i < len(a.made) && a.made[i].Span.Start < r.node.End; i++ {
		if a.made[i].Kind == Variable {
			a.made[i].Kind = r.rule.Cases[r.which-1].Kind
		}
	}
}

// isTwin tells that d is the definition before it once more: the function that
// is a variable's value, and has a name that counts only inside itself. Not so
// in a typedef; see pair.
func (a *assembly) isTwin(d *draft) bool {
	if len(a.made) == 0 || d.Body >= d.Span.End {
		return false
	}
	outer := &a.made[len(a.made)-1]
	return outer.Body == d.Body && outer.Span.Start < d.Span.Start && d.Span.End <= outer.Span.End &&
		!(outer.rule.Wrap && d.Kind.IsType())
}

// firstFrom returns the first definition that begins at a place or after it.
func (a *assembly) firstFrom(at text.Offset) int {
	n, _ := slices.BinarySearchFunc(a.made, at, func(d draft, at int) int { return cmp.Compare(d.Span.Start, at) })
	return n
}

// widen extends the only outermost definition in s over s. Definitions stand
// in the order of their starts.
func (a *assembly) widen(s text.Span) {
	from := a.firstFrom(s.Start)
	if from == len(a.made) || a.made[from].Span.Start >= s.End {
		return
	}
	only := &a.made[from]
	for _, d := range a.made[from+1:] {
		if d.Span.Start >= s.End {
			break
		}
		if d.Span.End > only.Span.End || d.Span == only.Span {
			return // another one beside it
		}
	}
	if a.opens(text.Span{Start: s.Start, End: only.Span.Start}) {
		return // a value deep inside, or one of a list
	}
	end := a.trimEnd(s)
	if !bytes.ContainsAny(a.src[s.Start:only.Head], "\r\n") && !bytes.HasPrefix(a.src[s.Start:], []byte("@")) {
		only.Head = s.Start
	}
	if only.Body >= only.Span.End {
		only.Body = end
	}
	only.Span = text.Span{Start: s.Start, End: max(end, only.Span.End)}
}

// opens tells that a bracket is opened in s that is not closed there.
func (a *assembly) opens(s text.Span) bool {
	depth := 0
	for _, c := range a.language.codeOnly(a.src[s.Start:s.End]) {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return depth > 0
}

// lead extends a definition over the attributes and the comments that stand
// directly above it.
// What a definition before it holds is none of them.
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

// closeRests extends the definitions that hold all that follows them to the
// next one like them, or to the text's end.
func (a *assembly) closeRests() {
	end := len(bytes.TrimRight(a.src, " \t\r\n\v\f"))
	for i := len(a.made) - 1; i >= 0; i-- {
		d := &a.made[i]
		if !d.rule.Rest || d.Body < d.Span.End {
			continue
		}
		if end > d.Span.End {
			d.Span.End = end
		}
		end = d.Span.Start + len(bytes.TrimRight(a.src[:d.Span.Start], " \t\r\n\v\f")) - d.Span.Start
	}
}

// arrange puts the definitions in order and gives them parents.
func (a *assembly) arrange() []Definition {
	slices.SortStableFunc(a.made, func(x, y draft) int {
		return cmp.Or(cmp.Compare(x.Span.Start, y.Span.Start), cmp.Compare(y.Span.End, x.Span.End))
	})
	out := a.nested()
	if a.dropStrangers(out) {
		out = a.nested()
	}
	for a.closeFunctions(out) {
		out = a.nested()
	}
	for i := range out {
		a.settle(out, i)
	}
	return out
}

func (a *assembly) nested() []Definition {
	out := make([]Definition, len(a.made))
	for i := range a.made {
		out[i] = a.made[i].Definition
	}
	nest(out)
	return out
}

// nest gives each definition the innermost one around it as parent. A
// definition that would cross its parent's end is cut there.
func nest(defs []Definition) {
	var open []int
	for i := range defs {
		d := &defs[i]
		for len(open) > 0 && !holds(&defs[open[len(open)-1]], d) {
			open = open[:len(open)-1]
		}
		d.Parent, d.Depth = -1, len(open)
		if len(open) > 0 {
			d.Parent = open[len(open)-1]
			d.cutTo(defs[d.Parent].Span.End)
		}
		open = append(open, i)
	}
}

// cutTo makes d end at end at the latest, with all that it tells of itself.
func (d *Definition) cutTo(end text.Offset) {
	for _, o := range []*text.Offset{&d.Span.End, &d.Head, &d.Body, &d.NameSpan.Start, &d.NameSpan.End} {
		*o = min(*o, end)
	}
}

// holds tells that inner stands inside outer. Definitions of the same extent
// stand beside each other: the names of one declaration.
func holds(outer, inner *Definition) bool {
	return inner.Span.Start < outer.Span.End && inner.Span != outer.Span
}

// settle gives definition i its container, and the kind that it has in there.
func (a *assembly) settle(defs []Definition, i int) {
	d, draft := &defs[i], &a.made[i]
	if d.Parent < 0 && draft.rule.Free != NoKind && !draft.scoped && d.Kind == draft.rule.Kind {
		d.Kind = draft.rule.Free
	}
	if d.Parent >= 0 {
		parent := &a.made[d.Parent]
		if defs[d.Parent].Kind.IsType() || defs[d.Parent].Kind == EnumMember {
			d.Kind = draft.rule.member(d.Kind)
		}
		if !draft.scoped {
			d.Container = cmp.Or(parent.inner, defs[d.Parent].Name)
		}
		if parent.rule == draft.rule && d.Kind == Variable && d.Span.End == defs[d.Parent].Span.End { // a = b = 0
			d.Kind, d.Container = defs[d.Parent].Kind, defs[d.Parent].Container
		}
		if draft.rule.Hoist && defs[d.Parent].Kind.IsFunction() {
			d.Container = defs[d.Parent].Container
		}
	}
	if d.Kind == Method && isOfClass(d, a.language.Separator) {
		d.Kind = Constructor
	}
}
