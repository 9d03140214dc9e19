package outline

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// locator finds places in YAML and TOML: keys by the outline, which knows where
// they end, and the items of lists by the text.
type locator struct {
	o     *Outline
	src   []byte
	scope text.Span // of the item that was gone into; all of the text
	keys  []string  // that were gone through
	found []Place   // what they name
}

// walk returns what steps name.
func (l *locator) walk(steps []step) []Place {
	for _, s := range steps {
		if s.isIndex || s.isBare {
			items := l.items()
			if i, ok := s.at(len(items)); ok {
				l.found, l.scope = items[i:i+1], text.Span{Start: items[i].Span.Start, End: items[i].reach}
				continue
			}
		}
		if s.isIndex && len(l.found) > 1 {
			return l.found // which of them is not said
		}
		if s.isIndex {
			return nil
		}
		l.keys = append(l.keys, s.key)
		l.found = l.named()
	}
	return l.found
}

// named returns the symbols in the scope that the keys name. A key of TOML may
// hold points itself, and what belongs to a table may stand anywhere.
func (l *locator) named() (found []Place) {
	path := strings.Join(l.keys, ".")
	last := path[strings.LastIndexByte(path, '.')+1:]
	for i := range l.o.Symbols {
		s := &l.o.Symbols[i]
		within := s.Span.Start >= l.scope.Start && s.Span.End <= l.scope.End
		if within && strings.HasSuffix(bareKey(s.Name), last) && l.pathOf(i) == path {
			found = append(found, Place{Span: s.Span, Kind: s.Kind, name: s.NameSpan})
		}
	}
	return found
}

// pathOf returns the keys down to symbol i, joined by points.
func (l *locator) pathOf(i int) string {
	var keys []string
	for ; i >= 0; i = l.o.Symbols[i].Parent {
		keys = append(keys, bareKey(l.o.Symbols[i].Name))
	}
	slices.Reverse(keys)
	return strings.Join(keys, ".")
}

// bareKey returns a key without the quotation marks around its parts.
func bareKey(name string) string {
	return strings.NewReplacer(`"`, "", `'`, "").Replace(name)
}

// items returns those of the list that was found: tables of one name in TOML, or
// what stands in brackets or behind dashes.
func (l *locator) items() []Place {
	if tables := l.tables(); len(tables) > 0 || len(l.found) > 1 {
		return tables
	}
	value := l.scope
	if len(l.found) == 1 {
		value = l.found[0].Span
	}
	switch {
	case len(l.found) == 1 && l.found[0].name.Len() > 0:
		value.Start = l.found[0].name.End
		value.Start += 1 + bytes.IndexAny(l.src[value.Start:value.End], ":=")
	case len(l.found) == 1 && isDash(l.src[value.Start:value.End]):
		value.Start++
	case len(l.keys) > 0 && len(l.found) == 0:
		return nil
	}
	value.Start += leadLen(l.src[value.Start:value.End])
	switch rest := l.src[value.Start:value.End]; {
	case isDash(rest):
		return dashItems(l.src, value)
	case bytes.HasPrefix(rest, []byte("[")):
		return bracketItems(l.src, value)
	}
	return nil
}

// tables returns the tables of an array of TOML's, each up to the next.
func (l *locator) tables() (tables []Place) {
	for i, p := range l.found {
		if !bytes.HasSuffix(bytes.TrimRight(l.src[:p.name.Start], " \t"), []byte("[[")) {
			return nil
		}
		p.name, p.reach = text.Span{}, l.scope.End
		if i+1 < len(l.found) {
			p.reach = l.found[i+1].Span.Start
		}
		tables = append(tables, p)
	}
	return tables
}

// isDash reports whether b begins as an item of YAML does.
func isDash(b []byte) bool {
	return len(b) > 0 && b[0] == '-' && (len(b) == 1 || strings.IndexByte(" \t\r\n", b[1]) >= 0)
}

// leadLen returns the length of what may stand before a value: blanks, comments,
// anchors, tags, the mark that begins a document.
func leadLen(b []byte) int {
	n := 0
	for n < len(b) {
		switch {
		case strings.IndexByte(" \t\r\n", b[n]) >= 0:
			n++
		case b[n] == '#', b[n] == '%', bytes.HasPrefix(b[n:], []byte("---")):
			n += restLen(b[n:], "\r\n")
		case b[n] == '&', b[n] == '!':
			n += restLen(b[n:], " \t\r\n")
		default:
			return n
		}
	}
	return n
}

// restLen returns how far it is to one of the bytes of ends, or the end.
func restLen(b []byte, ends string) int {
	if n := bytes.IndexAny(b, ends); n >= 0 {
		return n
	}
	return len(b)
}

// dashItems returns the items of a list of YAML that begins where list does:
// each begins with a dash in the first one's column.
func dashItems(src []byte, list text.Span) (items []Place) {
	column := list.Start - (bytes.LastIndexAny(src[:list.Start], "\r\n") + 1)
	begin := list.Start
	end := func(at int) { items = append(items, item(src, text.Span{Start: begin, End: at})) }
	for at := list.Start + restLen(src[list.Start:list.End], "\r\n"); at < list.End; {
		at++ // the line's end
		line := src[at : at+restLen(src[at:list.End], "\r\n")]
		words := bytes.TrimLeft(line, " ")
		switch indent := len(line) - len(words); {
		case len(words) == 0 || words[0] == '#' || indent > column:
		case indent == column && isDash(words):
			end(at)
			begin = at + indent
		default:
			end(at)
			return items
		}
		at += len(line)
	}
	end(list.End)
	return items
}

// bracketItems returns the items of a list in brackets.
func bracketItems(src []byte, list text.Span) (items []Place) {
	depth, begin, opens := 0, list.Start+1, true // opens: a quotation mark would begin a text
	for at := list.Start; at < list.End; at++ {
		switch c := src[at]; {
		case c == '[' || c == '{':
			depth++
			opens = true
			continue
		case (c == '"' || c == '\'') && opens:
			at = min(textEnd(src[:list.End], at), list.End-1)
		case c == '#' && (at == 0 || strings.IndexByte(" \t\r\n", src[at-1]) >= 0):
			at += restLen(src[at:list.End], "\r\n")
			continue
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return appendItem(items, src, text.Span{Start: begin, End: at})
			}
		case c == ',' && depth == 1:
			items = appendItem(items, src, text.Span{Start: begin, End: at})
			begin = at + 1
		}
		if c := src[at]; strings.IndexByte(" \t\r\n", c) < 0 {
			opens = strings.IndexByte(",:='", c) >= 0 // two apostrophes are one within a text
		}
	}
	return items // it is not closed
}

// textEnd returns where the quotation mark stands that ends the text which begins at i.
func textEnd(src []byte, i int) int {
	if src[i] == '"' {
		return stringEnd(src, i)
	}
	return i + 1 + restLen(src[i+1:], "'")
}

func appendItem(items []Place, src []byte, span text.Span) []Place {
	span.Start += leadLen(src[span.Start:span.End])
	if span.Start == span.End {
		return items // behind the last comma
	}
	return append(items, item(src, span))
}

// item returns the item that stands in a span, without the blanks behind it.
func item(src []byte, span text.Span) Place {
	body := bytes.TrimRight(src[span.Start:span.End], " \t\r\n")
	end := span.Start + len(body)
	p := Place{Span: text.Span{Start: span.Start, End: end}, Kind: syntax.Key, reach: end}
	switch {
	case body[0] == '{':
		p.Kind = syntax.Object
	case body[0] == '[':
		p.Kind = syntax.Array
	}
	return p
}
