package toolcall

import (
	"encoding/binary"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// numberedHash returns a hash that begins with n and ends with end.
func numberedHash(n uint32, end byte) (h text.Hash) {
	binary.BigEndian.PutUint32(h[:], n)
	h[len(h)-1] = end
	return h
}

func TestShownForgetsTheOldest(t *testing.T) {
	s, c := NewShown(), Client{Name: "a"}
	const first = 0xabcd0000
	for n := range uint32(maxShownOfFile + 10) {
		s.show(c, "file", numberedHash(first+n, 0))
	}
	for n := range uint32(maxShownOfFile + 10) {
		h := numberedHash(first+n, 0)
		if known := len(s.named(c, "file", h.Prefix(nil))) == 1; known != (n >= 10) {
			t.Fatalf("hash %d of %d is known: %t", n, maxShownOfFile+10, known)
		}
	}
	for n := range uint32(maxShown) {
		s.show(c, string(binary.BigEndian.AppendUint32(nil, n)), numberedHash(first, 0))
	}
	if s.recent.Len() > maxShown || len(s.byKey) > maxShown || len(s.byKey["file"]) > 0 {
		t.Errorf("%d hashes of %d files are held", s.recent.Len(), len(s.byKey))
	}
}

func TestShownOfOthers(t *testing.T) {
	s, a, b := NewShown(), Client{Name: "a"}, Client{Name: "b"}
	one, other := numberedHash(0xabcd0000, 1), numberedHash(0xabcd0000, 2)
	p := s.show(a, "file", one)
	if long := s.show(b, "file", other); len(p) != 8 || len(long) != 64 {
		t.Errorf("shown as %s and %s", p, long)
	}
	for _, c := range []struct {
		client Client
		key    string
		want   int
	}{{a, "file", 1}, {b, "file", 1}, {Client{Name: "c"}, "file", 2}, {a, "other file", 0}} {
		if got := s.named(c.client, c.key, p); len(got) != c.want {
			t.Errorf("%s names %d hashes of %s to %s", p, len(got), c.key, c.client.Name)
		}
	}
	if got := s.named(a, "file", p); got[0] != one {
		t.Error("what a client was shown itself comes first")
	}
}
