package syntax

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// newRust is what Rust has and its grammar does not know, by the words that it
// begins with. The first group is not shown; where there is a second, the text
// from it on to the end of its braces is not shown either.
var newRust = sync.OnceValue(func() []struct {
	words, with string
	find        *regexp.Regexp
} {
	return []struct {
		words, with string
		find        *regexp.Regexp
	}{
		{"safe fn", "", regexp.MustCompile(`^(safe)\s+fn`)},
		{"trait ", "type", regexp.MustCompile(`^(trait)\s+\w+\s*(?:<[^{};]*>\s*)?=`)},
		{"macro ", "mod", regexp.MustCompile(`^(macro)\s+\w+\s*([({])`)},
	}
})

// maxRustHead is how far a pattern looks, in bytes.
const maxRustHead = 200

// blanksOfRust finds what the grammar of Rust is not shown.
func blanksOfRust(src []byte, in text.Span) []blank {
	var out []blank
	for _, one := range newRust() {
		end := min(len(src), in.End+len(one.words)-1)
		for from := in.Start; from < end; from++ {
			at := bytes.Index(src[from:end], []byte(one.words))
			if at < 0 {
				break
			}
			from += at
			m := one.find.FindSubmatchIndex(src[from:min(len(src), from+maxRustHead)])
			if m == nil || from > 0 && isWordByte(src[from-1]) {
				continue
			}
			out = append(out, blank{Span: text.Span{Start: from, End: from + m[3]}, with: one.with, lead: one.with == "", far: len(m) > 4})
			if len(m) > 4 {
				for _, b := range bodyOfMacro(src, from+m[4]) {
					out = append(out, b)
					from = b.End - 1
				}
			}
		}
	}
	return out
}

// bodyOfMacro blanks a macro's parameters, from open on, if they stand before
// its braces, and what is within the braces.
func bodyOfMacro(src []byte, open text.Offset) []blank {
	var out []blank
	if src[open] == '(' {
		end := closingBrace(src, open, '(', ')')
		out = append(out, blank{Span: text.Span{Start: open, End: end}})
		open = end + len(src[end:]) - len(bytes.TrimLeft(src[end:], " \t\r\n"))
	}
	if open < len(src) && src[open] == '{' {
		if end := closingBrace(src, open, '{', '}') - 1; end > open+1 {
			out = append(out, blank{Span: text.Span{Start: open + 1, End: end}})
		}
	}
	return out
}

// closingBrace returns where the brace at open is closed, or the text's end.
func closingBrace(src []byte, open text.Offset, left, right byte) text.Offset {
	depth := 0
	for i := open; i < len(src); i++ {
		switch src[i] {
		case left:
			depth++
		case right:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(src)
}
