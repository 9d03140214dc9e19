package fuzzy

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOrder: of two paths the one that people expect first scores more.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ pattern, better, worse string }{
		{"gate", "internal/gate.go", "internal/aggregate.go"},
		{"gate", "internal/gate.go", "gate/internal.go"},
		{"gate", "x/gate.go", "x/gateway.go"},
		{"main.go", "cmd/main.go", "cmd/domain.gotmpl"},
		{"us", "src/UserService.ts", "src/abacus.ts"},
		{"usv", "src/UserService.ts", "src/unusualvase.ts"},
		{"lisdir", "tools/list_directory.go", "tools/listeners/dirty.go"},
		{"tools list", "tools/list_directory.go", "docs/tools/all.md#list"},
		{"cat", "workspace/catalog.go", "workspace/concat.go"},
		{"file", "a/file.go", "file/a.go"},
		{"b2", "a/b2.go", "a/bx2.go"},
	} {
		p := Parse(c.pattern, false)
		score := func(path string) int {
			s, ok := p.Score(path, strings.LastIndexByte(path, '/')+1)
			if !ok {
				t.Errorf("%q does not match %s", c.pattern, path)
			}
			return s
		}
		if better, worse := score(c.better), score(c.worse); better <= worse {
			t.Errorf("%q: %s has %d, %s has %d", c.pattern, c.better, better, c.worse, worse)
		}
	}
}

// TestMatches: what matches, against a definition without any cleverness;
// and the masks let through whatever matches.
func TestMatches(t *testing.T) {
	pieces := []string{"a", "b", "A", "B", "/", "_", "é", "É", "1", ".", "(", "ab", "ſ", "K"}
	random := func(n int) string {
		var s strings.Builder
		for range 1 + rand.IntN(n) {
			s.WriteString(pieces[rand.IntN(len(pieces))])
		}
		return s.String()
	}
	prefixes, suffixes := []string{"", "", "", "'", "^", "!", "!^"}, []string{"", "", "", "$"}
	for range 100000 {
		word, path := random(4), random(12)
		prefix, suffix := prefixes[rand.IntN(len(prefixes))], suffixes[rand.IntN(len(suffixes))]
		p := Parse(prefix+word+suffix, false)
		score, got := p.Score(path, strings.LastIndexByte(path, '/')+1)
		if want := matchesByDefinition(prefix, word, suffix, path); got != want {
			t.Fatalf("%q on %q: %v", prefix+word+suffix, path, got)
		}
		if got && p.Mask()&^maskOf(path) != 0 {
			t.Fatalf("the mask of %q keeps %q out", prefix+word+suffix, path)
		}
		if got && score <= 0 && !strings.HasPrefix(prefix, "!") {
			t.Fatalf("%q on %q scores %d", word, path, score)
		}
	}
}

func matchesByDefinition(prefix, word, suffix, path string) bool {
	if strings.ToLower(word) == word {
		path = fold(word, path)
	}
	not := strings.HasPrefix(prefix, "!")
	from, to := strings.HasSuffix(prefix, "^"), suffix == "$"
	var found bool
	switch {
	case from && to:
		found = path == word
	case from:
		found = strings.HasPrefix(path, word)
	case to:
		found = strings.HasSuffix(path, word)
	case prefix == "'" || not:
		found = strings.Contains(path, word)
	default:
		found = holdsInOrder(path, word)
	}
	return found != not
}

// fold folds what a word in lower case ignores: ASCII letters alone, unless it
// has others.
func fold(word, path string) string {
	if !IsASCII(word) {
		return strings.ToLower(path)
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, path)
}

func FuzzScore(f *testing.F) {
	f.Add("user 'serv !x", "src/UserService.ts")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		for _, anyCase := range []bool{false, true} {
			p := Parse(pattern, anyCase)
			p.Score(path, strings.LastIndexByte(path, '/')+1)
		}
	})
}

// holdsInOrder reports whether s holds all letters in their order, with others
// between them.
func holdsInOrder(s, letters string) bool {
	for _, r := range letters {
		_, after, ok := strings.Cut(s, string(r))
		if !ok {
			return false
		}
		s = after
	}
	return true
}
