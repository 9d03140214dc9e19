package search

import (
	"fmt"
	"strings"
	"testing"
)

// needed renders what a pattern needs: literals divided by bars, those that
// fold in angle brackets, sets divided by blanks.
func needed(sets [][]Literal) string {
	var s []string
	for _, set := range sets {
		var ls []string
		for _, l := range set {
			text := strings.Trim(fmt.Sprintf("%q", l.Text), `"`)
			if l.Fold {
				text = "<" + text + ">"
			}
			ls = append(ls, text)
		}
		s = append(s, strings.Join(ls, "|"))
	}
	return strings.Join(s, " ")
}

func TestRequiredLiterals(t *testing.T) {
	for _, tt := range []struct{ pattern, want string }{
		{`foo`, "foo"},
		{`foo.*barn`, "barn foo"},
		{`Err(?:NotFound|Conflict)`, "ErrNotFound|ErrConflict"},
		{`foo|foobar`, "foo"},
		{`foo|ba[rz]`, "foo|bar|baz"},
		{`foo|.*`, ""},
		{`(foo.*x|bar.*y)end`, "end foo|bar"},
		{`colou?r`, "color|colour"},
		{`ab+cd`, "bcd ab"},
		{`x(?:foo)+y`, "fooy xfoo"},
		{`(?:ab){3}c`, "abababc"},
		{`(?:ab){2,}c`, "ababc abab"},
		{`a{0}b`, "b"},
		{`(?:foo)*bar`, "bar"},
		{`^type \w+ struct`, " struct \\ntype "},
		{`^^x`, `\nx`},
		{`(?:^|y)x`, `\nx|yx`},
		{`(?:^)+x`, "\\nx"},
		{`y*^x`, `\nx`},
		{`\bfoo\b$`, "foo"},
		{`^`, ""},
		{`^$`, ""},
		{`.`, ""},
		{`[a-z]`, ""},
		{`[^a]foo[ab]`, "fooa|foob"},
		{`(a|b)(c|d)(e|f)(g|h)`, "ace|acf|ade|adf|bce|bcf|bde|bdf g|h"},
		{`(?i)deadline`, "<deadline>"},
		{`(?i)spinlock`, "<pinloc> K|k|\u212a S|s|ſ"},
		{`(?i)skss`, "K|k|\u212a S|s|ſ"},
		{`(?i)[a]b-C`, "<ab-c>"},
		{`[Kk]x`, "Kx|kx"},
		{`[Aa]x`, "x <a>"},
		{`(?i)foo(?-i)_BAR`, "_BAR <foo>"},
		{`(?i)foo(?-i)\+1`, "<foo+1>"},
		{`(?i)éa`, "<Éa>|<éa>"},
		{`(?i)日1`, "日1"},
		{`x\n^y`, `x\ny`},
		{`\n\nx`, `\n\nx`},
	} {
		m, err := Compile(Pattern{Text: tt.pattern, Case: CaseSensitive, Multiline: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := needed(m.RequiredLiterals()); got != tt.want {
			t.Errorf("%s needs %q, want %q", tt.pattern, got, tt.want)
		}
	}
}

// TestRequiredLiteralsAreBounded gives patterns whose texts multiply.
func TestRequiredLiteralsAreBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(a|b)", 2000), strings.Repeat("a?", 5000), strings.Repeat("[ab]x.*", 3000), strings.Repeat("(", 400) + "a" + strings.Repeat(")+", 400),
		"(" + strings.Repeat("ab|cd.*|", 4000) + "x)", strings.Repeat("ab{1,3}", 2000), "(?i)" + strings.Repeat("é", 9000),
	} {
		m, err := Compile(Pattern{Text: text})
		if err != nil {
			t.Fatalf("%.20s: %v", text, err)
		}
		n := 0
		for _, set := range m.RequiredLiterals() {
			n += len(set)
		}
		if len(m.RequiredLiterals()) > maxSets || n > maxSets*maxTexts {
			t.Errorf("%.20s… needs %d literals in %d sets", text, n, len(m.RequiredLiterals()))
		}
	}
}

// TestFoldedRequiredLiterals: no folded literal holds a letter that more than ASCII folds
// to.
func TestFoldedRequiredLiterals(t *testing.T) {
	for _, pattern := range patterns {
		options(pattern, func(p Pattern) {
			m, err := Compile(p)
			if err != nil {
				return
			}
			for _, set := range m.RequiredLiterals() {
				for _, l := range set {
					if l.Text == "" || l.Fold && (strings.ContainsAny(l.Text, "ksKS") || lowerASCII(l.Text) != l.Text) {
						t.Errorf("%+v needs %+v", p, l)
					}
				}
			}
		})
	}
}
