package syntax

// Protocol Buffers' grammar knows "proto3" alone, as it was at first: an
// extension, a group, the words of "proto2" or an edition make it lose the
// rest of the file. Such texts are read token by token.

// protoReader is the reading of one text.
type protoReader struct {
	lexer
	depth int
	out   []Definition
}

// definitionsOfProto finds the definitions of a text in any of the languages
// of Protocol Buffers.
func definitionsOfProto(src []byte) []Definition {
	p := &protoReader{lexer: lexer{src: src, comments: slashComments, quotes: `"'`}}
	for p.at < len(src) {
		p.block(NoKind, "")
	}
	return rearrange(p.out)
}

// protoStatement is what stands before ";", "{" or "}".
type protoStatement struct {
	tokens []token // without what is in brackets
	end    token
}

// word returns the text of token i, "" if there is none.
func (p *protoReader) word(s *protoStatement, i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return p.text(s.tokens[i])
}

// block reads statements up to the "}" that closes it. inside is the kind of
// the definition that it is the body of, container that one's name.
func (p *protoReader) block(inside Kind, container string) {
	for {
		s := p.statement()
		if len(s.tokens) > 0 {
			p.define(&s, inside, container)
		} else if s.end.kind == '{' {
			p.closing()
		}
		if s.end.kind == '}' || s.end.kind == 0 {
			return
		}
	}
}

func (p *protoReader) statement() (s protoStatement) {
	for {
		t := p.next()
		switch t.kind {
		case 0, ';', '}':
			s.end = t
			return s
		case '{':
			if p.word(&s, 0) == "option" && p.word(&s, 1) != "=" { // a value
				p.closing()
				continue
			}
			s.end = t
			return s
		case '[', '(':
			p.closing()
		}
		s.tokens = append(s.tokens, t)
	}
}

// define makes the definition that a statement is, and reads its block.
func (p *protoReader) define(s *protoStatement, inside Kind, container string) {
	kind, name := p.kindOf(s, p.modifiers(s, inside), inside)
	if kind == NoKind {
		if s.end.kind == '{' {
			p.closing()
		}
		return
	}
	n := len(p.out)
	d := Definition{Kind: kind, Name: p.word(s, name), NameSpan: s.tokens[name].Span, Container: container, Head: s.tokens[0].Start}
	inner := d.Name
	if kind == Object {
		d.Name = "extend " + inner
	}
	d.Span.Start = leadStart(p.src, d.Head, p.comments)
	p.out = append(p.out, d)
	end := s.tokens[len(s.tokens)-1].End
	body := end
	switch s.end.kind {
	case ';':
		end, body = s.end.End, s.end.End
	case '{':
		p.inner(kind, inner)
		end, body = p.at, s.end.Start
	}
	p.out[n].Body, p.out[n].Span.End = body, end
}

// inner reads the block of a definition.
func (p *protoReader) inner(kind Kind, name string) {
	if kind == Method || p.depth == maxNesting {
		p.closing()
		return
	}
	p.depth++
	p.block(kind, name)
	p.depth--
}

// modifiers returns how many words stand before what tells what is defined.
func (p *protoReader) modifiers(s *protoStatement, inside Kind) int {
	for n := 0; ; n++ {
		switch p.word(s, n) {
		case "export", "local", "optional", "required", "repeated":
			if inside != Enum {
				continue
			}
		}
		return n
	}
}

// kindOf tells what a statement defines, and which of its tokens is the name.
func (p *protoReader) kindOf(s *protoStatement, first int, inside Kind) (kind Kind, name int) {
	opens := s.end.kind == '{'
	switch w := p.word(s, first); {
	case w == "rpc" && inside == Interface:
		return Method, min(first+1, len(s.tokens)-1)
	case opens && len(s.tokens) > first+1:
		switch w {
		case "message", "oneof", "group":
			return Struct, first + 1
		case "enum":
			return Enum, first + 1
		case "service":
			return Interface, first + 1
		case "extend":
			return Object, first + 1
		}
	case opens:
	case inside == Enum && p.word(s, first+1) == "=":
		return EnumMember, first
	case inside == Struct || inside == Object:
		for i := first + 1; i < len(s.tokens); i++ {
			if s.tokens[i].kind == '=' && s.tokens[i-1].kind == 'a' && i > first+1 && w != "option" {
				return Field, i - 1
			}
		}
	}
	return NoKind, 0
}
