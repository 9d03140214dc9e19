package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// rowsInside returns the rows that a benchmark of a package prints, because
// they need what the package does not export.
func rowsInside(folder, benchmark string) []Figure {
	cmd := exec.CommandContext(context.Background(), "go", "test", "-run", "^$", "-bench", "^"+benchmark+"$", "-benchtime", "1x", "./"+folder)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		panic(fmt.Errorf("%s in %s: %w\n%s", benchmark, folder, err, out))
	}
	var rows []Figure
	for line := range bytes.Lines(out) {
		if _, row, found := bytes.Cut(line, []byte(rowMark)); found {
			var f Figure
			check(json.Unmarshal(row, &f))
			rows = append(rows, f)
		}
	}
	return rows
}

const rowMark = "row: "

// Print prints rows as "make bench" reads them from a package's benchmark.
func Print(rows []Figure) {
	for _, f := range rows {
		row, err := json.Marshal(f)
		check(err)
		fmt.Printf("\n%s%s\n", rowMark, row) // what the test program began may stand before it
	}
}
