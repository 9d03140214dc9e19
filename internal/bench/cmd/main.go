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
	only := flag.String("only", "", "the one group of rows to measure: outline, process, mcp, text, read, lines, edit, buffer, change, search")
	floor := flag.Bool("floor", false, "be the floor server")
	flag.Parse()
	if err := run(*binary, *dir, *only, *floor); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(binary, dir, only string, floor bool) error {
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
	return bench.Run(os.Stdout, binary, self, dir, only)
}
