package jsonc

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

var fields = []Field{{"command", "x<y"}, {"args", []string{"mcp", "-v"}}}

func TestPut(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing", "", "{\n  \"servers\": {\n    \"us\": {\n      \"command\": \"x<y\",\n      \"args\": [\"mcp\", \"-v\"]\n    }\n  }\n}\n"},
		{"empty object", "{}", "{\n  \"servers\": {\n    \"us\": {\n      \"command\": \"x<y\",\n      \"args\": [\"mcp\", \"-v\"]\n    }\n  }\n}"},
		{"only a comment", "{\n  // later\n}\n", "{\n  // later\n  \"servers\": {\n    \"us\": {\n      \"command\": \"x<y\",\n      \"args\": [\"mcp\", \"-v\"]\n    }\n  }\n}\n"},
		{"beside others, tabs", "{\n\t\"servers\": {\n\t\t\"a\": 1 // one\n\t}\n}\n", "{\n\t\"servers\": {\n\t\t\"a\": 1, // one\n\t\t\"us\": {\n\t\t\t\"command\": \"x<y\",\n\t\t\t\"args\": [\"mcp\", \"-v\"]\n\t\t}\n\t}\n}\n"},
		{"trailing comma", "{\n    \"servers\": {\n        \"a\": 1, /* one */ // uno\n    },\n}\n", "{\n    \"servers\": {\n        \"a\": 1, /* one */ // uno\n        \"us\": {\n            \"command\": \"x<y\",\n            \"args\": [\"mcp\", \"-v\"]\n        },\n    },\n}\n"},
		{"on one line", `{"servers": {"a": 1}}`, "{\"servers\": {\"a\": 1, \"us\": {\n  \"command\": \"x<y\",\n  \"args\": [\"mcp\", \"-v\"]\n}}}"},
		{"line ends", "{\r\n  \"b\": [ 1 ]\r\n}\r\n", "{\r\n  \"b\": [ 1 ],\r\n  \"servers\": {\r\n    \"us\": {\r\n      \"command\": \"x<y\",\r\n      \"args\": [\"mcp\", \"-v\"]\r\n    }\r\n  }\r\n}\r\n"},
		{"in its place", "{\n  \"servers\": {\n    \"us\": {\"old\": true}, // ours\n    \"b\": 2\n  }\n}", "{\n  \"servers\": {\n    \"us\": {\n      \"command\": \"x<y\",\n      \"args\": [\"mcp\", \"-v\"]\n    }, // ours\n    \"b\": 2\n  }\n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Put([]byte(c.src), []string{"servers", "us"}, fields)
			if err != nil || string(got) != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestPutRefuses(t *testing.T) {
	for _, src := range []string{"{", `[]`, `{"servers": []}`, `{"servers": 1}`, `{"a" 1}`, `{} {}`} {
		if got, err := Put([]byte(src), []string{"servers", "us"}, fields); err == nil {
			t.Errorf("%s: became %s", src, got)
		}
	}
}

// Whatever the text is like, all other members and all comments stay, and
// putting the same again changes nothing.
func TestPutKeepsTheRest(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := generator{r: r, eol: "\n"}
		if r.IntN(4) == 0 {
			g.eol = "\r\n"
		}
		src := g.blank() + g.object(0) + g.blank()
		path := []string{"k1", "us"}
		got, err := Put([]byte(src), path, fields)
		if err != nil {
			if strings.Contains(err.Error(), "is no object") {
				continue
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		again, err := Put(got, path, fields)
		if err != nil || string(again) != string(got) {
			t.Fatalf("seed %d: not the same again: %v\n%s\n--\n%s", seed, err, got, again)
		}
		want := decoded(t, []byte(src))
		inner, _ := want["k1"].(map[string]any)
		if inner == nil {
			inner = map[string]any{}
		}
		inner["us"] = map[string]any{"command": "x<y", "args": []any{"mcp", "-v"}}
		want["k1"] = inner
		if have := decoded(t, got); fmt.Sprint(have) != fmt.Sprint(want) {
			t.Fatalf("seed %d:\n%s\nbecame\n%s\n%v\nwant %v", seed, src, got, have, want)
		}
		for i := range g.comments {
			if !strings.Contains(string(got), fmt.Sprintf("c%d.", i)) && !g.replaced(src, path) {
				t.Fatalf("seed %d: comment %d is lost:\n%s\nbecame\n%s", seed, i, src, got)
			}
		}
	}
}

func decoded(t *testing.T, src []byte) map[string]any {
	t.Helper()
	std, err := hujson.Standardize([]byte(string(src)))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	var m map[string]any
	if err := json.Unmarshal(std, &m); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return m
}

// generator writes random texts with names k0 to k3 and "us".
type generator struct {
	r        *rand.Rand
	eol      string
	comments int
}

func (g *generator) replaced(src string, path []string) bool {
	v, err := Parse([]byte(src))
	return err == nil && Find(&v, path...) != nil
}

func (g *generator) blank() string {
	switch g.r.IntN(6) {
	case 0:
		return g.eol
	case 1:
		return "\t "
	case 2:
		g.comments++
		return fmt.Sprintf(" // c%d. \" , }%s", g.comments-1, g.eol)
	case 3:
		g.comments++
		return fmt.Sprintf("/* c%d. , %s } */", g.comments-1, g.eol)
	}
	return ""
}

func (g *generator) object(depth int) string {
	n := g.r.IntN(4)
	if depth > 2 {
		n = 0
	}
	names := []string{"k0", "k1", "k2", "us"}
	g.r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	s := "{" + g.blank()
	for i := range n {
		value := `"a // \" b"`
		switch g.r.IntN(4) {
		case 0:
			value = "[" + g.blank() + "1]"
		case 1, 2:
			value = g.object(depth + 1)
		}
		s += g.blank() + `"` + names[i] + `"` + g.blank() + ":" + g.blank() + value + g.blank()
		if i < n-1 || g.r.IntN(2) == 0 {
			s += "," + g.blank()
		}
	}
	return s + "}"
}
