package tokens

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Bar is a figure over all tasks, and the most that it may be.
type Bar struct {
	Name, Unit, Note string
	Got, Bar         float64
}

// callsOf27 is how many calls 27 tasks may take.
const callsOf27 = 40

// Bars returns the figures over all tasks.
func (r *Result) Bars() []Bar {
	var bars []Bar
	for _, p := range []struct {
		set string
		bar float64
	}{{"claude", 0.75}, {"codex", 0.75}, {"serena", 0.70}} {
		c := r.against(p.set)
		bars = append(bars, Bar{Name: "against " + nameOf(p.set), Unit: "×", Got: c.mean, Bar: p.bar,
			Note: fmt.Sprintf("%d tasks; calls %d against %d", c.tasks, c.calls, c.theirs)})
		if p.set == "claude" || p.set == "codex" {
			bars = append(bars, Bar{Name: "… the worst task", Unit: "×", Got: c.worst, Bar: 1.5, Note: c.worstTask})
		}
	}
	best := r.against("")
	calls, done := 0, 0
	for _, costs := range r.costs {
		if c := costs["ours"]; c.right() {
			calls, done = calls+c.calls, done+1
		}
	}
	return append(bars,
		Bar{Name: "against the best of all, each task", Unit: "×", Got: best.mean, Bar: 1.1, Note: fmt.Sprintf("%d tasks", best.tasks)},
		Bar{Name: "tasks not done", Unit: "tasks", Got: float64(len(r.tasks) - done), Bar: 0, Note: fmt.Sprintf("of %d", len(r.tasks))},
		Bar{Name: "calls of 27 tasks", Unit: "calls", Got: 27 * float64(calls) / float64(max(1, done)), Bar: callsOf27, Note: fmt.Sprintf("%d in %d", calls, done)},
		Bar{Name: "tools/list", Unit: "tokens", Got: float64(r.toolsTokens), Bar: 2300},
		Bar{Name: "instructions", Unit: "tokens", Got: float64(r.introduction), Bar: 250},
	)
}

func nameOf(set string) string {
	for _, p := range peers {
		if p.set == set {
			return p.name
		}
	}
	return set
}

// comparison is of the tasks that ours and a peer both did.
type comparison struct {
	mean, worst   float64 // of tokens, ours against theirs; mean is geometric
	worstTask     string
	tasks         int
	calls, theirs int
}

// against compares with a tool set, or with the cheapest for each task.
func (r *Result) against(set string) comparison {
	var c comparison
	sum := 0.0
	for i, costs := range r.costs {
		ours, theirs := costs["ours"], costs[set]
		if set == "" {
			_, theirs = cheapest(costs)
		}
		if theirs.calls == 0 || !ours.right() || !theirs.right() {
			continue
		}
		ratio := float64(ours.tokens) / float64(theirs.tokens)
		c.tasks, c.calls, c.theirs, sum = c.tasks+1, c.calls+ours.calls, c.theirs+theirs.calls, sum+math.Log(ratio)
		if ratio > c.worst {
			c.worst, c.worstTask = ratio, r.tasks[i].id
		}
	}
	if c.tasks > 0 {
		c.mean = math.Exp(sum / float64(c.tasks))
	}
	return c
}

// cheapest returns the peer that did a task with the fewest tokens.
func cheapest(costs map[string]cost) (set string, best cost) {
	for _, p := range peers {
		if c, ok := costs[p.set]; ok && c.right() && (set == "" || c.tokens < best.tokens) {
			set, best = p.set, c
		}
	}
	return set, best
}

// The table stands in the page between these lines.
const (
	tableBegin = "<!-- Made by `make bench ONLY=tokens UPDATE=1`; do not edit. -->\n"
	tableEnd   = "<!-- Until here. -->\n"
)

// Update writes the table into a page, in place of the one that is there.
func (r *Result) Update(page string) error {
	b, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	between := regexp.MustCompile(`(?s)` + regexp.QuoteMeta(tableBegin) + `.*` + regexp.QuoteMeta(tableEnd))
	if !between.Match(b) {
		return fmt.Errorf("%s has no place for the table", page)
	}
	return os.WriteFile(page, between.ReplaceAllLiteral(b, []byte(tableBegin+r.table()+tableEnd)), 0o644)
}

func (r *Result) table() string {
	var b strings.Builder
	b.WriteString("\n| over all tasks | measured | bar | |\n|---|---|---|---|\n")
	for _, bar := range r.Bars() {
		said := ""
		if bar.Got > bar.Bar {
			said = "NOT REACHED"
		}
		if bar.Note != "" {
			said = strings.TrimPrefix(said+", "+bar.Note, ", ")
		}
		fmt.Fprintf(&b, "| %s | %.4g %s | ≤ %.4g | %s |\n", bar.Name, bar.Got, bar.Unit, bar.Bar, said)
	}
	for _, p := range peers {
		if c := r.against(p.set); !slices.ContainsFunc(r.Bars(), func(b Bar) bool { return b.Name == "against "+p.name }) {
			fmt.Fprintf(&b, "| against %s | %.4g × | | %d tasks; calls %d against %d |\n", p.name, c.mean, c.tasks, c.calls, c.theirs)
		}
	}
	b.WriteString("\n| task | ours")
	for _, p := range peers {
		b.WriteString(" | " + p.name + " " + p.version)
	}
	b.WriteString(" | ours / best |\n|---|---" + strings.Repeat("|---", len(peers)) + "|---|\n")
	for i, t := range r.tasks {
		costs := r.costs[i]
		fmt.Fprintf(&b, "| %s | %s", t.id, costs["ours"].cell())
		for _, p := range peers {
			cell := "–"
			if c, ok := costs[p.set]; ok {
				cell = c.cell()
			}
			b.WriteString(" | " + cell)
		}
		ratio := ""
		if _, best := cheapest(costs); best.calls > 0 && costs["ours"].right() {
			ratio = fmt.Sprintf("%.2f", float64(costs["ours"].tokens)/float64(best.tokens))
		}
		fmt.Fprintf(&b, " | %s |\n", ratio)
	}
	b.WriteString("\n")
	return b.String()
}

func (c cost) cell() string {
	switch {
	case c.cannot:
		return "cannot"
	case c.failed != nil:
		return "wrong"
	}
	return fmt.Sprintf("%d/%d", c.tokens, c.calls)
}
