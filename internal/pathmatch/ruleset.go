package pathmatch

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Rule is one compiled pattern.
//
// Patterns are globs over slash paths below a folder (*, **, ?, [class] and
// {a,b}). One without a slash, or with "**/" in front, matches at any depth;
// one with a slash elsewhere, or in front, from the folder on. Whatever a
// pattern matches covers everything below it, so "x/**" and "x" say the same.
type Rule struct {
	Pattern string // as written, for messages
	Why     string // what it is for; may be empty
	glob    string // folded
	// public lets PublicSuffixes through.
	public bool
	// anyRoot lets several names in a row begin above the workspace folder.
	anyRoot bool
}

// RuleSet matches a path against many rules at once. The usual shapes are
// matched by comparing names, the rest by globbing every leading part of the
// path.
type RuleSet struct {
	names    map[string]*Rule   // a whole name
	prefixes []*Rule            // glob is the name's beginning
	suffixes []*Rule            // glob is the name's end
	inner    map[string][]*Rule // glob is "a/b": names in a row at any depth; by the last of them
	globs    []*Rule            // over one name
	paths    []*Rule            // over a leading part of the path
}

// NewRuleSet returns a set without rules.
func NewRuleSet() *RuleSet {
	return &RuleSet{names: make(map[string]*Rule), inner: make(map[string][]*Rule)}
}

// AddAll compiles patterns of a person; those that are no globs are left out
// and reported.
func (s *RuleSet) AddAll(patterns []string) (bad []error) {
	for _, p := range patterns {
		if err := CheckPattern(p); err != nil {
			bad = append(bad, err)
			continue
		}
		builtIn := slices.Contains(DefaultPrivate, p)
		s.add(&Rule{Pattern: p, public: builtIn, anyRoot: builtIn})
	}
	return bad
}

// AddBuiltIn compiles patterns of this program, which are globs.
func (s *RuleSet) AddBuiltIn(patterns []string, why string) {
	for _, p := range patterns {
		s.add(&Rule{Pattern: p, Why: why, anyRoot: true})
	}
}

// CheckPattern refuses what is not a pattern of [Rule]'s syntax.
func CheckPattern(pattern string) *fault.Error {
	if strings.HasPrefix(pattern, "!") {
		return fault.New(fault.InvalidPattern, "%q: exceptions are not possible here", pattern)
	}
	if strings.Trim(pattern, "/*") == "" || !doublestar.ValidatePattern(pattern) {
		return fault.New(fault.InvalidPattern, "%q is not a glob that names files", pattern)
	}
	return nil
}

func (s *RuleSet) add(r *Rule) {
	body, anywhere := trimPattern(fsys.FoldPattern(r.Pattern))
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
		last := body[strings.LastIndexByte(body, '/')+1:]
		s.inner[last] = append(s.inner[last], r)
	case anywhere:
		r.glob = "**/" + body
		s.paths = append(s.paths, r)
	default:
		s.paths = append(s.paths, r)
	}
}

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

// Match returns the rule that takes a path or a folder it is in, nil if there
// is none; path is folded, relative, with slashes, and so is above, where the
// path begins.
func (s *RuleSet) Match(above, path string) *Rule {
	for start := 0; start <= len(path); {
		end := start + nameLen(path[start:])
		name, to := path[start:end], path[:end]
		if r := s.matchName(path, name); r != nil {
			return r
		}
		if r := s.matchInner(above, to, name); r != nil {
			return r
		}
		if r := s.matchLeading(to); r != nil {
			return r
		}
		start = end + 1
	}
	return nil
}

// matchLeading returns the rule whose glob takes a leading part of a path.
func (s *RuleSet) matchLeading(to string) *Rule {
	for _, r := range s.paths {
		if doublestar.MatchUnvalidated(r.glob, to) {
			return r
		}
	}
	return nil
}

// matchInner returns the rule over several names in a row that ends where a
// leading part of a path does, with name.
func (s *RuleSet) matchInner(above, to, name string) *Rule {
	for _, r := range s.inner[name] {
		if endsInRow(to, r.glob) {
			return r
		}
		if start, ok := cutRow(r.glob, to); ok && r.anyRoot && endsInRow(above, start) {
			return r
		}
	}
	return nil
}

// endsInRow reports whether a path ends with the names of row.
func endsInRow(path, row string) bool {
	rest, ok := strings.CutSuffix(path, row)
	return ok && (rest == "" || rest[len(rest)-1] == '/')
}

// cutRow takes a whole path off the end of row, of which something is left.
func cutRow(row, path string) (start string, ok bool) {
	start, ok = strings.CutSuffix(row, path)
	start, slash := strings.CutSuffix(start, "/")
	return start, ok && slash
}

// nameLen returns the length of the first name of a slash path.
func nameLen(path string) int {
	name, _, _ := strings.Cut(path, "/")
	return len(name)
}

// matchName returns the rule over single names that takes name, which is one
// in path.
func (s *RuleSet) matchName(path, name string) *Rule {
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

// takes reports whether a rule whose glob matches name takes path too: some let
// through what is named as made to be copied.
func (r *Rule) takes(path, name string) bool {
	return !r.public || !hasPublicSuffix(path) && !hasPublicSuffix(name)
}

// MatchFolder returns the rule that names a workspace folder itself, by the
// paths that it has, folded and without the leading slash, so that
// opening ".vscode" as a folder does not free what is in it. Only rules over
// whole names count: a project may well be called "secrets.go". Of those over
// several names in a row the folder may also lie deeper: ".config/nvim/lua".
func (s *RuleSet) MatchFolder(paths []string) *Rule {
	for _, above := range paths {
		if rule := s.names[above[strings.LastIndexByte(above, '/')+1:]]; rule != nil {
			return rule
		}
		for end := 0; end < len(above); end++ {
			start := end
			end += nameLen(above[end:])
			for _, rule := range s.inner[above[start:end]] {
				if rule.anyRoot && endsInRow(above[:end], rule.glob) {
					return rule
				}
			}
		}
	}
	return nil
}

func hasPublicSuffix(path string) bool {
	return slices.ContainsFunc(PublicSuffixes, func(suffix string) bool {
		return strings.HasSuffix(path, suffix)
	})
}

// MatchEntry is match for a path none of whose folders match: only what the
// last name adds is looked at.
func (s *RuleSet) MatchEntry(above []string, folder, name string) bool {
	// The path counts there only by how it ends, and that is the name.
	if s.matchName(name, name) != nil {
		return true
	}
	if len(s.paths) == 0 && s.inner[name] == nil {
		return false
	}
	path := fsys.JoinSlash(folder, name)
	if s.matchLeading(path) != nil || s.matchInner("", path, name) != nil {
		return true
	}
	return slices.ContainsFunc(above, func(above string) bool { return s.matchInner(above, path, name) != nil })
}
