//go:build cgo

package syntax

import (
	"strings"
	"testing"
)

// TestRepair: what a grammar does not understand does not cut a definition
// short.
func TestRepair(t *testing.T) {
	src := `class A {
    Object m(List list) {
        for (int i, Object o in list) {
            println(i)
        }
    }

    void after() {
    }
}
`
	ends := map[string]int{}
	for _, d := range Analyze(t.Context(), ByName("groovy"), []byte(src)).Definitions {
		ends[d.Name] = 1 + strings.Count(src[:d.Span.End], "\n")
	}
	for name, want := range map[string]int{"A": 10, "m": 6, "after": 9} {
		if ends[name] != want {
			t.Errorf("%s ends in line %d, expected %d", name, ends[name], want)
		}
	}
}
