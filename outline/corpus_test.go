package outline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/syntax"
)

const corpus = "../testdata/corpus"

// TestCorpus holds the outline of each file of the corpus against the symbols
// that a person marked in it. The marks are complete for every kind that they
// name, and for functions, types, modules and headings in any case.
func TestCorpus(t *testing.T) {
	languages, err := os.ReadDir(corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range languages {
		t.Run(dir.Name(), func(t *testing.T) { checkLanguage(t, dir.Name()) })
	}
}

func checkLanguage(t *testing.T, language string) {
	marked, _ := filepath.Glob(filepath.Join(corpus, language, "*.symbols"))
	symbols := 0
	for _, marks := range marked {
		file := strings.TrimSuffix(marks, ".symbols")
		want := readMarks(t, marks)
		symbols += len(want)
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		l := syntax.Detect(file, src)
		if l == nil || l.Name != language {
			t.Errorf("%s is taken for %v", file, l)
			continue
		}
		checkMarks(t, file, want, New(t.Context(), l, src))
	}
	if symbols < 40 {
		t.Errorf("%d symbols are marked, and 40 are the least", symbols)
	}
}

// mark is one line of a file of marks: "START-END<TAB>kind<TAB>name<TAB>container".
type mark struct{ lines, kind, name, container string }

func (m mark) String() string {
	return strings.TrimSuffix(strings.Join([]string{m.lines, m.kind, m.name, m.container}, "\t"), "\t")
}

func readMarks(t *testing.T, file string) []mark {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var marks []mark
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' && !strings.Contains(line, "\t") {
			continue
		}
		f := append(strings.Split(line, "\t"), "", "")
		marks = append(marks, mark{f[0], f[1], f[2], f[3]})
	}
	return marks
}

func checkMarks(t *testing.T, file string, want []mark, o *Outline) {
	t.Helper()
	counted := map[string]bool{
		"function": true, "method": true, "constructor": true, "class": true, "struct": true, "interface": true,
		"enum": true, "namespace": true, "module": true, "string": true,
	}
	left := map[mark]int{}
	for _, m := range want {
		counted[m.kind] = true
		left[m]++
	}
	for i := range o.Symbols {
		s := &o.Symbols[i]
		m := mark{fmt.Sprintf("%d-%d", s.StartLine, s.EndLine), s.Kind.String(), s.Name, s.Container}
		switch {
		case left[m] > 0:
			left[m]--
		case counted[m.kind]:
			t.Errorf("%s: found and not marked: %s", filepath.Base(file), m)
		}
	}
	for _, m := range want {
		if left[m] > 0 {
			left[m]--
			t.Errorf("%s: marked and not found: %s", filepath.Base(file), m)
		}
	}
	if t.Failed() {
		t.Logf("%s: by %s %s", file, o.Method, o.Reason)
	}
}
