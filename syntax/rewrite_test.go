package syntax

import (
	"strings"
	"testing"
)

// TestRewrite: what a grammar is shown has the bytes and lines of the text, and
// stands where the text does.
func TestRewrite(t *testing.T) {
	for _, c := range []struct{ name, language, text, shown string }{
		{"in a comment", "kotlin", "// a().b = c", "// a().b = c"},
		{"in a string", "kotlin", `val s = "a().b = c"`, `val s = "a().b = c"`},
		{"an assignment", "kotlin", "a().b = c", "a().b + c"},
		{"a comparison", "kotlin", "a().b == c", "a().b == c"},
		{"a constructor's line", "kotlin", "class A\n  private constructor(val b: Int)", "class A   private constructor(val b: Int)"},
		{"a task", "groovy", "task a(type: B) {\n}", "def  a         ={\n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			shown, _ := newRewriter(ByName(c.language)).show([]byte(c.text))
			if string(shown) != c.shown {
				t.Errorf("%q is shown as %q, expected %q", c.text, shown, c.shown)
			}
		})
	}
}

// TestRewriteNear: marks on neighbouring lines give one part to search.
func TestRewriteNear(t *testing.T) {
	text := strings.Repeat("-\n", 3) + "mark\n-\nmark mark\n" + strings.Repeat("-\n", 5) + "mark"
	one := Rewrite{Marks: []string{"mark"}, Around: 1}
	var found []string
	for _, in := range one.near([]byte(text)) {
		found = append(found, text[in.Start:in.End])
	}
	want := []string{"-\nmark\n-\nmark mark\n-\n", "-\nmark"}
	if strings.Join(found, "|") != strings.Join(want, "|") {
		t.Errorf("searched %q, expected %q", found, want)
	}
}

// TestCodeOnly: braces count in code alone.
func TestCodeOnly(t *testing.T) {
	l := ByName("kotlin")
	for text, want := range map[string]string{
		"a { } // {\nb":      "a { }     \nb",
		"/* { */ c":          "        c",
		`"{" + '{' + "\"{"`:  `" " + ' ' + "   "`,
		"\"\"\"{\n{\"\"\" }": "\"\"\" \n \"\"\" }",
		"don't {":            "don't {",
	} {
		if got := string(l.CodeOnly([]byte(text))); got != want {
			t.Errorf("%q is %q, expected %q", text, got, want)
		}
	}
}
