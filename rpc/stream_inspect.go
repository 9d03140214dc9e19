package rpc

import (
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
)

// inspected is what becomes of a message: exactly one of frame, refused and
// dropped is set.
type inspected struct {
	frame   []byte          // for the library, which is known to take it
	owes    bool            // the frame gets one answer
	refused *jsonrpc2.Error // the answer to a message that the library does not see
	id      jsonrpc2.ID     // whom the refusal answers; null when that cannot be told
	answer  bool            // the frame answers a call of ours
	dropped string          // why nothing is done
}

// inspect checks a message: its JSON, and its envelope against JSON-RPC 2.0.
// It may change body in place; the frame may share its bytes.
func inspect(body []byte) inspected {
	if !utf8.Valid(body) {
		return inspected{refused: jsonrpc2.NewError(jsonrpc2.ParseError, "the message is not valid UTF-8")}
	}
	c := checker{data: body}
	if c.peek() == '[' {
		return c.batch()
	}
	in, bad := c.message()
	if bad == nil {
		bad = c.end()
	}
	if bad != nil {
		return inspected{refused: bad}
	}
	return in
}

// message consumes a message and judges it. The error is one of the JSON,
// after which nothing can be told about the rest.
func (c *checker) message() (inspected, *jsonrpc2.Error) {
	if c.peek() != '{' {
		_, bad := c.value()
		return inspected{refused: invalid("a message is an object")}, bad
	}
	start := c.at
	c.halves = false
	env, bad := c.envelope()
	if bad != nil {
		return inspected{}, bad
	}
	in := env.judge(c.data[start:c.at])
	if in.owes && c.halves {
		// What was asked would be done with another text than the caller's.
		return inspected{refused: jsonrpc2.NewError(jsonrpc2.InvalidParams, "a string holds half of a surrogate pair, which is no character"), id: decodeID(env.values[memberID])}, nil
	}
	return in, nil
}

// batch inspects an array of messages. Refused ones are handed on as {}, so
// that the library puts the refusal among the answers. Answers are dropped:
// no batch was sent that they could answer.
func (c *checker) batch() inspected {
	members, bad := c.members()
	if bad != nil {
		return inspected{refused: bad}
	}
	batch := inspected{frame: make([]byte, 0, len(c.data)+2)}
	for _, member := range members {
		switch {
		case member.refused != nil:
			batch.owes = true
			batch.frame = append(batch.frame, ",{}"...)
		case member.dropped == "" && !member.answer:
			batch.owes = batch.owes || member.owes
			batch.frame = append(append(batch.frame, ','), member.frame...)
		}
	}
	if len(batch.frame) == 0 {
		return inspected{dropped: "a batch of answers"}
	}
	batch.frame[0] = '['
	batch.frame = append(batch.frame, ']')
	return batch
}

// members inspects the messages of the array at c.at.
func (c *checker) members() ([]inspected, *jsonrpc2.Error) {
	var members []inspected
	bad := c.array(func() *jsonrpc2.Error {
		if len(members) == maxBatch {
			return invalid("a batch of too many messages")
		}
		member, bad := c.message()
		members = append(members, member)
		return bad
	})
	if bad == nil {
		bad = c.end()
	}
	if bad == nil && len(members) == 0 {
		bad = invalid("an empty batch")
	}
	return members, bad
}

func invalid(why string) *jsonrpc2.Error {
	return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "invalid request: "+why)
}
