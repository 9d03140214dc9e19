package bench

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"
)

// Run measures all rows with the server binary and prints them as a table.
// floorBinary is a program that runs [ServeFloor] when it is given -floor.
// The fixtures, 1.5 GB, stand in a temporary folder below dir while it runs.
// only names the one group of rows to measure; "" is all.
func Run(w io.Writer, binary, floorBinary, dir, only string) error {
	dir, err := os.MkdirTemp(dir, "agent-lsp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintln(w, "making fixtures of 1.5 GB …")
	x := makeFixtures(dir)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tmeasured\tfloor\tratio\tbar\t")
	for _, group := range []struct {
		name string
		rows func() []Figure
	}{
		{"outline", outlineRows},
		{"process", func() []Figure { return processRows(x, binary) }},
		{"mcp", func() []Figure { return mcpRows(x, binary) }},
		{"keys", func() []Figure { return keyRows(x, binary) }},
		{"text", textRows},
		{"read", func() []Figure { return readRows(x, binary, floorBinary) }},
		{"lines", func() []Figure { return lineRows(x, binary) }},
		{"edit", func() []Figure { return editRows(x, binary) }},
		{"buffer", func() []Figure { return bufferRows(x, binary) }},
		{"change", func() []Figure { return changeRows(x, binary) }},
		{"search", func() []Figure { return searchRows(x, binary) }},
	} {
		if only != "" && only != group.name {
			continue
		}
		for _, f := range group.rows() {
			fmt.Fprintln(table, f.row())
		}
	}
	return table.Flush()
}

func (f Figure) row() string {
	floor, ratio, bar := "", "", "≤ "+short(f.Bar)+" "+f.Unit
	if f.Floor > 0 {
		floor, ratio, bar = short(f.Floor)+" "+f.Unit, short(f.Value())+"×", "≤ "+short(f.Bar)+"×"
	}
	verdict := "reached"
	if !f.Reached() {
		verdict = "NOT REACHED"
	}
	if f.Note != "" {
		verdict += " (" + f.Note + ")"
	}
	return fmt.Sprintf("%s\t%s %s\t%s\t%s\t%s\t%s", f.Name, short(f.Got), f.Unit, floor, ratio, bar, verdict)
}

// short renders with three digits.
func short(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
