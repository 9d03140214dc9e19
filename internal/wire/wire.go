package wire

import (
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// RawValue is one JSON value as it stands in the bytes.
type RawValue = jsontext.Value

// Marshal returns v as JSON on one line. Nil slices and maps are [] and {}.
// The error is internal: a value that JSON cannot hold is a bug here.
func Marshal(v any) ([]byte, error) {
	data, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fault.New(fault.Internal, "%T cannot be written as JSON: %v", v, err)
	}
	return data, nil
}

// Unmarshal stores the JSON value data in *v. Members that v has no place for
// are passed over. Errors are invalid_params with the details "pointer" (an
// RFC 6901 path to the value that is wrong, "" for the outermost) and
// "offset" (0-based, in bytes of data).
func Unmarshal(data []byte, v any) error {
	return refused(json.Unmarshal(data, v))
}

// UnmarshalLenient is [Unmarshal] but takes what other programs' JSON may have: halves
// of surrogate pairs and bytes that are no UTF-8 become U+FFFD, and of members of one
// name the last counts.
func UnmarshalLenient(data []byte, v any) error {
	return refused(json.Unmarshal(data, v, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)))
}

// UnmarshalStrict is [Unmarshal] but refuses members that v has no place for;
// the detail "unknown" of that error is the first one's name.
func UnmarshalStrict(data []byte, v any) error {
	return refused(json.Unmarshal(data, v, json.RejectUnknownMembers(true)))
}
