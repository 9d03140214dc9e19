package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// item is a line of the text, of the accepted text, or of both, as the reference
// has it: a plain list, in which the lines that went of a hunk stand before those
// that came.
type item struct {
	text          string
	by            string
	gone, pending bool // gone: of the accepted text alone; pending: of the present one alone
}

// reference is what a track should say, worked out in the simplest way.
type reference []item

func (r reference) text(accepted bool) string {
	var b strings.Builder
	for _, it := range r {
		if accepted && !it.pending || !accepted && !it.gone {
			b.WriteString(it.text)
		}
	}
	return b.String()
}

// place returns the index of the n-th present line, or the end.
func (r reference) place(n int) int {
	for i, it := range r {
		if it.gone {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return len(r)
}

// hunkAround returns the run of items without a plain one that holds index i.
func (r reference) hunkAround(i int) (from, to int) {
	from, to = i, i
	for from > 0 && (r[from-1].gone || r[from-1].pending) {
		from--
	}
	for to < len(r) && (r[to].gone || r[to].pending) {
		to++
	}
	return from, to
}

// tidy puts in each run what went before what came.
func (r reference) tidy(from, to int) {
	slices.SortStableFunc(r[from:to], func(a, b item) int {
		switch {
		case a.gone == b.gone:
			return 0
		case a.gone:
			return -1
		}
		return 1
	})
}

func (r reference) agent(at, del int, lines []string, by string) reference {
	i := r.place(at)
	for n := 0; n < del; {
		switch {
		case r[i].gone:
			i++
			continue
		case r[i].pending:
			r = slices.Delete(r, i, i+1)
		default:
			r[i].gone = true
			i++
		}
		n++
	}
	if del == 0 {
		for i > 0 && r[i-1].gone && (i == len(r) || !r[i].pending) {
			break // behind what went there, which belongs to the same hunk
		}
	}
	for k, l := range lines {
		r = slices.Insert(r, i+k, item{text: l, by: by, pending: true})
	}
	from, to := r.hunkAround(i)
	r.tidy(from, to)
	return r
}

// model is a track beside its text, its reference, and a copy that is made of
// entries alone.
type model struct {
	*testing.T
	rand    *rand.Rand
	now     text.Text
	track   *Track
	replay  *State
	count   int
	turn    int
	seconds int
}

func newModel(t *testing.T, seed uint64, content string) *model {
	m := &model{T: t, rand: rand.New(rand.NewPCG(seed, 1)), now: text.New(content), replay: NewState()}
	begin := Entry{Do: DoBegin, Track: 7, Path: "/f", Sums: SumsOf(content)}
	m.track = NewTrack(7, "/f", begin.Sums)
	m.keep(begin)
	return m
}

// keep adds an entry to the copy, in the form in which it is kept.
func (m *model) keep(e Entry) {
	m.Helper()
	raw, err := wire.Marshal(e)
	var again Entry
	if err == nil {
		err = wire.Unmarshal(raw, &again)
	}
	if err != nil {
		m.Fatal(err)
	}
	m.replay.Add(again)
}

func (m *model) do(e Entry) {
	m.Helper()
	e.Track = 7
	if err := m.track.Do(e); err != nil {
		m.Fatal(err)
	}
	m.keep(e)
}

// become changes the text, by whom.
func (m *model) become(now text.Text, kind Kind, client string) {
	m.Helper()
	m.count++
	m.seconds++
	by := Origin{Kind: kind, Client: client, Time: time.Unix(int64(m.seconds), 0).UTC()}
	e := Entry{Do: DoEdit, By: &by, Splices: Splices(m.now, now)}
	if kind == Agent {
		by.Edit = fmt.Sprint("e", m.count)
		e.Turn = m.turn
	}
	m.track.Strip(by, e.Splices)
	m.now = now
	m.do(e)
}

// accepted is the accepted text.
func (m *model) accepted(t *Track) string {
	lines := slices.Collect(strings.Lines(m.now.String()))
	for _, h := range slices.Backward(t.Hunks()) {
		var removed []string
		for _, r := range h.Removed {
			removed = append(removed, r.Text)
		}
		lines = slices.Replace(lines, h.At, h.At+h.Len, removed...)
	}
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\n") // the last one may have got an end since
	}
	return strings.Join(lines, "\n")
}

// undo takes back parts in the text and in the track.
func (m *model) undo(parts []Part) {
	list, good := m.track.Replacements(parts)
	m.now = diff.Apply(m.now, Edits(m.now, list))
	m.do(Entry{Do: DoUndo, Parts: good})
	if rest := SplicesOfSums(m.track.Sums(), SumsOf(m.now.String())); len(rest) > 0 { // the last line got an end
		m.do(Entry{Do: DoEdit, By: &Origin{Kind: Editor}, Splices: rest})
	}
}

// check holds the track against the text, and against its copy.
func (m *model) check() {
	m.Helper()
	if !slices.Equal(m.track.Sums(), SumsOf(m.now.String())) {
		m.Fatalf("the lines are not those of %q", m.now.String())
	}
	end := 0
	for _, h := range m.track.Hunks() {
		if h.At < end || h.Len < 0 || h.At+h.Len > len(m.track.lines) || h.Len == 0 && len(h.Removed) == 0 {
			m.Fatalf("hunks %+v", m.track.Hunks())
		}
		end = h.At + h.Len
	}
	copied := m.replay.Tracks[7]
	if copied == nil || m.replay.Lost > 0 {
		m.Fatal("the entries do not fit each other")
	}
	a, _ := wire.Marshal(m.track.Snapshot())
	b, _ := wire.Marshal(copied.Snapshot())
	if string(a) != string(b) {
		m.Fatalf("what entries make is another track:\n%s\n%s", a, b)
	}
	whole := NewState()
	whole.Add(m.track.Snapshot())
	if c, _ := wire.Marshal(whole.Tracks[7].Snapshot()); string(a) != string(c) {
		m.Fatalf("what a snapshot makes is another track:\n%s\n%s", a, c)
	}
}

// change returns the text with some lines replaced by others, of few different
// ones where they are alike.
func (m *model) change(alike bool) text.Text {
	lines := slices.Collect(strings.Lines(m.now.String()))
	at := m.rand.IntN(len(lines) + 1)
	del := min(m.rand.IntN(4), len(lines)-at)
	var add []string
	for range m.rand.IntN(4) {
		m.count++
		if alike {
			add = append(add, fmt.Sprintf("%d\n", m.rand.IntN(4)))
		} else {
			add = append(add, fmt.Sprintf("new %d\n", m.count))
		}
	}
	if at == len(lines) && at > 0 && !strings.HasSuffix(lines[at-1], "\n") && len(add) > 0 {
		add[0] = "\n" + add[0]
	}
	whole := strings.Join(slices.Replace(lines, at, at+del, add...), "")
	if m.rand.IntN(8) == 0 {
		whole = strings.TrimSuffix(whole, "\n")
	}
	return diff.Apply(m.now, minimal(m.now, whole))
}

// minimal returns the edit that makes a text another.
func minimal(old text.Text, now string) []diff.Edit {
	e, some := diff.Minimal(old, diff.Edit{Span: text.Span{End: old.Len()}, New: now})
	if !some {
		return nil
	}
	return []diff.Edit{e}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// TestTracks makes many changes of all kinds: the track is of the text after each,
// entries and snapshots make the same track again, and what is taken back is the
// accepted text.
func TestTracks(t *testing.T) {
	for seed := range uint64(testscale.Of(500, 60)) {
		m := newModel(t, seed, numbered(int(seed%9)))
		alike := seed%2 == 0
		for range 40 {
			before := m.accepted(m.track)
			switch k := m.rand.IntN(12); {
			case k < 4:
				m.turn += m.rand.IntN(2)
				m.become(m.change(alike), Agent, []string{"bot", "other"}[m.rand.IntN(2)])
				if got := m.accepted(m.track); got != before {
					t.Fatalf("seed %d: an agent changed the accepted text from %q to %q", seed, before, got)
				}
			case k < 8:
				m.become(m.change(alike), []Kind{Editor, Program, ""}[m.rand.IntN(3)], "")
			case k < 10:
				parts := m.track.PartsIn(m.rand.IntN(8), 8+m.rand.IntN(8))
				if len(parts) == 0 {
					continue
				}
				m.do(Entry{Do: DoKeep, Parts: parts})
			default:
				m.undo(m.track.PartsIn(m.rand.IntN(8), 4+m.rand.IntN(12)))
				if got := m.accepted(m.track); got != before {
					t.Fatalf("seed %d: taking back changed the accepted text from %q to %q", seed, before, got)
				}
			}
			m.check()
		}
		want := m.accepted(m.track)
		var all []Part
		for _, h := range m.track.Hunks() {
			all = append(all, h.Whole())
		}
		m.undo(all)
		m.check()
		if got := m.accepted(m.track); got != want || len(m.track.Hunks()) > 0 {
			t.Fatalf("seed %d: taken back is %q, want %q", seed, got, want)
		}
	}
}

// TestAcceptedText: agents' and persons' changes of lines that are all different,
// against the simplest list of what went and came.
func TestAcceptedText(t *testing.T) {
	for seed := range uint64(testscale.Of(500, 60)) {
		m := newModel(t, seed, numbered(6))
		var ref reference
		for line := range strings.Lines(m.now.String()) {
			ref = append(ref, item{text: line})
		}
		for range 30 {
			lines := slices.Collect(strings.Lines(m.now.String()))
			at := m.rand.IntN(len(lines) + 1)
			m.count++
			fresh := []string{fmt.Sprintf("new %d\n", m.count)}
			if m.rand.IntN(2) == 0 {
				del := min(m.rand.IntN(3), len(lines)-at)
				if del > 0 && m.rand.IntN(3) == 0 {
					fresh = nil
				}
				m.become(text.New(strings.Join(slices.Replace(slices.Clone(lines), at, at+del, fresh...), "")), Agent, "bot")
				ref = ref.agent(at, del, fresh, "bot")
			} else { // the person writes a line of their own
				m.become(text.New(strings.Join(slices.Insert(slices.Clone(lines), at, fresh...), "")), Editor, "")
				i := ref.place(at)
				if i < len(ref) && ref[i].pending && (i == 0 || !ref[i-1].pending) {
					i, _ = ref.hunkAround(i) // before the hunk, and what went there
				}
				ref = slices.Insert(ref, i, item{text: fresh[0], by: "editor"})
			}
			m.check()
			if got, want := m.now.String(), ref.text(false); got != want {
				t.Fatalf("seed %d: the text is %q, want %q", seed, got, want)
			}
			if got, want := sortedLines(m.accepted(m.track)), sortedLines(strings.TrimSuffix(ref.text(true), "\n")); got != want {
				t.Fatalf("seed %d: accepted is %q, want %q", seed, got, want)
			}
		}
	}
}

func sortedLines(s string) string {
	lines := slices.Sorted(strings.Lines(s))
	return strings.Join(lines, "")
}

// TestBlame: of 10,000 changes of which it is known who made them, no line is said
// to be another's.
func TestBlame(t *testing.T) {
	m := newModel(t, 1, numbered(400))
	authors := make(map[string]string)
	for i := range testscale.Of(10_000, 1_000) {
		client := []string{"bot", "other"}[m.rand.IntN(2)]
		kind, name := Agent, client
		switch m.rand.IntN(4) {
		case 0:
			kind, name = Editor, "editor"
		case 1:
			kind, name = Program, "program"
		}
		if len(m.track.Hunks()) > 40 {
			m.do(Entry{Do: DoKeep, Parts: m.track.PartsIn(0, 100)})
		}
		lines := slices.Collect(strings.Lines(m.now.String()))
		at := m.rand.IntN(len(lines) + 1)
		del := min(m.rand.IntN(4), len(lines)-at)
		var add []string
		for k := range m.rand.IntN(4) {
			line := fmt.Sprintf("%d %d by %s\n", i, k, name)
			authors[line] = name
			add = append(add, line)
		}
		now := strings.Join(slices.Replace(lines, at, at+del, add...), "")
		m.become(diff.Apply(m.now, minimal(m.now, now)), kind, map[bool]string{true: client}[kind == Agent])
		if i%10 == 0 && len(m.track.Hunks()) > 0 {
			m.undo([]Part{m.track.Hunks()[m.rand.IntN(len(m.track.Hunks()))].Whole()})
		}
	}
	m.check()
	wrong := 0
	for i, line := range slices.Collect(strings.Lines(m.now.String())) {
		said := ""
		if by := m.track.Lines()[i].By; by != nil {
			said = string(by.Kind)
			if by.Kind == Agent {
				said = by.Client
			}
		}
		if said != authors[line] {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d lines are said to be another's", wrong, len(m.track.Lines()))
	}
}

// TestTakenBackByHand: where the person undoes in the editor what an agent did, no
// hunk is left, and the lines are of who wrote them.
func TestTakenBackByHand(t *testing.T) {
	for _, tt := range [][2]string{
		{"a\nb\nc\n", "a\nB\nc\n"}, {"a\nb\nc\n", "a\nc\n"}, {"a\nb\nc\n", "a\nx\ny\nb\nc\n"}, {"a\nb\nc\n", "\n"},
		{"a\nb\nc\n", "a\nx\nc\ny\n"}, {"a", "a\nb"}, {"", "a"}, {"a\n", ""}, {"a\na\na\n", "a\na\n"}, {"a\r\nb\r\n", "a\r\nc\r\nb\r\n"},
	} {
		m := newModel(t, 1, tt[0])
		m.become(text.New(tt[1]), Agent, "bot")
		m.check()
		if len(m.track.Hunks()) == 0 {
			t.Errorf("%q to %q is no hunk", tt[0], tt[1])
		}
		m.become(text.New(tt[0]), Editor, "")
		m.check()
		if len(m.track.Hunks()) > 0 {
			t.Errorf("%q: %+v is left", tt[0], m.track.Hunks())
		}
		for i, l := range m.track.Lines() {
			if l.By != nil {
				t.Errorf("%q: line %d is of %v", tt[0], i, *l.By)
			}
		}
	}
}

// TestSplices: what differs between two texts leads from the one to the other,
// whatever they share.
func TestSplices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString([]string{"a", "b", "\n", "\n", "\r\n", "é"}[r.IntN(6)])
		}
		return b.String()
	}
	for range testscale.Of(20_000, 2_000) {
		old := text.New(random())
		now := old
		for range 1 + r.IntN(3) {
			start := now.FloorChar(r.IntN(now.Len() + 1))
			end := now.FloorChar(start + r.IntN(now.Len()-start+1))
			now = now.Replace(text.Span{Start: start, End: end}, random())
		}
		sums := SumsOf(old.String())
		for _, s := range slices.Backward(Splices(old, now)) {
			sums = slices.Replace(sums, s.At, s.At+s.Del, s.Add...)
		}
		if !slices.Equal(sums, SumsOf(now.String())) {
			t.Fatalf("from %q to %q: %+v", old.String(), now.String(), Splices(old, now))
		}
	}
}
