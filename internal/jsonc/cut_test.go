package jsonc

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"alone", "{\n  \"s\": {\n    \"us\": {}\n  }\n}\n", "{}\n"},
		{"beside others", "{\n  \"s\": {\n    \"us\": {}\n  },\n  \"b\": 1\n}\n", "{\n  \"b\": 1\n}\n"},
		{"the last", "{\n  \"b\": 1, // one\n  \"s\": {\n    \"us\": {}\n  }\n}\n", "{\n  \"b\": 1 // one\n}\n"},
		{"the last, before a comma", "{\r\n  \"b\": 1, // one\r\n  \"s\": {\"us\": {}},\r\n}\r\n", "{\r\n  \"b\": 1, // one\r\n}\r\n"},
		{"between others", "{\"s\": {\"a\": 1, \"us\": {}, \"b\": 2}}", "{\"s\": {\"a\": 1, \"b\": 2}}"},
		{"the first of a line", "{\"s\": {\"us\": {}, \"b\": 2}}", "{\"s\": {\"b\": 2}}"},
		{"the last of a line", "{\"s\": {\"a\": 1, \"us\": {}}}", "{\"s\": {\"a\": 1}}"},
		{"comments stay", "{\n  \"s\": {\n    // why\n    \"us\": {} /* so */, // it is\n  }\n}", "{\n  \"s\": {\n    // why\n    /* so */ // it is\n  }\n}"},
		{"a closing brace after a comment", "{\"s\": {\"a\": 1, // one\n  \"us\": {}}}", "{\"s\": {\"a\": 1 // one\n}}"},
		{"of two the last", "{\"s\": {\"us\": 1, \"us\": 2}, \"s\": {\"us\": 3}}", "{\"s\": {\"us\": 1, \"us\": 2}}"},
		{"absent", "{\"s\": {\"a\": 1}}", "{\"s\": {\"a\": 1}}"},
		{"another shape", "{\"s\": [1]}", "{\"s\": [1]}"},
		{"nothing", " \n", " \n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Cut([]byte(c.src), []string{"s", "us"})
			if err != nil || string(got) != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
	if got, err := Cut([]byte("{"), []string{"s"}); err == nil {
		t.Errorf("a broken text became %s", got)
	}
}

func TestAppend(t *testing.T) {
	hook := []Field{{"matcher", "Read"}, {"hooks", []any{[]Field{{"type", "command"}}}}}
	for _, c := range []struct {
		name, src string
		values    []any
		want      string
	}{
		{"nothing", "", []any{"x"}, "{\n  \"p\": {\n    \"allow\": [\n      \"x\"\n    ]\n  }\n}\n"},
		{"on one line", `{"p": {"allow": ["a"]}}`, []any{"x", "a", "y"}, `{"p": {"allow": ["a", "x", "y"]}}`},
		{"on lines", "{\n  \"p\": {\n    \"allow\": [\n      \"a\" // one\n    ]\n  }\n}", []any{"x", "y"}, "{\n  \"p\": {\n    \"allow\": [\n      \"a\", // one\n      \"x\",\n      \"y\"\n    ]\n  }\n}"},
		{"there", `{"p": {"allow": ["x"]}}`, []any{"x"}, `{"p": {"allow": ["x"]}}`},
		{"objects", "{\n\t\"p\": {\n\t\t\"allow\": []\n\t}\n}", []any{hook}, "{\n\t\"p\": {\n\t\t\"allow\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"Read\",\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := []string{"p", "allow"}
			got, err := Append([]byte(c.src), path, c.values...)
			if err != nil || string(got) != c.want {
				t.Fatalf("%v\n%s\nwant\n%s", err, got, c.want)
			}
			again, err := Append(got, path, c.values...)
			if err != nil || string(again) != string(got) {
				t.Errorf("a second time: %v\n%s", err, again)
			}
		})
	}
	for _, src := range []string{`{"p": {"allow": {}}}`, `{"p": {"allow": "x"}}`, `{"p": []}`, `[]`, `{`} {
		if got, err := Append([]byte(src), []string{"p", "allow"}, "x"); err == nil {
			t.Errorf("%s: became %s", src, got)
		}
	}
}

// Whatever the text is like, cutting what was put, or appended, gives back all
// that was there but for blanks and a comma.
func TestCutKeepsTheRest(t *testing.T) {
	path := []string{"k1", "new"}
	added := []any{"x", []Field{{"y", true}}}
	ours := func(v *Value) bool { return Equal(v, added[0]) || Equal(v, added[1]) }
	for seed := range uint64(500) {
		g := generator{r: rand.New(rand.NewPCG(seed, 11)), eol: "\n"}
		if seed%4 == 0 {
			g.eol = "\r\n"
		}
		src := g.blank() + g.object(0) + g.blank()
		for name, there := range map[string]func() ([]byte, error){
			"put":    func() ([]byte, error) { return Put([]byte(src), path, fields) },
			"append": func() ([]byte, error) { return Append([]byte(src), path, added...) },
		} {
			with, err := there()
			if err != nil {
				continue // k1 is no object
			}
			got, err := Cut(with, path)
			if name == "append" {
				got, err = CutElements(with, path, ours)
			}
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s", seed, name, err, with)
			}
			decoded(t, got)
			if inner, ok := decoded(t, []byte(src))["k1"].(map[string]any); ok && len(inner) == 0 {
				continue // whether it was there before cannot be told
			}
			if solid(string(got)) != solid(src) {
				t.Fatalf("seed %d: %s:\n%s\nbecame\n%s\nthen\n%s", seed, name, src, with, got)
			}
		}
	}
}

// solid is a text without blanks and commas.
func solid(s string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", ",", "").Replace(s)
}
