package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// command is one line of a script, its words still unexpanded.
type command struct {
	line int // 1-based, in the scenario file
	verb string
	rest string // what follows the verb, blanks trimmed
}

// parseScript splits a script into commands. A line whose brackets do not
// balance goes on in the next one.
func parseScript(script string) ([]command, error) {
	var out []command
	lines := strings.Split(script, "\n")
	for i := 0; i < len(lines); i++ {
		first := i
		text := strings.TrimSpace(lines[i])
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		for depth(text) > 0 {
			if i++; i >= len(lines) {
				return nil, fmt.Errorf("line %d: a bracket is never closed", first+1)
			}
			text += " " + strings.TrimSpace(lines[i])
		}
		verb, rest, _ := strings.Cut(text, " ")
		out = append(out, command{first + 1, verb, strings.TrimSpace(rest)})
	}
	return out, nil
}

// depth counts the brackets that are open at the end of s, outside of strings.
func depth(s string) int {
	n, inString := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			n++
		case c == '}' || c == ']':
			n--
		}
	}
	return n
}

// word is one argument; quoted ones are never names or placeholders of text.
type word struct {
	text   string
	quoted bool
}

// splitWords splits at blanks; Go strings are one word.
func splitWords(s string) ([]word, error) {
	var out []word
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		if s[0] == '"' {
			q, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, fmt.Errorf("not a Go string: %s", s)
			}
			text, err := strconv.Unquote(q)
			if err != nil {
				return nil, err
			}
			out = append(out, word{text, true})
			s = s[len(q):]
			continue
		}
		end := strings.IndexAny(s, " \t")
		if end < 0 {
			end = len(s)
		}
		out = append(out, word{s[:end], false})
		s = s[end:]
	}
	return out, nil
}
