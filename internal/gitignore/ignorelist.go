package gitignore

import (
	"bytes"
	"strings"
)

// ignorePattern is one line of an ignore file.
type ignorePattern struct {
	text    string // as written, for messages
	line    int    // 1-based
	negated bool
	dirOnly bool
}

// ignoreList is one ignore file, compiled. It never changes.
type ignoreList struct {
	patterns []ignorePattern
	// names are the patterns without a slash, which hold at any depth.
	names *nameTable
	// paths are the others.
	paths []pathPattern
}

type pathPattern struct {
	index int32
	glob  pathGlob
}

// parseIgnore reads an ignore file by git's rules.
func parseIgnore(content []byte) *ignoreList {
	l := &ignoreList{names: new(nameTable)}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	for n := 1; len(content) > 0; n++ {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		content = rest
		if len(line) > 0 && line[0] != '#' {
			l.add(cleanLine(line), n)
		}
	}
	return l
}

// cleanLine takes off what is no part of a line's pattern.
func cleanLine(line []byte) string {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if i := bytes.IndexByte(line, 0); i >= 0 {
		line = line[:i] // git's strings end there
	}
	return string(trimBlanks(line))
}

// trimBlanks takes off the blanks at the end, as far as they are not escaped.
func trimBlanks(line []byte) []byte {
	end := 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 == len(line):
			return line
		case line[i] == '\\':
			i++
			end = i + 1
		case line[i] != ' ':
			end = i + 1
		}
	}
	return line[:end]
}

func (l *ignoreList) add(text string, line int) {
	p := ignorePattern{text: text, line: line}
	body, negated := strings.CutPrefix(text, "!")
	body, dirOnly := strings.CutSuffix(body, "/")
	p.negated, p.dirOnly = negated, dirOnly
	index := int32(len(l.patterns))
	if !strings.Contains(body, "/") {
		tokens, _, ok := parseName(body)
		if !ok || len(tokens) == 0 {
			return
		}
		l.patterns = append(l.patterns, p)
		l.names.add(newNameGlob(tokens), index, dirOnly)
		return
	}
	glob, ok := parsePath(strings.TrimPrefix(body, "/"))
	if !ok {
		return
	}
	l.patterns = append(l.patterns, p)
	l.paths = append(l.paths, pathPattern{index, glob})
}

// noPattern is the index of no pattern.
const noPattern = int32(-1)

// nameTable finds the last of many globs that takes a name. Literal names and
// "*.ext" cost a look-up, whatever their number.
type nameTable struct {
	literals map[string]lastIndex
	suffixes map[string]lastIndex // begin with a dot
	others   []indexedGlob        // by index, rising
}

// lastIndex is the last pattern of a kind: of those for everything, and of
// those for folders only.
type lastIndex struct{ any, dir int32 }

type indexedGlob struct {
	index   int32
	dirOnly bool
	all     bool // takes every name
	suffix  string
	glob    nameGlob
}

// add adds a glob, whose index is larger than those before.
func (t *nameTable) add(g nameGlob, index int32, dirOnly bool) {
	suffix, isSuffix := g.suffix()
	switch {
	case g.isLiteral:
		t.literals = addIndex(t.literals, g.literal, index, dirOnly)
	case isSuffix && strings.HasPrefix(suffix, "."):
		t.suffixes = addIndex(t.suffixes, suffix, index, dirOnly)
	default:
		t.others = append(t.others, indexedGlob{index, dirOnly, isSuffix && suffix == "", suffix, g})
	}
}

func addIndex(m map[string]lastIndex, key string, index int32, dirOnly bool) map[string]lastIndex {
	if m == nil {
		m = make(map[string]lastIndex)
	}
	last, ok := m[key]
	if !ok {
		last = lastIndex{noPattern, noPattern}
	}
	if dirOnly {
		last.dir = index
	} else {
		last.any = index
	}
	m[key] = last
	return m
}

func (l lastIndex) of(dir bool) int32 {
	if dir {
		return max(l.any, l.dir)
	}
	return l.any
}

// match returns the last pattern that takes a name, or noPattern.
func (t *nameTable) match(name string, dir bool) int32 {
	best := noPattern
	if t.literals != nil {
		if last, ok := t.literals[name]; ok {
			best = last.of(dir)
		}
	}
	if t.suffixes != nil {
		for i := range len(name) {
			if name[i] != '.' {
				continue
			}
			if last, ok := t.suffixes[name[i:]]; ok {
				best = max(best, last.of(dir))
			}
		}
	}
	for i := len(t.others) - 1; i >= 0 && t.others[i].index > best; i-- {
		if o := &t.others[i]; (dir || !o.dirOnly) && o.takes(name) {
			return o.index
		}
	}
	return best
}

func (o *indexedGlob) takes(name string) bool {
	if o.all {
		return true
	}
	if o.suffix != "" {
		return strings.HasSuffix(name, o.suffix)
	}
	return o.glob.match(name)
}
