package archtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestArchitecture(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	m := load(t, os.DirFS(root))
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			for _, found := range c.find(m) {
				t.Error(found)
			}
		})
	}
}

func TestTables(t *testing.T) {
	for _, found := range tableErrors(rules) {
		t.Error(found)
	}
	bad := []rule{
		{0, "a", "", "example.com/x"},
		{0, "b", "a", ""},
		{1, "c", "nowhere", "example.com/x go.uber.org/goleak"},
		{1, "c", "", ""},
	}
	if found := tableErrors(bad); len(found) != 5 {
		t.Errorf("of 5 errors these were found: %q", found)
	}
}

// TestChecks shows each check a module that breaks its rule and one that
// keeps it.
func TestChecks(t *testing.T) {
	tests := []struct {
		check, path, source string
		want                string // what a finding says; none when empty
	}{
		{"every package has a rule", "internal/novel/a.go", "package novel", "internal/novel: has no rule"},
		{"every package has a rule", "internal/text/a.go", "package text", ""},
		{"every package has a rule", "internal/scenario/a.go", "package scenario", ""},
		{"every package has a rule", "internal/bench/cmd/a.go", "package main", ""},
		{"every package has a rule", "internal/benches/a.go", "package benches", "has no rule"},

		{"imports go down", "internal/text/a.go", `package text; import "` + modulePath + `/tools"`, "internal/text/a.go:1: internal/text may not import tools"},
		{"imports go down", "internal/text/a_test.go", `package text_test; import "` + modulePath + `/tools"`, "may not import tools"},
		{"imports go down", "tools/a.go", `package tools; import "` + modulePath + `/internal/fakeeditor"`, "may not import internal/fakeeditor"},
		{"imports go down", "tools/a.go", `package tools; import "` + modulePath + `/internal/text"`, ""},
		{"imports go down", "internal/text/a.go", `package text; import "` + modulePath + `/internal/fault"`, ""},
		{"imports go down", "rpc/a_test.go", `package rpc; import "` + modulePath + `/internal/fakeeditor"`, ""},
		{"imports go down", "internal/fakeeditor/a.go", `package fakeeditor; import "` + modulePath + `/rpc"`, ""},
		{"imports go down", "internal/text/a_test.go", `package text_test; import "` + modulePath + `/internal/text"`, ""},

		{"one door to each module", "tools/a.go", `package tools; import "github.com/sourcegraph/conc/pool"`, "tools is no door to github.com/sourcegraph/conc/pool"},
		{"one door to each module", "tools/a.go", `package tools; import "go.uber.org/goleak"`, "no door"},
		{"one door to each module", "tools/a.go", `package tools; import "github.com/google/jsonschema-go-two"`, "no door"},
		{"one door to each module", "internal/parallel/a.go", `package parallel; import ("sync"; "github.com/sourcegraph/conc/pool")`, ""},
		{"one door to each module", "tools/a_test.go", `package tools; import "go.uber.org/goleak"`, ""},
		{"one door to each module", "tools/a.go", `package tools; import "golang.org/x/sys/unix"`, "tools is no door to golang.org/x/sys/unix"},
		{"one door to each module", "tools/a_test.go", `package tools; import "golang.org/x/sys/unix"`, ""},

		{"what a rule allows is made use of", "internal/statedir/a.go", "package statedir", "internal/statedir: no file imports internal/fsys"},
		{"what a rule allows is made use of", "internal/statedir/a.go", `package statedir; import "` + modulePath + `/internal/fsys"`, ""},

		{"unsafe stays in its packages", "tools/a.go", `package tools; import "unsafe"`, "tools/a.go:1: imports unsafe"},
		{"unsafe stays in its packages", "syntax/a.go", "package syntax", "syntax: may import unsafe, and no file does"},
		{"unsafe stays in its packages", "internal/reinterpret/a.go", `package reinterpret; import "unsafe"`, ""},
		{"unsafe stays in its packages", "tools/a_test.go", `package tools; import "unsafe"`, ""},

		{"reserved functions", "buffers/a.go", "package buffers\nimport \"os\"\nvar x, _ = os.ReadFile(``)", "buffers/a.go:3: uses os.ReadFile, but internal/workspace"},
		{"reserved functions", "buffers/a.go", "package buffers; import disk \"os\"; var open = disk.Open", "uses os.Open"},
		{"reserved functions", "buffers/a.go", "package buffers; import . \"os\"", "into its own scope"},
		{"reserved functions", "buffers/a.go", "package buffers; import \"time\"; func f() any { return time.Now() }", "the clock"},
		{"reserved functions", "internal/workspace/a.go", "package workspace; import \"os\"; var open = os.Open", ""},
		{"reserved functions", "internal/catalog/a.go", "package catalog; import \"os\"; var open = os.Open", "uses os.Open"},
		{"reserved functions", "buffers/a.go", "package buffers; import \"os\"; var f *os.File", ""},
		{"reserved functions", "buffers/a_test.go", "package buffers; import \"os\"; var open = os.Open", ""},
		{"reserved functions", "buffers/a.go", "package buffers; import \"example.com/os\"; var open = os.Open", ""},

		{"every package has its doc.go", "tools/a.go", "package tools", "tools: no doc.go"},
		{"every package has its doc.go", "tools/doc.go", "// Things.\npackage tools", "tools: no doc.go"},
		{"every package has its doc.go", "tools/a.go", "// Package tools is.\npackage tools", "belongs into doc.go"},
		{"every package has its doc.go", "tools/doc.go", "// Package tools is.\npackage tools", ""},
		{"every package has its doc.go", "cmd/agent-lsp/doc.go", "// Command agent-lsp is.\npackage main", ""},

		{"no init", "tools/a.go", "package tools; func init() {}", "func init"},
		{"no init", "tools/a_test.go", "package tools; func init() {}", "func init"},
		{"no init", "tools/a.go", "package tools; type t int; func (t) init() {}", ""},

		{"no goroutine without an owner", "rpc/a.go", "package rpc; type c[T any] struct{}; func (*c[T]) run() { go func() {}() }", "in rpc.(*c).run"},
		{"no goroutine without an owner", "rpc/a.go", "package rpc; var f = func() { go f() }", "go statement"},
		{"no goroutine without an owner", "rpc/a_test.go", "package rpc; func f() { go f() }", ""},

		{"no hidden state", "tools/a.go", "package tools; var n int", "n has no value"},
		{"no hidden state", "tools/a.go", "package tools; var n = 1; func f() { n++ }", "n is written to"},
		{"no hidden state", "tools/a.go", "package tools; var t = map[int]int{}; func f() { t[1] = 2 }", "is written to"},
		{"no hidden state", "tools/a.go", "package tools; var t = map[int]int{}; func f() { delete(t, 1) }", "is written to"},
		{"no hidden state", "tools/a.go", "package tools; var s struct{ n int } = zero; func f() { s.n = 2 }", "is written to"},
		{"no hidden state", "tools/a.go", "package tools; var n = 1; func f() *int { return &n }", "is written to"},
		{"no hidden state", "tools/a.go", "package tools; var c = make(chan int)", "is a channel"},
		{"no hidden state", "tools/a.go", "package tools; import \"sync\"; var p = sync.Pool{}", "holds a sync.Pool"},
		{"no hidden state", "tools/a.go", "package tools; var t = map[int]int{1: 2}; func f() { u := t[1]; u++ }", ""},
		{"no hidden state", "tools/a.go", "package tools; import \"errors\"; var errX = errors.New(``)", ""},
		{"no hidden state", "tools/a.go", "package tools; import \"sync\"; var t = sync.OnceValue(makeTable)", ""},
		{"no hidden state", "tools/a.go", "package tools; var _ fmt.Stringer = (*x)(nil)", ""},

		{"standard words", "rpc/a.go", "package rpc; type fileWish int", "rpc/a.go:1: \"fileWish\": the word for it is: (file change) request"},
		{"standard words", "rpc/a_test.go", "package rpc; func TestLandings() {}", "applying"},
		{"standard words", "rpc/a.go", "package rpc\n// It is parked.\nvar x = 1", "rpc/a.go:2:"},
		{"standard words", "rpc/a.go", "package rpc\n\n// is tells\n// whether it is.\nfunc is() bool", "reports whether"},
		{"standard words", "syntax/a.go", "package syntax; func f(view int) {}", "masked text"},
		{"standard words", "rpc/a.go", "package rpc; func f(view int) {}", ""},
		{"standard words", "syntax/a.go", "package syntax; // The view is fine.", ""},
		{"standard words", "rpc/a.go", "package rpc; var e = fault.BufferUnsure // buffer_unsure", ""},
		{"standard words", "rpc/a.go", "package rpc; var wishful, x = 1, `a wish`", ""},
	}
	for _, tt := range tests {
		m := load(t, fstest.MapFS{tt.path: {Data: []byte(tt.source)}})
		i := slices.IndexFunc(checks, func(c check) bool { return c.name == tt.check })
		found := strings.Join(checks[i].find(m), "\n")
		if tt.want == "" && found != "" || !strings.Contains(found, tt.want) {
			t.Errorf("%s: %s: %s\ngot %q, want %q", tt.check, tt.path, tt.source, found, tt.want)
		}
	}
}
