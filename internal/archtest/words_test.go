package archtest

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// A word is one that this program used in a sense of its own where its field has
// a standard term. docs/glossary.md has the terms.
type word struct {
	old      string // its forms, in lower case, separated by blanks
	standard string // what to write instead
	// in are the folders where it is kept out, with those below them; "" for all.
	in string
	// identifiers: comments may have it, as it is a common word.
	identifiers bool
}

// words are those that no identifier and no comment has, in production and in
// tests. A word counts as part of an identifier, too: runWishes.
var words = []word{
	{old: "wish wishes", standard: "(file change) request"},
	{old: "landing landings", standard: "applying, destination, pending edit"},
	{old: "park parks parked unpark", standard: "move aside"},
	{old: "residue", standard: "(rollback) leftovers"},
	{old: "unasked", standard: "pending consent, without consent, unreachable"},
	{old: "foreign", standard: "peer document, external, of others"},
	{old: "unsure", standard: "out of sync"},
	{old: "settle settles settled settling unsettled", standard: "what is done: resolve, await, store, decide, …"},
	{old: "tide tides lull lulls", standard: "input drain, backoff"},
	{old: "fell lent", standard: "drained, decreased; shared, pooled", identifiers: true},
	{old: "relay", standard: "leader loop"},
	{old: "desk", standard: "semaphore"},
	{old: "slim", standard: "compact (schema)"},
	{old: "loosely", standard: "fuzzily"},
	{old: "loose", standard: "fuzzy, not indexed", in: "tools internal/search"},
	{old: "rung rungs", standard: "match, how literally"},
	{old: "thin", standard: "test scale", identifiers: true},
	{old: "sought", standard: "query, (required) literal"},
	{old: "needs", standard: "required literals", in: "internal/search", identifiers: true},
	{old: "past", standard: "(history) entry", in: "tools", identifiers: true},
	{old: "take took swap put", standard: "rename away, exchange, rename in", in: "internal/atomicfile", identifiers: true},
	{old: "recast recasts recasting recaster", standard: "rewrite (rule)"},
	{old: "hider hiders hiding", standard: "masker", in: "syntax"},
	{old: "view older", standard: "masked text, spelling", in: "syntax", identifiers: true},
	{old: "splice splices spliced", standard: "(incremental) update, reuse", in: "syntax outline"},
	{old: "goneon", standard: "reuse"},
}

// phrases are those of comments, across the ends of lines.
var phrases = []word{
	{old: "tells whether", standard: "reports whether"},
}

// spokenWords are the identifiers that have an old word and keep it, by name or,
// with their folder in front, in that folder alone.
var spokenWords = []exception{
	{"BufferUnsure", "the name of an error on the wire: buffer_unsure"},
}

// parts are the words of an identifier: of fileChange file and change.
var parts = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)

var spoken = regexp.MustCompile(`[A-Za-z_]+`)

// privateWords finds words that have a standard term.
func privateWords(m *module) []string {
	forms := wordForms()
	var found []string
	for _, f := range m.files {
		tell := func(pos ast.Node, name string, w word) {
			found = append(found, fmt.Sprintf("%s: %q: the word for it is: %s", m.at(pos.Pos()), name, w.standard))
		}
		seen := make(map[string]bool)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !seen[id.Name] {
				seen[id.Name] = true
				if w, is := forms.find(f.pkg, parts.FindAllString(id.Name, -1), true); is && !isSpoken(f.pkg, id.Name) {
					tell(id, id.Name, w)
				}
			}
			return true
		})
		for _, group := range f.ast.Comments {
			text := strings.Join(strings.Fields(group.Text()), " ")
			for _, p := range phrases {
				if strings.Contains(text, p.old) {
					tell(group, p.old, p)
				}
			}
			for _, c := range group.List {
				if w, is := forms.find(f.pkg, spoken.FindAllString(c.Text, -1), false); is {
					tell(c, c.Text, w)
				}
			}
		}
	}
	return found
}

// forms are the entries of words by each form of the old word.
type forms map[string][]word

func wordForms() forms {
	byForm := make(forms)
	for _, w := range words {
		for form := range strings.FieldsSeq(w.old) {
			byForm[form] = append(byForm[form], w)
		}
	}
	return byForm
}

// find returns the entry of the first of some words that has one in a folder.
func (f forms) find(pkg string, said []string, identifier bool) (word, bool) {
	for _, s := range said {
		for _, w := range f[strings.ToLower(s)] {
			if (identifier || !w.identifiers) && w.isIn(pkg) {
				return w, true
			}
		}
	}
	return word{}, false
}

func (w word) isIn(pkg string) bool {
	return w.in == "" || slices.ContainsFunc(strings.Fields(w.in), func(folder string) bool {
		return pkg == folder || strings.HasPrefix(pkg, folder+"/")
	})
}

func isSpoken(pkg, name string) bool {
	return slices.ContainsFunc(spokenWords, func(e exception) bool { return e.where == name || e.where == pkg+"."+name })
}
