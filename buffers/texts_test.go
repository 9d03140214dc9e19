package buffers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func hashOf(s string) text.Hash { return text.HashBytes([]byte(s)) }

func TestTextsAreRememberedByHash(t *testing.T) {
	m := NewTexts()
	for i := range 100 {
		s := fmt.Sprintf("text %d\n", i)
		m.Remember("a", hashOf(s), text.New(s))
	}
	for i := range 100 {
		s := fmt.Sprintf("text %d\n", i)
		if x, ok := m.Lookup(hashOf(s)); !ok || x.String() != s {
			t.Fatalf("text %d is %q, %v", i, x, ok)
		}
	}
	if _, ok := m.Lookup(hashOf("another")); ok {
		t.Error("a text that nobody gave is remembered")
	}
}

// TestVersionsShareMemory: a thousand versions of a document count what their
// edits take.
func TestVersionsShareMemory(t *testing.T) {
	m := NewTexts()
	x := text.New(strings.Repeat("a line of some forty bytes, as in code\n", 27_000)) // 1 MB
	for i := range 1000 {
		at := x.LineStart(i * 20)
		x = x.Replace(text.Span{Start: at, End: at + 1}, fmt.Sprint("edit ", i))
		m.Remember("doc", hashOf(fmt.Sprint(i)), x)
	}
	if m.recent.Len() != 1000 {
		t.Errorf("%d of 1000 versions are remembered", m.recent.Len())
	}
	if m.bytes > 20<<20 {
		t.Errorf("1000 versions of 1 MB count as %d bytes", m.bytes)
	}
}

func TestTextsStayWithinTheirBudget(t *testing.T) {
	m := NewTexts()
	m.budget = 1 << 20
	for i := range 200 {
		key := fmt.Sprint("doc", i%3)
		s := strings.Repeat(fmt.Sprintf("%d of its own\n", i), 2000)
		m.Remember(key, hashOf(s), text.New(s))
		m.Lookup(hashOf(strings.Repeat("0 of its own\n", 2000))) // the first is in use
		sum := 0
		for e := m.recent.Front(); e != nil; e = e.Next() {
			sum += e.Value.(*remembered).bytes
		}
		if sum != m.bytes || m.bytes > m.budget || len(m.byHash) != m.recent.Len() {
			t.Fatalf("after %d: %d bytes counted, %d in sum, %d texts, %d hashes", i, m.bytes, sum, m.recent.Len(), len(m.byHash))
		}
		for key, e := range m.latest {
			if r := e.Value.(*remembered); m.byHash[r.hash] != e || r.key != key {
				t.Fatalf("after %d: the latest text of %s is not remembered", i, key)
			}
		}
	}
	if _, ok := m.Lookup(hashOf(strings.Repeat("0 of its own\n", 2000))); !ok {
		t.Error("the text in use was forgotten")
	}
	m.Remember("huge", hashOf("huge"), text.New(strings.Repeat("x", 2<<20)))
	if _, ok := m.Lookup(hashOf("huge")); ok {
		t.Error("a text over the budget is remembered")
	}
}

// TestTextsFillTheirBudget to the last byte, of all and of large ones that were
// but read.
func TestTextsFillTheirBudget(t *testing.T) {
	const each = largeRead + 1
	x := func(i int) text.Text { return text.New(strings.Repeat(fmt.Sprint(i), each-textOverhead)) }
	known := func(m *Texts, n int) (got int) {
		for i := range n {
			if _, ok := m.Lookup(hashOf(fmt.Sprint(i))); ok {
				got++
			}
		}
		return got
	}
	for _, tt := range []struct{ budget, texts, want int }{{each, 1, 1}, {each - 1, 1, 0}, {3 * each, 3, 3}, {3*each - 1, 3, 2}, {3*each - 1, 4, 2}} {
		m := NewTextsWithin(tt.budget)
		for i := range tt.texts {
			m.Remember(fmt.Sprint("doc", i), hashOf(fmt.Sprint(i)), x(i))
		}
		if got := known(m, tt.texts); got != tt.want {
			t.Errorf("of %d texts a budget of %d keeps %d", tt.texts, tt.budget, got)
		}
	}
	for _, tt := range []struct{ budget, texts, want int }{{readShare * each, 1, 1}, {each, 1, 1}, {readShare * 2 * each, 2, 2}, {readShare * 2 * each, 3, 2}, {readShare*2*each - 1, 2, 1}} {
		m := NewTextsWithin(tt.budget)
		for i := range tt.texts {
			m.RememberRead(fmt.Sprint("doc", i), hashOf(fmt.Sprint(i)), x(i))
		}
		if got := known(m, tt.texts); got != tt.want {
			t.Errorf("of %d large texts that were read a budget of %d keeps %d", tt.texts, tt.budget, got)
		}
	}
	m := NewTextsWithin(4 * each) // texts of largeRead bytes are not large
	for i := range 4 {
		m.RememberRead(fmt.Sprint("doc", i), hashOf(fmt.Sprint(i)), x(i).Replace(text.Span{End: 1}, ""))
	}
	if got := known(m, 4); got != 4 {
		t.Errorf("%d of 4 texts at the limit are kept", got)
	}
}

// TestNilTextsRememberNothing, and do not mind to be asked.
func TestNilTextsRememberNothing(t *testing.T) {
	var m *Texts
	m.Remember("doc", hashOf("x"), text.New("x"))
	if _, ok := m.Lookup(hashOf("x")); ok || m.Key(hashOf("x")) != "" {
		t.Error("they do")
	}
	m = NewTexts()
	m.Remember("doc", hashOf("x"), text.New("x"))
	if m.Key(hashOf("x")) != "doc" || m.Key(hashOf("y")) != "" {
		t.Error("a text is another document's")
	}
}

// TestForgettingTheFirstVersion: what versions share belongs to those that
// remain.
func TestForgettingTheFirstVersion(t *testing.T) {
	m := NewTexts()
	m.budget = 3 << 20
	x := text.New(strings.Repeat("shared line\n", 90_000)) // 1 MB
	for i := range 50 {
		x = x.Replace(text.Span{Start: 0, End: 1}, "y")
		m.Remember("doc", hashOf(fmt.Sprint(i)), x)
	}
	versions := func(v int) {
		x = x.Replace(text.Span{Start: 0, End: 1}, "z")
		m.Remember("doc", hashOf(fmt.Sprint(v)), x)
		if v == 50 && m.bytes > 2<<20 {
			t.Errorf("51 versions count as %d bytes", m.bytes)
		}
	}
	versions(50)
	m.mu.Lock()
	m.forget(m.byHash[hashOf("7")]) // one in the middle
	m.mu.Unlock()
	before := m.bytes
	versions(51)
	if m.bytes-before > 1<<16 {
		t.Errorf("the next version counts as %d bytes", m.bytes-before)
	}
	for i := range 3 {
		s := strings.Repeat(fmt.Sprint("other ", i, "\n"), 60_000)
		m.Remember(fmt.Sprint("other", i), hashOf(s), text.New(s))
		if m.bytes > m.budget {
			t.Fatalf("%d bytes", m.bytes)
		}
	}
	least := 0
	if _, ok := m.Lookup(hashOf("49")); ok {
		least = x.Len()
	}
	if m.bytes < least {
		t.Errorf("%d bytes are counted, though a text of %d is kept", m.bytes, least)
	}
}

// TestReadVersionsShareMemory: a file that is read again and again while it
// grows is kept once.
func TestReadVersionsShareMemory(t *testing.T) {
	m := NewTexts()
	s := strings.Repeat("a line of a log, with its time\n", 130_000) // 4 MB
	for i := range 12 {
		s += fmt.Sprintf("line %d\n", i)
		m.RememberRead("log", hashOf(s), text.New(strings.Clone(s)))
	}
	if m.recent.Len() != 12 || m.bytes > 5<<20 {
		t.Errorf("%d of 12 versions are remembered, in %d bytes", m.recent.Len(), m.bytes)
	}
	if x, ok := m.Lookup(hashOf(s)); !ok || x.String() != s {
		t.Error("the newest is another text")
	}
}

// TestLargeReadsLeaveRoom: looks into many large files do not drive out the
// small ones that were read before.
func TestLargeReadsLeaveRoom(t *testing.T) {
	m := NewTexts()
	m.RememberRead("small", hashOf("small"), text.New("small"))
	for i := range 8 {
		s := strings.Repeat(fmt.Sprint(i, "\n"), 4<<20)
		m.RememberRead(fmt.Sprint("large", i), hashOf(s), text.New(s))
		large := 0
		for e := m.recent.Front(); e != nil; e = e.Next() {
			large += e.Value.(*remembered).large()
		}
		if large != m.large || large > textsBudget/readShare {
			t.Fatalf("after %d: %d bytes of large files, %d counted", i, large, m.large)
		}
		if _, ok := m.Lookup(hashOf(s)); !ok {
			t.Fatalf("the file that was read last is forgotten, after %d", i)
		}
	}
	if _, ok := m.Lookup(hashOf("small")); !ok {
		t.Error("the small file was forgotten")
	}
}
