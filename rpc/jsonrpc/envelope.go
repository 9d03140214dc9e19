package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"

	"go.lsp.dev/jsonrpc2"
)

// member is one of the members of a message that JSON-RPC gives a meaning.
type member int

const (
	memberVersion member = iota
	memberID
	memberMethod
	memberParams
	memberResult
	memberError
	memberCount
)

// envelope is the top level of a message.
type envelope struct {
	values [memberCount][]byte // as written; nil for what is absent
	flaw   string              // what is wrong with the names; empty when nothing is
	twoIDs bool
}

// envelope reads the object that comes next, and returns its bytes, too. Members
// without a meaning are allowed.
func (r *messageReader) envelope() (env envelope, frame []byte, bad *jsonrpc2.Error) {
	_, err := r.ReadToken()
	start := r.InputOffset() - 1
	for err == nil && r.PeekKind() != '}' {
		var name, value []byte
		if name, err = r.ReadValue(); err == nil {
			value, err = r.ReadValue()
		}
		if err == nil {
			env.set(name, value)
		}
	}
	if err == nil {
		_, err = r.ReadToken()
	}
	if err != nil {
		return env, nil, r.syntax()
	}
	return env, r.data[start:r.InputOffset()], nil
}

// set takes in a member. Peers disagree about which of two equal names counts
// and whether case matters, so such messages are not guessed at.
func (e *envelope) set(name, value []byte) {
	m, known := memberNamed(name)
	switch {
	case !known && imitates(name):
		e.flaw = "a member's name in the wrong case or escaped"
	case !known:
	case e.values[m] != nil:
		e.flaw = "a member twice"
		e.twoIDs = e.twoIDs || m == memberID
	default:
		e.values[m] = value
	}
}

// memberNamed takes a name with its quotes.
func memberNamed(name []byte) (member, bool) {
	switch string(name) {
	case `"jsonrpc"`:
		return memberVersion, true
	case `"id"`:
		return memberID, true
	case `"method"`:
		return memberMethod, true
	case `"params"`:
		return memberParams, true
	case `"result"`:
		return memberResult, true
	case `"error"`:
		return memberError, true
	}
	return 0, false
}

// imitates reports whether a lenient peer could take name for a member's.
func imitates(name []byte) bool {
	_, folded := memberNamed(bytes.ToLower(name))
	return folded || bytes.ContainsRune(name, '\\')
}

// judge decides what becomes of the message; frame is all of it.
func (e *envelope) judge(frame []byte) inspected {
	hasAnswer := e.values[memberResult] != nil || e.values[memberError] != nil
	if hasAnswer && e.values[memberMethod] == nil {
		return e.judgeAnswer(frame)
	}
	id := e.values[memberID]
	why := e.requestFlaw(hasAnswer)
	if why == "" {
		return inspected{frame: frame, owes: id != nil}
	}
	in := inspected{refused: invalid(why)}
	if !hasAnswer && !e.twoIDs && isID(id) {
		in.id = decodeID(id)
	}
	return in
}

// requestFlaw tells what is wrong with a call or notification; "" is nothing.
func (e *envelope) requestFlaw(hasAnswer bool) string {
	method, params, id := e.values[memberMethod], e.values[memberParams], e.values[memberID]
	switch {
	case e.flaw != "":
		return e.flaw
	case !e.hasVersion():
		return `"jsonrpc" is not "2.0"`
	case hasAnswer:
		return "both a call and an answer"
	case method == nil:
		return "neither a call nor an answer"
	case method[0] != '"':
		return "the method is no string"
	case id != nil && !isID(id):
		return "the id is neither a whole number nor a short string"
	case params != nil && params[0] != '{' && params[0] != '[' && params[0] != 'n':
		return "the params are neither an object nor an array"
	}
	return ""
}

// judgeAnswer decides about the answer to a call of ours. Whoever waits for
// it gets an error for a malformed one, instead of waiting on.
func (e *envelope) judgeAnswer(frame []byte) inspected {
	id := e.values[memberID]
	if e.twoIDs || !isID(id) || id[0] == '"' {
		return inspected{dropped: "an answer to nothing that was asked"}
	}
	in := inspected{frame: frame, answer: true}
	result, failure := e.values[memberResult], e.values[memberError]
	switch {
	case e.flaw != "" || !e.hasVersion():
		in.frame = malformedAnswer(id)
	case failure == nil:
	case result != nil && failure[0] == 'n': // as in JSON-RPC 1.0
		in.frame = jsonrpc2.AppendResponse(nil, decodeID(id), result, nil)
	default:
		if _, err := jsonrpc2.DecodeMessage(frame); err != nil {
			in.frame = malformedAnswer(id)
		}
	}
	return in
}

func malformedAnswer(id []byte) []byte {
	return jsonrpc2.AppendResponse(nil, decodeID(id), nil, invalid("the client's answer is malformed"))
}

func (e *envelope) hasVersion() bool {
	return string(e.values[memberVersion]) == `"2.0"`
}

// isID reports whether a value can be the id of a call: null, fractions and
// numbers beyond 64 bits cannot.
func isID(value []byte) bool {
	if len(value) == 0 || len(value) > maxIDBytes {
		return false
	}
	if value[0] == '"' {
		return true
	}
	_, err := strconv.ParseInt(string(value), 10, 64)
	return err == nil
}

// decodeID decodes what isID accepts.
func decodeID(value []byte) jsonrpc2.ID {
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return jsonrpc2.NewNumberID(n)
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return jsonrpc2.ID{}
	}
	return jsonrpc2.NewStringID(s)
}
