package syntax

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// maxNameBytes is where a name is cut.
const maxNameBytes = 120

// fullName returns the name of record i, of all its parts.
func (a *assembly) fullName(i int) string {
	r := &a.records[i]
	name := strings.TrimLeft(a.name(r.name), r.rule.Trim)
	if r.rule.Join == "" {
		return name
	}
	for _, more := range a.records[i+1:] {
		if !more.part {
			break
		}
		name += r.rule.Join + a.name(more.name)
	}
	return name
}

// name returns the text at s as a name: without quotes, in one line.
func (a *assembly) name(s text.Span) string {
	if s.End == 0 {
		return ""
	}
	return cleanName(a.src[s.Start:s.End])
}

func cleanName(b []byte) string {
	b = bytes.TrimSpace(b[:min(len(b), 4*maxNameBytes)])
	if isQuoted(b) {
		b = bytes.TrimSpace(b[1 : len(b)-1])
	}
	name := string(b)
	if bytes.ContainsAny(b, " \t\r\n\v\f") {
		name = strings.Join(strings.Fields(name), " ")
	}
	return cutName(strings.ToValidUTF8(name, ""))
}

// isQuoted tells that b is one quotation, and does not only begin and end
// with one each.
func isQuoted(b []byte) bool {
	if len(b) < 2 || b[0] != '"' && b[0] != '\'' && b[0] != '`' || b[len(b)-1] != b[0] {
		return false
	}
	for i := 1; i < len(b)-1; i++ {
		switch {
		case b[i] == '\\':
			i++
		case b[i] == b[0]:
			if i++; b[i] != b[0] || i == len(b)-1 { // one that is not doubled
				return false
			}
		}
	}
	return true
}

func cutName(name string) string {
	if len(name) <= maxNameBytes {
		return name
	}
	end := maxNameBytes
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

func isCaps(name string) bool {
	upper := false
	for _, r := range name {
		if unicode.IsLower(r) {
			return false
		}
		upper = upper || unicode.IsUpper(r)
	}
	return upper
}

// narrowed returns where in s the name stands, if it does in so many words.
func narrowed(src []byte, s text.Span, name string) text.Span {
	within := src[s.Start:min(s.End, s.Start+4*maxNameBytes)]
	if at := bytes.Index(within, []byte(name)); name != "" && at >= 0 {
		return text.Span{Start: s.Start + at, End: s.Start + at + len(name)}
	}
	return s
}
