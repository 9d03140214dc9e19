package judge

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// newCode names files of the languages that people use most which are written
// as these are today. For those with the same files as in sources there are
// none that are newer in the registries; docs/outline-accuracy.md says which.
var newCode = []source{
	{"go", "go", "src/iter", ".go", ``, 10},
	{"go", "go", "src/maps", ".go", ``, 10},
	{"go", "go", "src/slices", ".go", ``, 20},
	{"go", "go", "src/unique", ".go", ``, 10},
	{"go", "go", "src/weak", ".go", ``, 10},
	{"go", "go", "src/simd", ".go", ``, 30},
	{"go", "go", "src/encoding/json", ".go", ``, 80},
	{"go", "go", "src/go/types", ".go", ``, 100},
	{"python", "npm", "pyright/dist/typeshed-fallback/stdlib", ".pyi", ``, 300},
	{"ruby", "fzf", "test", ".rb", ``, 50},
	{"rust", "wasmvm", "libwasmvm", ".rs", ``, 50},
	{"javascript", "npm", "undici/lib", ".js", ``, 200},
	{"typescript", "npm", "zod/src", ".ts", ``, 200},
	{"typescript", "npm", "expo-modules-core/src", ".ts .tsx", ``, 100},
	{"kotlin", "npm", "expo-modules-core", ".kt", ``, 250},
	{"swift", "npm", "expo-modules-core", ".swift", ``, 250},
	{"swift", "npm", "@capacitor/ios", ".swift", ``, 100},
	{"cpp", "npm", "expo-modules-core/common/cpp", ".cpp .h", ``, 100},
	{"cpp", "npm", "expo-modules-core/android/src/main/cpp", ".cpp .h", ``, 100},
	{"java", "npm", "expo-modules-core", ".java", ``, 100},
	{"java", "jdk", "java.base/java/lang", ".java", `(^|/)package-info\.java$`, 150},
	// Not what is written for Tailwind and PostCSS alone.
	{"css", "npm", "tailwindcss", ".css", `(theme|index)\.css$`, 20},
	{"css", "npm", "open-props", ".css", `\.min\.css$|props\.(media|supports)\.css$`, 100},
	{"shellscript", "fzf", ".", ".sh .bash", `test/lib`, 30}, // that is a template
	{"shellscript", "go", "src", ".bash", ``, 30},
	{"shellscript", "thrift", ".", ".sh", ``, 100},
	{"shellscript", "wasmvm", ".", ".sh", ``, 30},
	{"shellscript", "flatbuffers", ".", ".sh", ``, 50},
	{"sql", "sqlc", ".", ".sql", ``, 100},
	{"php", "thrift", ".", ".php", ``, 200},
	{"csharp", "thrift", ".", ".cs", ``, 120},
	{"c", "grammars", ".", ".c .h", `(^|/)(parser\.c|(tree_sitter/)?parser\.h|bindings\.h)$|^(cpp|yaml)/`, 60},
}

// parsed counts a language's files, and those that its grammar failed at
// somewhere, with their names.
type parsed struct {
	language string
	failed   share
	at       []string
}

// parseAll parses files of a language.
func parseAll(ctx context.Context, language string, files []*file) parsed {
	p := parsed{language: language, failed: share{all: len(files)}}
	for _, f := range files {
		l := syntax.Detect(f.base(), f.text[:min(len(f.text), syntax.HeadBytes)])
		r, tree, spent := syntax.Reparse(ctx, l, text.New(string(f.text)), f.text, nil)
		if r.Method != syntax.ByGrammar || tree.Broken() {
			p.failed.of++
			p.at = append(p.at, f.name)
		}
		tree.Close()
		spent.Close()
	}
	return p
}

// parsedTable renders what was parsed in Markdown.
func parsedTable(all []parsed) string {
	var out strings.Builder
	out.WriteString("| language | files | with an error node | % |\n|---|---|---|---|\n")
	for _, p := range all {
		fmt.Fprintf(&out, "| %s | %d | %d | %.1f |\n", p.language, p.failed.all, p.failed.of, p.failed.percent())
	}
	return out.String()
}
