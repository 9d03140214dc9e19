package text

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func hashOfDigits(t *testing.T, digits string) (h Hash) {
	t.Helper()
	if _, err := hex.Decode(h[:], []byte(digits+strings.Repeat("b", 64-len(digits)))); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestParseHashPrefix(t *testing.T) {
	for given, want := range map[string]HashPrefix{
		"e3b0c442": "e3b0c442", "sha256:e3b0c442": "e3b0c442", "E3B0C44298": "e3b0c44298", emptyHash: HashPrefix(emptyHash[7:]),
		emptyHash[7:]: HashPrefix(emptyHash[7:]), "12345678": "12345678",
	} {
		if p, err := ParseHashPrefix(given); err != nil || p != want {
			t.Errorf("ParseHashPrefix(%q) = %q, %v", given, p, err)
		}
	}
	for _, s := range []string{
		"", "sha256:", "e3b0c44", "sha256:e3b0c44", emptyHash + "0", "sha1:e3b0c442", " e3b0c442", "e3b0c44g", "e3b0c442…", "éééééééé", strings.Repeat("a", 1<<20),
	} {
		_, err := ParseHashPrefix(s)
		if fault.KindOf(err) != fault.InvalidParams || len(err.Error()) > 400 {
			t.Errorf("ParseHashPrefix(%.80q) gives %v", s, err)
		}
	}
}

func TestHashPrefixOf(t *testing.T) {
	h := HashBytes(nil)
	for p, want := range map[HashPrefix]bool{"e3b0c442": true, "e3b0c443": false, HashPrefix(emptyHash[7:]): true, "e3b0c44298fc1": true, "e3b0c44298fc2": false} {
		if p.Of(h) != want {
			t.Errorf("%q is of the hash of nothing: %t", p, !want)
		}
	}
	if _, ok := HashPrefix("e3b0c442").Whole(); ok {
		t.Error("8 digits are no whole hash")
	}
	if whole, ok := HashPrefix(emptyHash[7:]).Whole(); !ok || whole != h {
		t.Error("64 digits are the whole hash")
	}
}

// What reads as a number, or is taken, is told in more digits.
func TestShortestPrefix(t *testing.T) {
	for digits, want := range map[string]HashPrefix{
		"1a345678": "1a345678", "12345678": "12345678b", "123456789012345678": "123456789012345678b", "12e45678": "12e45678b",
		"12e456789": "12e456789b", "1234567e": "1234567e", "1234567e9": "1234567e", "e1234567": "e1234567", "1e2e3456": "1e2e3456",
		"00000000": "00000000b",
	} {
		if p := hashOfDigits(t, digits).Prefix(nil); p != want {
			t.Errorf("%s is shown as %s, want %s", digits, p, want)
		}
	}
	h := hashOfDigits(t, "abcdefab")
	if p := h.Prefix(func(p HashPrefix) bool { return len(p) < 11 }); p != "abcdefabbbb" {
		t.Errorf("8 to 10 digits are taken: %s", p)
	}
	if p := h.Prefix(func(HashPrefix) bool { return true }); len(p) != 64 {
		t.Errorf("all are taken: %s", p)
	}
}
