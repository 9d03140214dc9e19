package tools

import (
	"strings"
	"testing"
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
