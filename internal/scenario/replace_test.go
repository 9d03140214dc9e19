package scenario

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// replacement is one call of replace_in_files, in a random workspace.
type replacement struct {
	Pattern     string `json:"pattern"`
	Replacement string `json:"replacement"`
	Literal     bool   `json:"literal,omitempty"`
	Count       int    `json:"expected_count"`
	Save        string `json:"save"`
}

// model replaces in a text as simply as can be, and counts. Line ends are LF.
func (c replacement) model(text string) (string, int) {
	if c.Literal {
		return strings.ReplaceAll(text, c.Pattern, c.Replacement), strings.Count(text, c.Pattern)
	}
	re := regexp.MustCompile("(?m)" + c.Pattern)
	if strings.Contains(c.Pattern, `\n`) {
		return re.ReplaceAllString(text, c.Replacement), len(re.FindAllString(text, -1))
	}
	lines, n := strings.Split(text, "\n"), 0
	for i, line := range lines {
		n += len(re.FindAllString(line, -1))
		lines[i] = re.ReplaceAllString(line, c.Replacement)
	}
	return strings.Join(lines, "\n"), n
}

// TestReplaceAsAModelDoes makes random replacements in random files, open and
// closed, with LF and with CRLF, and takes them back.
func TestReplaceAsAModelDoes(t *testing.T) {
	w, s := openWorld(t)
	r := rand.New(rand.NewPCG(17, 7))
	names := []string{"a.txt", "crlf.txt", "sub/b.txt", "open.txt", "sub/open-crlf.txt"}
	for round := range testscale.Of(60, 12) {
		before := make(map[string]string)
		for _, name := range names {
			before[name] = randomLines(r)
			if _, open := s.Editor().Document(w.path(name)); open {
				if err := s.Editor().Close(w.path(name)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.write(name, inForm(name, before[name])); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(name, "open") {
				if _, err := s.Editor().Open(w.path(name), ""); err != nil {
					t.Fatal(err)
				}
			}
		}
		patterns := []replacement{
			{Pattern: "foo", Replacement: "fo", Literal: true}, {Pattern: "o.", Replacement: "$1\n", Literal: true},
			{Pattern: `(\w+)\.(\w+)`, Replacement: "${2}.${1}"}, {Pattern: `\bfoo\b`, Replacement: "<$0>"}, {Pattern: `[^o]+`, Replacement: "x"},
			{Pattern: `o\n+(.)`, Replacement: "${1}o\n"}, {Pattern: `\n`, Replacement: ";"}, {Pattern: `o$`, Replacement: ""}, {Pattern: `(^|o)f`, Replacement: "${1}\ng"},
		}
		c := patterns[r.IntN(len(patterns))]
		c.Save = []string{"auto", "never"}[r.IntN(2)]
		after := make(map[string]string)
		for _, name := range names {
			text, n := c.model(before[name])
			after[name] = text
			c.Count += n
		}
		if c.Count == 0 {
			after = before
		}
		is := func(what string, want map[string]string) {
			t.Helper()
			for name, text := range want {
				if got := present(t, w, s, name); got != inForm(name, text) {
					t.Fatalf("round %d, %s, %+v: %s is %q, want %q", round, what, c, name, got, inForm(name, text))
				}
			}
		}
		right := c.Count
		c.Count = right + 1 // not the lines either, which are fewer
		if answer := do(t, s, "replace_in_files", c); !answer.IsError {
			t.Fatalf("round %d: %+v with a wrong count: %s", round, c, answer.Structured)
		}
		is("refused", before)
		if c.Count = right; right == 0 {
			continue
		}
		answer := do(t, s, "replace_in_files", c)
		if answer.IsError {
			t.Fatalf("round %d: %+v: %s", round, c, answer.Structured)
		}
		is("replaced", after)
		var done struct {
			ID           string
			Replacements int
		}
		if err := json.Unmarshal(answer.Structured, &done); err != nil || done.Replacements != right {
			t.Fatalf("round %d: %+v: %s (%v)", round, c, answer.Structured, err)
		}
		if done.ID != "" {
			do(t, s, "revert_edit", map[string]string{"id": done.ID})
			is("taken back", before)
		}
	}
}

// inForm is a text with the line ends that a file of that name has.
func inForm(name, text string) string {
	if strings.Contains(name, "crlf") {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func randomLines(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("a\n") // it decides which line ends the text has
	for range r.IntN(12) {
		b.WriteString([]string{"foo", "o", " ", ".", "bar.foo", "fo", "\n", "é"}[r.IntN(8)])
	}
	return b.String()
}

// present returns the text of a file as the person sees it.
func present(t *testing.T, w *world, s Surface, name string) string {
	t.Helper()
	if d, ok := s.Editor().Document(w.path(name)); ok {
		return d.Text
	}
	raw, err := os.ReadFile(w.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func do(t *testing.T, s Surface, tool string, arguments any) Answer {
	t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.Begin(tool, raw).Answer(t.Context())
	if err != nil {
		t.Fatal(fmt.Errorf("%s %s: %w", tool, raw, err))
	}
	return answer
}
