package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// columns are the tools whose lines are put in columns for a person: what a
// line begins with. In "numbers" that ends a column at its right, as the size
// of a file and the number of a line.
var columns = map[string]*regexp.Regexp{
	"read_file":      regexp.MustCompile(`^(?P<number>\d+)\|`),
	"list_directory": regexp.MustCompile(`^(?P<name> *\S.*?)  (?P<number>\d[\d.]*[KMGT]?)(?:  |\n|$)`),
	"grep_files":     regexp.MustCompile(`^(?P<number>\d+)[:-] `),
}

// widestColumn is where columns end that would leave no room for the others,
// in characters.
const widestColumn = 60

// inColumns pads what lines of a tool's text begin with, so that what follows
// stands in line.
func inColumns(tool, text string) string {
	form := columns[tool]
	if form == nil {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	widths := make([]int, form.NumSubexp()+1)
	for _, line := range lines {
		at := form.FindStringSubmatchIndex(line)
		for i := 1; at != nil && i < len(widths); i++ {
			if w := utf8.RuneCountInString(line[at[2*i]:at[2*i+1]]); w <= widestColumn {
				widths[i] = max(widths[i], w)
			}
		}
	}
	for n, line := range lines {
		lines[n] = padded(line, form, widths)
	}
	return strings.Join(lines, "")
}

// padded pads the parts of a line that a form finds in it.
func padded(line string, form *regexp.Regexp, widths []int) string {
	at := form.FindStringSubmatchIndex(line)
	if at == nil {
		return line
	}
	var b strings.Builder
	done := 0
	for i, name := range form.SubexpNames()[1:] {
		begins, ends := at[2*i+2], at[2*i+3]
		blanks := strings.Repeat(" ", max(0, widths[i+1]-utf8.RuneCountInString(line[begins:ends])))
		b.WriteString(line[done:begins])
		if name == "number" {
			b.WriteString(blanks + line[begins:ends])
		} else {
			b.WriteString(line[begins:ends] + blanks)
		}
		done = ends
	}
	b.WriteString(line[done:])
	return b.String()
}
