package toolcall

import (
	"strconv"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func TestReadsAreByClient(t *testing.T) {
	r := NewReads()
	one, two := text.HashBytes([]byte("one")), text.HashBytes([]byte("two"))
	ann, bob := Client{Name: "ann"}, Client{Name: "bob"}
	r.Note(ann, "/a", one, true)
	r.Note(bob, "/a", two, true)
	r.Note(ann, "/a", two, true)
	r.Note(ann, "/a", one, true)
	for _, tt := range []struct {
		client Client
		key    string
		want   text.Hash
		known  bool
	}{{ann, "/a", one, true}, {bob, "/a", two, true}, {bob, "/b", text.Hash{}, false}, {Client{Name: "ann", ID: "2"}, "/a", text.Hash{}, false}} {
		if got, _, known := r.last(tt.client, tt.key); got != tt.want || known != tt.known {
			t.Errorf("%v read %v of %s (%t), want %v", tt.client, got, tt.key, known, tt.want)
		}
	}
	for i := range maxReadRecords {
		r.Note(bob, strconv.Itoa(i), one, true)
	}
	if len(r.byKey) != r.recent.Len() || r.recent.Len() > maxReadRecords {
		t.Errorf("%d and %d reads are held", len(r.byKey), r.recent.Len())
	}
}
