package jsonrpc

import (
	"errors"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Error is an error as it is sent.
type Error = jsonrpc2.Error

// Code is an error's number.
type Code = jsonrpc2.Code

// Codes of JSON-RPC and of LSP.
const (
	ParseError           = jsonrpc2.ParseError
	InvalidRequest       = jsonrpc2.InvalidRequest
	MethodNotFound       = jsonrpc2.MethodNotFound
	InvalidParams        = jsonrpc2.InvalidParams
	InternalError        = jsonrpc2.InternalError
	ServerNotInitialized = jsonrpc2.ServerNotInitialized
	RequestCancelled     = Code(-32800)
	RequestFailed        = Code(-32803)
)

// ErrMethodNotFound answers a call of a method that there is not.
var ErrMethodNotFound = jsonrpc2.ErrMethodNotFound

// Errorf returns an error with a code.
func Errorf(code Code, format string, args ...any) *Error {
	return jsonrpc2.Errorf(code, format, args...)
}

// wireError gives an error the code that the client sees.
func wireError(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: e.Code, Message: strings.ToValidUTF8(err.Error(), "�"), Data: e.Data}
	}
	return jsonrpc2.NewError(codeOf(err), strings.ToValidUTF8(err.Error(), "�"))
}

func codeOf(err error) Code {
	switch fault.KindOf(err) {
	case fault.InvalidParams:
		return InvalidParams
	case fault.Cancelled:
		return RequestCancelled
	case fault.Internal:
		return InternalError
	default:
		return RequestFailed
	}
}

// Printable returns a method's name, or a client's, fit for logs and messages:
// valid UTF-8 of a bounded length.
func Printable(name string) string {
	const most = 100
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strings.ToValidUTF8(name, "�")
}
