package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Decoder reads JSON a token or a value at a time. It nests MaxDepth deep at most.
type Decoder = jsontext.Decoder

// MaxDepth is how many objects and arrays may be open at once.
const MaxDepth = 10_000

// NewDecoder returns a decoder of data, which it does not copy: what it reads
// shares its bytes. The grammar is checked, and nothing beyond it: halves of
// surrogate pairs, bytes that are no UTF-8 and names that occur twice are taken.
func NewDecoder(data []byte) *Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// Unquote returns what a valid JSON string stands for. Half of a surrogate pair
// becomes U+FFFD. The result shares no bytes with it.
func Unquote(quoted RawValue) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	s, _ := jsontext.AppendUnquote(make([]byte, 0, len(quoted)), quoted) // the error tells of halves
	return string(s)
}
