package outline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/syntax"
)

func outlineJSON(t *testing.T, language, src string) *Outline {
	t.Helper()
	return New(t.Context(), syntax.ByName(language), []byte(src))
}

// listing returns the symbols of an outline, one a line.
func listing(o *Outline) string {
	var b strings.Builder
	for _, s := range o.Symbols {
		fmt.Fprintf(&b, "%d-%d %s%s %s\n", s.StartLine, s.EndLine, strings.Repeat("  ", s.Depth), s.Kind, s.Name)
	}
	return b.String()
}

func TestJSON(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{
			"json", "{\"a\": 1,\n\"b\": {\n\n\"c\": null,\n// of d\n\"d\": [{\"no\": 1}] } }",
			"1-1 key a\n2-6 object b\n4-4   key c\n5-6   array d\n",
		},
		{
			"jsonc", "{\"a\": 1,\n\"b\": {\n/* c */ \n\"c\": 2,\n\n\"d\": [], }, }",
			"1-1 key a\n2-6 object b\n3-4   key c\n6-6   array d\n",
		},
	}
	for _, tt := range tests {
		for _, end := range []string{"\n", "\r\n"} {
			o := outlineJSON(t, tt.language, strings.ReplaceAll(tt.src, "\n", end))
			if got := listing(o); got != tt.want || o.Method != ByJSON || o.Reason != "" {
				t.Errorf("%s, lines that end in %q: by %s, %q\ngot\n%swant\n%s", tt.language, end, o.Method, o.Reason, got, tt.want)
			}
		}
	}
}

// TestJSONFallsBack holds that what cannot be read as JSON says why, and that
// its keys are found by lines where there are lines.
func TestJSONFallsBack(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name, language, src string
		method              syntax.Means
		reason              string
		symbols             int
	}{
		{"empty", "json", "", ByJSON, "", 0},
		{"blank", "json", "\r\n\t", ByJSON, "", 0},
		{"a number", "json", "1", ByJSON, "", 0},
		{"half typed", "json", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": tr\n", syntax.ByKeywords, "the text is no whole JSON: line 4", 3},
		{"mixed line ends", "json", "{\n  \"a\": 1,\r\n  \"b\": {\r    \"c\": tr\n", syntax.ByKeywords, "the text is no whole JSON: line", 3},
		{"names without quotes", "json5", "{\n  a: 'x',\n  b: {\n    c: +1,\n  },\n}\n", syntax.ByKeywords, "the text is no whole JSON: line 2", 3},
		{"lines", "json", "{\"a\": 1}\n{\"a\": 2}\n", ByJSON, "JSON lines", 0},
		{"lines of their own language", "jsonl", "{\"a\": 1}\r\n\r\n{\"a\": 2}", ByJSON, "JSON lines", 0},
		{"as deep as may be", "json", "{\"a\": " + deep(maxJSONDepth-1) + "}", ByJSON, "", 1},
		{"too deep", "json", "{\n\"a\": " + deep(100_000) + "}", syntax.ByKeywords, "deeper than 1,000", 1},
		{"unclosed", "json", strings.Repeat("[", 1_000_000), syntax.ByKeywords, "deeper than 1,000", 0},
		{"many values", "json", "{\n\"a\": [0" + strings.Repeat(",0", maxJSONValues) + "]}", syntax.ByKeywords, "more than 500,000 values", 1},
		{"many keys", "json", "{\"a\":0" + strings.Repeat(",\"a\":0", maxJSONKeys) + "}", ByJSON, "only the first 100,000 keys", maxJSONKeys},
		{"large", "json", "{\n\"a\": \"" + strings.Repeat("x", maxJSONBytes) + "\"}", syntax.ByKeywords, "larger than 12 MiB", 1},
		{"no text", "json", strings.Repeat("\x00\x01", 100), syntax.ByNothing, "no source text", 0},
		{"invalid bytes", "json", "{\"\xff\": 1, \"\": 2}", ByJSON, "", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := outlineJSON(t, tt.language, tt.src)
			if o.Method != tt.method || len(o.Symbols) != tt.symbols {
				t.Errorf("by %s, %q: %d symbols\n%.300s", o.Method, o.Reason, len(o.Symbols), listing(o))
			}
			if !strings.Contains(o.Reason, tt.reason) || tt.reason == "" && o.Reason != "" {
				t.Errorf("reason %q, want %q", o.Reason, tt.reason)
			}
			for _, s := range o.Symbols {
				if s.Name == "" {
					t.Error("a symbol has no name")
				}
			}
		})
	}
}

// TestMeasureJSON: brackets and commas count where the reader would see them.
func TestMeasureJSON(t *testing.T) {
	for src, want := range map[string][2]int{
		"":                      {0, 0},
		`[1, 2, {"a": 3}]`:      {4, 2},
		`["[[,", "\"[[", "\\"]`: {3, 1},
		`"[[`:                   {0, 0},
		`"[[\`:                  {0, 0},
		"// [[,\n[]":            {1, 1},
		"/* [[, */ []":          {1, 1},
		"/* [[ // */ []":        {1, 1},
		"[/":                    {1, 1},
		"/[,":                   {2, 1},
		"/* [":                  {0, 0},
		"// [":                  {0, 0},
		"[][[]]":                {3, 2},
		"[] // \"\n[[":          {3, 2},
		`{"/*": [[`:             {3, 3},
	} {
		if values, depth := measureJSON([]byte(src)); values != want[0] || depth != want[1] {
			t.Errorf("%q: %d values, %d deep; want %d", src, values, depth, want)
		}
	}
}

// TestJSONLines are told by the first two lines that are not blank.
func TestJSONLines(t *testing.T) {
	for src, want := range map[string]bool{
		"{}\n{}":           true,
		"[1]\r\n\r\n[2]\n": true,
		"  {}\n\t{}":       true,
		"{}\n[]":           false,
		"1\n1":             false,
		"{}":               false,
		"{}\n":             false,
		"":                 false,
		"{\n{}":            false,
		"{} x\n{}":         false,
	} {
		if got := isJSONLines([]byte(src)); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

// TestLongKeysAreCut at a character, and keep to one line.
func TestLongKeysAreCut(t *testing.T) {
	for _, tt := range []struct{ key, want string }{
		{strings.Repeat("a", maxKeyBytes), strings.Repeat("a", maxKeyBytes)},
		{strings.Repeat("a", maxKeyBytes) + "é", strings.Repeat("a", maxKeyBytes)},
		{strings.Repeat("a", maxKeyBytes-1) + "é", strings.Repeat("a", maxKeyBytes-1)},
		{`a\n\tb`, "a b"},
	} {
		o := outlineJSON(t, "json", `{"`+tt.key+`": {"x": 1}}`)
		if len(o.Symbols) != 2 || o.Symbols[0].Name != tt.want || o.Symbols[1].Container != tt.want {
			t.Errorf("%q is %q", tt.key, o.Symbols[0].Name)
		}
	}
}

// TestSignaturesOfKeys: values are shown, but not what opens an object.
func TestSignaturesOfKeys(t *testing.T) {
	o := outlineJSON(t, "json", "{\"a\": {\"b\": 1}, \"c\": [1,\n2]}")
	for i, want := range []string{`"a"`, `"b": 1`, `"c": [1`} {
		if got := o.Symbols[i].Signature; got != want {
			t.Errorf("%s: %q, want %q", o.Symbols[i].Name, got, want)
		}
	}
}
