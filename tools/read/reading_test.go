package read

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// readWhole reads a text as a file with that name would be read.
func readWhole(t *testing.T, name, content string, in Input) *Output {
	t.Helper()
	f := &buffers.File{Path: workspace.Path{Rel: name}, Source: buffers.FromDisk, Content: text.New(content)}
	d := toolcall.Describe(f)
	out := &Output{FileState: d.FileState, TextFormat: d.TextFormat, Extent: d.Extent}
	r := &reading{File: f, in: in, out: out, threshold: 16 << 10, toOutline: func() (*outline.Outline, error) {
		return outline.New(t.Context(), toolcall.SyntaxOf(f), []byte(content)), nil
	}}
	if err := r.run(); err != nil {
		t.Fatal(err)
	}
	return out
}

// largeSamples are the larger source files of the corpus, each repeated to
// about size bytes.
func largeSamples(t *testing.T, size int) map[string]string {
	t.Helper()
	samples := make(map[string]string)
	for _, pattern := range []string{"go/*.go", "python/*.py", "java/*.java", "cpp/*.cpp", "typescript/*.ts", "markdown/*.md", "rust/*.rs", "css/*.css"} {
		files, err := filepath.Glob("../../testdata/corpus/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		b, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		samples[filepath.Base(files[0])] = strings.Repeat(string(b), 1+size/len(b))
	}
	return samples
}

func TestOutlinesAreSmall(t *testing.T) {
	for _, size := range []int{17_000, 60_000, 300_000}[:testscale.Of(3, 2)] {
		for name, content := range largeSamples(t, size) {
			out := readWhole(t, name, content, Input{})
			shown := out.Render(toolcall.FirstDigits)
			n := len(shown.Header) + len(shown.Body) + len(shown.After)
			if out.ReadMode != modeOutline || n > len(content)/4 || size >= 300_000 && n > len(content)/20 {
				t.Errorf("%s of %d bytes: %s of %d bytes", name, len(content), out.ReadMode, n)
			}
		}
	}
}

func TestOutlinesOfTheRestAreSmall(t *testing.T) {
	limit := uint64(10)
	for name, content := range largeSamples(t, 100_000) {
		out := readWhole(t, name, content, Input{Limit: &limit})
		after := out.Render(toolcall.FirstDigits).After
		if after == "" || len(after) > toolcall.RestOutlineBytes {
			t.Errorf("%s: %d bytes", name, len(after))
		}
		if out.Outline[0].EndLine <= 10 {
			t.Errorf("%s: line %d is shown already", name, out.Outline[0].StartLine)
		}
	}
}

func TestRenderedOutlines(t *testing.T) {
	const source = "package p\n\n// T is a type.\ntype T struct {\n\ta, b int\n}\n\n// F does.\nfunc (t *T) F(n int) error {\n\treturn nil\n}\n"
	limit := uint64(2)
	got := readWhole(t, "a.go", source, Input{Limit: &limit}).Render(toolcall.FirstDigits)
	want := "lines 1-2 of 11; hash \n\n" +
		"1|package p\n2|\n\n" +
		"not shown:\n3 type T struct\n  5 a, b int\n8 func (t *T) F(n int) error"
	got.Header, _, _ = strings.Cut(got.Header, strings.Repeat("0", 64))
	have := fmt.Sprintf("%s\n\n%s\n\n%s", got.Header, got.Body, got.After)
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}
