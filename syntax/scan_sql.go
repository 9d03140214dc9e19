package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// SQL has as many languages as databases, and its grammar knows a part of one:
// no procedures, no bodies in another language, no MySQL, no SQL Server. Where
// it fails a text is read token by token, for what its CREATEs create.

var sqlComments = Comments{Line: []string{"--", "#"}, Block: [][2]string{{"/*", "*/"}}}

// sqlReader is the reading of one text.
type sqlReader struct {
	src       []byte
	at        text.Offset
	delimiter string // what ends a statement, set by MySQL's DELIMITER; "" for ";"
	depth     int    // of routines within routines
	budget    int    // bytes that may still be searched in vain
	out       []Definition
}

// Bounds that only hostile texts meet.
const (
	maxNesting     = 100 // definitions within definitions
	maxVainSearch  = 20  // how often a text is gone through for what is not there
	maxBracketName = 200 // bytes of a name in brackets
)

// definitionsOfSQL finds what a text in any SQL creates.
func definitionsOfSQL(src []byte) []Definition {
	r := &sqlReader{src: src, budget: maxVainSearch * len(src)}
	for {
		t := r.next()
		switch {
		case t.kind == 0:
			return rearrange(r.out)
		case t.kind != 'a':
		case r.is(t, "create"):
			r.create(t)
		case r.is(t, "copy"):
			r.copyData()
		}
	}
}

// sqlToken is a word ('a'), a quoted name ('n'), a string ('s'), the end of a
// statement (';'), of a batch ('\n'), or of the text (0), or a mark.
type sqlToken struct {
	text.Span
	kind byte
}

func (r *sqlReader) is(t sqlToken, words ...string) bool {
	if t.kind != 'a' {
		return false
	}
	for _, w := range words {
		if len(w) == t.Len() && strings.EqualFold(string(r.src[t.Start:t.End]), w) {
			return true
		}
	}
	return false
}

// peek returns the token that comes next.
func (r *sqlReader) peek() sqlToken {
	at, delimiter := r.at, r.delimiter
	t := r.next()
	r.at, r.delimiter = at, delimiter
	return t
}

// next returns the token at or behind the reader's place and goes behind it.
func (r *sqlReader) next() sqlToken {
	for r.at < len(r.src) {
		start, c := r.at, r.src[r.at]
		switch {
		case c <= ' ':
			r.at++
		case r.startsLine() && r.lineToken():
			return sqlToken{text.Span{Start: start, End: r.at}, '\n'}
		case r.delimiter != "" && bytes.HasPrefix(r.src[start:], []byte(r.delimiter)):
			r.at += len(r.delimiter)
			return sqlToken{text.Span{Start: start, End: r.at}, '\n'}
		case r.commentLen() > 0:
			r.at += r.commentLen()
		default:
			return r.token()
		}
	}
	return sqlToken{text.Span{Start: r.at, End: r.at}, 0}
}

// commentLen returns how long the comment at the reader's place is. "#" begins
// one only for MySQL, and there at a line's beginning mostly.
func (r *sqlReader) commentLen() int {
	if r.src[r.at] == '#' && !r.startsLine() {
		return 0
	}
	return sqlComments.lenAt(r.src[r.at:])
}

func (r *sqlReader) startsLine() bool { return r.at == 0 || isLineEnd(r.src[r.at-1]) }

// lineToken goes over a line that speaks to the program that runs the
// statements, where there is one here: "GO", "/", "DELIMITER //", "\connect".
func (r *sqlReader) lineToken() bool {
	line := bytes.TrimSpace(r.src[r.at : r.at+lineLen(r.src[r.at:])])
	word, rest, _ := bytes.Cut(line, []byte(" "))
	switch {
	case len(line) == 0:
		return false
	case line[0] == '\\', string(line) == "/":
	case strings.EqualFold(string(word), "go") && len(bytes.Trim(rest, " 0123456789;")) == 0:
	case strings.EqualFold(string(word), "delimiter"):
		if r.delimiter = string(bytes.TrimSpace(rest)); r.delimiter == ";" {
			r.delimiter = ""
		}
	default:
		return false
	}
	r.at += lineLen(r.src[r.at:])
	return true
}

func (r *sqlReader) token() sqlToken {
	start, c := r.at, r.src[r.at]
	kind := c
	switch {
	case isWordByte(c) || c == '@' || c == '#':
		r.at += max(1, wordLenWith(r.src[start:], '@'))
		for r.at < len(r.src) && (isWordByte(r.src[r.at]) || r.src[r.at] == '$' || r.src[r.at] == '#') {
			r.at++
		}
		kind = 'a'
	case c == '\'':
		r.at, kind = r.stringEnd(), 's'
	case c == '"' || c == '`':
		r.at, kind = quotedEnd(r.src, start), 'n'
	case c == '[' && r.bracketEnd() > 0:
		r.at, kind = r.bracketEnd(), 'n'
	case c == '$' && r.dollarEnd() > 0:
		r.at, kind = r.dollarEnd(), 's'
	default:
		r.at++
	}
	return sqlToken{text.Span{Start: start, End: r.at}, kind}
}

// stringEnd returns the end of the string at the reader's place. A quote is in
// it where it is doubled, and after a backslash if the string goes on there.
func (r *sqlReader) stringEnd() text.Offset {
	for i := r.at + 1; i < len(r.src); i++ {
		switch r.src[i] {
		case '\'':
			if i+1 == len(r.src) || r.src[i+1] != '\'' {
				return i + 1
			}
			i++
		case '\\':
			if i+2 < len(r.src) && (r.src[i+1] == '\\' || bytes.IndexByte([]byte(",;)\r\n"), r.src[i+2]) < 0) {
				i++
			}
		}
	}
	return len(r.src)
}

// bracketEnd returns the end of the name in brackets at the reader's place; 0
// where there is something else, as an array's index.
func (r *sqlReader) bracketEnd() text.Offset {
	n := bytes.IndexAny(r.src[r.at:min(len(r.src), r.at+maxBracketName)], "]\r\n,'")
	if n < 2 || r.src[r.at+n] != ']' || r.at > 0 && (isWordByte(r.src[r.at-1]) || r.src[r.at-1] == ']') {
		return 0
	}
	return r.at + n + 1
}

// dollarEnd returns the end of "$$…$$" or "$tag$…$tag$" at the reader's place;
// 0 where there is none.
func (r *sqlReader) dollarEnd() text.Offset {
	rest := r.src[r.at+1:]
	n := wordLen(rest)
	if n >= len(rest) || rest[n] != '$' {
		return 0
	}
	tag := r.src[r.at : r.at+n+2]
	end := r.find(r.at+len(tag), tag)
	if end < 0 {
		return 0
	}
	return end + len(tag)
}

// find returns where a text begins at or behind from; -1 if nowhere, or if too
// much was searched for in vain.
func (r *sqlReader) find(from text.Offset, what []byte) text.Offset {
	if r.budget < 0 {
		return -1
	}
	if n := bytes.Index(r.src[from:], what); n >= 0 {
		return from + n
	}
	r.budget -= len(r.src) - from
	return -1
}

// copyData goes over the rows that follow "COPY … FROM stdin;".
func (r *sqlReader) copyData() {
	for last := (sqlToken{}); ; {
		t := r.next()
		if t.kind == 0 || t.kind == '\n' {
			return
		}
		if t.kind == ';' {
			if !r.is(last, "stdin") {
				return
			}
			if end := r.find(r.at, []byte("\n\\.")); end >= 0 {
				r.at = end + 1
			}
			return
		}
		last = t
	}
}
