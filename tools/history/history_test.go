package history

import (
	"strings"
	"testing"
)

func TestHistoryForgetsTheOldest(t *testing.T) {
	h := New()
	big := strings.Repeat("x", historyBytes/3)
	var ids []string
	for range 5 {
		ids = append(ids, h.Add(&Entry{Files: []File{{Diff: big}}}))
	}
	for i, id := range ids {
		if _, known := h.Find(id); known != (i >= 3) {
			t.Errorf("change %d of 5 is known: %t", i+1, known)
		}
	}
	if all := h.All(); len(all) != 2 || all[0].ID != ids[4] {
		t.Errorf("kept %d changes, the first of which is %s; want the last two", len(all), all[0].ID)
	}
	if h.bytes > historyBytes {
		t.Errorf("%d bytes are held", h.bytes)
	}
	one := h.Add(&Entry{Files: []File{{Raw: make([]byte, 2*historyBytes)}}})
	if _, known := h.Find(one); !known {
		t.Error("the newest change is not known, however large")
	}
}

// TestHistoryKeepsItsMost: as many changes, and as many bytes, as there is room for.
func TestHistoryKeepsItsMost(t *testing.T) {
	h := New()
	for range maxHistory + 1 {
		h.Add(&Entry{})
	}
	if n := len(h.All()); n != maxHistory {
		t.Errorf("%d changes are known, not %d", n, maxHistory)
	}
	h = New()
	one := &Entry{Files: []File{{}}}
	h.Add(&Entry{Files: []File{{Raw: make([]byte, historyBytes-2*one.size())}}})
	h.Add(one)
	if n := len(h.All()); n != 2 || h.bytes != historyBytes {
		t.Errorf("%d changes of %d bytes are known", n, h.bytes)
	}
}

func TestHistoryOfAnotherSession(t *testing.T) {
	a, b := New(), New()
	for a.tag == b.tag {
		b = New()
	}
	id := a.Add(&Entry{})
	b.Add(&Entry{})
	if _, known := b.Find(id); known {
		t.Error("another session's change is taken for one's own")
	}
}
