package locate

import (
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const (
	// maxNearest is the longest diff to the nearest region, in bytes.
	maxNearest = 2 << 10
	// maxCompared is how many lines are compared one by one for likeness.
	maxCompared = 20_000
	// maxLikened is the longest line that is, in bytes.
	maxLikened = 200
	// MaxComparedLines is how many lines of what was not found are compared at most,
	// and maxComparisons with how many lines of the text together.
	MaxComparedLines = 1000
	maxComparisons   = 5_000_000
)

// TextNotFound is the error for text that does not occur. It shows the region
// that is most like it, so that the call can be mended at once.
func TextNotFound(hay *Haystack, wanted string) *fault.Error {
	e := fault.New(fault.TextNotFound, "old_text does not occur; nothing was changed")
	if hasLoneCR(wanted) && !hasLoneCR(hay.string()) {
		return e.Advise(`It has a carriage return alone, and the file has none; "\n" stands for any line end.`)
	}
	have := hay.flattened(flatForm{trimmed: true}).split()
	want := strings.Split(strings.TrimSuffix(flatten(wanted, flatForm{trimmed: true}).text, "\n"), "\n")
	if areNumbered(want) {
		return e.Advise(`Its lines begin with line numbers, which are not in the file: leave "N|" out.`)
	}
	line, ok := likest(have, want)
	if !ok {
		return e.Advise("Nothing in the file is like it. Read the file again and copy the text exactly.")
	}
	region := text.Span{Start: hay.Text.LineStart(line), End: hay.Text.LineStart(min(line+len(want), hay.Text.Lines()))}
	shown := visibleDiff(hay.Text.Slice(region), wanted)
	where := fmt.Sprintf("Line %d is", line+1)
	if len(want) > 1 {
		where = fmt.Sprintf("Lines %d to %d are", line+1, line+len(want))
	}
	return e.Advise("%s most like it; copy what the file has (- lines%s):\n%s", where, legend(shown), shown).With("near_line", line+1)
}

// legend explains the marks that visible left in a diff.
func legend(shown string) string {
	var marks []string
	for _, m := range []struct{ mark, meaning string }{{"·", "a blank"}, {"→", "a tab"}, {"␍", "a carriage return"}, {"⍽", "a no-break space"}} {
		if strings.Contains(shown, m.mark) {
			marks = append(marks, m.mark+" is "+m.meaning)
		}
	}
	if len(marks) == 0 {
		return ""
	}
	return "; " + strings.Join(marks, ", ")
}

// areNumbered reports whether lines were copied with the numbers that read_file
// shows.
func areNumbered(lines []string) bool {
	for _, line := range lines {
		digits := strings.TrimLeft(line, " \t")
		rest := strings.TrimLeft(digits, "0123456789")
		if rest == digits || !strings.HasPrefix(rest, "|") && !strings.HasPrefix(rest, " |") {
			return false
		}
	}
	return true
}

// likest returns the 0-based line at which the region begins that has most
// lines of want in their places; where no line is the same, that of the line
// most like the longest of want.
func likest(have, want []string) (line int, ok bool) {
	want = want[:min(len(want), MaxComparedLines, max(10, maxComparisons/(len(have)+1)))]
	at := make(map[string][]int)
	for j, w := range want {
		if w = strings.TrimLeft(w, " \t"); w != "" {
			at[w] = append(at[w], j)
		}
	}
	votes := make(map[int]int)
	best := 0
	for i, h := range have {
		h = strings.TrimLeft(h, " \t")
		for _, j := range at[h] {
			start := max(i-j, 0)
			votes[start] += len(h)
			if v := votes[start]; v > best || v == best && start < line {
				best, line = v, start
			}
		}
	}
	if best > 0 {
		return line, true
	}
	return likestLine(have, want)
}

func likestLine(have, want []string) (line int, ok bool) {
	wanted, longest := "", 0
	for j, w := range want {
		if w = strings.TrimSpace(w); len(w) > len(wanted) {
			wanted, longest = w, j
		}
	}
	if wanted == "" || len(wanted) > maxLikened {
		return 0, false
	}
	best, shared := 2*len(wanted)/5+1, max(4, len(wanted)/2)
	near := false // by its likeness as a whole; else by how it begins and ends
	for i, h := range have[:min(len(have), maxCompared)] {
		h = strings.TrimSpace(h)
		n := sharedEnds(wanted, h)
		if n == len(wanted) { // nothing is like a line more than one that holds it
			return max(i-longest, 0), true
		}
		if !near && n > shared {
			shared, line, ok = n, max(i-longest, 0), true
		}
		if max(len(h)-len(wanted), len(wanted)-len(h)) >= best {
			continue
		}
		if d := text.EditDistance(wanted, h, best); d < best {
			best, line, ok, near = d, max(i-longest, 0), true, true
		}
	}
	return line, ok
}

// sharedEnds counts the bytes that two lines have in common at their beginnings
// and ends: most of a line of which only a part was copied.
func sharedEnds(a, b string) int {
	least := min(len(a), len(b))
	front := 0
	for front < least && a[front] == b[front] {
		front++
	}
	back := 0
	for back < least-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front + back
}

// visibleDiff shows how have differs from want: lines of have by -, of want by
// +, with blanks made visible where they may matter.
func visibleDiff(have, want string) string {
	if !strings.HasSuffix(want, "\n") && strings.HasSuffix(have, "\n") {
		want += "\n"
	}
	old := text.New(have)
	d := diff.Unified("", old, diff.Compute(have, text.New(want).String()), toolcall.DiffContext)
	var b strings.Builder
	for line := range strings.Lines(d) {
		if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "@@") || strings.HasPrefix(line, "diff ") {
			continue
		}
		b.WriteString(visible(line))
		if b.Len() > maxNearest {
			fmt.Fprint(&b, "…\n")
			break
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// visible makes what nobody sees in a changed line visible: all blanks at its
// ends, and in it those that are no single blank. Lines that are the same on
// both sides stay as they are.
func visible(line string) string {
	if line == "" || line[0] != '-' && line[0] != '+' {
		return line
	}
	body := strings.TrimSuffix(line[1:], "\n")
	inner := strings.TrimLeft(body, " \t")
	indent := body[:len(body)-len(inner)]
	middle := strings.TrimRight(inner, " \t\r")
	within := strings.NewReplacer("  ", "··", "\t", "→", "\r", "␍", "\u00a0", "⍽")
	marks := strings.NewReplacer(" ", "·", "\t", "→", "\r", "␍", "\u00a0", "⍽")
	return line[:1] + marks.Replace(indent) + within.Replace(middle) + marks.Replace(inner[len(middle):]) + "\n"
}
