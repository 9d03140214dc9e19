package text

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

const emptyHash = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestHashSpelling(t *testing.T) {
	h := HashBytes(nil)
	if h.String() != emptyHash {
		t.Fatalf("the hash of nothing is %s", h)
	}
	for _, s := range []string{emptyHash, "sha256:" + strings.ToUpper(emptyHash[7:])} {
		if got, err := ParseHash(s); err != nil || got != h {
			t.Errorf("ParseHash(%q) = %v, %v", s, got, err)
		}
	}
}

func TestParseHashRefuses(t *testing.T) {
	for _, s := range []string{
		"", "sha256:", emptyHash[7:], emptyHash + "0", emptyHash[:70], "sha1:" + emptyHash[7:], "SHA256:" + emptyHash[7:],
		" " + emptyHash, emptyHash[:70] + "g", "sha256:" + strings.Repeat("é", 32), strings.Repeat("x", 1<<20),
	} {
		_, err := ParseHash(s)
		if fault.KindOf(err) != fault.InvalidParams {
			t.Errorf("ParseHash(%.80q) gives %v", s, err)
		} else if len(err.Error()) > 400 {
			t.Errorf("the error repeats all of what was given: %d bytes", len(err.Error()))
		}
	}
}

// TestWhatIsNoHashIsShown: all of it as far as it goes.
func TestWhatIsNoHashIsShown(t *testing.T) {
	for s, want := range map[string]string{
		strings.Repeat("x", 80):       strings.Repeat("x", 80),
		strings.Repeat("x", 81):       strings.Repeat("x", 80) + "…",
		strings.Repeat("é", 41):       strings.Repeat("é", 40) + "…",
		"x" + strings.Repeat("é", 40): "x" + strings.Repeat("é", 39) + "…",
	} {
		if _, err := ParseHash(s); err == nil || !strings.Contains(err.Error(), `"`+want+`"`) {
			t.Errorf("%q: %v", s, err)
		}
	}
}
