package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// scanSections finds "[section]" and the keys below it.
func scanSections(s *scanner) {
	s.eachLine(func(content []byte) {
		if len(content) == 0 || s.startsComment(s.first) {
			return
		}
		if content[0] == '[' {
			end := bytes.LastIndexByte(content, ']')
			from := blanksOf(content, "[")
			if name := bytes.TrimRight(content[:max(end, 0)], "] \t"); len(name) > from {
				s.enterLine(Object, 0, from, len(name))
			}
			return
		}
		at := bytes.IndexAny(content, "=:")
		if at > 0 && s.indent == 0 {
			s.enterLine(Key, 1, 0, len(bytes.TrimRight(content[:at], " \t")))
		}
	})
}

func blanksOf(b []byte, set string) int { return len(b) - len(bytes.TrimLeft(b, set)) }

// scanProperties finds "key=value".
func scanProperties(s *scanner) {
	goesOn := false
	s.eachLine(func(content []byte) {
		continued := goesOn
		goesOn = bytes.HasSuffix(content, []byte(`\`))
		if continued || len(content) == 0 || s.startsComment(s.first) {
			return
		}
		end := 0
		for end < len(content) && strings.IndexByte("=: \t", content[end]) < 0 {
			if content[end] == '\\' {
				end++
			}
			end++
		}
		from := 0
		if bytes.HasPrefix(content, []byte("export ")) { // a shell's
			from = len("export ")
			end = from + max(0, bytes.IndexByte(content[from:], '='))
		}
		if end = min(end, len(content)); end > from {
			s.enterLine(Key, 0, from, end)
		}
	})
}

// keyLines finds the keys of JSON and YAML by lines.
type keyLines struct {
	*scanner
	hidden int // column of a block of text or an array: what is further in is no key; -1 for none
}

// scanJSON finds `"key":` at the beginning of lines. What an array holds does
// not count.
func scanJSON(s *scanner) {
	k := keyLines{scanner: s, hidden: -1}
	s.trailing = ", \t" // the comma behind a value is not its own
	s.eachLine(func(content []byte) {
		switch {
		case len(content) == 0 || s.startsComment(s.first):
		case content[0] == '}' || content[0] == ']':
			k.close()
		case k.hidden >= 0 && s.indent > k.hidden:
		default:
			k.jsonKey(content)
		}
	})
}

// close ends the key under which a closing bracket stands, with it.
func (k *keyLines) close() {
	for t := k.top(); t != nil && t.indent >= k.indent; t = k.top() {
		equal := t.indent == k.indent
		if equal {
			k.code = k.first + 1
		}
		k.pop(k.code)
		if equal {
			break
		}
	}
	if k.hidden >= k.indent {
		k.hidden = -1
	}
}

func (k *keyLines) jsonKey(content []byte) {
	end := 0
	if m := (&matching{scanner: k.scanner, at: k.first, end: k.within(k.first + min(len(content), 2*maxPatternBytes))}); m.at < m.end {
		if end = m.quotedEnd(m.at) - k.first; end == 0 {
			end = m.nameEnd(m.at) - k.first
		}
	}
	rest := bytes.TrimLeft(content[end:], " \t")
	if end == 0 || len(rest) == 0 || rest[0] != ':' {
		return
	}
	kind := valueKind(bytes.TrimLeft(rest[1:], " \t"))
	k.enterLine(kind, k.indent, 0, end)
	if t := k.top(); t.def >= 0 && k.defs[t.def].Name == "" {
		k.defs[t.def].Name = `""`
	}
	k.hidden = -1
	if kind == Array && !bytes.Contains(rest, []byte("]")) {
		k.hidden = k.indent
	}
}

func valueKind(value []byte) Kind {
	switch {
	case len(value) == 0 || value[0] == '{':
		return Object
	case value[0] == '[':
		return Array
	}
	return Key
}

// scanYAML finds "key:" at the beginning of lines, also behind the dashes of
// lists.
func scanYAML(s *scanner) {
	k := keyLines{scanner: s, hidden: -1}
	s.eachLine(func(content []byte) {
		if len(content) == 0 || s.startsComment(s.first) || k.hidden >= 0 && s.indent > k.hidden {
			return
		}
		k.hidden = -1
		at := 0
		for at+1 < len(content) && content[at] == '-' && isBlank(content[at+1]) {
			at += 1 + blanksAt(content[at+1:])
		}
		k.yamlKey(content, at)
	})
}

func (k *keyLines) yamlKey(content []byte, at int) {
	end := at
	for end < len(content) && end-at < maxPatternBytes {
		if content[end] == ':' && (end+1 == len(content) || isBlank(content[end+1])) {
			break
		}
		if strings.IndexByte("{[#&*!|>%@", content[end]) >= 0 && end == at || content[end] == '#' && isBlank(content[end-1]) {
			return
		}
		end++
	}
	if end >= len(content) || content[end] != ':' || end == at {
		return
	}
	value := bytes.TrimLeft(content[end+1:], " \t")
	kind := valueKind(value)
	if len(value) > 0 && value[0] == '#' {
		kind = Object
	}
	k.enter(kind, k.indent+at, k.first+at, text.Span{Start: k.first + at, End: k.first + end})
	if len(value) > 0 && (value[0] == '|' || value[0] == '>') {
		k.hidden = k.indent + at
	}
}
