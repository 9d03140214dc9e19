package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns the words that a name is made of, in lower case: those of
// camelCase, snake_case and the like.
func Words(name string) []string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	var parts []string
	from, before := 0, rune(0)
	cut := func(to int) {
		if part := strings.ToLower(name[from:to]); part != "" {
			parts = append(parts, part)
		}
		from = to
	}
	for i, r := range name {
		next, _ := utf8.DecodeRuneInString(name[i+utf8.RuneLen(r):])
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			from = i + utf8.RuneLen(r)
		case unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && unicode.IsLower(next)):
			cut(i)
		}
		before = r
	}
	cut(len(name))
	return parts
}

// Shortens reports whether short is made of words that follow each other in a
// name, of each its first letter and then some others in their order: "usrserv"
// is of UserService. short is in lower case.
func Shortens(name, short string) bool {
	words := Words(name)
	for first := range words {
		reached := map[int]bool{0: true} // how much of short the words so far may be
		for _, word := range words[first:] {
			next := make(map[int]bool)
			for from := range reached {
				for n := 1; n <= sharedInOrder(word, short[from:]); n++ {
					next[from+n] = true
				}
			}
			if next[len(short)] {
				return true
			}
			reached = next
		}
	}
	return false
}

// sharedInOrder returns how many of the first bytes of letters a word holds in
// their order, from its own first one on.
func sharedInOrder(word, letters string) int {
	if letters == "" || word == "" || word[0] != letters[0] {
		return 0
	}
	n := 0
	for i := 0; i < len(word) && n < len(letters); i++ {
		if word[i] == letters[n] {
			n++
		}
	}
	return n
}
