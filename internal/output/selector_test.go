package output

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func FuzzSelector(f *testing.F) {
	f.Add([]byte("a\rb\r\n\x1b[31merror: no\x1b[0m\nx.go:1:2: bad\n\thave ()\n"), uint16(200))
	f.Add([]byte("Traceback (most recent call last):\n  File\nValueError: no\n\n\n\n\nlast"), uint16(60))
	f.Add([]byte(strings.Repeat("the same\n", 40)+"\xff\xfe\x00\b\b"), uint16(48))
	f.Add([]byte("__ x __\r\r\rE   y\n--- FAIL: T\n    a\n=====\nWARNING: DATA RACE\n"), uint16(1500))
	f.Fuzz(func(t *testing.T, raw []byte, size uint16) {
		budget := max(int(size), MinBudget)
		if len(raw) > 1<<16 || bytes.Contains(raw, []byte("…")) {
			t.Skip()
		}
		// Longer than what is looked at of a line, the model knows less.
		for line := range bytes.SplitSeq(raw, []byte("\n")) {
			if len(line) > maxRaw {
				t.Skip()
			}
		}
		got, _ := selectAll(raw, budget, "id.stdout")
		checkSelection(t, raw, got, budget)
	})
}

func TestLineNumbersAreThoseOfFiles(t *testing.T) {
	for in, want := range map[string]int{
		"": 0, "a": 1, "a\n": 1, "\n": 1, "a\r\n": 1, "a\r": 1, "a\rb": 2, "a\rb\n": 2, "a\r\rb\r\n\n": 4, "\r\n\r": 2,
	} {
		_, s := selectAll([]byte(in), 200, "")
		if s.Lines() != want {
			t.Errorf("%q has %d lines, not %d", in, s.Lines(), want)
		}
	}
}

func TestWhatIsShownIsClean(t *testing.T) {
	for in, want := range map[string]string{
		"10%\r20%\rdone\n":                     "done\n",
		"\x1b[1;31mred\x1b[0m\n":               "red\n",
		"\x1b]8;;http://x\x07link\x1b]8;;\x07": "link\n",
		"\x1b]0;title\x1b\\x":                  "x\n",
		"a\xffb":                               "a\uFFFDb\n",
		"abc\b\bX\n":                           "aX\n",
		strings.Repeat("a", 2000) + strings.Repeat("\b", 2000) + "X\n": "X\n",
		"tab\there  \n":         "tab\there\n",
		"\x1b[":                 "\n",
		"x\x00y":                "xy\n",
		"a\n\n\n\nb\n":          "a\n\nb\n",
		"twice\ntwice\n":        "twice\ntwice\n",
		"again\nagain\nagain\n": "again\n… the same line 2 more times …\n",
	} {
		if got, _ := selectAll([]byte(in), 2048, ""); got != want {
			t.Errorf("%q is shown as %q, not %q", in, got, want)
		}
	}
}

func TestLongLinesAreCut(t *testing.T) {
	got, _ := selectAll([]byte("error: "+strings.Repeat("é", 50_000)+"\nnext\n"), 8<<10, "")
	first, rest, _ := strings.Cut(got, "\n")
	if len(first) > maxLine || !strings.HasSuffix(first, cutMark) || rest != "next\n" {
		t.Errorf("%d bytes: %.80q … %q", len(first), first, rest)
	}
}

var levels = []Level{Concise, Silent, Normal, Verbose, Full}

// TestErrorsOutlastNoise: an error in the midst of a large output is shown at
// every level, and the first of many.
func TestErrorsOutlastNoise(t *testing.T) {
	var b bytes.Buffer
	for i := range 200_000 {
		fmt.Fprintf(&b, "line %d of the noise\n", i)
		if i%1000 == 77 {
			fmt.Fprintf(&b, "main.c:%d:1: error: number %d is wrong\n  %d | x\n    | ^\n", i, i, i)
		}
	}
	for _, level := range levels {
		got, _ := selectAll(b.Bytes(), level.Budget(), "id.stdout")
		checkSelection(t, b.Bytes(), got, level.Budget())
		if !strings.Contains(got, "main.c:77:1: error: number 77 is wrong") {
			t.Errorf("%s: the first error is not shown:\n%s", level, got)
		}
	}
}

// TestRulesCompile: each rule's patterns, and that each has literals.
func TestRulesCompile(t *testing.T) {
	if len(rules) > maxRules {
		t.Fatalf("%d rules, room for %d", len(rules), maxRules)
	}
	compiled := table()
	for i, r := range rules {
		if r.has == "" || strings.Contains("|"+r.has+"|", "||") {
			t.Errorf("rule %d (%s) has an empty literal", i, r.tool)
		}
		if compiled.rules[i].weight != r.weight || r.weight == nothing {
			t.Errorf("rule %d (%s) has no weight", i, r.tool)
		}
	}
}

// TestFinderFindsWhatContainsFinds holds the automaton against strings.Contains.
func TestFinderFindsWhatContainsFinds(t *testing.T) {
	lines := []string{"", "rerrorE", "fatal error: panic: --- FAIL: x.go:1:2: E   ", "Errors: 0, ERROR] [ERROR] \t at"}
	for _, r := range rules {
		lines = append(lines, strings.ReplaceAll(r.has, "|", ""), strings.ReplaceAll(r.has, "|", " x "))
	}
	for _, line := range lines {
		found := table().finder.find(line)
		for i, r := range rules {
			want := false
			for literal := range strings.SplitSeq(r.has, "|") {
				want = want || strings.Contains(line, literal)
			}
			if got := found[i/64]&(1<<(i%64)) != 0; got != want {
				t.Errorf("rule %d (%s) in %q: found %v, contained %v", i, r.tool, line, got, want)
			}
		}
	}
}

// BenchmarkSelector reads 100 MB and reports what the selector holds of it.
func BenchmarkSelector(b *testing.B) {
	chunk := []byte(strings.Repeat("[  12%] Building C object src/error.c.o with a few flags and a name\n2026-01-05 INFO request 1234 was served in 12 ms, no errors\nerror: but now and then\n", 200))
	for _, level := range []Level{Concise, Full} {
		b.Run(string(level), func(b *testing.B) {
			b.SetBytes(100 << 20)
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				s := NewSelector(level.Budget())
				for n := 0; n < 100<<20; n += len(chunk) {
					_, _ = s.Write(chunk)
				}
				s.Close()
				text, _ := s.Text(level.Budget(), "id.stdout")
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1024, "held-KiB")
				if len(text) > level.Budget() {
					b.Fatal("over budget")
				}
				runtime.KeepAlive(s)
			}
		})
	}
}
