package judge

import (
	"fmt"
	"strings"
)

// A bar is what a language must reach, in percent.
type bar struct{ recall, start, end, container, notInvented float64 }

// judged are the languages with a judge, in the order of the table.
var judged = []string{"go", "python", "ruby", "php", "c", "cpp", "java", "rust", "csharp", "javascript", "typescript"}

func barOf(language string) bar {
	b := bar{recall: 98, start: 99, end: 98, container: 97, notInvented: 99.5}
	switch language {
	case "java", "rust", "csharp":
		b.recall = 96
	}
	return b
}

func judgeOf(language string) string {
	switch language {
	case "javascript", "typescript":
		return "TypeScript"
	case "go":
		return "ctags, go/parser"
	case "python":
		return "ctags, ast"
	case "ruby":
		return "ctags, RubyVM"
	case "java":
		return "ctags, javac"
	case "php", "rust":
		return "ctags, by hand"
	}
	return "ctags"
}

// result is what a language has reached.
type result struct {
	language string
	counts   counts
	ends     share // by the judge or by hand
}

// share is so many of so many.
type share struct{ of, all int }

func (s share) percent() float64 {
	if s.all == 0 {
		return 100
	}
	return 100 * float64(s.of) / float64(s.all)
}

func (r result) figures() (recall, start, end, container, notInvented share) {
	c := r.counts
	recall = share{c.found, c.known}
	start = share{c.started - c.unlike["start"], c.started}
	container = share{c.contained - c.unlike["container"], c.contained}
	notInvented = share{c.ours - c.unlike["invented"], c.ours}
	return recall, start, r.ends, container, notInvented
}

// missed lists the bars that are not reached.
func (r result) missed() []string {
	b := barOf(r.language)
	recall, start, end, container, notInvented := r.figures()
	var missed []string
	check := func(what string, got share, want float64) {
		if got.percent() < want {
			missed = append(missed, fmt.Sprintf("%s %.2f %% (%d of %d), expected at least %g %%", what, got.percent(), got.of, got.all, want))
		}
	}
	check("recall", recall, b.recall)
	check("start lines", start, b.start)
	check("end lines", end, b.end)
	check("container", container, b.container)
	check("not invented", notInvented, b.notInvented)
	return missed
}

// table renders results in Markdown.
func table(results []result) string {
	var out strings.Builder
	out.WriteString("| language | judge | files | definitions | found | start line | end line | container | not invented |\n")
	out.WriteString("|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		b := barOf(r.language)
		recall, start, end, container, notInvented := r.figures()
		fmt.Fprintf(&out, "| %s | %s | %d | %d |", r.language, judgeOf(r.language), r.counts.files, r.counts.known)
		for _, f := range []struct {
			got  share
			want float64
		}{{recall, b.recall}, {start, b.start}, {end, b.end}, {container, b.container}, {notInvented, b.notInvented}} {
			mark := ""
			if f.got.percent() < f.want {
				mark = fmt.Sprintf(" **< %g**", f.want)
			}
			fmt.Fprintf(&out, " %.2f%s |", f.got.percent(), mark)
		}
		out.WriteString("\n")
	}
	return out.String()
}
