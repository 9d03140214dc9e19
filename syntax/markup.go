package syntax

import (
	"bytes"
	"slices"
	"strings"
)

// readElement tells what an element of HTML is: a heading, named by its words;
// something with an id; a landmark; or nothing of its own.
func readElement(node []byte, _ Kind, tag string) (Kind, string) {
	start := startTag(node)
	if len(tag) == 2 && (tag[0] == 'h' || tag[0] == 'H') && tag[1] >= '1' && tag[1] <= '6' {
		return String, cleanName(wordsOf(node[len(start):]))
	}
	if id := attributeOf(start[min(len(start), 1+len(tag)):], "id"); id != "" {
		return Object, cutName(tag + "#" + id)
	}
	if isLandmark(tag) {
		return Object, tag
	}
	return NoKind, ""
}

// isLandmark tells that elements of this name divide a page.
func isLandmark(tag string) bool {
	switch strings.ToLower(tag) {
	case "header", "nav", "main", "aside", "footer", "section", "article", "form", "dialog":
		return true
	}
	return false
}

// startTag returns the tag that b begins with. A ">" in quotes, or in the
// braces of a template, does not end it.
func startTag(b []byte) []byte {
	quote, braces := byte(0), 0
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{':
			braces++
		case c == '}':
			braces--
		case c == '>' && braces <= 0:
			return b[:i+1]
		}
	}
	return b
}

// attributeOf returns the value of an attribute among those in b.
func attributeOf(b []byte, attribute string) string {
	for {
		b = bytes.TrimLeft(b, " \t\r\n\f/")
		end := bytes.IndexAny(b, "= \t\r\n\f/>")
		if end <= 0 {
			return ""
		}
		name, value := b[:end], []byte(nil)
		b = bytes.TrimLeft(b[end:], " \t\r\n\f")
		if len(b) > 0 && b[0] == '=' {
			value, b = attributeValue(bytes.TrimLeft(b[1:], " \t\r\n\f"))
		}
		if bytes.EqualFold(name, []byte(attribute)) {
			return cleanName(value)
		}
	}
}

// attributeValue divides b after the value that it begins with.
func attributeValue(b []byte) (value, rest []byte) {
	if len(b) == 0 {
		return nil, nil
	}
	if q := b[0]; q == '"' || q == '\'' {
		value, rest, _ = bytes.Cut(b[1:], []byte{q})
		return value, rest
	}
	end, braces := 0, 0
	for end < len(b) && (braces > 0 || !bytes.ContainsRune([]byte(" \t\r\n\f>"), rune(b[end]))) {
		switch b[end] {
		case '{':
			braces++
		case '}':
			braces--
		}
		end++
	}
	return b[:end], b[end:]
}

// wordsOf returns b, the inside and the end tag of an element, without tags.
func wordsOf(b []byte) []byte {
	var words []byte
	for depth := 0; len(b) > 0; {
		at := bytes.IndexByte(b, '<')
		if at < 0 || len(words) > 4*maxNameBytes {
			return append(words, b...)
		}
		words = append(words, b[:at]...)
		tag := startTag(b[at:])
		if depth += depthOf(tag); depth < 0 {
			return words
		}
		b = b[at+len(tag):]
	}
	return words
}

// depthOf tells by how many levels a tag goes down.
func depthOf(tag []byte) int {
	void := []string{"br", "img", "wbr", "input", "hr"}
	switch {
	case bytes.HasPrefix(tag, []byte("</")):
		return -1
	case bytes.HasSuffix(tag, []byte("/>")), bytes.HasPrefix(tag, []byte("<!")):
		return 0
	case slices.Contains(void, string(bytes.ToLower(bytes.Trim(tag, "< \t>")))):
		return 0
	}
	return 1
}
