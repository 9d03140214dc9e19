package locate

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// haystackOf is a text whose definitions are known by the name of its file.
func haystackOf(name, s string) *Haystack {
	return &Haystack{Text: text.New(s), Structure: func(t text.Text) (*structure, error) {
		l := syntax.Choose("", name, []byte(s))
		return &structure{outline.New(context.Background(), l, []byte(t.String())), l}, nil
	}}
}

// bySymbol makes the edits and returns what they make of the text.
func bySymbol(t *testing.T, name, s string, items ...Item) (string, *Haystack, error) {
	t.Helper()
	hay := haystackOf(name, s)
	edits, _, err := Edits(t.Context(), hay, items)
	if err != nil {
		return "", hay, err
	}
	return diff.Apply(hay.Text, edits).String(), hay, nil
}

func bySymbolItem(symbol, place, fresh string) Item {
	return Item{Symbol: symbol, Place: PlaceMode(place), NewText: &fresh}
}

const (
	goText   = "package a\n\n// F is.\nfunc F() {\n}\n\n// G is.\nfunc G() {\n}\n"
	pyText   = "import x\n\n\nclass A:\n    x = 1\n    y = 2  # two\n\n    # Says f.\n    @dec\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef last():\n    pass\n"
	tsText   = "class A {\r\n\t/** doc */\r\n\tf() {\r\n\t\treturn 1;\r\n\t}\r\n}\r\n\r\nenum E {\r\n\tA,\r\n\tB\r\n}\r\n"
	jsonText = "{\n  \"scripts\": {\n    \"a\": \"1\",\n    \"b\": \"2\"\n  }\n}\n"
)

func TestEditsBySymbol(t *testing.T) {
	for name, tt := range map[string]struct {
		file, text, symbol, place, new string
		old, want                      string // want stands in the place of old
	}{
		"a function with its comment": {"a.go", goText, "F", "", "// F was.\nfunc F() { return }\n", "// F is.\nfunc F() {\n}", "// F was.\nfunc F() { return }"},
		"after a function":            {"a.go", goText, "F", "after", "func N() {}\n", "}\n\n// G is", "}\n\nfunc N() {}\n\n// G is"},
		"after the last one":          {"a.go", goText, "G", "after", "func N() {\n}", "func G() {\n}\n", "func G() {\n}\n\nfunc N() {\n}\n"},
		"before one":                  {"a.go", goText, "G", "before", "\n\n// N.\nfunc N() {}\n\n\n", "// G is", "// N.\nfunc N() {}\n\n// G is"},
		"taken away":                  {"a.go", goText, "F", "", "", "// F is.\nfunc F() {\n}\n\n", ""},
		"the last one taken away":     {"a.go", goText, "G", "", "\n", "\n// G is.\nfunc G() {\n}\n", ""},
		"no end of the last line":     {"a.go", strings.TrimSuffix(goText, "\n"), "G", "after", "func N() {}\n", "func G() {\n}", "func G() {\n}\n\nfunc N() {}"},
		"the first line":              {"a.py", "def f():\n    pass\n", "f", "before", "def n():\n    pass", "def f", "def n():\n    pass\n\ndef f"},
		"with a mark at the end":      {"a.txt.go", goText, "F", "", "// F.\nfunc F() {}", "// F is.\nfunc F() {\n}", "// F.\nfunc F() {}"},

		"a method without indentation":    {"a.py", pyText, "A.f", "", "# Says f.\n@dec\ndef f(self):\n    return 10", "        return 1\n", "        return 10\n"},
		"a method, indented":              {"a.py", pyText, "A.f", "", "    # Says f.\n    @dec\n    def f(self):\n        return 10\n", "        return 1\n", "        return 10\n"},
		"a method, the first line bare":   {"a.py", pyText, "A.g", "", "def g(self):\n        return 20", "return 2\n", "return 20\n"},
		"a method, indented too deep":     {"a.py", pyText, "A.g", "", "        def g(self):\n            return 20", "return 2\n", "return 20\n"},
		"brackets that close in Python":   {"a.py", pyText, "A.g", "", "def g(self):\n    return f(\n        2\n    )", "return 2\n", "return f(\n            2\n        )\n"},
		"a method after a method":         {"a.py", pyText, "A.g", "after", "def h(self):\n    return 3", "        return 2\n", "        return 2\n\n    def h(self):\n        return 3\n"},
		"a method before one decorated":   {"a.py", pyText, "A.f", "before", "def h(self):\n    return 3", "    # Says f", "    def h(self):\n        return 3\n\n    # Says f"},
		"a function after a class":        {"a.py", pyText, "A", "after", "def n():\n    pass", "return 2\n\n\ndef", "return 2\n\n\ndef n():\n    pass\n\n\ndef"},
		"a field after a field":           {"a.py", pyText, "A.y", "after", "z = 3", "# two\n", "# two\n    z = 3\n"},
		"a field with the comment behind": {"a.py", pyText, "A.y", "", "y = 3", "y = 2  # two", "y = 3"},

		"line ends of CRLF":          {"a.ts", tsText, "A.f", "after", "g() {\n\treturn 2;\n}\n", "1;\r\n\t}\r\n", "1;\r\n\t}\r\n\r\n\tg() {\r\n\t\treturn 2;\r\n\t}\r\n"},
		"the first line bare":        {"a.ts", tsText, "A.f", "", "/** doc */\n\tf() {\n\t\treturn 2;\n\t}", "return 1", "return 2"},
		"a separator stays":          {"a.ts", tsText, "E.A", "", "Z", "\tA,", "\tZ,"},
		"a separator is not doubled": {"a.ts", tsText, "E.A", "", "Z,", "\tA,", "\tZ,"},
		"a member among others":      {"a.ts", tsText, "E.A", "after", "N // new", "\tA,\r\n", "\tA,\r\n\tN, // new\r\n"},
		"a member behind the last":   {"a.ts", tsText, "E.B", "after", "N", "\tB\r\n", "\tB,\r\n\tN\r\n"},

		"a key among others":      {"a.json", jsonText, "scripts/a", "after", "\"n\": \"3\"", "\"1\",\n", "\"1\",\n    \"n\": \"3\",\n"},
		"a key behind the last":   {"a.json", jsonText, "scripts/b", "after", "\"n\": \"3\",", "\"2\"\n", "\"2\",\n    \"n\": \"3\"\n"},
		"a key before":            {"a.json", jsonText, "scripts/b", "before", "\"n\": \"3\"", "    \"b\"", "    \"n\": \"3\",\n    \"b\""},
		"the last key taken away": {"a.json", jsonText, "scripts/b", "", "", ",\n    \"b\": \"2\"\n", "\n"},
		"a key's value":           {"a.json", jsonText, "scripts/a", "", "\"a\": {\n  \"c\": 1\n}", "\"a\": \"1\"", "\"a\": {\n      \"c\": 1\n    }"},
		"a section":               {"a.md", "# A\n\n## B\n\nb\n\n# C\n", "A/B", "after", "## N\n\nn\n", "b\n", "b\n\n## N\n\nn\n"},
		"a key of YAML":           {"a.yaml", "a:\n  b: 1\n  c: 2\nd: 3\n", "a/b", "after", "n:\n  x: 1", "b: 1\n", "b: 1\n  n:\n    x: 1\n"},
		"a table of TOML":         {"a.toml", "[a]\nb = 1\n\n[c]\nd = 1\n", "a", "after", "[n]\nx = 1", "b = 1\n", "b = 1\n\n[n]\nx = 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.Replace(tt.text, tt.old, tt.want, 1)
			if !strings.Contains(tt.text, tt.old) {
				t.Fatal("old is not in the text")
			}
			got, _, err := bySymbol(t, tt.file, tt.text, bySymbolItem(tt.symbol, tt.place, tt.new))
			if err != nil || got != want {
				t.Errorf("(%v) got:\n%q\nwant:\n%q", err, got, want)
			}
		})
	}
}

func TestEditsBySymbolRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		file, text string
		items      []Item
		want       fault.Kind
	}{
		"none of the name":      {"a.go", goText, []Item{bySymbolItem("H", "", "x")}, fault.SymbolNotFound},
		"several of the name":   {"a.md", "# A\n\n## I\n\n# B\n\n## I\n", []Item{bySymbolItem("I", "", "x")}, fault.AmbiguousSymbol},
		"on a line with others": {"a.ts", "enum E { A, B }\n", []Item{bySymbolItem("E.A", "", "x")}, fault.InvalidParams},
		"declared with others":  {"a.go", "package a\n\nvar a, b = 1, 2\n", []Item{bySymbolItem("a", "", "var a = 1")}, fault.InvalidParams},
		"nothing to insert":     {"a.go", goText, []Item{bySymbolItem("F", "after", "\n")}, fault.InvalidParams},
		"twice":                 {"a.go", goText, []Item{bySymbolItem("F", "", "x"), bySymbolItem("F", "", "y")}, fault.OverlappingEdits},
		"inside of another":     {"a.py", pyText, []Item{bySymbolItem("A", "", "x"), bySymbolItem("A.f", "after", "y")}, fault.OverlappingEdits},
		"no language":           {"a.unknown", "a\nb\n", []Item{bySymbolItem("a", "", "x")}, fault.SymbolNotFound},
	} {
		if got, _, err := bySymbol(t, tt.file, tt.text, tt.items...); fault.KindOf(err) != tt.want {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
}

func TestSeveralEditsBySymbol(t *testing.T) {
	old, fresh := "G()", "H()"
	got, _, err := bySymbol(t, "a.go", goText, bySymbolItem("F", "after", "func A() {}"), bySymbolItem("F", "after", "func B() {}"),
		bySymbolItem("F", "", "func F() {}"), Item{OldText: &old, NewText: &fresh})
	if want := "package a\n\nfunc F() {}\n\nfunc A() {}\n\nfunc B() {}\n\n// G is.\nfunc H() {\n}\n"; err != nil || got != want {
		t.Errorf("(%v) %q", err, got)
	}
	got, _, err = bySymbol(t, "a.go", goText, bySymbolItem("F", "", ""), bySymbolItem("G", "", ""))
	if want := "package a\n\n"; err != nil || got != want {
		t.Errorf("(%v) %q", err, got)
	}
	line := uint64(6)
	near := bySymbolItem("I", "", "## J")
	near.NearLine = &line
	got, _, err = bySymbol(t, "a.md", "# A\n\n## I\n\n# B\n\n## I\n", near)
	if want := "# A\n\n## I\n\n# B\n\n## J\n"; err != nil || got != want {
		t.Errorf("(%v) %q", err, got)
	}
}

// TestSymbolsReplacedByThemselves: what a symbol reads as is what replaces it, in
// any language.
func TestSymbolsReplacedByThemselves(t *testing.T) {
	files, err := filepath.Glob("../../testdata/corpus/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".symbols") {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkItself(t, file, string(raw))
	}
}

func checkItself(t *testing.T, file, s string) {
	hay := haystackOf(file, s)
	o, err := hay.symbols()
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.Symbols {
		d := newDefinition(hay.Text, o, i)
		if !d.alone() {
			continue
		}
		same := hay.Text.Slice(text.Span{Start: d.lines.Start, End: d.lines.End})
		got := diff.Apply(hay.Text, []diff.Edit{d.replace(d.indented(trimBlankLines(same)))}).String()
		if got != s {
			t.Errorf("%s: %s: %q", file, o.Path(i), same)
		}
	}
}
