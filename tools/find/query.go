package find

import (
	"strings"
	"unicode"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
)

// Query is a name that symbols are looked for by: an identifier, words
// of one, or a path like Type.method.
type Query struct {
	Last   string   // the name itself, as written
	Lower  string   // it in lower case
	Others []string // what must stand in the container or the name, in lower case
	joined string   // all of it in lower case, without separators
	Parts  []string // the words of all names, in lower case: a text without them defines none of these
}

// maxSymbolQuery is how much of a query counts, in bytes.
const maxSymbolQuery = 256

// NewQuery reads a query: the last name in it, those before as its owners. It is
// empty where the query holds no name.
func NewQuery(query string) Query {
	query = query[:min(len(query), maxSymbolQuery)]
	words := strings.FieldsFunc(strings.ToValidUTF8(query, ""), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`.:/#>\(),*&`, r)
	})
	if len(words) == 0 {
		return Query{}
	}
	q := Query{Last: words[len(words)-1]}
	q.Lower = strings.ToLower(q.Last)
	for i, w := range words {
		if i < len(words)-1 {
			q.Others = append(q.Others, strings.ToLower(w))
		}
		q.joined += squeezed(w)
		q.Parts = append(q.Parts, text.Words(w)...)
	}
	return q
}

// squeezed returns a name in lower case, without separators.
func squeezed(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", "$", "").Replace(name))
}

// Similarity says how a symbol's name is like a query; less is more like it.
type Similarity int

// The similarities.
const (
	sameOwner  Similarity = iota // Type.method, both as asked for: all else is meant by nobody
	SameName                     // as written
	SameInCase                   // but for case
	sameWords                    // but for case and separators
	beginsLike
	wordsLike // the query's letters begin its words
	holdsIt
	shortens   // the query is its words, shortened
	Dissimilar // the query says nothing of it
)

// of returns how a symbol is like the query.
func (q *Query) of(s *outline.Symbol) Similarity {
	name := strings.ToLower(s.Name)
	if len(q.Others) == 1 && name == q.Lower && strings.ToLower(s.Container) == q.Others[0] {
		return sameOwner
	}
	best := Dissimilar
	if q.hasOthers(name, s) {
		best = q.alike(s.Name, name, q.Last, q.Lower)
	}
	if len(q.Others) > 0 && best > sameWords {
		best = min(best, max(q.alike(s.Name, name, q.joined, q.joined), sameWords))
	}
	return best
}

func (q *Query) hasOthers(name string, s *outline.Symbol) bool {
	if len(q.Others) == 0 {
		return true
	}
	container := strings.ToLower(s.Container)
	for _, w := range q.Others {
		if !strings.Contains(container, w) && !strings.Contains(name, w) {
			return false
		}
	}
	return true
}

func (q *Query) alike(written, name, asked, lower string) Similarity {
	switch {
	case written == asked:
		return SameName
	case name == lower:
		return SameInCase
	case squeezed(name) == squeezed(lower):
		return sameWords
	case strings.HasPrefix(name, lower):
		return beginsLike
	case beginWords(written, squeezed(lower)):
		return wordsLike
	case strings.Contains(name, lower):
		return holdsIt
	case text.Shortens(written, squeezed(lower)):
		return shortens
	}
	return Dissimilar
}

// beginWords reports whether letters are beginnings of words of a name, in their
// order: "gun" is of getUserName, "usna" too. Words before the first may be
// passed over, and one behind it.
func beginWords(name, letters string) bool {
	if letters == "" || len(letters) > len(name) {
		return false
	}
	// at holds the offsets in letters up to which the words so far may go, each
	// with how many words were passed over behind the first.
	at := map[int]int{0: 0}
	for _, word := range text.Words(name) {
		next := map[int]int{0: 0}
		reach := func(to, passed int) {
			if before, ok := next[to]; !ok || passed < before {
				next[to] = passed
			}
		}
		for from, passed := range at {
			if from > 0 && (passed == 0 || from == len(letters)) {
				reach(from, passed+1)
			}
			for n := 1; n <= len(word) && from+n <= len(letters) && word[:n] == letters[from:from+n]; n++ {
				reach(from+n, passed)
			}
		}
		at = next
	}
	_, all := at[len(letters)]
	return all
}
