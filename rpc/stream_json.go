package rpc

import (
	"fmt"

	"go.lsp.dev/jsonrpc2"
)

// checker goes over a JSON text, which has to be UTF-8, and checks its grammar,
// which the JSON-RPC library leaves to whoever decodes the values. It takes no
// memory that depends on the text, and its time is linear.
//
// An escape of half a surrogate pair (\ud800) is legal JSON, but there is no
// UTF-8 for it and decoders refuse it. It is overwritten with [halfPair], in
// place: both are one UTF-16 unit, so positions behind it stay right. A call
// that holds one is refused: it would be done with another text than its own.
// A document that is told one is unsure.
type checker struct {
	data []byte
	at   int // offset of the next byte
	// depth is the number of open containers; objects has a bit for each
	// that is set when it is an object.
	depth   int
	objects [(maxDepth + 63) / 64]uint64
	halves  bool // such an escape was passed
}

// syntax is the error for what stands at c.at. It does not quote it: logs
// hold no source text.
func (c *checker) syntax(what string) *jsonrpc2.Error {
	return jsonrpc2.NewError(jsonrpc2.ParseError, fmt.Sprintf("invalid JSON at byte %d: %s", c.at, what))
}

func (c *checker) space() {
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// peek returns the next byte that is no space, and 0 at the end.
func (c *checker) peek() byte {
	c.space()
	if c.at == len(c.data) {
		return 0
	}
	return c.data[c.at]
}

// end checks that nothing but space follows.
func (c *checker) end() *jsonrpc2.Error {
	if c.peek(); c.at != len(c.data) {
		return c.syntax("text after the value")
	}
	return nil
}

// value consumes one value and returns its bytes without space around it.
func (c *checker) value() ([]byte, *jsonrpc2.Error) {
	c.space()
	start, base := c.at, c.depth
	for {
		opened, bad := c.token()
		if bad != nil {
			return nil, bad
		}
		if opened {
			continue
		}
		if done, bad := c.follow(base); done || bad != nil {
			return c.data[start:c.at], bad
		}
	}
}

// token consumes a scalar, an empty container, or the beginning of another
// container up to its first value; then opened is true.
func (c *checker) token() (opened bool, bad *jsonrpc2.Error) {
	switch b := c.peek(); b {
	case '{', '[':
		return c.open(b == '{')
	case '"':
		_, bad = c.str()
	case 't':
		bad = c.literal("true")
	case 'f':
		bad = c.literal("false")
	case 'n':
		bad = c.literal("null")
	default:
		bad = c.number()
	}
	return false, bad
}

// open consumes the bracket at c.at and, in an object, the first name.
func (c *checker) open(object bool) (opened bool, bad *jsonrpc2.Error) {
	opened, bad = c.begin(object)
	if opened && object {
		_, bad = c.name()
	}
	return opened, bad
}

// follow consumes what may stand behind a value inside the containers above
// depth base: closing brackets, then a comma and in an object the next name.
// It is done when the containers are closed.
func (c *checker) follow(base int) (done bool, bad *jsonrpc2.Error) {
	for c.depth > base {
		object := c.inObject()
		closing := byte(']')
		if object {
			closing = '}'
		}
		more, bad := c.another(closing)
		if more && object {
			_, bad = c.name()
		}
		if more || bad != nil {
			return false, bad
		}
	}
	return true, nil
}

// enter consumes an opening bracket.
func (c *checker) enter(object bool) *jsonrpc2.Error {
	if c.depth == maxDepth {
		return jsonrpc2.NewError(jsonrpc2.ParseError, fmt.Sprintf("JSON nested deeper than %d levels", maxDepth))
	}
	word, bit := &c.objects[c.depth/64], uint64(1)<<(c.depth%64)
	if *word &^= bit; object {
		*word |= bit
	}
	c.depth++
	c.at++
	return nil
}

// leave consumes a closing bracket.
func (c *checker) leave() {
	c.depth--
	c.at++
}

func (c *checker) inObject() bool {
	top := c.depth - 1
	return c.objects[top/64]>>(top%64)&1 == 1
}

// name consumes a member's name and the colon; it returns the name with its
// quotes, as it is written.
func (c *checker) name() ([]byte, *jsonrpc2.Error) {
	if c.peek() != '"' {
		return nil, c.syntax("no member name")
	}
	name, bad := c.str()
	if bad != nil {
		return nil, bad
	}
	if c.peek() != ':' {
		return nil, c.syntax("no colon after a member name")
	}
	c.at++
	return name, nil
}

func (c *checker) literal(word string) *jsonrpc2.Error {
	if len(c.data)-c.at < len(word) || string(c.data[c.at:c.at+len(word)]) != word {
		return c.syntax("no value")
	}
	c.at += len(word)
	return nil
}

func (c *checker) number() *jsonrpc2.Error {
	c.accept('-')
	if !c.accept('0') && !c.digits() {
		return c.syntax("no value")
	}
	if c.accept('.') && !c.digits() {
		return c.syntax("a fraction without digits")
	}
	if c.accept('e') || c.accept('E') {
		_ = c.accept('+') || c.accept('-')
		if !c.digits() {
			return c.syntax("an exponent without digits")
		}
	}
	return nil
}

func (c *checker) accept(b byte) bool {
	if c.at == len(c.data) || c.data[c.at] != b {
		return false
	}
	c.at++
	return true
}

func (c *checker) digits() bool {
	start := c.at
	for c.at < len(c.data) && c.data[c.at]-'0' <= 9 {
		c.at++
	}
	return c.at > start
}

// object consumes the object at c.at. member is called behind each name,
// which has its quotes, and consumes the value.
func (c *checker) object(member func(name []byte) *jsonrpc2.Error) *jsonrpc2.Error {
	if c.peek() != '{' {
		return c.syntax("no object")
	}
	opened, bad := c.begin(true)
	for opened && bad == nil {
		name, noName := c.name()
		if noName != nil {
			return noName
		}
		if bad := member(name); bad != nil {
			return bad
		}
		opened, bad = c.another('}')
	}
	return bad
}

// array consumes the array at c.at. element is called before each element,
// and consumes it.
func (c *checker) array(element func() *jsonrpc2.Error) *jsonrpc2.Error {
	if c.peek() != '[' {
		return c.syntax("no array")
	}
	opened, bad := c.begin(false)
	for opened && bad == nil {
		if bad := element(); bad != nil {
			return bad
		}
		opened, bad = c.another(']')
	}
	return bad
}

// begin consumes an opening bracket, and the closing one of an empty
// container; then more is false.
func (c *checker) begin(object bool) (more bool, bad *jsonrpc2.Error) {
	if bad := c.enter(object); bad != nil {
		return false, bad
	}
	if next := c.peek(); next == '}' && object || next == ']' && !object {
		c.leave()
		return false, nil
	}
	return true, nil
}

// another consumes a comma, or the closing bracket; then more is false.
func (c *checker) another(closing byte) (more bool, bad *jsonrpc2.Error) {
	switch c.peek() {
	case ',':
		c.at++
		return true, nil
	case closing:
		c.leave()
		return false, nil
	default:
		return false, c.syntax("neither a comma nor the end of a container")
	}
}
