package outline

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

const (
	maxSignature = 160     // bytes
	maxHead      = 4 << 10 // how much of a head is looked at, in bytes
	ellipsis     = "…"
)

// pastAttributes returns where a definition begins without the attributes and
// annotations in front of it.
func pastAttributes(src []byte, d *syntax.Definition) text.Offset {
	head := d.Head
	for head < d.NameSpan.Start {
		rest := src[head:min(d.NameSpan.Start, head+maxHead)]
		n := attributeLen(rest)
		if n == 0 {
			break
		}
		head += n + len(rest[n:]) - len(bytes.TrimLeft(rest[n:], " \t\r\n"))
	}
	return head
}

// attributeLen returns the length of the attribute that b begins with, as
// languages write them: @Name, @Name(…), [Name(…)], #[…]. 0 is none.
func attributeLen(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("#[")):
		if n := bracketLen(b[1:]); n > 0 {
			return 1 + n
		}
	case bytes.HasPrefix(b, []byte("[")):
		return bracketLen(b)
	case bytes.HasPrefix(b, []byte("@")):
		return annotationLen(b)
	}
	return 0
}

func annotationLen(b []byte) int {
	n := 1
	for n < len(b) && isNamePart(b[n]) {
		n++
	}
	if n == 1 || declares(b, n) {
		return 0
	}
	if n < len(b) && b[n] == '(' {
		if m := bracketLen(b[n:]); m > 0 {
			return n + m
		}
		return 0
	}
	return n
}

// declares tells that the n bytes that b begins with are no annotation, but say
// what is declared: Java's "@interface", Elixir's "@type t".
func declares(b []byte, n int) bool {
	switch string(b[:n]) {
	case "@interface":
		return true
	case "@type", "@typep", "@opaque", "@callback", "@macrocallback":
		return n < len(b) && b[n] == ' '
	}
	return false
}

func isNamePart(c byte) bool {
	return c == '_' || c == '.' || c == ':' || c == '$' || c >= utf8.RuneSelf ||
		'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// bracketLen returns the length of what b's first byte opens, to the bracket
// that closes it; 0 when none does.
func bracketLen(b []byte) int {
	open := 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; c {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			if open--; open == 0 {
				return i + 1
			}
		case '"', '\'', '`':
			i += quotedLen(b[i:]) - 1
		}
	}
	return 0
}

// quotedLen returns the length of the quoted text that b begins with; 1 when
// it is not closed in its line.
func quotedLen(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '\n', '\r':
			return 1
		case b[0]:
			return i + 1
		}
	}
	return 1
}

// signature returns the head of a definition in one line: as written, but for
// comments, and without what opens the body.
func signature(l *syntax.Language, src []byte, d *syntax.Definition, head text.Offset) string {
	end := max(d.Body, head)
	if nameless := end <= d.NameSpan.Start; nameless && bytes.IndexByte(src[end:d.NameSpan.Start], '{') < 0 {
		end = d.Span.End
	}
	written := src[head:min(end, head+maxHead, len(src))]
	if end >= d.Span.End && !d.Kind.IsFunction() {
		written = firstLine(written, d.NameSpan.End-head)
	}
	s := collapse(l, written)
	if len(s) > maxSignature {
		return cut(s, maxSignature)
	}
	return withoutOpener(s, d.Name)
}

// firstLine returns the first line of b, but at least the line that byte least
// stands in front of.
func firstLine(b []byte, least int) []byte {
	least = min(max(least, 0), len(b))
	if n := bytes.IndexAny(b[least:], "\r\n"); n >= 0 {
		return b[:least+n]
	}
	return b
}

// collapse returns b with each run of blanks and comments as one blank. It
// may stop where the result is too long for a signature.
func collapse(l *syntax.Language, b []byte) string {
	b = bytes.TrimRight(b, " \t\r\n\f\v")
	if isCollapsed(l, b) {
		return string(b[:min(len(b), maxSignature+1)])
	}
	var out strings.Builder
	blank, last := false, byte(0)
	for i := 0; i < len(b) && out.Len() <= maxSignature; {
		c := b[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' {
			blank = true
			i++
			continue
		}
		if n := commentLen(l, b[i:]); n > 0 && (blank || i == 0) {
			blank = true
			i += n
			continue
		}
		if blank && out.Len() > 0 && last != '(' && last != '[' && c != ')' && c != ']' {
			out.WriteByte(' ')
		}
		blank, last = false, c
		n := 1
		if c == '"' || c == '`' {
			n = quotedLen(b[i:])
		}
		out.Write(b[i : i+n])
		i += n
	}
	return strings.ToValidUTF8(out.String(), "")
}

// isCollapsed tells that collapse would give b as it is, as for most heads.
func isCollapsed(l *syntax.Language, b []byte) bool {
	last := byte('(') // no blank may follow
	for i, c := range b[:min(len(b), maxSignature+1)] {
		switch {
		case c < ' ', c >= utf8.RuneSelf:
			return false
		case c == ' ' && (last == ' ' || last == '(' || last == '['),
			last == ' ' && (c == ')' || c == ']'):
			return false
		case (i == 0 || last == ' ') && commentLen(l, b[i:]) > 0:
			return false
		}
		last = c
	}
	return true
}

// commentLen returns the length of the comment that b begins with; 0 is none.
func commentLen(l *syntax.Language, b []byte) int {
	if l == nil {
		return 0
	}
	for _, mark := range l.Comments.Block {
		if bytes.HasPrefix(b, []byte(mark[0])) {
			if n := bytes.Index(b[len(mark[0]):], []byte(mark[1])); n >= 0 {
				return len(mark[0]) + n + len(mark[1])
			}
			return len(b)
		}
	}
	for _, mark := range l.Comments.Line {
		if bytes.HasPrefix(b, []byte(mark)) {
			if n := bytes.IndexAny(b, "\r\n"); n >= 0 {
				return n
			}
			return len(b)
		}
	}
	return 0
}

// openers are what a head ends with before its body, or its next sibling.
var openers = [...]string{"{", ":=", ":", "=>", "->", "=", "(", "[", ";", ",", " do", " then"}

// withoutOpener cuts openers off the end of s, but never off the name: "==" is
// one.
func withoutOpener(s, name string) string {
	for !strings.HasSuffix(s, name) {
		shorter := s
		for _, o := range openers {
			shorter = strings.TrimRight(strings.TrimSuffix(shorter, o), " ")
		}
		if shorter == s {
			break
		}
		s = shorter
	}
	return s
}

// cut shortens s to at most limit bytes, at a character.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit - len(ellipsis)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimRight(s[:end], " ") + ellipsis
}
