package main

import (
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/tools"
)

// widestColumn is where columns end that would leave no room for the others,
// in characters.
const widestColumn = 60

// layout is how a tool's text is shown.
type layout struct {
	terminal tools.Terminal
	columns  bool // cells are padded so that they stand in line
	colour   bool
}

// text lays out text, whose lines end with a newline but perhaps the last.
func (l layout) text(text string) string {
	if !l.columns && !l.colour {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	cells := make([][]tools.Cell, len(lines))
	for n, line := range lines {
		cells[n] = l.terminal.Cells(strings.TrimSuffix(line, "\n"))
	}
	if l.columns {
		align(cells)
	}
	var b strings.Builder
	for n, line := range lines {
		for _, c := range cells[n] {
			l.write(&b, c)
		}
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// align pads the cells that are aligned to the width of their columns.
func align(lines [][]tools.Cell) {
	var widths []int
	for _, cells := range lines {
		for i, c := range cells {
			for len(widths) <= i {
				widths = append(widths, 0)
			}
			if w := utf8.RuneCountInString(c.Text); c.Align != tools.Unaligned && w <= widestColumn {
				widths[i] = max(widths[i], w)
			}
		}
	}
	for _, cells := range lines {
		for i := range cells {
			c := &cells[i]
			blanks := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(c.Text)))
			switch c.Align {
			case tools.Left:
				c.Text += blanks
			case tools.Right:
				c.Text = blanks + c.Text
			}
		}
	}
}

// write writes a cell in the colour of its style.
func (l layout) write(b *strings.Builder, c tools.Cell) {
	code := ""
	if l.colour && c.Text != "" {
		code = colourOf(c.Style)
	}
	if code == "" {
		b.WriteString(c.Text)
		return
	}
	b.WriteString("\x1b[" + code + "m" + c.Text + "\x1b[0m")
}

// colourOf returns the code of a style's colour; "" for none.
func colourOf(s tools.Style) string {
	switch s {
	case tools.Aside:
		return "2"
	case tools.Heading:
		return "1"
	case tools.Folder:
		return "34"
	case tools.Hunk:
		return "36"
	case tools.Added:
		return "32"
	case tools.Removed:
		return "31"
	}
	return ""
}
