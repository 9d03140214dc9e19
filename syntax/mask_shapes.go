package syntax

import "bytes"

// pointed has the grammar see something simpler for pointers that it does not
// know: what one of C# points at that is made on the spot, "*(int*)(p + 1)",
// and one to a member in C++, "int Foo::*x".
func (s *masker) pointed(i int) {
	switch {
	case s.family == familySharp && s.at(i+1) == '(':
		if end := s.closing(i + 1); end > i+3 && s.src[end-2] == '*' && s.at(end) == '(' {
			s.show(i, s.closing(end), "x")
		}
	case s.family == familyCPP && i > 2 && s.src[i-1] == ':':
		from := i
		for from > 0 && (inWords[s.src[from-1]] || s.src[from-1] == ':') {
			from--
		}
		s.show(from, i+1, "*")
	}
}

// returnedArray has the grammar take the function that the parenthesis at i
// begins for one that returns no array: "int (&all())[3] {".
func (s *masker) returnedArray(i int) {
	if s.family != familyCPP || s.at(i+1) != '&' {
		return
	}
	name := s.wordAt(i + 2)
	end := s.closing(i)
	if len(name) == 0 || s.at(i+2+len(name)) != '(' || end == i || s.at(end) != '[' {
		return
	}
	s.look(end + maxArguments)
	if size := bytes.IndexByte(s.src[end:min(len(s.src), end+maxArguments)], ']'); size >= 0 && s.at(s.next(end+size+1)) == '{' {
		s.mask(i, i+2)
		s.mask(end-1, end+size+1)
	}
}

// oldParameters blanks how the parameters whose names stand in parentheses at
// i are declared behind them: "f(a, b) int a; char *b; {".
func (s *masker) oldParameters(i int) {
	if s.family != familyC {
		return
	}
	end := i + 1
	for ; s.at(end) != ')' && end < len(s.src); end++ {
		if c := s.src[end]; !inWords[c] && c != ',' && (c > ' ' || c == ' ' && inWords[s.src[end-1]]) {
			return
		}
	}
	end++
	if !isWordByte(s.at(s.next(end))) {
		return
	}
	s.look(end + maxArguments)
	body := bytes.IndexByte(s.src[end:min(len(s.src), end+maxArguments)], '{') + end
	if body >= end && s.prevByte(body) == ';' && !bytes.ContainsAny(s.src[end:body], "=}#:\"") {
		s.mask(end, body)
	}
}

// extension blanks the head and the braces of a block of C# whose members the
// grammar shall see as those of the class around it; see punctuation.
func (s *masker) extension(i, end int) int {
	head := s.at(s.next(end))
	s.look(end + maxArguments)
	open := bytes.IndexAny(s.src[end:min(len(s.src), end+maxArguments)], "{};") + end
	if head != '(' && head != '<' || open < end || s.src[open] != '{' {
		return end
	}
	s.mask(i, open+1)
	s.unshown = append(s.unshown, 0)
	s.note('{')
	return open + 1
}
