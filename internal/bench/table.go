package bench

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"text/tabwriter"
)

// Options say what is measured.
type Options struct {
	Server string // the program to measure
	Floor  string // a program that runs [ServeFloor] when it is given -floor
	Dir    string // where fixtures stand while it runs, 1.5 GB; empty is the system's temporary folder
	Only   string // the one group of rows to measure; empty is all

	// Of the group tokens:
	Update bool   // write the table of the docs
	Tasks  string // an expression for the names of the tasks to do; empty is all
	Sets   string // an expression for the names of the tool sets that do them
	Show   bool   // print the calls and their answers
}

// Run measures all rows and prints them as a table.
func Run(w io.Writer, o Options) error {
	dir, err := os.MkdirTemp(o.Dir, "agent-lsp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fixtures := sync.OnceValue(func() fixtures {
		fmt.Fprintln(w, "making fixtures of 1.5 GB …")
		return makeFixtures(dir)
	})
	var rows []Figure
	for _, group := range []struct {
		name string
		rows func() []Figure
	}{
		{"outline", func() []Figure { return rowsInside("syntax", "BenchmarkOutlines") }},
		{"process", func() []Figure { return processRows(fixtures(), o.Server) }},
		{"mcp", func() []Figure { return mcpRows(fixtures(), o.Server) }},
		{"keys", func() []Figure { return keyRows(fixtures(), o.Server) }},
		{"text", func() []Figure { return rowsInside("rpc", "BenchmarkChanges") }},
		{"read", func() []Figure { return readRows(fixtures(), o.Server, o.Floor) }},
		{"lines", func() []Figure { return lineRows(fixtures(), o.Server) }},
		{"edit", func() []Figure { return editRows(fixtures(), o.Server) }},
		{"buffer", func() []Figure { return bufferRows(fixtures(), o.Server) }},
		{"change", func() []Figure { return changeRows(fixtures(), o.Server) }},
		{"search", func() []Figure { return searchRows(fixtures(), o.Server) }},
		{"tokens", func() []Figure { return tokenRows(w, dir, o) }},
	} {
		if o.Only == "" || o.Only == group.name {
			rows = append(rows, group.rows()...)
		}
	}
	return printTable(w, rows)
}

func printTable(w io.Writer, rows []Figure) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tmeasured\tfloor\tratio\tbar\t")
	for _, f := range rows {
		fmt.Fprintln(table, f.row())
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
