package tools

import (
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

func outlineWhole(t *testing.T, name, content string) *outlineOutput {
	t.Helper()
	f := &buffers.File{Path: workspace.Path{Rel: name}, Source: buffers.FromDisk, Content: text.New(content)}
	d := toolcall.Describe(f)
	out := &outlineOutput{
		Path: d.Path, fileSymbols: &fileSymbols{},
		fileOutlined: &fileOutlined{FileState: d.FileState, TextFormat: d.TextFormat, Extent: d.Extent},
	}
	o := outline.New(t.Context(), toolcall.SyntaxOf(f), []byte(content))
	out.fill(o, outlineInput{}, o.All())
	return out
}

func sizeOf(r toolcall.Rendering) int { return len(r.Header) + len(r.Body) + len(r.After) }

// TestOutlinesOfFilesAreSmall: of files of the corpus, each repeated to about size bytes.
func TestOutlinesOfFilesAreSmall(t *testing.T) {
	for _, name := range []string{"go/*.go", "python/*.py", "java/*.java", "cpp/*.cpp", "typescript/*.ts", "markdown/*.md", "rust/*.rs", "css/*.css"} {
		files, err := filepath.Glob("../testdata/corpus/" + name)
		if err != nil || len(files) == 0 {
			t.Fatal(name, err)
		}
		b, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{17_000, 60_000, 300_000}[:testscale.Of(3, 2)] {
			content := strings.Repeat(string(b), 1+size/len(b))
			if n := sizeOf(outlineWhole(t, filepath.Base(files[0]), content).Render(toolcall.FirstDigits)); n > len(content)/4 || n > toolcall.MaxOutlineBytes {
				t.Errorf("%s of %d bytes: an outline of %d bytes", name, len(content), n)
			}
		}
	}
}

func TestRenderedOutline(t *testing.T) {
	const source = "package p\n\n// T is a type.\ntype T struct {\n\ta, b int\n}\n\n// F does.\nfunc (t *T) F(n int) error {\n\treturn nil\n}\n"
	got := outlineWhole(t, "a.go", source).Render(toolcall.FirstDigits)
	if want := "3 type T struct\n  5 a, b int\n8 func (t *T) F(n int) error"; got.Body+got.After != want {
		t.Errorf("have\n%s\nwant\n%s", got.Body+got.After, want)
	}
}
