package gitignore

import "strings"

// nameGlob matches one name of a path as git's wildmatch does: byte by byte,
// "?" one byte, "*" any number of them, "[…]" one of a set, "\" the next byte
// itself.
type nameGlob struct {
	tokens []globToken
	// literal is the name when there is nothing but literal bytes.
	literal   string
	isLiteral bool
}

type globToken struct {
	kind globKind
	lit  byte
	set  *byteSet
}

type globKind uint8

const (
	globByte globKind = iota
	globAny           // ?
	globStar          // *
	globSet           // [...]
)

// byteSet is a set of bytes.
type byteSet [256 / 64]uint64

func (s *byteSet) add(c byte)      { s[c/64] |= 1 << (c % 64) }
func (s *byteSet) has(c byte) bool { return s[c/64]&(1<<(c%64)) != 0 }

// match reports whether the glob takes all of name. When a byte does not fit,
// only the last star is made longer: what an earlier one could take, the last
// can take as well. So it takes at most len(tokens)*len(name) steps.
func (g *nameGlob) match(name string) bool {
	if g.isLiteral {
		return name == g.literal
	}
	star, from := -1, 0
	t, n := 0, 0
	for n < len(name) {
		switch {
		case t < len(g.tokens) && g.tokens[t].kind == globStar:
			star, from = t, n
			t++
		case t < len(g.tokens) && g.tokens[t].takes(name[n]):
			t++
			n++
		case star >= 0:
			from++
			t, n = star+1, from
		default:
			return false
		}
	}
	for t < len(g.tokens) && g.tokens[t].kind == globStar {
		t++
	}
	return t == len(g.tokens)
}

func (t *globToken) takes(c byte) bool {
	switch t.kind {
	case globByte:
		return t.lit == c
	case globAny:
		return true
	}
	return t.set.has(c)
}

// shape is what makes a glob findable without trying it: a literal name, or a
// star and a literal end.
func (g *nameGlob) suffix() (string, bool) {
	if len(g.tokens) == 0 || g.tokens[0].kind != globStar {
		return "", false
	}
	return literalOf(g.tokens[1:])
}

func literalOf(tokens []globToken) (string, bool) {
	var b strings.Builder
	for _, t := range tokens {
		if t.kind != globByte {
			return "", false
		}
		b.WriteByte(t.lit)
	}
	return b.String(), true
}

func newNameGlob(tokens []globToken) nameGlob {
	g := nameGlob{tokens: tokens}
	g.literal, g.isLiteral = literalOf(tokens)
	return g
}

// parseSet reads the set that stands behind a "[" in p. n is how many bytes
// it takes, the "]" included; !ok is one that has no end or names a class
// that does not exist, which matches nothing in git either.
func parseSet(p string) (set *byteSet, n int, ok bool) {
	s := setParser{p: p}
	negated := s.more() && (p[0] == '!' || p[0] == '^')
	if negated {
		s.at++
	}
	for first := true; ; first = false {
		if !s.more() {
			return nil, 0, false
		}
		if s.p[s.at] == ']' && !first {
			break
		}
		if !s.element() {
			return nil, 0, false
		}
	}
	if negated {
		for i := range s.set {
			s.set[i] = ^s.set[i]
		}
	}
	return &s.set, s.at + 1, true
}

type setParser struct {
	p    string
	at   int
	set  byteSet
	prev byte // the byte that a range may begin with; 0 is none
}

func (s *setParser) more() bool { return s.at < len(s.p) }

func (s *setParser) element() bool {
	c := s.p[s.at]
	rest := s.p[s.at+1:]
	switch {
	case c == '\\':
		if rest == "" {
			return false
		}
		s.single(rest[0])
		s.at += 2
	case c == '-' && s.prev != 0 && rest != "" && rest[0] != ']':
		return s.rangeTo(rest)
	case c == '[' && strings.HasPrefix(rest, ":"):
		return s.class(rest[1:])
	default:
		s.single(c)
		s.at++
	}
	return true
}

func (s *setParser) single(c byte) {
	s.set.add(c)
	s.prev = c
}

func (s *setParser) rangeTo(rest string) bool {
	end, n := rest[0], 2
	if end == '\\' {
		if len(rest) < 2 {
			return false
		}
		end, n = rest[1], 3
	}
	for c := int(s.prev); c <= int(end); c++ {
		s.set.add(byte(c))
	}
	s.at += n
	s.prev = 0
	return true
}

// class reads "[:alpha:]" from behind its "[:".
func (s *setParser) class(rest string) bool {
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return false
	}
	if end == 0 || rest[end-1] != ':' { // no class: the "[" is one of the set
		s.single('[')
		s.at++
		return true
	}
	holds := classOf(rest[:end-1])
	if holds == nil {
		return false
	}
	for c := range 256 {
		if holds(byte(c)) {
			s.set.add(byte(c))
		}
	}
	s.at += len("[:") + end + 1
	s.prev = 0
	return true
}

// classOf returns what belongs to a POSIX class as git sees it: ASCII, and
// without vertical tab and form feed among the blanks.
func classOf(name string) func(c byte) bool {
	in := func(lo, hi byte) func(byte) bool { return func(c byte) bool { return lo <= c && c <= hi } }
	digit, upper, lower := in('0', '9'), in('A', 'Z'), in('a', 'z')
	graph := in('!', '~')
	alpha := func(c byte) bool { return upper(c) || lower(c) }
	alnum := func(c byte) bool { return alpha(c) || digit(c) }
	switch name {
	case "alnum":
		return alnum
	case "alpha":
		return alpha
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return func(c byte) bool { return c < ' ' || c == 0x7f }
	case "digit":
		return digit
	case "graph":
		return graph
	case "lower":
		return lower
	case "print":
		return in(' ', '~')
	case "punct":
		return func(c byte) bool { return graph(c) && !alnum(c) }
	case "space":
		return func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	case "upper":
		return upper
	case "xdigit":
		return func(c byte) bool { return digit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
	}
	return nil
}
