package mutants

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

//go:embed testdata/sample.go.txt
var sample string

// ofModule asks for mutants of a module.
var ofModule = Wanted{Package: ".", Seed: 7, Files: regexp.MustCompile(""), AtOnce: 2, Verbose: true, Patience: time.Minute}

// module makes a module of one file, goes there, and returns count mutants,
// or as many as there are.
func module(t *testing.T, text string, count int) []numbered {
	t.Chdir(t.TempDir())
	write(t, "go.mod", "module sample\n\ngo 1.26\n")
	write(t, "sample.go", text)
	pkg, err := load(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	mutants, err := pkg.pick(count, ofModule.Seed, ofModule.Files)
	if err != nil {
		t.Fatal(err)
	}
	return mutants
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// edited returns the sample with the token of a mutant changed.
func edited(t *testing.T, m Mutant) string {
	lines := strings.SplitAfter(sample, "\n")
	line := lines[m.Line-1]
	if !strings.HasPrefix(line[m.Column-1:], m.Old) {
		t.Fatalf("%s: the token is not there", m)
	}
	lines[m.Line-1] = line[:m.Column-1] + m.New + line[m.Column-1+len(m.Old):]
	return strings.Join(lines, "")
}

// TestChosenIsEdited judges the sample by a test that fails when a chosen
// mutant does anything else than the source with that token changed: so every
// one has to live. The same test fails when a mutant changes nothing.
func TestChosenIsEdited(t *testing.T) {
	w := ofModule
	w.Count = testscale.Of(1000, 12)
	mutants := module(t, sample, w.Count)
	imports, versions := "", ""
	for i := range len(mutants) + 1 {
		text := sample
		if i > 0 {
			text = edited(t, mutants[i-1].Mutant)
		}
		write(t, fmt.Sprintf("v%d/v.go", i), text)
		imports += fmt.Sprintf("v%d \"sample/v%d\"\n", i, i)
		versions += fmt.Sprintf("v%d.Run, ", i)
	}
	write(t, "sample_test.go", `package sample
import (
	"os"
	"strconv"
	"testing"
`+imports+`)
func TestRun(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("`+chosenVariable+`"))
	if err != nil {
		t.Fatal(err)
	}
	versions := []func() string{`+versions+`}
	want := versions[n]()
	if got := Run(); got != want {
		t.Errorf("chosen, the mutant gives\n%s\nand edited\n%s", got, want)
	}
	if n > 0 && want == versions[0]() {
		t.Error("nothing changes")
	}
}
`)
	var out strings.Builder
	if err := Judge(t.Context(), &out, w); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(".: 0 of %d noticed\n", len(mutants))
	if got := out.String(); len(mutants) < testscale.Of(60, 12) || !strings.HasSuffix(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for i, line := range strings.Split(sample, "\n") {
		for _, m := range mutants {
			if strings.Contains(line, "no mutant") && m.Line == i+1 {
				t.Errorf("%s: is a mutant", m)
			}
		}
	}
}

func TestVerdicts(t *testing.T) {
	w := ofModule
	w.Count, w.Patience = 4, 3*time.Second
	module(t, `package sample

func noticed(a, b int) bool {
	return a < b
}

func lived(a, b int) bool {
	return a <= b
}

func unreached(a, b int) bool {
	return a > b
}

func endless(n int) {
	for n == 1 {
		n = 2
	}
}
`, w.Count)
	const tests = `package sample

import "testing"

func TestAll(t *testing.T) {
	lived(1, 2)
	endless(0)
	if noticed(1, 1) {
		t.Error("equal")
	}
}
`
	write(t, "sample_test.go", tests)
	var out strings.Builder
	if err := Judge(t.Context(), &out, w); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`  \d+\.\ds\n|\d+/sample`).ReplaceAllString(out.String(), "\n")
	for _, want := range []string{
		".go:4:11  return a < b  (< -> <=)  by .: TestAll\n",
		".go:8:11  return a <= b  (<= -> <)\n",
		".go:12:11  return a > b  (> -> >=)  (not reached by any test)\n",
		".go:16:8  for n == 1 {  (== -> !=)  by .: its time limit\n",
		".: 2 of 4 noticed\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}

	write(t, "sample_test.go", strings.Replace(tests, "1, 1", "1, 2", 1))
	if err := Judge(t.Context(), &out, w); err == nil || !strings.Contains(err.Error(), "fail without a change") {
		t.Errorf("tests that fail give the error %v", err)
	}
}
