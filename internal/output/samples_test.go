package output

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden selections")

// TestSamples shows each whole output of a tool under testdata/samples and
// what is shown of it at the default level.
func TestSamples(t *testing.T) {
	samples, err := filepath.Glob("testdata/samples/*.txt")
	if err != nil || len(samples) < 20 {
		t.Fatalf("%d samples: %v", len(samples), err)
	}
	for _, path := range samples {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) { checkSample(t, path, filepath.Join("testdata", "golden", name+".txt")) })
	}
}

func checkSample(t *testing.T, path, golden string) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := selectAll(raw, Concise.Budget(), "ID.stdout")
	checkSelection(t, raw, got, Concise.Budget())
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != got {
		t.Errorf("not as in %s (make update writes it): %v\n%s", golden, err, got)
	}
	// However the stream comes in pieces, the selection is the same.
	s := NewSelector(Concise.Budget())
	for i := range raw {
		_, _ = s.Write(raw[i : i+1])
	}
	s.Close()
	if again, _ := s.Text(Concise.Budget(), "ID.stdout"); again != got {
		t.Errorf("by single bytes it is another selection:\n%s", again)
	}
}

// TestTheErrorIsShown: what somebody who debugs needs is there at every level,
// of each tool.
func TestTheErrorIsShown(t *testing.T) {
	for name, want := range map[string][]string{
		"vitest":           {"FAIL  src/cart.test.ts > cart > total > adds prices", "expected 4 to be 5", "src/cart.test.ts:12:27", "Tests  1 failed | 362 passed"},
		"junit-xml":        {"name=\"total\"", "expected: 5 but was: 4", "Cart.java:12"},
		"go-test-verbose":  {"--- FAIL: TestMany/error_case_117", "Total() = 1190, want 1200"},
		"go-panic":         {"panic: runtime error: invalid memory address or nil pointer dereference", "price_test.go:"},
		"go-race":          {"WARNING: DATA RACE", "Previous write"},
		"go-build-vet":     {`cannot use 3`, "undefined: undefinedThing"},
		"make-gcc":         {"has no member named", "undefined reference to"},
		"asan":             {"heap-buffer-overflow", "in main"},
		"python-traceback": {"ValueError: row 400 has no price", "Traceback (most recent call last):"},
		"python-unittest":  {"AssertionError", "ValueError: invalid literal"},
		"pytest":           {"E       AssertionError: assert 4 == 5", "E       KeyError: 'prize'", "2 failed, 200 passed, 1 error"},
		"node-uncaught":    {"ConfigError: config.json cannot be read", "SyntaxError"},
		"node-test-tap":    {"not ok 61 - adds"},
		"npm":              {"ConfigError", `Missing script: "nosuch"`},
		"npm-install":      {"ERESOLVE", "peer react@"},
		"tsc":              {"TS2322", "Property 'price' is missing"},
		"tsc-pretty":       {"error TS2322: Type 'string'", "~~~"},
		"jest":             {"● total › adds prices", `-   "sum": 5,`, "reading 'toFixed'"},
		"eslint":           {"'itmes' is not defined", "Parsing error", "/home/me/shop/src/server.js"},
		"java":             {"incompatible types", "Caused by: java.lang.NullPointerException"},
		"maven":            {"expected: <5> but was: <4>", "Cart.java:33", "BUILD FAILURE"},
		"gradle-kotlin":    {"Cart.kt:12:19", "AssertionFailedError: expected: <5>", "* What went wrong:"},
		"cargo-build":      {"error[E0308]", "^^^^^^ value used here after move", "could not compile"},
		"cargo-test":       {"panicked at src/lib.rs", "left: 0", "test result: FAILED"},
		"cmake":            {"CMake Error at CMakeLists.txt:21", "Could not find a package"},
		"ninja-clang":      {"no matching function for call to 'total'", "undefined symbol: shop::missing(int)"},
		"docker":           {"E: Unable to locate package", ">>> RUN apt-get install"},
		"git":              {"CONFLICT (content)", "'origin' does not appear to be a git repository"},
		"shell":            {"No such file or directory", "nosuchcommand"},
	} {
		raw, err := os.ReadFile("testdata/samples/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range []Level{Concise, Normal, Verbose, Full} {
			got, _ := selectAll(raw, level.Budget(), "ID.stdout")
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%s, %s: %q is not shown", name, level, w)
				}
			}
		}
	}
}

func selectAll(raw []byte, budget int, name string) (string, *Selector) {
	s := NewSelector(budget)
	_, _ = s.Write(raw)
	s.Close()
	text, _ := s.Text(budget, name)
	return text, s
}

// checkSelection holds a selection against its stream: within the budget, and
// but for marks every line is one of the stream's, in order, with marks that
// account for all others.
func checkSelection(t *testing.T, raw []byte, got string, budget int) {
	t.Helper()
	if len(got) > budget {
		t.Errorf("%d bytes in a budget of %d", len(got), budget)
	}
	shown := naiveLines(raw)
	next, lines := 0, strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if got == "" {
		lines = nil
	}
	for i, line := range lines {
		var n int
		if _, err := fmt.Sscanf(strings.ReplaceAll(line, ",", ""), "… the same line %d more times …", &n); err == nil && i > 0 {
			for range n {
				if next >= len(shown) || !fits(lines[i-1], shown[next]) {
					t.Fatalf("%q repeats what is not there", line)
				}
				next++
			}
			continue
		}
		if _, err := fmt.Sscanf(strings.ReplaceAll(line, ",", ""), "… %d line", &n); err == nil && strings.Contains(line, " left out") {
			for n > 0 && next < len(shown) {
				n -= shown[next].files
				next++
			}
			if n != 0 {
				t.Fatalf("%q does not end at a line", line)
			}
			continue
		}
		if next >= len(shown) || !fits(line, shown[next]) {
			t.Fatalf("%q does not stand at shown line %d", line, next)
		}
		for next++; line == "" && next < len(shown) && shown[next].text == ""; next++ { // folded
		}
	}
	if next != len(shown) {
		t.Errorf("%d of %d lines are accounted for", next, len(shown))
	}
}

// fits reports whether a line stands for a line of the stream.
func fits(line string, of naiveLine) bool {
	cut, wasCut := strings.CutSuffix(line, cutMark)
	return line == of.text || wasCut && strings.HasPrefix(of.text, cut)
}

type naiveLine struct {
	text  string
	files int // lines of the file
}

// naiveLines is what lineReader does, with the simplest code that can, for
// lines that are not too long to be looked at.
func naiveLines(raw []byte) []naiveLine {
	var out []naiveLine
	rest := string(raw)
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		n := naiveLine{files: strings.Count(line, "\r")}
		if !strings.HasSuffix(line, "\r") {
			n.files++
		}
		line = strings.TrimRight(line, "\r")
		line = line[strings.LastIndexByte(line, '\r')+1:]
		n.text = clean([]byte(line), false, len(line)*3+100)
		out = append(out, n)
	}
	return out
}
