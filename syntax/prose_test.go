//go:build cgo

package syntax

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

const prose = `It was late in the year when we came to the harbour, and nobody had been told
(as we learned afterwards) that the ferry would not go; so we sat on our boxes,
and waited. "There is no hurry," said the old man - he did not say for what.

See https://example.org/ferries for the times: they're not what we found.
`

// TestProse: what is no code is not parsed as code, however it is named.
func TestProse(t *testing.T) {
	text := []byte(strings.Repeat(prose, 5000))
	for name := range grammars {
		l := ByName(name)
		if l == nil || l.holdsText {
			continue
		}
		if r := Analyze(t.Context(), l, text); r.Method != ByKeywords || r.Reason != "the text is prose" {
			t.Errorf("%s: by %s: %s", name, r.Method, r.Reason)
		}
		for _, file := range corpusFiles(t, name) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if l.isProse(bytes.Repeat(src, 1+minProse/len(src))) {
				t.Errorf("%s is taken for prose", file)
			}
		}
	}
}

// TestProseInCode: code may hold any amount of prose.
func TestProseInCode(t *testing.T) {
	long := strings.Repeat(prose, 500)
	for language, src := range map[string]string{
		"go":         "package p\n\nvar s = `" + long + "`\n",
		"c":          "/*\n" + long + "*/\nint a;\n",
		"cpp":        "// " + strings.ReplaceAll(long, "\n", "\n// ") + "\nint a;\n",
		"python":     "s = \"\"\"\n" + long + "\"\"\"\n",
		"javascript": "const s = `" + long + "`;\n",
		"rust":       "/// " + strings.ReplaceAll(long, "\n", "\n/// ") + "\nfn a() {}\n",
		"ruby":       "s = <<EOF\n" + long + "EOF\n",
	} {
		if ByName(language).isProse([]byte(src)) {
			t.Errorf("%s: taken for prose", language)
		}
	}
}
