package text

import (
	"encoding/hex"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// MinHashDigits is how many hex digits of a hash name a text, at least.
const MinHashDigits = 8

// HashPrefix is the beginning of a hash: [MinHashDigits] or more lower-case hex
// digits, up to all of them.
type HashPrefix string

// ParseHashPrefix reads the beginning of a hash as a caller gives it, with
// "sha256:" in front or without. Anything else is invalid_params.
func ParseHashPrefix(s string) (HashPrefix, error) {
	digits := strings.TrimPrefix(s, hashPrefix)
	if len(digits) < MinHashDigits || len(digits) > hex.EncodedLen(len(Hash{})) || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return "", fault.New(fault.InvalidParams, "%q is not a content hash", shorten(s, 80)).
			Advise(`A hash is %d hex digits or more: give the hash of the last answer about the file.`, MinHashDigits)
	}
	return HashPrefix(strings.ToLower(digits)), nil
}

// Of reports whether h begins with p.
func (p HashPrefix) Of(h Hash) bool {
	var digits [2 * len(h)]byte
	hex.Encode(digits[:], h[:])
	return strings.HasPrefix(string(digits[:]), string(p))
}

// Whole returns the hash that p is, where it has all digits.
func (p HashPrefix) Whole() (h Hash, ok bool) {
	if len(p) != hex.EncodedLen(len(h)) {
		return h, false
	}
	_, err := hex.Decode(h[:], []byte(p))
	return h, err == nil
}

// Prefix returns the shortest beginning of h, of [MinHashDigits] or more, that
// does not read as a number and is not taken. taken may be nil.
func (h Hash) Prefix(taken func(HashPrefix) bool) HashPrefix {
	digits := HashPrefix(hex.EncodeToString(h[:]))
	for n := MinHashDigits; n < len(digits); n++ {
		if p := digits[:n]; !p.isNumber() && (taken == nil || !taken(p)) {
			return p
		}
	}
	return digits
}

// isNumber reports whether p without quotes is a number to programs that read
// JSON or YAML: 12345678, or 12e45678.
func (p HashPrefix) isNumber() bool {
	mantissa, exponent, _ := strings.Cut(string(p), "e")
	isDigits := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	return mantissa != "" && isDigits(mantissa) && isDigits(exponent) && !strings.HasSuffix(string(p), "e")
}
