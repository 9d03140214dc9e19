package text

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

const hashPrefix = "sha256:"

// Hash is the SHA-256 of a file's bytes as they stand on disk, or as they
// would stand there if the text were saved now. The zero Hash names no text.
type Hash [sha256.Size]byte

// HashBytes returns the hash of raw, the bytes of a file.
func HashBytes(raw []byte) Hash { return sha256.Sum256(raw) }

// String returns the one spelling that callers see and send back:
// "sha256:" and 64 lower-case hex digits.
func (h Hash) String() string {
	var b [len(hashPrefix) + 2*sha256.Size]byte
	hex.Encode(b[copy(b[:], hashPrefix):], h[:])
	return string(b[:])
}

// ParseHash reads what [Hash.String] wrote; upper-case digits are read too.
// Anything else is invalid_params.
func ParseHash(s string) (Hash, error) {
	digits, ok := strings.CutPrefix(s, hashPrefix)
	var h Hash
	if ok && len(digits) == hex.EncodedLen(len(h)) {
		if _, err := hex.Decode(h[:], []byte(digits)); err == nil {
			return h, nil
		}
	}
	return Hash{}, fault.New(fault.InvalidParams, "%q is not a content hash", shorten(s, 80)).
		Advise(`a hash is "sha256:" and 64 hex digits: take content_hash from the last answer about the file`)
}

// shorten cuts s to about limit bytes, at a character, for use in a message.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
