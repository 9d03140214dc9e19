package search

import (
	"errors"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func TestSmartCase(t *testing.T) {
	insensitive := []string{
		"foo", `foo\W`, `foo\S\D\B`, `\pLx`, `\PLx`, `\p{Lu}x`, `\x{e9}`, `\x61`, `(?P<Name>x)`, `(?<Name>x)`, `[a-z]`, `\Qa.b\E\W`,
		`[[:^alpha:]]x`, `x\A`, `ß`, "日", `a{2,3}`, `\.`, `(?U)x`, `(?U:x)`, "a b",
	}
	sensitive := []string{
		"Foo", `\w`, `\p{Lu}`, `\p{Lu}{2,3}`, `[A-Z]`, `[a-Z]`, `\x41`, `\x{C9}`, `\QA\E`, `\Qa\E\pLB`, "É", `.`, `^$`, `\pL+`, ``, `(?i)Foo`, `\W\S`, `a\QB`,
	}
	for _, text := range insensitive {
		if !(Pattern{Text: text}).insensitive() {
			t.Errorf("%s tells case apart", text)
		}
	}
	for _, text := range sensitive {
		if (Pattern{Text: text, Case: CaseSmart}).insensitive() {
			t.Errorf("%s does not tell case apart", text)
		}
	}
	if (Pattern{Text: `\W`, Literal: true}).insensitive() || !(Pattern{Text: `\w`, Literal: true}).insensitive() {
		t.Error("plain text has no escapes")
	}
	if (Pattern{Text: `a`, Case: CaseSensitive}).insensitive() || !(Pattern{Text: `A`, Case: CaseInsensitive}).insensitive() {
		t.Error("the case that was asked for does not hold")
	}
}

func TestPatternErrors(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		at      any // the position, nil when none is told
		hint    string
	}{
		{"foo(", 3, "literal:true"},
		{"foo(bar(x)", 3, "literal:true"},
		{"a)b", 1, "literal:true"},
		{`(\()[(])`, 7, "literal:true"},
		{`(a[])]`, 0, "literal:true"},
		{`\Q(\E(`, 5, "literal:true"},
		{"a[b", 1, "literal:true"},
		{"x[[:alpha:]", 1, "literal:true"},
		{"a**", 1, "possessive"},
		{"a* b*+", 4, "possessive"},
		{"a* **", 3, "possessive"},
		{"*a", 0, "literal:true"},
		{"(a|*)", 3, "literal:true"},
		{"é+(?=b)", 3, "lookahead"},
		{"a(?!b)", 1, "lookahead"},
		{"(?<=a)b", 0, "lookbehind"},
		{"(?<!a)b", 0, "lookbehind"},
		{"(?>a)b", 0, "atomic"},
		{`(a)\1`, 3, "backreferences"},
		{`a\y`, 1, "no such escape"},
		{`a\`, 1, "literal:true"},
		{"a{1001}", 1, "1000"},
		{"a{3,2}", 1, "1000"},
		{"[z-a]", 1, "range"},
		{"x[[:foo:]]", 2, "classes"},
		{`\p{Foo}`, 0, "classes"},
		{"(?P<a b>x)", 0, "letters"},
		{"a\xff", 1, "UTF-8"},
		{"a\nb", 1, "multiline:true"},
		{`x a\nb`, 3, "multiline:true"},
		{strings.Repeat("(", 1001) + strings.Repeat(")", 1001), nil, "fewer groups"},
		{strings.Repeat("x", maxPattern+1), nil, "part"},
		{strings.Repeat(".{1000}", 200), nil, "smaller counts"},
	} {
		_, err := Compile(Pattern{Text: tt.pattern})
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.InvalidPattern {
			t.Errorf("%.40q: got %v, want invalid_pattern", tt.pattern, err)
			continue
		}
		if f.Details["position"] != tt.at || !strings.Contains(f.Hint, tt.hint) {
			t.Errorf("%.40q: at %v: %v; want it at %v with a hint about %q", tt.pattern, f.Details["position"], err, tt.at, tt.hint)
		}
	}
}

func TestPatternsThatCompile(t *testing.T) {
	for _, p := range []Pattern{
		{Text: "foo(", Literal: true},
		{Text: "a\nb", Multiline: true},
		{Text: "a\nb", Multiline: true, Literal: true},
		{Text: `[\n;]x\s`},
		{Text: strings.Repeat("x", maxPattern)},
		{Text: strings.Repeat(".{1000}", 100)},
		{Text: ""},
	} {
		m, err := Compile(p)
		if err != nil {
			t.Errorf("%.40q: %v", p.Text, err)
		} else if m.Multiline() != p.Multiline {
			t.Errorf("%.40q: multiline is %v", p.Text, m.Multiline())
		}
	}
	if _, err := Compile(Pattern{Text: "a\nb", Literal: true}); fault.KindOf(err) != fault.InvalidPattern {
		t.Errorf("a literal with a line end: %v", err)
	}
	if _, err := Compile(Pattern{Case: "upper"}); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("an unknown case: %v", err)
	}
}
