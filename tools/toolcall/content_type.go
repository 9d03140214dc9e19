package toolcall

import (
	"path"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// ContentType is what sort of text a file holds; it decides how much of it a
// read without a range shows.
type ContentType string

// The sorts of text, and what is no text.
const (
	TypeSource   ContentType = "source"
	TypeConfig   ContentType = "config"
	TypeText     ContentType = "text"
	TypeLog      ContentType = "log"
	TypeTable    ContentType = "csv"
	TypeMinified ContentType = "minified"
	TypeImage    ContentType = "image"
	TypeDocument ContentType = "document"
	TypeBinary   ContentType = "binary"
)

// PageLines is how many lines a page has by default.
func (t ContentType) PageLines() int {
	switch t {
	case TypeLog:
		return 500
	case TypeTable:
		return 100
	case TypeMinified:
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

// Classify tells a text's type and language: by the editor's word, its name,
// its content. The language is named as editors name it.
func Classify(f *buffers.File) (ContentType, string) {
	name := strings.ToLower(path.Base(f.Path.Rel))
	l := SyntaxOf(f)
	kind, language := TypeText, ""
	switch {
	case l != nil:
		kind, language = TypeOf(l), editorsName(l, name)
	case isScript(f.Content):
		kind = TypeSource
	}
	if d := f.Document; d != nil && d.LanguageID != "" {
		language = d.LanguageID
	}
	if kind == TypeText && (language == "" || language == "plaintext") && isTestRun(f.Content) {
		kind = TypeLog
	}
	if kind != TypeLog && kind != TypeTable && (strings.Contains(name, ".min.") || looksMinified(f.Content)) {
		kind = TypeMinified
	}
	return kind, language
}

// SyntaxOf returns the row of a text's language, nil when there is none.
func SyntaxOf(f *buffers.File) *syntax.Language {
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

// isScript reports whether a text names the program that runs it.
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

// TypeOf returns the type of the texts in a language.
func TypeOf(l *syntax.Language) ContentType {
	if t, ok := types[l.Name]; ok {
		return t
	}
	return TypeSource
}

// types are those of the languages in which no program is written.
var types = map[string]ContentType{
	"json": TypeConfig, "jsonc": TypeConfig, "json5": TypeConfig, "yaml": TypeConfig, "toml": TypeConfig,
	"xml": TypeConfig, "ini": TypeConfig, "properties": TypeConfig, "hcl": TypeConfig, "editorconfig": TypeConfig,
	"go.mod": TypeConfig, "go.sum": TypeConfig, "go.work": TypeConfig, "ignore": TypeConfig,
	"markdown": TypeText, "plaintext": TypeText, "restructuredtext": TypeText, "asciidoc": TypeText, "diff": TypeText,
	"jsonl": TypeText, "log": TypeLog, "csv": TypeTable, "tsv": TypeTable,
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

// HoldsNoText reports whether a file is an image, a document or another binary one.
func HoldsNoText(f *buffers.File) bool {
	class := media.Identify(f.Magic, f.Binary).Class
	return f.Binary || class == media.AnImage || class == media.ADocument
}

// MaxLogPage is what the first page of a log takes at most, in bytes: the last
// lines, and the last errors before them.
const MaxLogPage = 8 << 10

// isTestRun reports whether a large text begins as the output of a test runner:
// then it is read as a log is.
func isTestRun(c buffers.Content) bool {
	if c.Len() <= MaxLogPage {
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
