package judge

import (
	"cmp"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

var (
	differences = flag.Bool("differences", false, "list all differences")
	other       = flag.Bool("other", false, "take other files, and demand nothing")
)

// TestOutlines demands of the outlines of real code what barOf says.
func TestOutlines(t *testing.T) {
	if testing.Short() {
		t.Skip("the bars are for all of the files")
	}
	sources := setUp(t)
	faults, err := readFaults("faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	var results []result
	for _, language := range judged {
		t.Run(language, func(t *testing.T) {
			r := judgeLanguage(t, sources, language, faults)
			results = append(results, r)
			for _, missed := range r.missed() {
				if *other {
					t.Logf("%s: %s", language, missed)
				} else {
					t.Errorf("%s: %s", language, missed)
				}
			}
		})
	}
	t.Log("\n" + table(results))
	if *differences {
		for _, f := range faults.faults {
			t.Logf("fault\t%d\t%s\t%s\t%s\t%v\t%s", f.used.Load(), f.language, f.what, f.file, f.name, f.where)
		}
	}
}

// setUp finds the sources. Where .ci/setup.sh has not been run, it skips the
// test, but never in a run that must be complete.
func setUp(t *testing.T) roots {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the judges and the sources are those of Debian")
	}
	r, err := openRoots(t.Context(), ".")
	for _, judge := range []string{"ctags", "node", "ruby", "/usr/bin/python3", javaProgram()} {
		_, missing := exec.LookPath(judge)
		err = cmp.Or(err, missing)
	}
	if err == nil {
		return r
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("run .ci/setup.sh: %v", err)
	}
	t.Skipf("run .ci/setup.sh for this test: %v", err)
	return nil
}

func judgeLanguage(t *testing.T, sources roots, language string, faults *faultList) result {
	ctx := t.Context()
	files, err := sources.pick(language, t.TempDir(), sample{everyNth, *other})
	if err != nil {
		t.Fatal(err)
	}
	said, corrected, err := ask(ctx, files, language, ".")
	if err != nil {
		t.Fatal(err)
	}
	each := make([]counts, len(files))
	err = parallel.ForEach(ctx, runtime.GOMAXPROCS(0), len(files), func(ctx context.Context, i int) error {
		each[i] = compare(ctx, files[i], said[files[i].path], faults)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := result{language: language, counts: counts{unlike: map[string]int{}, faults: map[string]int{}}}
	for _, c := range each {
		r.counts.add(c)
	}
	r.ends = share{r.counts.told - r.counts.unlike["end"], r.counts.told}
	r.byHand(t, sources)
	r.list(t)
	if corrected != (corrections{}) {
		t.Logf("corrected by the language's own parser: %+v", corrected)
	}
	return r
}

// byHand takes the end lines that were marked by hand, where the judge does
// not tell them.
func (r *result) byHand(t *testing.T, sources roots) {
	name := filepath.Join("testdata", "ends_"+r.language+".tsv")
	if !slices.Contains([]string{"php", "rust"}, r.language) {
		return
	}
	all, err := readMarked(name)
	if err != nil {
		t.Fatal(err)
	}
	ends, wrong, err := sources.checkMarked(t.Context(), r.language, all)
	if err != nil {
		t.Fatal(err)
	}
	r.ends = ends
	for _, w := range wrong {
		t.Log(w)
	}
}

func (r *result) list(t *testing.T) {
	t.Logf("unlike %v, the judge's faults %v", r.counts.unlike, r.counts.faults)
	if !*differences {
		return
	}
	for _, d := range r.counts.unlikeness {
		t.Log(d)
	}
	for _, d := range r.counts.excused {
		t.Logf("fault of the judge: %s", d)
	}
}
