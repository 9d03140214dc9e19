package workspace

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// rule is one compiled pattern.
//
// Patterns are globs over slash paths below a folder (*, **, ?, [class] and
// {a,b}). One without a slash, or with "**/" in front, matches at any depth;
// one with a slash elsewhere, or in front, from the folder on. Whatever a
// pattern matches covers everything below it, so "x/**" and "x" say the same.
type rule struct {
	pattern string // as written, for messages
	why     string // what it is for; may be empty
	glob    string // folded
	// public lets publicSuffixes through.
	public bool
}

// ruleSet matches a path against many rules at once. The usual shapes are
// matched by comparing names, the rest by globbing every leading part of the
// path.
type ruleSet struct {
	names    map[string]*rule // a whole name
	prefixes []*rule          // glob is the name's beginning
	suffixes []*rule          // glob is the name's end
	inner    []*rule          // glob is "/a/b/": names in a row at any depth
	globs    []*rule          // over one name
	paths    []*rule          // over a leading part of the path
}

func newRuleSet() *ruleSet { return &ruleSet{names: make(map[string]*rule)} }

// addAll compiles patterns; those that are no globs are left out and
// reported.
func (s *ruleSet) addAll(patterns []string, why string) (bad []error) {
	for _, p := range patterns {
		if err := checkPattern(p); err != nil {
			bad = append(bad, err)
			continue
		}
		s.add(&rule{pattern: p, why: why, public: slices.Contains(defaultPrivate, p)})
	}
	return bad
}

// checkPattern refuses what is not a pattern of [rule]'s syntax.
func checkPattern(pattern string) *fault.Error {
	if strings.HasPrefix(pattern, "!") {
		return fault.New(fault.InvalidPattern, "%q: exceptions are not possible here", pattern)
	}
	if strings.Trim(pattern, "/*") == "" || !doublestar.ValidatePattern(pattern) {
		return fault.New(fault.InvalidPattern, "%q is not a glob that names files", pattern)
	}
	return nil
}

func (s *ruleSet) add(r *rule) {
	body, anywhere := trimPattern(foldPattern(r.pattern))
	r.glob = body
	literal := func(g string) bool { return !strings.ContainsAny(g, `*?[{\`) }
	oneName := !strings.Contains(body, "/")
	switch {
	case anywhere && oneName && literal(body):
		s.names[body] = r
	case anywhere && oneName && literal(strings.TrimSuffix(body, "*")):
		r.glob = strings.TrimSuffix(body, "*")
		s.prefixes = append(s.prefixes, r)
	case anywhere && oneName && literal(strings.TrimPrefix(body, "*")):
		r.glob = strings.TrimPrefix(body, "*")
		s.suffixes = append(s.suffixes, r)
	case anywhere && oneName:
		s.globs = append(s.globs, r)
	case anywhere && literal(body):
		r.glob = "/" + body + "/"
		s.inner = append(s.inner, r)
	case anywhere:
		r.glob = "**/" + body
		s.paths = append(s.paths, r)
	default:
		s.paths = append(s.paths, r)
	}
}

// foldPattern folds a pattern as foldPath folds names, leaving its syntax.
func foldPattern(pattern string) string { return strings.Map(foldRune, pattern) }

// trimPattern takes off what says where a pattern matches and that it covers
// what is below.
func trimPattern(p string) (body string, anywhere bool) {
	body = strings.TrimRight(strings.TrimSuffix(p, "/**"), "/")
	if rest, ok := strings.CutPrefix(body, "/"); ok {
		return rest, false
	}
	for strings.HasPrefix(body, "**/") {
		body, anywhere = body[len("**/"):], true
	}
	return body, anywhere || !strings.Contains(body, "/")
}

// match returns the rule that takes a path or a folder it is in, nil if there
// is none; path is folded, relative, with slashes.
func (s *ruleSet) match(path string) *rule {
	for start := 0; start <= len(path); {
		end := start + indexOr(path[start:], '/')
		if r := s.matchName(path, path[start:end]); r != nil {
			return r
		}
		for _, r := range s.paths {
			if doublestar.MatchUnvalidated(r.glob, path[:end]) {
				return r
			}
		}
		start = end + 1
	}
	return s.matchInner(path)
}

func indexOr(s string, c byte) int {
	if i := strings.IndexByte(s, c); i >= 0 {
		return i
	}
	return len(s)
}

// matchName returns the rule over single names that takes name, which is one
// in path.
func (s *ruleSet) matchName(path, name string) *rule {
	if r := s.names[name]; r != nil && r.takes(path, name) {
		return r
	}
	for _, r := range s.prefixes {
		if strings.HasPrefix(name, r.glob) && r.takes(path, name) {
			return r
		}
	}
	for _, r := range s.suffixes {
		if strings.HasSuffix(name, r.glob) && r.takes(path, name) {
			return r
		}
	}
	for _, r := range s.globs {
		if doublestar.MatchUnvalidated(r.glob, name) && r.takes(path, name) {
			return r
		}
	}
	return nil
}

// takes tells whether a rule whose glob matches name takes path too: some let
// through what is named as made to be copied.
func (r *rule) takes(path, name string) bool {
	return !r.public || !hasPublicSuffix(path) && !hasPublicSuffix(name)
}

// matchInner finds the rules over several names in a row without wrapping the
// path in slashes, which would copy it.
func (s *ruleSet) matchInner(path string) *rule {
	for _, r := range s.inner {
		body := r.glob[1 : len(r.glob)-1]
		if path == body || strings.HasPrefix(path, r.glob[1:]) ||
			strings.HasSuffix(path, r.glob[:len(r.glob)-1]) || strings.Contains(path, r.glob) {
			return r
		}
	}
	return nil
}

// matchFolder returns the rule that names a workspace folder itself, so that
// opening ".vscode" as a folder does not free what is in it. Only rules over
// whole names count: a project may well be called "secrets.go".
func (s *ruleSet) matchFolder(name string) *rule { return s.names[name] }

// matchPlace is match and matchFolder.
func (s *ruleSet) matchPlace(at place) *rule {
	if r := s.match(at.path); r != nil {
		return r
	}
	return s.matchFolder(at.folder)
}

func hasPublicSuffix(path string) bool {
	return slices.ContainsFunc(publicSuffixes, func(suffix string) bool {
		return strings.HasSuffix(path, suffix)
	})
}
