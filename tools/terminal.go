package tools

import "strings"

// Terminal is how a tool is called, and its answers are shown, where a person
// types: which inputs are more than flags, and what the lines of a text are.
type Terminal struct {
	// Arguments are the inputs that are given by their places, in this order.
	Arguments []string
	// Stdin are the inputs for which - stands for standard input, and Files those
	// for which the name of a file may be given that holds them.
	Stdin, Files []string
	// Negatable are the inputs that are true unless it is said otherwise.
	Negatable []string
	// Placeholders stand for the values of inputs in the help.
	Placeholders map[string]string
	// Cut cuts a line, given without its end, into its cells; nil is [CutLine].
	Cut func(line string) []Cell
}

// Cell is a part of a line.
type Cell struct {
	Text  string
	Style Style
	Align Align
}

// Style is what a cell is.
type Style uint8

// The styles.
const (
	Plain   Style = iota
	Aside         // a line's number, a hash: what is not the text itself
	Heading       // the name of a file above what is of it
	Folder
	Hunk // where a part of a diff stands
	Added
	Removed
)

// Align is where a cell stands in its column.
type Align uint8

// The places.
const (
	Unaligned Align = iota
	Left
	Right
)

// Cells cuts a line of the tool's text into its cells.
func (t Terminal) Cells(line string) []Cell {
	if t.Cut == nil {
		return CutLine(line)
	}
	return t.Cut(line)
}

// CutLine cuts a line that is numbered, or one of a diff.
func CutLine(line string) []Cell {
	if n := numberEnd(line, "|", ": ", "- "); n > 0 {
		return []Cell{{Text: line[:n], Style: Aside}, {Text: line[n:]}}
	}
	style := Plain
	switch {
	case strings.HasPrefix(line, "@@"):
		style = Hunk
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		style = Heading
	case strings.HasPrefix(line, "+"):
		style = Added
	case strings.HasPrefix(line, "-"):
		style = Removed
	}
	return []Cell{{Text: line, Style: style}}
}

// numberedBy cuts lines whose number, with one of the marks behind it, is a
// column.
func numberedBy(marks ...string) func(string) []Cell {
	return func(line string) []Cell {
		cells := CutLine(line)
		if n := numberEnd(line, marks...); n > 0 && line[0] != ' ' {
			cells[0].Align = Right
		}
		return cells
	}
}

// numberEnd returns where the number ends that a line begins with, with the mark
// behind it; 0 when there is none.
func numberEnd(line string, marks ...string) int {
	blanks := len(line) - len(strings.TrimLeft(line, " "))
	digits := digitsIn(line[blanks:])
	if digits == 0 {
		return 0
	}
	for _, mark := range marks {
		if strings.HasPrefix(line[blanks+digits:], mark) {
			return blanks + digits + len(mark)
		}
	}
	return 0
}

// digitsIn returns how many digits s begins with.
func digitsIn(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// cutHits cuts lines of hits below the names of their files, each with the
// hash of its text.
func cutHits(line string) []Cell {
	at := strings.LastIndexByte(line, ' ')
	hash := line[at+1:]
	if at > 0 && line[0] != ' ' && len(hash) >= 8 && len(hash) <= 64 && strings.Trim(hash, "0123456789abcdef") == "" {
		return []Cell{{Text: line[:at], Style: Heading}, {Text: line[at:], Style: Aside}}
	}
	return numberedBy(": ", "- ")(line)
}

// cutEntry cuts the line of an entry of a folder: its name, two blanks, its size.
func cutEntry(line string) []Cell {
	if strings.HasSuffix(line, "/") {
		return []Cell{{Text: line, Style: Folder}}
	}
	name := len(line) - len(strings.TrimLeft(line, " ")) + 1
	for ; name < len(line); name++ {
		rest, ok := strings.CutPrefix(line[name:], "  ")
		if n := sizeEnd(rest); ok && n > 0 {
			return []Cell{{Text: line[:name], Align: Left}, {Text: "  "}, {Text: rest[:n], Align: Right}, {Text: rest[n:]}}
		}
	}
	return CutLine(line)
}

// sizeEnd returns where the size ends that s begins with, such as 9 or 1.2M; 0
// when there is none, or something else behind it.
func sizeEnd(s string) int {
	if digitsIn(s) == 0 {
		return 0
	}
	n := len(s) - len(strings.TrimLeft(s, "0123456789."))
	if n < len(s) && strings.IndexByte("KMGT", s[n]) >= 0 {
		n++
	}
	if n < len(s) && !strings.HasPrefix(s[n:], "  ") {
		return 0
	}
	return n
}
