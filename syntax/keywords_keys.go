package syntax

import (
	"bytes"
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

// keyLines finds the keys of JSON by lines.
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
