package judge

import (
	"context"
	"fmt"
	"slices"
)

// A difference is where an outline and its judge do not agree.
type difference struct {
	what string // one of whats
	file string
	line int // where the definition's name stands, as far as it is known
	name string
	say  string // details, for a reader
	text string // the line
}

// whats are the ways to differ: the outline lacks a definition, has one that
// the judge does not know, or another start, end or container.
var whats = []string{"missed", "invented", "start", "end", "container"}

func (d difference) String() string {
	return fmt.Sprintf("%s\t%s:%d\t%s\t%s", d.what, d.file, d.line, d.name, d.say)
}

// counts are what is measured over files.
type counts struct {
	files      int
	known      int // definitions that the judge demands
	found      int
	started    int            // of those that are found: compared by their start
	told       int            // … by their end
	contained  int            // … by their container
	ours       int            // functions and types in outlines
	unlike     map[string]int // differences by what, without the judge's faults
	faults     map[string]int // the judge's faults by what
	unlikeness []difference
	excused    []difference // those that are the judge's faults
}

// compare counts what the outline of one file has right.
func compare(ctx context.Context, f *file, items []item, faults *faultList) counts {
	symbols, lines := symbolsOf(ctx, f)
	c := counts{files: 1, unlike: map[string]int{}, faults: map[string]int{}}
	partner := pair(items, symbols)
	taken := make([]bool, len(symbols))
	for at, i := range items {
		p := partner[at]
		if p >= 0 {
			taken[p] = true
		}
		switch missed := (difference{what: "missed", line: i.Line, name: i.Name, say: string(i.Class)}); {
		case i.Optional:
		case p >= 0:
			c.judge(f, i, symbols[p], lines, faults)
		case !c.differ(f, missed, lines, faults):
			c.known++
		}
	}
	for at, s := range symbols {
		if s.class != function && s.class != typ {
			continue
		}
		d := difference{what: "invented", line: s.nameLine, name: s.Name, say: s.Kind.String()}
		if taken[at] || !c.differ(f, d, lines, faults) {
			c.ours++
		}
	}
	return c
}

// judge compares a definition that both know.
func (c *counts) judge(f *file, i item, s symbol, lines *lineTable, faults *faultList) {
	c.known++
	c.found++
	count := func(n *int, what, say string) {
		d := difference{what: what, line: i.Line, name: i.Name, say: say}
		if say == "" || !c.differ(f, d, lines, faults) {
			*n++
		}
	}
	count(&c.started, "start", startWrong(i, s, lines, f.language))
	if i.End > 0 {
		count(&c.told, "end", endWrong(i, s))
	}
	if i.Containers != nil {
		count(&c.contained, "container", containerWrong(i, s))
	}
}

func endWrong(i item, s symbol) string {
	if s.EndLine == i.End {
		return ""
	}
	return fmt.Sprintf("ends at %d, ours at %d", i.End, s.EndLine)
}

func containerWrong(i item, s symbol) string {
	ours := lastPart(s.Container)
	if slices.ContainsFunc(i.Containers, func(name string) bool { return lastPart(name) == ours }) {
		return ""
	}
	return fmt.Sprintf("in %q, ours in %q", i.Containers, s.Container)
}

// differ counts a difference, and reports whether it is the judge's fault.
func (c *counts) differ(f *file, d difference, lines *lineTable, faults *faultList) bool {
	d.file, d.text = f.name, lines.line(d.line)
	if faults.covers(f.language, d) {
		c.faults[d.what]++
		c.excused = append(c.excused, d)
		return true
	}
	c.unlike[d.what]++
	c.unlikeness = append(c.unlikeness, d)
	return false
}

func (c *counts) add(other counts) {
	c.files += other.files
	c.known += other.known
	c.started += other.started
	c.told += other.told
	c.contained += other.contained
	c.found += other.found
	c.ours += other.ours
	for _, what := range whats {
		c.unlike[what] += other.unlike[what]
		c.faults[what] += other.faults[what]
	}
	c.unlikeness = append(c.unlikeness, other.unlikeness...)
	c.excused = append(c.excused, other.excused...)
}
