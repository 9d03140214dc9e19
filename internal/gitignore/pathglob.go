package gitignore

import (
	"slices"
	"strings"
)

// pathGlob is a pattern over whole paths: one segment a name.
//
// It is matched one name after the other, from the top. A state is the sorted
// set of the segments that may take the next name, so that matching costs at
// most segments times names, whatever the pattern.
type pathGlob []segment

type segment struct {
	span spanKind
	name nameGlob
}

type spanKind uint8

const (
	oneName   spanKind = iota
	anyNames           // "**/": none or more names
	someNames          // "**" at the end, "**\/": one or more names
)

// parsePath reads a pattern without its leading slash; !ok is one that can
// match nothing.
func parsePath(p string) (path pathGlob, ok bool) {
	for {
		tokens, n, ok := parseName(p)
		if !ok {
			return nil, false
		}
		s := segment{name: newNameGlob(tokens)}
		slash := slashLen(p[n:])
		if isSpan := n > 1 && strings.Trim(p[:n], "*") == ""; isSpan {
			s.span = someNames
			if slash == 1 {
				s.span = anyNames
			}
		}
		if again := s.span == anyNames && len(path) > 0 && path[len(path)-1].span == anyNames; !again {
			path = append(path, s)
		}
		if slash == 0 {
			return path, true
		}
		p = p[n+slash:]
	}
}

// slashLen returns the length of the slash that p begins with, which may be
// escaped; 0 if there is none.
func slashLen(p string) int {
	switch {
	case strings.HasPrefix(p, "/"):
		return len("/")
	case strings.HasPrefix(p, `\/`):
		return len(`\/`)
	}
	return 0
}

// maxNameBytes is more than any system has in one name.
const maxNameBytes = 1 << 10

// parseName reads the glob over one name that p begins with, which is n bytes
// long: to the slash, or to the end.
func parseName(p string) (tokens []globToken, n int, ok bool) {
	for n < len(p) && slashLen(p[n:]) == 0 {
		t, size, ok := parseToken(p[n:])
		if !ok {
			return nil, 0, false
		}
		n += size
		if stars := len(tokens); t.kind == globStar && stars > 0 && tokens[stars-1].kind == globStar {
			continue
		}
		if tokens = append(tokens, t); len(tokens) > 2*maxNameBytes+1 {
			return nil, 0, false // more than one byte a token but for the stars
		}
	}
	return tokens, n, true
}

func parseToken(p string) (t globToken, n int, ok bool) {
	switch p[0] {
	case '?':
		return globToken{kind: globAny}, 1, true
	case '*':
		return globToken{kind: globStar}, 1, true
	case '[':
		set, n, ok := parseSet(p[1:])
		return globToken{kind: globSet, set: set}, n + 1, ok
	case '\\':
		if len(p) < 2 {
			return globToken{}, 0, false
		}
		return globToken{lit: p[1]}, 2, true
	}
	return globToken{lit: p[0]}, 1, true
}

// start returns the state before the first name.
func (g pathGlob) start() []int32 { return g.reach(nil, 0) }

// step returns the state after a name; nil when no path that begins like this
// can match.
func (g pathGlob) step(state []int32, name string) []int32 {
	var next []int32
	for _, at := range state {
		s := &g[at]
		switch {
		case s.span == anyNames:
			next = g.reach(next, at)
		case s.span == someNames:
			next, _ = insert(next, at)
			next = g.reach(next, at+1)
		case s.name.match(name):
			next = g.reach(next, at+1)
		}
	}
	return next
}

// reach adds a segment to a state, and those that can be reached from it
// without a name.
func (g pathGlob) reach(state []int32, at int32) []int32 {
	for added := true; added && int(at) < len(g); at++ {
		state, added = insert(state, at)
		if g[at].span != anyNames {
			break
		}
	}
	return state
}

// insert adds to a sorted state what is not in it.
func insert(state []int32, at int32) (with []int32, added bool) {
	i, found := slices.BinarySearch(state, at)
	if found {
		return state, false
	}
	return slices.Insert(state, i, at), true
}

// last returns the segment that may take the last name of a path, nil if none
// may.
func (g pathGlob) last(state []int32) *segment {
	end := int32(len(g) - 1)
	if len(state) == 0 || state[len(state)-1] != end {
		return nil
	}
	return &g[end]
}
