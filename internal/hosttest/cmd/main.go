package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/hosttest"
)

func main() {
	var o hosttest.Options
	flag.StringVar(&o.Program, "server", "bin/agent-lsp", "the program to try")
	flag.StringVar(&o.Hosts, "hosts", ".cache/hosts", "the folder in which the hosts are installed")
	flag.StringVar(&o.Neovim, "nvim", "", "a Neovim for the hosts that are tried beside one")
	flag.StringVar(&o.Plugin, "plugin", "editor-clients/neovim", "the Neovim plugin")
	flag.BoolVar(&o.Keep, "keep", false, "keep the folders of the runs")
	picture := flag.String("picture", "", "the file for what a host's screen shows, in place of the checks")
	flag.Parse()
	o.Names = flag.Args()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	failed, err := run(ctx, o, *picture)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hosttest:", err)
	}
	if failed > 0 || err != nil {
		os.Exit(1)
	}
}

func run(ctx context.Context, o hosttest.Options, picture string) (int, error) {
	for _, p := range []*string{&o.Program, &o.Hosts, &o.Plugin} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return 0, err
		}
		*p = abs
	}
	if picture != "" && len(o.Names) == 1 {
		return 0, hosttest.Picture(ctx, o, o.Names[0], picture)
	}
	return hosttest.Run(ctx, os.Stdout, o)
}
