package jsonrpc

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"

	"github.com/agent-lsp/agent-lsp/internal/wire"
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

// inspect checks a message: its JSON, which the JSON-RPC library leaves to whoever
// decodes the values, and its envelope against JSON-RPC 2.0. It may change body in
// place; the frame may share its bytes.
func inspect(body []byte) inspected {
	if !utf8.Valid(body) {
		return inspected{refused: jsonrpc2.NewError(jsonrpc2.ParseError, "the message is not valid UTF-8")}
	}
	r := messageReader{data: body, loneSurrogates: replaceLoneSurrogates(body), Decoder: wire.NewDecoder(body)}
	if r.PeekKind() == '[' {
		return r.batch()
	}
	in, bad := r.message()
	if bad == nil {
		bad = r.end()
	}
	if bad != nil {
		return inspected{refused: bad}
	}
	return in
}

// messageReader reads the messages of a body.
type messageReader struct {
	*wire.Decoder
	data           []byte
	loneSurrogates bool // there are some of surrogate pairs
}

// syntax is the error for what cannot be read. It does not quote it: logs hold
// no source text.
func (r *messageReader) syntax() *jsonrpc2.Error {
	return jsonrpc2.NewError(jsonrpc2.ParseError, fmt.Sprintf("invalid JSON behind byte %d", r.InputOffset()))
}

// end checks that nothing but space follows.
func (r *messageReader) end() *jsonrpc2.Error {
	if _, err := r.ReadToken(); !errors.Is(err, io.EOF) {
		return r.syntax()
	}
	return nil
}

// message reads a message and judges it. The error is one of the JSON, after
// which nothing can be told about the rest.
func (r *messageReader) message() (inspected, *jsonrpc2.Error) {
	if r.PeekKind() != '{' {
		if _, err := r.ReadValue(); err != nil {
			return inspected{}, r.syntax()
		}
		return inspected{refused: invalid("a message is an object")}, nil
	}
	env, frame, bad := r.envelope()
	if bad != nil {
		return inspected{}, bad
	}
	in := env.judge(frame)
	if in.owes && r.loneSurrogates && HasLoneSurrogate(frame) {
		// What was asked would be done with another text than the caller's.
		return inspected{refused: jsonrpc2.NewError(jsonrpc2.InvalidParams, "a string holds half of a surrogate pair, which is no character"), id: decodeID(env.values[memberID])}, nil
	}
	return in, nil
}

// batch inspects an array of messages. Refused ones are handed on as {}, so
// that the library puts the refusal among the answers. Answers are dropped:
// no batch was sent that they could answer.
func (r *messageReader) batch() inspected {
	members, bad := r.members()
	if bad != nil {
		return inspected{refused: bad}
	}
	batch := inspected{frame: make([]byte, 0, len(r.data)+2)}
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

// members inspects the messages of the array that comes next.
func (r *messageReader) members() ([]inspected, *jsonrpc2.Error) {
	var members []inspected
	_, err := r.ReadToken()
	for err == nil && r.PeekKind() != ']' {
		if len(members) == maxBatch {
			return nil, invalid("a batch of too many messages")
		}
		member, bad := r.message()
		if bad != nil {
			return nil, bad
		}
		members = append(members, member)
	}
	if _, err := r.ReadToken(); err != nil {
		return nil, r.syntax()
	}
	bad := r.end()
	if bad == nil && len(members) == 0 {
		bad = invalid("an empty batch")
	}
	return members, bad
}

func invalid(why string) *jsonrpc2.Error {
	return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "invalid request: "+why)
}
