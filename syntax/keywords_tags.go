package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// tags finds the elements of a markup that have an identity.
type tags struct {
	*scanner
	names []tag // of the elements that are open
	html  bool
}

// tag is an element that is open.
type tag struct {
	name  string
	holds bool // it is a definition
}

func scanXML(s *scanner)  { (&tags{scanner: s}).scan() }
func scanHTML(s *scanner) { (&tags{scanner: s, html: true}).scan() }

func (t *tags) scan() {
	for t.at < t.end {
		n := bytes.IndexByte(t.src[t.at:t.end], '<')
		if n < 0 {
			t.steps += t.end - t.at
			t.at = t.end
			return
		}
		t.steps += n
		t.at += n
		t.tag()
	}
}

// tag goes past what begins with "<".
func (t *tags) tag() {
	rest := t.src[t.at:t.end]
	from := t.at
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		t.at = skipPast(t.src, t.at+4, t.end, "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		t.at = skipPast(t.src, t.at, t.end, "]]>")
	case len(rest) > 2 && rest[1] == '/':
		t.closeTag()
	case len(rest) > 1 && isWordByte(rest[1]):
		t.openTag()
	default:
		t.at++
	}
	t.steps += t.at - from
}

func (t *tags) nameEnd(at int) int {
	for at < t.end && (isWordByte(t.src[at]) || strings.IndexByte("-.:", t.src[at]) >= 0) && t.src[at] != 0 {
		at++
	}
	return at
}

// openTag reads an opening tag and opens the element.
func (t *tags) openTag() {
	head := t.at
	nameEnd := t.nameEnd(head + 1)
	name := string(t.src[head+1 : min(nameEnd, t.within(head+1+maxNameBytes))])
	id, end := t.attributes(nameEnd)
	closed := t.src[end-1] == '/' || t.html && isVoid(name)
	t.at = end
	if end < t.end && t.src[end] == '>' {
		t.at++
	}
	holds := t.openElement(name, id, head)
	switch {
	case closed && holds:
		t.pop(t.at)
		t.code = t.at
	case closed:
	case len(t.names) < maxOpen:
		t.names = append(t.names, tag{name, holds})
	case holds:
		t.pop(t.at)
	}
	if t.html && !closed && (name == "script" || name == "style") {
		from := t.at
		t.at = t.rawEnd(name)
		t.embed(name, string(t.src[head:from]), text.Span{Start: from, End: t.at})
	}
}

// openElement opens the definition that an element is, if it is one.
func (t *tags) openElement(name string, id text.Span, head int) bool {
	kind, label, at := t.identify(name, id, head)
	if kind == NoKind || !t.define(match{pattern: namePatterns[kind], head: head, name: at}, len(t.names)) {
		return false
	}
	if o := t.top(); o.def >= 0 {
		t.defs[o.def].Name, t.defs[o.def].Body = label, t.at
	}
	return true
}

// embed adds what is defined in a script or in styles.
func (t *tags) embed(element, tag string, span text.Span) {
	language := "css"
	switch {
	case element == "script" && strings.Contains(tag, "json"):
		return
	case element == "script" && (strings.Contains(tag, `"ts"`) || strings.Contains(tag, `"tsx"`)):
		language = "typescript"
	case element == "script":
		language = "javascript"
	case strings.Contains(tag, `"scss"`) || strings.Contains(tag, `"less"`):
		language = "scss"
	}
	parent, first := t.parent(), len(t.defs)
	inner := t.another(ByName(language), t.src, span)
	inner.scan()
	found := inner.finish()
	t.steps += inner.steps
	for _, d := range found[:min(len(found), maxDefinitions-first)] {
		if d.Parent += first; d.Parent < first {
			d.Parent = parent
		}
		if parent >= 0 {
			d.Depth += t.defs[parent].Depth + 1
			if d.Container == "" {
				d.Container = t.defs[parent].Name
			}
		}
		t.defs = append(t.defs, d)
	}
}

func (t *tags) rawEnd(name string) int {
	n := bytes.Index(t.src[t.at:t.end], []byte("</"+name))
	if n < 0 {
		return t.end
	}
	return t.at + n
}

// attributes returns the value of the attribute that identifies the element,
// and where the tag ends.
func (t *tags) attributes(at int) (id text.Span, end int) {
	name := text.Span{}
	for at < t.end && t.src[at] != '>' && t.src[at] != '<' {
		c := t.src[at]
		switch {
		case c == '"' || c == '\'':
			n := bytes.IndexByte(t.src[at+1:t.end], c)
			if n < 0 {
				return id, t.end
			}
			if t.isIdentity(name) && n > 0 && n <= maxNameBytes {
				id = text.Span{Start: at + 1, End: at + 1 + n}
			}
			at += n + 2
		case isWordByte(c):
			end := t.nameEnd(at)
			name, at = text.Span{Start: at, End: end}, end
		default:
			at++
		}
	}
	return id, at
}

func (t *tags) isIdentity(name text.Span) bool {
	switch string(t.src[name.Start:name.End]) {
	case "id", "xml:id":
		return true
	case "name", "x:Name", "android:id":
		return !t.html
	}
	return false
}

// identify tells what an element is.
func (t *tags) identify(name string, id text.Span, head int) (kind Kind, label string, at text.Span) {
	at = text.Span{Start: head + 1, End: head + 1 + len(name)}
	if t.html {
		switch name {
		case "h1", "h2", "h3", "h4", "h5", "h6":
			if label, at = t.heading(name); label != "" {
				kind = String
			}
			return kind, label, at
		case "header", "nav", "main", "aside", "footer", "section", "article", "form", "dialog":
			kind, label = Object, name
		}
	}
	if id.Len() > 0 {
		return Object, strings.ToValidUTF8(name, "") + "#" + cleanName(t.src[id.Start:id.End]), id
	}
	return kind, label, at
}

// heading returns the text of the heading whose tag has been passed.
func (t *tags) heading(name string) (label string, at text.Span) {
	content := t.src[t.at:t.within(t.at+maxPatternBytes)]
	n := bytes.Index(content, []byte("</"+name))
	if n < 0 {
		return "", at
	}
	var words []byte
	inTag := false
	for _, c := range content[:n] {
		switch {
		case c == '<' || c == '>':
			inTag = c == '<'
		case !inTag:
			words = append(words, c)
		}
	}
	return cleanName(words), text.Span{Start: t.at, End: t.at + n}
}

// closeTag closes the element whose end this is, and those in it that were
// left open.
func (t *tags) closeTag() {
	const nearby = 64
	nameEnd := t.nameEnd(t.at + 2)
	name := string(t.src[t.at+2 : min(nameEnd, t.at+2+maxNameBytes)])
	before := t.at
	t.at = skipPast(t.src, nameEnd, min(t.end, nameEnd+maxPatternBytes), ">")
	for i := len(t.names) - 1; i >= max(0, len(t.names)-nearby); i-- {
		if t.names[i].name != name {
			continue
		}
		for len(t.names) > i {
			end := before
			if len(t.names)-1 == i {
				end = t.at
			}
			if t.names[len(t.names)-1].holds {
				t.pop(end)
			}
			t.names = t.names[:len(t.names)-1]
		}
		t.code = t.at
		return
	}
}

// isVoid tells the elements of HTML that have no end.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr":
		return true
	}
	return false
}
