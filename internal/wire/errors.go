package wire

import (
	"errors"
	"reflect"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// refused says what is wrong with JSON that was sent to us, in words of JSON
// and not of Go. The library's own messages vary from run to run.
func refused(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return located(malformed(e), e.JSONPointer, e.ByteOffset)
	}
	e, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return fault.From(err)
	}
	if own, ok := errors.AsType[*fault.Error](e.Err); ok {
		return located(own, e.JSONPointer, e.ByteOffset)
	}
	if errors.Is(e, json.ErrUnknownName) {
		name := e.JSONPointer.LastToken()
		f := fault.New(fault.InvalidParams, "unknown member %q%s", name, within(e.JSONPointer.Parent()))
		return located(f.With("unknown", name), e.JSONPointer, e.ByteOffset)
	}
	return located(unfit(e), e.JSONPointer, e.ByteOffset)
}

func located(f *fault.Error, at jsontext.Pointer, offset int64) *fault.Error {
	return f.With("pointer", string(at)).With("offset", offset)
}

// malformed is the error for what is not JSON, or not of the strict kind.
func malformed(e *jsontext.SyntacticError) *fault.Error {
	if errors.Is(e, jsontext.ErrDuplicateName) {
		return fault.New(fault.InvalidParams, "member %q occurs twice%s", e.JSONPointer.LastToken(), within(e.JSONPointer.Parent()))
	}
	why := "malformed"
	if e.Err != nil {
		why = strings.TrimPrefix(e.Err.Error(), "jsontext: ")
	}
	return fault.New(fault.InvalidParams, "not valid JSON at byte %d%s: %s", e.ByteOffset, within(e.JSONPointer), why)
}

// unfit is the error for JSON that does not fit where it should go.
func unfit(e *json.SemanticError) *fault.Error {
	got := jsonNames[e.JSONKind]
	if got == "" {
		got = "a value"
	}
	if n := len(e.JSONValue); 0 < n && n < 80 {
		got += " (" + string(e.JSONValue) + ")"
	}
	message := got + " does not fit" + within(e.JSONPointer)
	if want := wanted(e.GoType); want != "" {
		message += ": want " + want
	}
	if e.Err != nil {
		message += ": " + e.Err.Error()
	}
	return fault.New(fault.InvalidParams, "%s", message)
}

func within(at jsontext.Pointer) string {
	if at == "" {
		return ""
	}
	return " at " + string(at)
}

var jsonNames = map[jsontext.Kind]string{
	'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number",
	'{': "an object", '}': "an object", '[': "an array", ']': "an array",
}

// wanted describes, as JSON, what a Go type takes; "" when that is not plain.
func wanted(t reflect.Type) string {
	if t == nil {
		return ""
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer, not negative"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return ""
}
