package find

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
)

// foldFinder finds a word in texts, ASCII letters in any case. It looks for the
// word's rarest byte, which is fast, and compares around it.
type foldFinder struct {
	word     []byte // in lower case
	at       int    // of the rarest byte
	one, two byte   // it in both cases
	unicode  bool   // it has other letters than ASCII's: it is looked for in folded texts
}

func newFoldFinder(word string) foldFinder {
	f := foldFinder{word: []byte(word)}
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			f.unicode = true
		}
		if commonness(word[i]) < commonness(word[f.at]) {
			f.at = i
		}
	}
	f.one = f.word[f.at]
	if f.two = f.one; 'a' <= f.one && f.one <= 'z' {
		f.two = f.one - 'a' + 'A'
	}
	return f
}

// commonness orders bytes by how often they stand in source, roughly.
func commonness(c byte) int {
	return strings.IndexByte("qzjxkwvy987654321_0bghfpumcdlsionrate", c)
}

// next returns the first place at or after from where the word stands, -1 when
// there is none. A word with other letters than ASCII's stands in b if b is in
// lower case.
func (f *foldFinder) next(b []byte, from int) int {
	if f.unicode {
		if i := bytes.Index(b[from:], f.word); i >= 0 {
			return from + i
		}
		return -1
	}
	one, two := f.look(b, from+f.at, f.one), -1
	if f.two != f.one {
		two = f.look(b, from+f.at, f.two)
	}
	for one >= 0 || two >= 0 {
		at := one
		if one < 0 || two >= 0 && two < one {
			at = two
		}
		if start := at - f.at; f.standsAt(b, start) {
			return start
		}
		if at == one {
			one = f.look(b, at+1, f.one)
		} else {
			two = f.look(b, at+1, f.two)
		}
	}
	return -1
}

func (f *foldFinder) look(b []byte, from int, c byte) int {
	if from >= len(b) {
		return -1
	}
	if i := bytes.IndexByte(b[from:], c); i >= 0 {
		return from + i
	}
	return -1
}

func (f *foldFinder) standsAt(b []byte, start int) bool {
	if start < 0 || start+len(f.word) > len(b) {
		return false
	}
	for i, c := range f.word {
		if fuzzy.LowerBytes[b[start+i]] != c {
			return false
		}
	}
	return true
}

// Likelihood says how likely a text is to define what a query names.
type Likelihood int

// The likelihoods.
const (
	definesIt   Likelihood = iota // the name stands behind a word like "func", with its owner
	mayDefineIt                   // a beginning of a name does, or the name stands where its owner is defined
	hasItsName                    // as a word of its own
	hasItsParts                   // somewhere
	Unlikely                      // nowhere
)

// symbolScan looks whether texts may define what a query names.
type symbolScan struct {
	name   foldFinder
	parts  []foldFinder // the longest, which is the rarest, first
	owners []foldFinder
	fold   bool // texts are folded first
}

func newSymbolScan(q Query) *symbolScan {
	s := &symbolScan{name: newFoldFinder(q.Lower), parts: foldFinders(q.Parts), owners: foldFinders(q.Others)}
	slices.SortStableFunc(s.parts, func(a, b foldFinder) int { return len(b.word) - len(a.word) })
	s.fold = s.name.unicode || slices.ContainsFunc(s.parts, func(f foldFinder) bool { return f.unicode })
	return s
}

func foldFinders(words []string) []foldFinder {
	finders := make([]foldFinder, len(words))
	for i, w := range words {
		finders[i] = newFoldFinder(w)
	}
	return finders
}

// maxOccurrences is how many places of a text are looked at for a definition.
const maxOccurrences = 128

func (s *symbolScan) of(b []byte) Likelihood {
	if s.fold {
		b = bytes.ToLower(b)
	}
	for i := range s.parts {
		if s.parts[i].next(b, 0) < 0 {
			return Unlikely
		}
	}
	best := hasItsParts
	owned := sync.OnceValue(func() bool { return s.definesOwners(b) })
	for at, n := s.name.next(b, 0), 0; at >= 0 && n < maxOccurrences; at, n = s.name.next(b, at+1), n+1 {
		if at > 0 && IsNameByte(b[at-1]) {
			continue
		}
		if best = min(best, s.at(b, at, owned)); best == definesIt {
			break
		}
	}
	return best
}

// at returns how likely one place of the name defines it; owned reports whether the text
// defines the owners.
func (s *symbolScan) at(b []byte, at int, owned func() bool) Likelihood {
	end := at + len(s.name.word)
	whole := end == len(b) || !IsNameByte(b[end])
	switch {
	case len(s.owners) == 0 && !followsKeyword(b, at), len(s.owners) > 0 && !whole:
		return hasItsName
	case !whole:
		return mayDefineIt
	case len(s.owners) == 0, followsKeyword(b, at) && (s.ownersBefore(b, at) || owned()):
		return definesIt
	case s.ownersBefore(b, at), owned():
		return mayDefineIt
	}
	return hasItsName
}

// ownersBefore reports whether all owners stand before a place in its line, as
// the receiver of a method does.
func (s *symbolScan) ownersBefore(b []byte, at int) bool {
	line := lineBefore(b, at)
	return !slices.ContainsFunc(s.owners, func(f foldFinder) bool { return f.next(line, 0) < 0 })
}

// definesOwners reports whether all owners stand behind words that define.
func (s *symbolScan) definesOwners(b []byte) bool {
	for i := range s.owners {
		at := s.owners[i].next(b, 0)
		for n := 0; at >= 0 && !followsKeyword(b, at); n++ {
			if at = s.owners[i].next(b, at+1); n == maxOccurrences {
				at = -1
			}
		}
		if at < 0 {
			return false
		}
	}
	return true
}

// letterScan looks whether texts hold a name with the letters of a query, in
// their order.
type letterScan struct{ letters string }

func (s letterScan) of(b []byte) Likelihood {
	next := 0
	for _, c := range b {
		c = fuzzy.LowerBytes[c]
		switch {
		case c == s.letters[next]:
			if next++; next == len(s.letters) {
				return hasItsParts
			}
		case !IsNameByte(c):
			next = 0
		}
	}
	return Unlikely
}

// IsNameByte reports whether c may be part of a name.
func IsNameByte(c byte) bool { return fuzzy.IsWordByte(c) || c == '_' }

// followsKeyword reports whether a word that defines stands before a place in its
// line.
func followsKeyword(b []byte, at int) bool {
	for _, word := range bytes.FieldsFunc(lineBefore(b, at), func(r rune) bool { return r >= utf8.RuneSelf || !IsNameByte(byte(r)) }) {
		if definers[string(word)] {
			return true
		}
	}
	return false
}

// lineBefore returns what stands in a place's line before it, at most the last
// 96 bytes.
func lineBefore(b []byte, at int) []byte {
	line := b[max(0, at-96):at]
	return line[bytes.LastIndexByte(line, '\n')+1:]
}

var definers = map[string]bool{
	"func": true, "function": true, "def": true, "fn": true, "fun": true, "sub": true, "proc": true, "class": true,
	"struct": true, "interface": true, "type": true, "enum": true, "trait": true, "impl": true, "module": true,
	"namespace": true, "package": true, "record": true, "object": true, "protocol": true, "extension": true, "union": true,
	"const": true, "let": true, "var": true, "val": true, "define": true, "macro": true, "typedef": true, "data": true,
	"public": true, "private": true, "protected": true, "static": true, "void": true, "async": true, "abstract": true,
}
