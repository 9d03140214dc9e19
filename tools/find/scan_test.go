package find

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/outline"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func TestLikeness(t *testing.T) {
	for _, c := range []struct {
		query, name, container string
		want                   Similarity
	}{
		{"parseUser", "parseUser", "", SameName},
		{"parseuser", "parseUser", "", SameInCase},
		{"parse_user", "parseUser", "", sameWords},
		{"parse user", "parseUser", "", sameWords},
		{"parse", "parseUser", "", beginsLike},
		{"pu", "parseUser", "", wordsLike},
		{"user", "parseUser", "", wordsLike},
		{"ser", "parseUser", "", holdsIt},
		{"prsur", "parseUser", "", shortens},
		{"prsr", "parseUser", "", Dissimilar},
		{"zzz", "parseUser", "", Dissimilar},
		{"Circle.Area", "Area", "Circle", sameOwner},
		{"Circle.Area", "Area", "Shape", Dissimilar},
		{"circle area", "CircleArea", "", sameWords},
		{"Getting started", "Getting started", "", sameWords},
		{"func (c *Circle) Area()", "Area", "Circle", Dissimilar}, // "func" is no name
	} {
		q := NewQuery(c.query)
		if got := q.of(&outline.Symbol{Name: c.name, Container: c.container}); got != c.want {
			t.Errorf("%q and %s.%s: %d, not %d", c.query, c.container, c.name, got, c.want)
		}
	}
}

// TestScanMissesNothing: a text that defines what a query names better than by
// single letters is never passed over, whatever stands around the name.
func TestScanMissesNothing(t *testing.T) {
	names := []string{"parseUser", "parse_user", "ParseUserName", "x1", "größe", "HTTPServer"}
	for range 20000 {
		name := names[rand.IntN(len(names))]
		parts := text.Words(name)
		query := parts[rand.IntN(len(parts))]
		if rand.IntN(2) == 0 {
			query = name
		}
		var b strings.Builder
		for range rand.IntN(40) {
			b.WriteString([]string{"a", "p", "P", " ", "\n", "u", "_", "pars", "USER", "ü"}[rand.IntN(10)])
		}
		b.WriteString(" func " + name + "() ")
		if got := newSymbolScan(NewQuery(query)).of([]byte(b.String())); got == Unlikely || query == name && got != definesIt {
			t.Fatalf("%q in %q: %d", query, b.String(), got)
		}
	}
}

// TestPromise: a definition by its owner comes before what only mentions both,
// however many do.
func TestPromise(t *testing.T) {
	for _, c := range []struct {
		query, text string
		want        Likelihood
	}{
		{"Server.Run", "func (s *Server) Run() {", definesIt},
		{"Server.run", "class Server:\n    def run(self):", definesIt},
		{"server.run", "class Server {\n  run() {", mayDefineIt},
		{"Server::run", "int Server::run()", mayDefineIt},
		{"Server.Run", "// the server\nfunc (o *Other) Run() {", hasItsName},
		{"Server.Run", "func RunAll() {}\nvar server int", hasItsName},
		{"Server.Run", "func Run() {}", Unlikely},
		{"Server.Run", "testRunOfServer()", hasItsParts},
		{"Run", "func Run()", definesIt},
		{"Run", "func RunAll()", mayDefineIt},
		{"Run", "Run()", hasItsName},
		{"Run", "reRun()", hasItsParts},
	} {
		if got := newSymbolScan(NewQuery(c.query)).of([]byte(c.text)); got != c.want {
			t.Errorf("%q in %q: %d, not %d", c.query, c.text, got, c.want)
		}
	}
}

// TestLetterScan: a name that holds a query's letters in their order is found
// wherever it stands, and nothing reaches over its ends.
func TestLetterScan(t *testing.T) {
	for range 20000 {
		letters, raw := "", make([]byte, rand.IntN(12))
		for range 1 + rand.IntN(3) {
			letters += string(rune('a' + rand.IntN(3)))
		}
		for i := range raw {
			raw[i] = "abcABC ."[rand.IntN(8)]
		}
		want := Unlikely
		for _, name := range bytes.FieldsFunc(raw, func(r rune) bool { return r == ' ' || r == '.' }) {
			if holdsLetters(strings.ToLower(string(name)), letters) {
				want = hasItsParts
			}
		}
		if got := (letterScan{letters}).of(raw); got != want {
			t.Fatalf("%q in %q: %d, not %d", letters, raw, got, want)
		}
	}
}

func TestFoldFinder(t *testing.T) {
	letters := []byte("abAB\nx")
	random := func(n int) []byte {
		b := make([]byte, rand.IntN(n))
		for i := range b {
			b[i] = letters[rand.IntN(len(letters))]
		}
		return b
	}
	for range 50000 {
		word, b := strings.ToLower("a"+string(random(4))), random(40)
		f := newFoldFinder(word)
		from := rand.IntN(len(b) + 1)
		want := bytes.Index(bytes.ToLower(b[from:]), []byte(word))
		if want >= 0 {
			want += from
		}
		if got := f.next(b, from); got != want {
			t.Fatalf("%q in %q from %d: %d, not %d", word, b, from, got, want)
		}
	}
}

func FuzzSymbolQuery(f *testing.F) {
	f.Add("Type.method", "getUserName", []byte("func getUserName"))
	f.Fuzz(func(t *testing.T, query, name string, src []byte) {
		q := NewQuery(query)
		q.of(&outline.Symbol{Name: name})
		if q.Last != "" {
			newSymbolScan(q).of(src)
			if len(q.joined) >= MinLetters {
				letterScan{q.joined}.of(src)
			}
		}
	})
}

// holdsLetters reports whether name holds all letters in their order, with others
// between them.
func holdsLetters(name, letters string) bool {
	for i := range len(name) {
		if letters != "" && name[i] == letters[0] {
			letters = letters[1:]
		}
	}
	return letters == ""
}
