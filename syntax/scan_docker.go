package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// A Dockerfile's grammar loses the rest of the file at several names in one
// ARG, at comments and empty lines within an instruction, and at new flags.
// Then the file is read instruction by instruction.

// dockerReader is the reading of one file.
type dockerReader struct {
	src    []byte
	escape byte // what goes on in the next line: "\", or "`" on Windows
	out    []Definition
	stage  int // index of the stage, -1 before the first
	budget int // bytes that may still be searched in vain
}

// definitionsOfDocker finds the stages of a Dockerfile and what they set.
func definitionsOfDocker(src []byte) []Definition {
	r := &dockerReader{src: src, escape: '\\', stage: -1, budget: maxVainSearch * len(src)}
	for at := 0; at < len(src); {
		at = r.instruction(at)
	}
	r.closeStage(len(bytes.TrimRight(src, " \t\r\n")))
	return rearrange(r.out)
}

// instruction reads the one that begins in the line at at, or the comment or
// empty line there, and returns where the next line begins.
func (r *dockerReader) instruction(at text.Offset) text.Offset {
	line := r.src[at : at+lineLen(r.src[at:])]
	words := bytes.TrimLeft(line, " \t")
	start := at + len(line) - len(words)
	if len(words) == 0 || words[0] == '#' {
		r.directive(words)
		return r.after(at + len(line))
	}
	keyword := strings.ToUpper(string(words[:wordLen(words)]))
	parts, end := r.parts(start + len(keyword))
	switch keyword {
	case "FROM":
		r.from(start, parts)
	case "ARG", "ENV":
		r.pairs(Variable, start, parts)
	case "LABEL":
		r.pairs(Key, start, parts)
	case "RUN", "COPY", "ADD":
		end = r.skipHeredocs(parts, end)
	}
	return end
}

// directive minds a comment like "# escape=`".
func (r *dockerReader) directive(comment []byte) {
	name, value, found := bytes.Cut(bytes.TrimLeft(comment, "# \t"), []byte("="))
	if value = bytes.TrimSpace(value); found && strings.EqualFold(string(bytes.TrimSpace(name)), "escape") && len(value) == 1 {
		r.escape = value[0]
	}
}

// after returns where the line after the one that ends at end begins.
func (r *dockerReader) after(end text.Offset) text.Offset { return end + lineEndLen(r.src[end:]) }

// parts divides what stands from at to the end of an instruction at blanks
// outside of quotes. It returns where the next instruction may begin.
func (r *dockerReader) parts(at text.Offset) (parts []text.Span, next text.Offset) {
	for at < len(r.src) {
		c := r.src[at]
		switch {
		case isLineEnd(c):
			return parts, r.after(at)
		case isBlank(c):
			at++
		case r.continues(at):
			at = r.overComments(at + 1)
		default:
			end := r.partEnd(at)
			parts, at = append(parts, text.Span{Start: at, End: end}), end
		}
	}
	return parts, at
}

// continues tells that only the end of the line follows the escape at at.
func (r *dockerReader) continues(at text.Offset) bool {
	if r.src[at] != r.escape {
		return false
	}
	rest := at + 1
	for rest < len(r.src) && isBlank(r.src[rest]) {
		rest++
	}
	return rest == len(r.src) || isLineEnd(r.src[rest])
}

// overComments goes behind the end of the line, and behind comments and empty
// lines that follow it.
func (r *dockerReader) overComments(at text.Offset) text.Offset {
	at = r.after(at + lineLen(r.src[at:]))
	for at < len(r.src) {
		line := r.src[at : at+lineLen(r.src[at:])]
		if words := bytes.TrimLeft(line, " \t"); len(words) > 0 && words[0] != '#' {
			return at
		}
		at = r.after(at + len(line))
	}
	return at
}

func (r *dockerReader) partEnd(at text.Offset) text.Offset {
	for at < len(r.src) && !isBlank(r.src[at]) && !isLineEnd(r.src[at]) && !r.continues(at) {
		switch c := r.src[at]; {
		case c == r.escape && at+1 < len(r.src):
			at += 2
		case c == '"' || c == '\'':
			at = quotedEnd(r.src, at)
		default:
			at++
		}
	}
	return min(at, len(r.src))
}

// from opens a stage.
func (r *dockerReader) from(start text.Offset, parts []text.Span) {
	for len(parts) > 0 && bytes.HasPrefix(r.src[parts[0].Start:], []byte("--")) {
		parts = parts[1:]
	}
	if len(parts) == 0 {
		return
	}
	name := parts[0]
	if len(parts) > 2 && strings.EqualFold(string(r.src[parts[1].Start:parts[1].End]), "as") {
		name = parts[2]
	}
	end := parts[len(parts)-1].End
	d := r.definition(Module, name, start, end)
	r.closeStage(skipBlankLinesBack(r.src, d.Span.Start))
	r.stage = len(r.out)
	r.out = append(r.out, d)
}

func (r *dockerReader) definition(kind Kind, name text.Span, start, end text.Offset) Definition {
	return Definition{
		Kind: kind, Name: cleanName(r.src[name.Start:name.End]), NameSpan: name,
		Head: start, Body: end, Span: text.Span{Start: leadStart(r.src, start, hashComments), End: end},
	}
}

// closeStage ends the open stage.
func (r *dockerReader) closeStage(end text.Offset) {
	if r.stage >= 0 {
		r.out[r.stage].Span.End = max(end, r.out[r.stage].Body)
	}
}

func skipBlankLinesBack(src []byte, at text.Offset) text.Offset {
	return len(bytes.TrimRight(src[:at], " \t\r\n"))
}

// pairs makes definitions of "A=1 B=2", and of "A 1".
func (r *dockerReader) pairs(kind Kind, start text.Offset, parts []text.Span) {
	for i, p := range parts {
		key, _, found := bytes.Cut(r.src[p.Start:p.End], []byte("="))
		name := text.Span{Start: p.Start, End: p.Start + len(key)}
		if i > 0 {
			start = p.Start
		}
		if i == 0 && !found && len(parts) > 1 && r.src[parts[0].Start] != '"' && !r.isArg(start) {
			r.out = append(r.out, r.definition(kind, name, start, parts[len(parts)-1].End))
			return
		}
		r.out = append(r.out, r.definition(kind, name, start, p.End))
	}
}

func (r *dockerReader) isArg(start text.Offset) bool { return r.src[start]|' ' == 'a' }

// skipHeredocs returns where the lines end that belong to the "<<EOF"s among
// an instruction's parts.
func (r *dockerReader) skipHeredocs(parts []text.Span, at text.Offset) text.Offset {
	for _, p := range parts {
		mark, found := bytes.CutPrefix(r.src[p.Start:p.End], []byte("<<"))
		if !found {
			continue
		}
		word := bytes.Trim(bytes.TrimPrefix(mark, []byte("-")), `"'`)
		if len(word) == 0 || !isWordByte(word[0]) {
			continue
		}
		at = r.heredocEnd(at, word)
	}
	return at
}

func (r *dockerReader) heredocEnd(at text.Offset, word []byte) text.Offset {
	for from := at; from < len(r.src) && r.budget > 0; {
		line := r.src[from : from+lineLen(r.src[from:])]
		from = r.after(from + len(line))
		if bytes.Equal(bytes.TrimLeft(line, "\t"), word) {
			return from
		}
	}
	r.budget -= len(r.src) - at
	return at // none such: it was no heredoc
}
