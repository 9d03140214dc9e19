package tools

import (
	"path"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// contentType is what sort of text a file holds; it decides how much of it a
// read without a range shows.
type contentType string

const (
	typeSource   contentType = "source"
	typeConfig   contentType = "config"
	typeText     contentType = "text"
	typeLog      contentType = "log"
	typeTable    contentType = "csv"
	typeMinified contentType = "minified"
	typeImage    contentType = "image"
	typeDocument contentType = "document"
	typeBinary   contentType = "binary"
)

// pageLines is how many lines a page has by default.
func (t contentType) pageLines() int {
	switch t {
	case typeLog:
		return 500
	case typeTable:
		return 100
	case typeMinified:
		return 20
	}
	return 2000
}

const (
	// A text is taken for minified when its lines are longer than this on
	// average, in bytes, within the sample.
	minifiedLine = 500
	typeSample   = 64 << 10
	// How much of a text is looked at to tell its language, in bytes: the
	// first line, or, of a header that may be of C or C++, its beginning.
	shebangSample = 256
)

// classify tells a text's type and language: by the editor's word, its name,
// its content. The language is named as editors name it.
func classify(f *buffers.File) (contentType, string) {
	name := strings.ToLower(path.Base(f.Path.Rel))
	l := syntaxOf(f)
	kind, language := typeText, ""
	switch {
	case l != nil:
		kind, language = typeOf(l), editorsName(l, name)
	case isScript(f.Content):
		kind = typeSource
	}
	if d := f.Document; d != nil && d.LanguageID != "" {
		language = d.LanguageID
	}
	if kind == typeText && (language == "" || language == "plaintext") && isTestRun(f.Content) {
		kind = typeLog
	}
	if kind != typeLog && kind != typeTable && (strings.Contains(name, ".min.") || looksMinified(f.Content)) {
		kind = typeMinified
	}
	return kind, language
}

// syntaxOf returns the row of a text's language, nil when there is none.
func syntaxOf(f *buffers.File) *syntax.Language {
	editors, name := "", path.Base(f.Path.Rel)
	if f.Document != nil {
		editors = f.Document.LanguageID
	}
	isHeader := strings.EqualFold(path.Ext(name), ".h")
	if l := syntax.Choose(editors, name, nil); l != nil && !isHeader {
		return l
	}
	sample := shebangSample
	if isHeader {
		sample = syntax.HeadBytes
	}
	return syntax.Choose(editors, name, f.Content.Append(nil, text.Span{End: min(f.Content.Len(), sample)}))
}

// isScript tells that a text names the program that runs it.
func isScript(c buffers.Content) bool {
	const mark = "#!"
	return string(c.Append(nil, text.Span{End: min(c.Len(), len(mark))})) == mark
}

func looksMinified(c buffers.Content) bool {
	length := min(c.Len(), typeSample)
	if length <= minifiedLine {
		return false
	}
	lines := c.LineAt(length-1) + 1
	return length > lines*minifiedLine
}

// typeOf returns the type of the texts in a language.
func typeOf(l *syntax.Language) contentType {
	if t, ok := types[l.Name]; ok {
		return t
	}
	return typeSource
}

// types are those of the languages in which no program is written.
var types = map[string]contentType{
	"json": typeConfig, "jsonc": typeConfig, "json5": typeConfig, "yaml": typeConfig, "toml": typeConfig,
	"xml": typeConfig, "ini": typeConfig, "properties": typeConfig, "hcl": typeConfig, "editorconfig": typeConfig,
	"go.mod": typeConfig, "go.sum": typeConfig, "go.work": typeConfig, "ignore": typeConfig,
	"markdown": typeText, "plaintext": typeText, "restructuredtext": typeText, "asciidoc": typeText, "diff": typeText,
	"jsonl": typeText, "log": typeLog, "csv": typeTable, "tsv": typeTable,
}

// editorsName returns what editors call the language of a file with a name in
// lower case, where they have several names for one row of ours.
func editorsName(l *syntax.Language, name string) string {
	switch strings.TrimPrefix(path.Ext(name), ".") {
	case "tf", "tfvars", "tofu":
		return "terraform"
	case "mli":
		return "ocaml"
	}
	return l.Name
}

// testRunMarks begin lines at the begin of a test run: of go test, cargo test,
// TAP, vitest, maven.
var testRunMarks = [...]string{"=== RUN ", "--- PASS: ", "running 1 test", "running tests", "TAP version ", " RUN  v", "[INFO]  T E S T S", "[INFO] Running ", "ok  \t"}

// testRunSample is how much of a text is looked at to tell that test runners
// wrote it, in bytes.
const testRunSample = 4 << 10

// holdsNoText reports whether a file is an image, a document or another binary one.
func holdsNoText(f *buffers.File) bool {
	class := media.Identify(f.Magic, f.Binary).Class
	return f.Binary || class == media.AnImage || class == media.ADocument
}

// maxLogPage is what the first page of a log takes at most, in bytes: the last
// lines, and the last errors before them.
const maxLogPage = 8 << 10

// isTestRun reports whether a large text begins as the output of a test runner:
// then it is read as a log is.
func isTestRun(c buffers.Content) bool {
	if c.Len() <= maxLogPage {
		return false
	}
	head := c.Append(nil, text.Span{End: testRunSample})
	for line := range strings.Lines(string(head)) {
		for _, mark := range testRunMarks {
			if strings.HasPrefix(line, mark) {
				return true
			}
		}
		if strings.HasPrefix(line, "====") && strings.Contains(line, " test session starts ") {
			return true // pytest
		}
	}
	return false
}
