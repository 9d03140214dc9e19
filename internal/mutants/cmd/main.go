package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/mutants"
)

func main() {
	var w mutants.Wanted
	flag.StringVar(&w.Package, "pkg", "", "the package that is changed")
	flag.IntVar(&w.Count, "n", 100, "how many changes")
	flag.Uint64Var(&w.Seed, "seed", 1, "where random choices begin")
	flag.IntVar(&w.AtOnce, "p", 2, "how many tests run at a time")
	flag.BoolVar(&w.Verbose, "v", false, "tell also which changes were noticed, and by which test")
	flag.DurationVar(&w.Patience, "patience", 30*time.Second, "how long a run may take at least; one that takes longer, and five times as long as without a change, counts as noticed")
	files := flag.String("files", "", "regular expression for the names of the files that are changed")
	also := flag.String("also", "./internal/scenario ./tools ./rpc", "packages whose tests judge what the package's own do not notice")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := judge(ctx, w, *files, *also)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func judge(ctx context.Context, w mutants.Wanted, files, also string) error {
	var err error
	if w.Files, err = regexp.Compile(files); err != nil {
		return err
	}
	for pkg := range strings.FieldsSeq(also) {
		if pkg != w.Package {
			w.Also = append(w.Also, pkg)
		}
	}
	return mutants.Judge(ctx, os.Stdout, w)
}
