package rpc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// reviewItem is a line of the text, of the accepted text, or of both.
type reviewItem struct {
	text          string
	gone, pending bool
}

// reviewModel is what an editor, two agents and a person make of a file, beside what
// it should be.
type reviewModel struct {
	*reviewSession
	rand  *rand.Rand
	items []reviewItem
	open  string // the document; "" while the file is closed
	count int
}

func (m *reviewModel) text(accepted bool) string {
	var b strings.Builder
	for _, it := range m.items {
		if accepted && !it.pending || !accepted && !it.gone {
			b.WriteString(it.text)
		}
	}
	return b.String()
}

// place returns the index of the n-th present line.
func (m *reviewModel) place(n int) int {
	for i, it := range m.items {
		if it.gone {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return len(m.items)
}

func (m *reviewModel) lines() []string { return slices.Collect(strings.Lines(m.text(false))) }

func (m *reviewModel) fresh() string {
	m.count++
	return fmt.Sprintf("new %d\n", m.count)
}

// agent replaces one line by another, which is new.
func (m *reviewModel) agent() {
	lines := m.lines()
	n := m.rand.IntN(len(lines))
	fresh := m.fresh()
	m.edit([]string{"bot", "other"}[m.rand.IntN(2)], "a.txt", lines[n], fresh)
	i := m.place(n)
	if m.items[i].pending {
		m.items[i].text = fresh
		return
	}
	m.items[i].gone = true
	m.items = slices.Insert(m.items, i+1, reviewItem{text: fresh, pending: true})
	m.tidy()
}

// tidy puts in each run of lines that are not accepted what went first.
func (m *reviewModel) tidy() {
	for from := 0; from < len(m.items); from++ {
		to := from
		for to < len(m.items) && (m.items[to].gone || m.items[to].pending) {
			to++
		}
		slices.SortStableFunc(m.items[from:to], func(a, b reviewItem) int {
			switch {
			case a.gone == b.gone:
				return 0
			case a.gone:
				return -1
			}
			return 1
		})
		from = max(from, to)
	}
}

// typed has a line come that is accepted by itself, in the editor or on disk.
func (m *reviewModel) typed() {
	lines := m.lines()
	n := m.rand.IntN(len(lines) + 1)
	fresh := m.fresh()
	if m.open != "" {
		if err := m.Type(m.open, fakeeditor.Point{Line: n + 1, Column: 1}, fresh); err != nil {
			m.Fatal(err)
		}
	} else if err := os.WriteFile(filepath.Join(m.dir, "a.txt"), []byte(strings.Join(slices.Insert(lines, n, fresh), "")), 0o600); err != nil {
		m.Fatal(err)
	}
	i := m.place(n)
	if i < len(m.items) && m.items[i].pending {
		for i > 0 && m.items[i-1].gone {
			i-- // in front of the hunk, and so of what went there
		}
	}
	m.items = slices.Insert(m.items, i, reviewItem{text: fresh})
}

// decide keeps a hunk or takes it back.
func (m *reviewModel) decide(keep bool) {
	ids := m.ids("a.txt")
	if len(ids) == 0 {
		return
	}
	n := m.rand.IntN(len(ids))
	out := m.ask("agent/review/list", map[string]any{"uri": m.uri("a.txt")})
	before := asJSON(out)
	file := out["files"].([]any)[0].(map[string]any)
	hunk := file["hunks"].([]any)[n].(map[string]any)
	var from, to int
	at := hunk["range"].(map[string]any)
	from = int(at["start"].(map[string]any)["line"].(float64))
	to = int(at["end"].(map[string]any)["line"].(float64))
	removed := slices.Collect(strings.Lines(hunk["removed"].(string)))
	method := "agent/review/undo"
	if keep {
		method = "agent/review/keep"
	}
	answer := m.ask(method, map[string]any{"hunks": []string{ids[n]}})
	if answer["undone"] != 1.0 && answer["kept"] != 1.0 {
		m.Fatalf("%s: %s of %s", method, asJSON(answer), before)
	}
	for line := from; line < to; line++ {
		i := m.place(line)
		if !m.items[i].pending {
			m.Fatalf("line %d is of nobody's hunk: %s", line, before)
		}
		m.items[i].text = "\x00" + m.items[i].text
	}
	for _, r := range removed {
		i := slices.IndexFunc(m.items, func(it reviewItem) bool { return it.gone && it.text == r })
		if i < 0 {
			m.Fatalf("%q did not go: %s", r, before)
		}
		m.items[i].text = "\x00" + m.items[i].text
	}
	var left []reviewItem
	for _, it := range m.items {
		text, chosen := strings.CutPrefix(it.text, "\x00")
		switch {
		case !chosen:
			left = append(left, it)
		case it.gone != keep:
			left = append(left, reviewItem{text: text})
		}
	}
	m.items = left
}

func (m *reviewModel) toggle() {
	if m.open != "" {
		if err := m.Save(m.open); err != nil {
			m.Fatal(err)
		}
		if err := m.Close(m.open); err != nil {
			m.Fatal(err)
		}
		m.open = ""
		return
	}
	name, err := m.Open(filepath.Join(m.dir, "a.txt"), "text")
	if err != nil {
		m.Fatal(err)
	}
	m.open = name
}

func (m *reviewModel) restart() {
	if m.open != "" {
		m.toggle()
	}
	s := m.reviewSession
	s.end()
	m.reviewSession = startReview(s.T, s.dir, s.state, fakeeditor.VSCode(fakeeditor.Root{Name: "w", Dir: s.dir}))
}

// check holds the text and the hunks against the model.
func (m *reviewModel) check(step string) {
	m.Helper()
	m.holds("a.txt", m.text(false))
	out := m.ask("agent/review/list", map[string]any{"uri": m.uri("a.txt")})
	lines := m.lines()
	if files, _ := out["files"].([]any); len(files) > 0 {
		hunks, _ := files[0].(map[string]any)["hunks"].([]any)
		for _, h := range slices.Backward(hunks) {
			hunk := h.(map[string]any)
			at := hunk["range"].(map[string]any)
			from := int(at["start"].(map[string]any)["line"].(float64))
			to := int(at["end"].(map[string]any)["line"].(float64))
			lines = slices.Replace(lines, from, to, slices.Collect(strings.Lines(hunk["removed"].(string)))...)
		}
	}
	if got, want := strings.Join(lines, ""), m.text(true); got != want {
		m.Errorf("%s: accepted\n%q, want\n%q", step, got, want)
	}
	if m.Failed() {
		m.FailNow()
	}
}

// TestReviewModel: sequences of edits by two agents, typing, keeping, taking back,
// saving, closing, changes on disk and restarts; after each step the text and what is
// accepted are those of the simplest model, and nothing that was typed is lost.
func TestReviewModel(t *testing.T) {
	for seed := range uint64(testscale.Of(500, 20)) {
		m := &reviewModel{rand: rand.New(rand.NewPCG(seed, 3))}
		for i := range 6 {
			m.items = append(m.items, reviewItem{text: fmt.Sprintf("line %d\n", i)})
		}
		m.reviewSession = newReview(t, map[string]string{"a.txt": m.text(false)})
		for range 14 {
			var step string
			switch k := m.rand.IntN(12); {
			case k < 4:
				step = "agent"
				m.agent()
			case k < 7:
				step = "typed"
				m.typed()
			case k < 8:
				step = "keep"
				m.decide(true)
			case k < 10:
				step = "undo"
				m.decide(false)
			case k < 11:
				step = "open or close"
				m.toggle()
			default:
				step = "restart"
				m.restart()
			}
			m.check(fmt.Sprintf("seed %d, %s", seed, step))
		}
		m.end()
	}
}
