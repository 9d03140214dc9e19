package mcp

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// message is a JSON-RPC message as it came.
type message struct {
	ID     wire.RawValue `json:"id"`
	Method string        `json:"method"`
	Params wire.RawValue `json:"params"`

	raw []byte
	key callKey // of the id, when the message is a call
}

// callKey is an id in one form: a number in decimal, or a string behind a
// quote. "" is none.
type callKey string

// isCall reports whether an answer is due.
func (m *message) isCall() bool { return m.Method != "" && m.key != "" }

// parse reads a message. The error is the one to answer with, under m.ID, which
// is set as far as it can be made out.
func parse(raw []byte) (*message, *jsonrpc.Error) {
	m := &message{raw: raw}
	if err := wire.Unmarshal(raw, m); err != nil {
		if m.ID = idInside(raw); !wire.RawValue(raw).IsValid() {
			return m, failed(jsonrpc.CodeParseError, "the line is not a JSON message: "+fault.From(err).Message)
		}
		return m, failed(jsonrpc.CodeInvalidRequest, "the message is not JSON-RPC: "+fault.From(err).Message)
	}
	if len(m.ID) == 0 {
		if m.Method == "" {
			return m, failed(jsonrpc.CodeInvalidRequest, "the message has neither a method nor an id")
		}
		return m, nil
	}
	if m.key = keyOf(m.ID); m.key == "" {
		m.ID = nil
		return m, failed(jsonrpc.CodeInvalidRequest, "an id is a string or an integer below 2^53")
	}
	if m.Method == "" && !isAnswer(raw) {
		return m, failed(jsonrpc.CodeInvalidRequest, "the message has an id, but neither a method nor a result")
	}
	return m, nil
}

// isAnswer reports whether a message answers a call of the server's.
func isAnswer(raw []byte) bool {
	var answer struct {
		Result wire.RawValue `json:"result"`
		Error  wire.RawValue `json:"error"`
	}
	return wire.Unmarshal(raw, &answer) == nil && len(answer.Result)+len(answer.Error) > 0
}

// idInside returns the id in a message that is not well formed otherwise, so
// that the caller is not left waiting.
func idInside(raw []byte) wire.RawValue {
	var lenient struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &lenient) != nil || keyOf(wire.RawValue(lenient.ID)) == "" {
		return nil
	}
	return wire.RawValue(lenient.ID)
}

// maxExactID is where other implementations begin to confuse numbers.
const maxExactID = 1 << 53

// keyOf returns the key of an id, "" for what is none.
func keyOf(id wire.RawValue) callKey {
	switch id.Kind() {
	case '0':
		if n, err := strconv.ParseInt(string(id), 10, 64); err == nil && n < maxExactID && n > -maxExactID {
			return callKey(strconv.FormatInt(n, 10))
		}
	case '"':
		var s string
		if wire.Unmarshal(id, &s) == nil {
			return callKey(`"` + s)
		}
	}
	return ""
}

// keyOfID is keyOf for an id of the SDK's.
func keyOfID(id jsonrpc.ID) callKey {
	switch v := id.Raw().(type) {
	case int64:
		return callKey(strconv.FormatInt(v, 10))
	case string:
		return callKey(`"` + v)
	}
	return ""
}

// maxMessage is how much an error says of what came, in bytes.
const maxMessage = 1000

func failed(code int64, text string) *jsonrpc.Error {
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return &jsonrpc.Error{Code: code, Message: strings.ReplaceAll(text, "\n", "; ")}
}

// appendResult appends the answer to a call. head, when not empty, stands for
// the result's opening brace.
func appendResult(dst []byte, id wire.RawValue, head string, result []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	dst = append(dst, `,"result":`...)
	if head != "" {
		dst, result = append(dst, head...), result[1:]
	}
	return append(append(dst, result...), '}')
}

// appendError appends the answer to a call that is no good. Without an id it
// is null.
func appendError(dst []byte, id wire.RawValue, why *jsonrpc.Error) []byte {
	if len(id) == 0 {
		id = wire.RawValue("null")
	}
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	dst = append(dst, `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, why.Code, 10)
	dst = append(dst, `,"message":`...)
	return append(wire.AppendString(dst, why.Message), "}}"...)
}
