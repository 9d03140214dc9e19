package bench

import (
	"io"
	"path/filepath"
	"regexp"

	"github.com/agent-lsp/agent-lsp/internal/bench/tokens"
)

// tokensPage is the page of the docs that has the table of tokens.
const tokensPage = "docs/tokens.md"

// tokenRows measures what tasks cost in tokens, ours against other tools.
func tokenRows(w io.Writer, dir string, o Options) []Figure {
	only, err := regexp.Compile(o.Tasks)
	check(err)
	sets, err := regexp.Compile(o.Sets)
	check(err)
	here := filepath.Join("internal", "bench")
	result, err := tokens.Run(w, tokens.Options{
		Server: o.Server, Sources: filepath.Join(here, "sources"), Modules: filepath.Join(here, "tokens", "node_modules"),
		Dir: dir, Tasks: only, Sets: sets, Show: o.Show,
	})
	check(err)
	if o.Update {
		check(result.Update(tokensPage))
	}
	var rows []Figure
	for _, b := range result.Bars() {
		rows = append(rows, Figure{Name: "tokens: " + b.Name, Got: b.Got, Unit: b.Unit, Bar: b.Bar, Note: b.Note})
	}
	return rows
}
