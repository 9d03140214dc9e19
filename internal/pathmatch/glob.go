package pathmatch

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

const (
	maxGlobBytes = 1024
	// maxAlternatives bounds what the braces of a glob multiply to.
	maxAlternatives = 256
)

// Glob matches paths below a root, by doublestar's rules: * and ? stop at a
// slash, ** alone between slashes is any number of folders, [a-z] is a class,
// {a,b} are alternatives, a backslash takes what follows as it is. A glob
// without a slash matches the last name of a path at any depth; one with a
// slash the whole path. A slash at its end stands for all that is below, one
// at its front, and "./", only tie it to the root. Case counts; hidden names
// are names like others.
//
// It never changes and is safe for concurrent use.
type Glob struct {
	any []globAlternative
}

// globAlternative is a glob without braces.
type globAlternative struct {
	pattern string
	// wholePath: it is held against the path, else against the last name.
	wholePath bool
	// prefix and suffix are what stands literally before and after all else:
	// most paths fail by them. exact: with a star between them that is all.
	prefix, suffix string
	exact          bool
}

// IsGlob reports whether a pattern holds a character that is special in globs.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// CompileGlob reads a glob. The error is invalid_pattern, with the detail
// "position": the 0-based byte offset of what is wrong.
func CompileGlob(pattern string) (*Glob, error) {
	switch at, why := globMistake(pattern); {
	case pattern == "":
		return nil, badGlob(pattern, 0, "it is empty")
	case len(pattern) > maxGlobBytes:
		return nil, badGlob(pattern[:64]+"…", maxGlobBytes, "it is longer than 1024 bytes")
	case why != "":
		return nil, badGlob(pattern, at, why)
	case strings.IndexByte(pattern, 0) >= 0:
		return nil, badGlob(pattern, strings.IndexByte(pattern, 0), "it holds a NUL byte")
	}
	alternatives := expandBraces(pattern)
	if alternatives == nil {
		return nil, badGlob(pattern, strings.IndexByte(pattern, '{'), "its braces stand for more than 256 patterns")
	}
	g := &Glob{any: make([]globAlternative, len(alternatives))}
	for i, a := range alternatives {
		if at, why := globMistake(a); why != "" { // "[{a,b]}" and the like
			return nil, badGlob(pattern, min(at, len(pattern)), why)
		}
		g.any[i] = newAlternative(a)
	}
	return g, nil
}

func badGlob(pattern string, at int, why string) error {
	return fault.New(fault.InvalidPattern, "%q is no glob: %s, at byte %d", pattern, why, at).
		Advise(`Globs are like "*.go", "src/**/*.{ts,tsx}", "[a-c]?.txt"; a backslash takes a special character as it is.`).
		With("position", at)
}

// Match reports whether the glob takes a path below a root, with slashes.
func (g *Glob) Match(rel string) bool {
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	for i := range g.any {
		a := &g.any[i]
		on := name
		if a.wholePath {
			on = rel
		}
		if a.match(on) {
			return true
		}
	}
	return false
}

func (a *globAlternative) match(s string) bool {
	if len(s) < len(a.prefix)+len(a.suffix) || !strings.HasPrefix(s, a.prefix) || !strings.HasSuffix(s, a.suffix) {
		return false
	}
	return a.exact || doublestar.MatchUnvalidated(a.pattern, s)
}

func newAlternative(pattern string) globAlternative {
	if strings.HasSuffix(pattern, "/") && !strings.HasSuffix(pattern, `\/`) {
		pattern += "**"
	}
	a := globAlternative{pattern: pattern, wholePath: strings.Contains(pattern, "/")}
	if a.wholePath {
		a.pattern = strings.TrimPrefix(path.Clean("/"+strings.TrimPrefix(pattern, "./")), "/")
	}
	if name, ok := strings.CutPrefix(a.pattern, "**/"); ok && !strings.ContainsAny(name, "/[") { // a class may take a slash
		a.pattern, a.wholePath = name, false // the last name at any depth: that is sooner told
	}
	first := strings.IndexAny(a.pattern, `*?[\`)
	if first < 0 {
		a.prefix = a.pattern
		return a // which must be the pattern: a longer path does not match it
	}
	a.prefix = a.pattern[:first]
	if strings.ContainsAny(a.pattern, `[\`) {
		return a
	}
	last := strings.LastIndexAny(a.pattern, "*?")
	a.suffix = a.pattern[last+1:]
	if last > 0 && a.pattern[last-1] == '*' {
		a.suffix = strings.TrimPrefix(a.suffix, "/") // "**/x" takes "x" too
	}
	if before := strings.TrimSuffix(a.prefix, "/"); strings.HasPrefix(a.pattern[first:], "**") {
		a.prefix = before // "a/**" takes "a" too
	}
	a.exact = !a.wholePath && first == last && a.pattern[first] == '*'
	return a
}

// globMistake returns where a glob is wrong and how; "" when it is not. What
// it lets pass, doublestar lets pass.
func globMistake(p string) (at int, why string) {
	var braces []int
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			if i++; i == len(p) {
				return i - 1, "a backslash stands at its end"
			}
		case '[':
			end, why := classEnd(p, i)
			if why != "" {
				return i, why
			}
			i = end
		case '{':
			braces = append(braces, i)
		case '}':
			if len(braces) == 0 {
				return i, "a closing brace without an opening one"
			}
			braces = braces[:len(braces)-1]
		}
	}
	if len(braces) > 0 {
		return braces[0], "a brace is not closed"
	}
	return 0, ""
}

// classEnd returns the index of the bracket that ends the class at i.
func classEnd(p string, i int) (end int, why string) {
	i++
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		i++
	}
	if i < len(p) && p[i] == ']' {
		return 0, "a class is empty"
	}
	for ; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case ']':
			return i, ""
		}
	}
	return 0, "a class is not closed"
}

// expandBraces returns the patterns without braces that a valid one stands
// for; nil when they are too many.
func expandBraces(p string) []string {
	open, parts, after := firstBraces(p)
	if parts == nil {
		return []string{p}
	}
	var all []string
	for _, part := range parts {
		some := expandBraces(p[:open] + part + p[after:])
		if all = append(all, some...); some == nil || len(all) > maxAlternatives {
			return nil
		}
	}
	return all
}

// firstBraces returns the alternatives of the first braces, where these stand
// and what follows them; nil without braces.
func firstBraces(p string) (open int, parts []string, after int) {
	depth, from := 0, 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			if end, why := classEnd(p, i); why == "" {
				i = end
			}
		case '{':
			if depth++; depth == 1 {
				open, from = i, i+1
			}
		case ',':
			if depth == 1 {
				parts, from = append(parts, p[from:i]), i+1
			}
		case '}':
			if depth--; depth == 0 {
				return open, append(parts, p[from:i]), i + 1
			}
		}
	}
	return 0, nil, 0
}
