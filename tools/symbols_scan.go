package tools

import (
	"bytes"
	"strings"
	"unicode/utf8"
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
		if lowerBytes[b[start+i]] != c {
			return false
		}
	}
	return true
}

// promise tells how likely a text is to define what a query names.
type promise int

const (
	definesIt   promise = iota // the name stands behind a word like "func"
	hasItsName                 // as a word of its own
	hasItsParts                // somewhere
	noPromise
)

// symbolScan looks whether texts may define what a query names.
type symbolScan struct {
	name  foldFinder
	parts []foldFinder
	fold  bool // texts are folded first
}

func newSymbolScan(q symbolQuery) *symbolScan {
	s := &symbolScan{name: newFoldFinder(q.lower)}
	for _, part := range q.parts {
		s.parts = append(s.parts, newFoldFinder(part))
		s.fold = s.fold || s.parts[len(s.parts)-1].unicode
	}
	s.fold = s.fold || s.name.unicode
	return s
}

// maxOccurrences is how many places of a text are looked at for a definition.
const maxOccurrences = 32

func (s *symbolScan) of(b []byte) promise {
	best := noPromise
	if s.fold {
		b = bytes.ToLower(b)
	}
	for at, n := s.name.next(b, 0), 0; at >= 0 && n < maxOccurrences; at, n = s.name.next(b, at+1), n+1 {
		if at > 0 && isNameByte(b[at-1]) {
			continue
		}
		if followsKeyword(b, at) {
			return definesIt
		}
		best = hasItsName
	}
	if best == hasItsName {
		return best
	}
	for i := range s.parts {
		if s.parts[i].next(b, 0) < 0 {
			return noPromise
		}
	}
	return hasItsParts
}

func isNameByte(c byte) bool { return isWordByte(c) || c == '_' }

// followsKeyword tells whether a word that defines stands before a place in its
// line.
func followsKeyword(b []byte, at int) bool {
	const far = 96
	line := b[max(0, at-far):at]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	for _, word := range bytes.FieldsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf || !isNameByte(byte(r)) }) {
		if definers[string(word)] {
			return true
		}
	}
	return false
}

var definers = map[string]bool{
	"func": true, "function": true, "def": true, "fn": true, "fun": true, "sub": true, "proc": true, "class": true,
	"struct": true, "interface": true, "type": true, "enum": true, "trait": true, "impl": true, "module": true,
	"namespace": true, "package": true, "record": true, "object": true, "protocol": true, "extension": true, "union": true,
	"const": true, "let": true, "var": true, "val": true, "define": true, "macro": true, "typedef": true, "data": true,
	"public": true, "private": true, "protected": true, "static": true, "void": true, "async": true, "abstract": true,
}
