//go:build cgo

package syntax

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var fuzzed = flag.String("fuzzed", "", "the only languages of FuzzAnalyze, divided by commas")

// FuzzAnalyze gives any bytes to any grammar: which picks it.
func FuzzAnalyze(f *testing.F) {
	names := slices.Sorted(maps.Keys(grammars))
	if *fuzzed != "" {
		names = strings.Split(*fuzzed, ",")
	}
	for i, name := range names {
		f.Add(uint8(i), []byte("{{{((([[[\"'`<<EOF\n\t#/**/"))
		for _, once := range []string{"export \xa3\xa3 = 1\n", "\xd7:"} { // that failed
			f.Add(uint8(i), []byte(once))
		}
		for _, file := range corpusFiles(f, name) {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), src[:min(len(src), 2000)])
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		l := ByName(names[int(which)%len(names)])
		if len(src) > 64<<10 {
			t.Skip("slow, and nothing new")
		}
		checkResult(t, src, Analyze(t.Context(), l, src))
	})
}
