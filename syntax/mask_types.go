package syntax

import "bytes"

// tag looks past the word class or struct: a macro may stand before or after
// the name of a type that is defined there.
func (s *masker) tag(end int) int {
	s.enumerates = s.src[end-1] == 'm' // "enum"
	at := s.next(end)
	if word := string(s.wordAt(at)); word == "class" || word == "struct" { // enum class
		at = s.next(at + len(word))
	}
	before := at
	at = s.pastMacros(at)
	word := s.wordAt(at)
	name := at + len(word)
	if len(word) == 0 || !s.isDefined(name) {
		return end
	}
	s.mask(before, at)
	s.types.add(word)
	return name
}

// pastMacros returns where the name of a type stands, from at on.
func (s *masker) pastMacros(at int) int {
	for isMacroName(s.wordAt(at)) {
		past := s.next(s.arguments(at + len(s.wordAt(at))))
		if !isWordByte(s.at(past)) || string(s.wordAt(past)) == "final" {
			break
		}
		at = past
	}
	return at
}

// isDefined tells that a type is defined, and not only used, behind whose name
// the place name is, and blanks a macro there.
func (s *masker) isDefined(name int) bool {
	past := s.next(name)
	if s.family == familyC && s.at(past) == ':' { // enum x : int {
		s.look(past + maxArguments)
		if open := bytes.IndexAny(s.src[past:min(len(s.src), past+maxArguments)], "{;"); open >= 0 && s.src[past+open] == '{' {
			s.mask(past, past+open)
			return true
		}
	}
	after := s.wordAt(past)
	if isMacroName(after) && isHeadEnd(s.at(s.next(s.arguments(past+len(after))))) {
		s.mask(past, s.arguments(past+len(after)))
		return true
	}
	c := s.at(past)
	return isHeadEnd(c) || c == '<' || string(after) == "final"
}

func isHeadEnd(c byte) bool { return c == '{' || c == ':' }

// namespace blanks the macro behind the name of a namespace.
func (s *masker) namespace(end int) {
	at := s.next(end)
	at = s.next(at + len(s.wordAt(at)))
	if macro := s.wordAt(at); isMacroName(macro) {
		if past := s.arguments(at + len(macro)); s.at(s.next(past)) == '{' {
			s.mask(at, past)
		}
	}
}
