package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/agent-lsp/agent-lsp/internal/bench"
)

func main() {
	binary := flag.String("server", "bin/agent-lsp", "the program to measure")
	dir := flag.String("dir", "", "where the fixtures go (default: the system's temporary folder)")
	only := flag.String("only", "", "the one group of rows to measure: outline, process, mcp, keys, text, read, lines, edit, buffer, change, search, tokens")
	update := flag.Bool("update", false, "write the table of tokens to docs/tokens.md")
	tasks := flag.String("tasks", "", "of tokens, the tasks whose names this expression matches")
	sets := flag.String("sets", "", "of tokens, the tool sets whose names this expression matches")
	show := flag.Bool("show", false, "of tokens, print the calls and their answers")
	floor := flag.Bool("floor", false, "be the floor server")
	flag.Parse()
	if err := run(bench.Options{Server: *binary, Dir: *dir, Only: *only, Update: *update, Tasks: *tasks, Sets: *sets, Show: *show}, *floor); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(o bench.Options, floor bool) error {
	if floor {
		err := bench.ServeFloor(os.Stdin, os.Stdout)
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o.Floor = self
	return bench.Run(os.Stdout, o)
}
