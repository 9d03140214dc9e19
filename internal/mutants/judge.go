package mutants

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

// Wanted is what to judge.
type Wanted struct {
	Package string   // folder or import path
	Also    []string // packages whose tests are run on what lived through the package's own
	Count   int      // of mutants, at most
	Seed    uint64
	Files   *regexp.Regexp // names of the files that are changed
	AtOnce  int            // how many tests run at a time
	Verbose bool           // noticed mutants are told too
	// Patience is how long a run may take at least. One that takes longer, and
	// five times as long as without a mutant, counts as noticed.
	Patience time.Duration
}

// Judge makes mutants, runs the tests on each, and writes those that lived and
// the count to out.
func Judge(ctx context.Context, out io.Writer, w Wanted) error {
	pkg, err := load(ctx, w.Package)
	if err != nil {
		return err
	}
	mutants, err := pkg.pick(w.Count, w.Seed, w.Files)
	if err != nil {
		return err
	}
	// Names of sockets are short, and are made below this folder.
	work, err := os.MkdirTemp("", "mut")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	suites, err := pkg.build(ctx, mutants, append([]string{w.Package}, w.Also...), work)
	if err != nil {
		return err
	}
	for _, s := range suites {
		if err := s.try(ctx, work, w.Patience); err != nil {
			return err
		}
	}
	j := judging{suites: suites, work: work, out: out, verbose: w.Verbose}
	err = parallel.ForEach(ctx, w.AtOnce, len(mutants), func(ctx context.Context, i int) error { return j.one(ctx, mutants[i]) })
	fmt.Fprintf(out, "%s: %d of %d noticed\n", w.Package, j.noticed, j.judged)
	return err
}

type judging struct {
	suites  []*suite
	work    string
	verbose bool

	mu              sync.Mutex // for all below
	out             io.Writer
	noticed, judged int
}

// one runs one suite after the other, until one fails.
func (j *judging) one(ctx context.Context, m numbered) error {
	start := time.Now()
	reached := false
	for _, s := range j.suites {
		if !s.reached[m.id] {
			continue
		}
		reached = true
		ended, err := s.run(ctx, j.work, m.id)
		if err != nil {
			return err
		}
		if ended.failed {
			j.tell(m, true, fmt.Sprintf("  by %s: %s", s.pkg, ended.by), time.Since(start))
			return nil
		}
	}
	note := ""
	if !reached {
		note = "  (not reached by any test)"
	}
	j.tell(m, false, note, time.Since(start))
	return nil
}

func (j *judging) tell(m numbered, noticed bool, note string, took time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.judged++
	verdict := "lived"
	if noticed {
		j.noticed++
		verdict = "noticed"
	}
	if !noticed || j.verbose {
		fmt.Fprintf(j.out, "%s: %s%s  %.1fs\n", verdict, m, note, took.Seconds())
	}
}
