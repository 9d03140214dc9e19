package tools

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

func TestHistoryForgetsTheOldest(t *testing.T) {
	h := NewHistory()
	big := strings.Repeat("x", historyBytes/3)
	var ids []string
	for range 5 {
		ids = append(ids, h.add(&pastChange{files: []pastFile{{diff: big}}}))
	}
	for i, id := range ids {
		if _, known := h.find(id); known != (i >= 3) {
			t.Errorf("change %d of 5 is known: %t", i+1, known)
		}
	}
	if all := h.all(); len(all) != 2 || all[0].id != ids[4] {
		t.Errorf("kept %d changes, the first of which is %s; want the last two", len(all), all[0].id)
	}
	if h.bytes > historyBytes {
		t.Errorf("%d bytes are held", h.bytes)
	}
	one := h.add(&pastChange{files: []pastFile{{raw: make([]byte, 2*historyBytes)}}})
	if _, known := h.find(one); !known {
		t.Error("the newest change is not known, however large")
	}
}

// TestHistoryKeepsItsMost: as many changes, and as many bytes, as there is room for.
func TestHistoryKeepsItsMost(t *testing.T) {
	h := NewHistory()
	for range maxHistory + 1 {
		h.add(&pastChange{})
	}
	if n := len(h.all()); n != maxHistory {
		t.Errorf("%d changes are known, not %d", n, maxHistory)
	}
	h = NewHistory()
	one := &pastChange{files: []pastFile{{}}}
	h.add(&pastChange{files: []pastFile{{raw: make([]byte, historyBytes-2*one.size())}}})
	h.add(one)
	if n := len(h.all()); n != 2 || h.bytes != historyBytes {
		t.Errorf("%d changes of %d bytes are known", n, h.bytes)
	}
}

func TestHistoryOfAnotherSession(t *testing.T) {
	a, b := NewHistory(), NewHistory()
	for a.tag == b.tag {
		b = NewHistory()
	}
	id := a.add(&pastChange{})
	b.add(&pastChange{})
	if _, known := b.find(id); known {
		t.Error("another session's change is taken for one's own")
	}
}

func TestReadsAreByClient(t *testing.T) {
	r := NewReads()
	one, two := text.HashBytes([]byte("one")), text.HashBytes([]byte("two"))
	ann, bob := Client{Name: "ann"}, Client{Name: "bob"}
	r.note(ann, "/a", one, true)
	r.note(bob, "/a", two, true)
	r.note(ann, "/a", two, true)
	r.note(ann, "/a", one, true)
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
		r.note(bob, strconv.Itoa(i), one, true)
	}
	if len(r.byKey) != r.recent.Len() || r.recent.Len() > maxReadRecords {
		t.Errorf("%d and %d reads are held", len(r.byKey), r.recent.Len())
	}
}

// TestInverse: edits and then their inverse leave a text as it was.
func TestInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		old := text.New(strings.Repeat("line\n", r.IntN(6)))
		var edits []diff.Edit
		for at := 0; at <= old.Len(); {
			start := at + r.IntN(old.Len()-at+1)
			end := start + r.IntN(old.Len()-start+1)
			edits = append(edits, diff.Edit{Span: text.Span{Start: start, End: end}, New: strings.Repeat("n", r.IntN(4))})
			if at = end + 1; r.IntN(3) == 0 {
				break
			}
		}
		fresh := diff.Apply(old, edits)
		back := inverse(old, edits)
		if err := diff.Check(fresh, back); err != nil {
			t.Fatalf("%q, %v: %v", old.String(), edits, err)
		}
		if got := diff.Apply(fresh, back); !got.Equal(old) {
			t.Fatalf("%q, %v: back comes %q", old.String(), edits, got.String())
		}
	}
}
