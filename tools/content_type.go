package tools

import (
	"bytes"
	"path"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
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
	minifiedLine  = 500
	typeSample    = 64 << 10
	shebangSample = 256
)

// classify tells a text's type and language by its name, then its content.
// The editor's own word on the language counts.
func classify(f *buffers.File) (contentType, string) {
	name := strings.ToLower(path.Base(f.Path.Rel))
	kind, language := byName(name)
	if kind == "" {
		kind, language = byContent(f.Content)
	}
	if d := f.Document; d != nil && d.LanguageID != "" {
		language = d.LanguageID
	}
	if kind != typeLog && kind != typeTable && (strings.Contains(name, ".min.") || looksMinified(f.Content)) {
		kind = typeMinified
	}
	return kind, language
}

func byName(name string) (contentType, string) {
	if l, ok := fileNames[name]; ok {
		return l.kind, l.language
	}
	l := extensions[strings.TrimPrefix(path.Ext(name), ".")]
	return l.kind, l.language
}

// byContent knows scripts by their first line.
func byContent(c buffers.Content) (contentType, string) {
	head := c.Append(nil, text.Span{End: min(c.Len(), shebangSample)})
	line, found := bytes.CutPrefix(head, []byte("#!"))
	if !found {
		return typeText, ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	for word := range strings.FieldsSeq(string(line)) {
		command := strings.TrimRight(path.Base(word), "0123456789.")
		if language, ok := interpreters[command]; ok {
			return typeSource, language
		}
	}
	return typeSource, ""
}

func looksMinified(c buffers.Content) bool {
	length := min(c.Len(), typeSample)
	if length <= minifiedLine {
		return false
	}
	lines := c.LineAt(length-1) + 1
	return length > lines*minifiedLine
}

type languageOf struct {
	kind     contentType
	language string // by the names that editors use
}

var fileNames = map[string]languageOf{
	"makefile": {typeSource, "makefile"}, "gnumakefile": {typeSource, "makefile"},
	"dockerfile": {typeSource, "dockerfile"}, "containerfile": {typeSource, "dockerfile"},
	"rakefile": {typeSource, "ruby"}, "gemfile": {typeSource, "ruby"},
	"jenkinsfile": {typeSource, "groovy"}, "cmakelists.txt": {typeSource, "cmake"},
	"go.mod": {typeConfig, "go.mod"}, "go.sum": {typeConfig, "go.sum"}, "go.work": {typeConfig, "go.work"},
	".gitignore": {typeConfig, "ignore"}, ".editorconfig": {typeConfig, "editorconfig"},
}

var interpreters = map[string]string{
	"sh": "shellscript", "bash": "shellscript", "dash": "shellscript", "zsh": "shellscript", "ksh": "shellscript",
	"python": "python", "node": "javascript", "deno": "typescript", "ruby": "ruby", "perl": "perl",
	"php": "php", "lua": "lua", "luajit": "lua", "groovy": "groovy", "elixir": "elixir", "swift": "swift",
	"tclsh": "tcl", "awk": "awk", "gawk": "awk", "make": "makefile", "Rscript": "r", "fish": "fish",
}

var extensions = makeExtensions()

func makeExtensions() map[string]languageOf {
	byExtension := make(map[string]languageOf, 128)
	for _, row := range languageRows {
		for ext := range strings.FieldsSeq(row.extensions) {
			byExtension[ext] = languageOf{row.kind, row.language}
		}
	}
	return byExtension
}

var languageRows = [...]struct {
	kind       contentType
	language   string
	extensions string
}{
	{typeSource, "c", "c h"}, {typeSource, "cpp", "cc cpp cxx c++ hh hpp hxx ipp inl"},
	{typeSource, "csharp", "cs csx"}, {typeSource, "css", "css"}, {typeSource, "scss", "scss"},
	{typeSource, "less", "less"}, {typeSource, "cue", "cue"}, {typeSource, "dart", "dart"},
	{typeSource, "elixir", "ex exs"}, {typeSource, "elm", "elm"}, {typeSource, "erlang", "erl hrl"},
	{typeSource, "go", "go"}, {typeSource, "groovy", "groovy gradle"}, {typeSource, "haskell", "hs lhs"},
	{typeSource, "html", "html htm xhtml"}, {typeSource, "java", "java"},
	{typeSource, "javascript", "js mjs cjs"}, {typeSource, "javascriptreact", "jsx"},
	{typeSource, "julia", "jl"}, {typeSource, "kotlin", "kt kts"}, {typeSource, "lua", "lua"},
	{typeSource, "objective-c", "m mm"}, {typeSource, "ocaml", "ml mli"}, {typeSource, "perl", "pl pm"},
	{typeSource, "php", "php phtml"}, {typeSource, "proto", "proto"}, {typeSource, "python", "py pyi pyw"},
	{typeSource, "r", "r"}, {typeSource, "ruby", "rb rake gemspec"}, {typeSource, "rust", "rs"},
	{typeSource, "scala", "scala sc sbt"}, {typeSource, "shellscript", "sh bash zsh ksh"},
	{typeSource, "fish", "fish"}, {typeSource, "sql", "sql"}, {typeSource, "svelte", "svelte"},
	{typeSource, "swift", "swift"}, {typeSource, "typescript", "ts mts cts"},
	{typeSource, "typescriptreact", "tsx"}, {typeSource, "vue", "vue"}, {typeSource, "zig", "zig"},
	{typeSource, "makefile", "mk mak"}, {typeSource, "cmake", "cmake"}, {typeSource, "powershell", "ps1 psm1"},
	{typeSource, "bat", "bat cmd"}, {typeSource, "vim", "vim"}, {typeSource, "nix", "nix"},
	{typeSource, "clojure", "clj cljs cljc edn"}, {typeSource, "fsharp", "fs fsi fsx"},
	{typeSource, "graphql", "graphql gql"}, {typeSource, "asm", "s asm"}, {typeSource, "tex", "tex"},
	{typeConfig, "json", "json webmanifest"}, {typeConfig, "jsonc", "jsonc"}, {typeConfig, "json5", "json5"},
	{typeConfig, "yaml", "yaml yml"}, {typeConfig, "toml", "toml"}, {typeConfig, "xml", "xml xsd xsl plist svg"},
	{typeConfig, "ini", "ini cfg conf"}, {typeConfig, "properties", "properties"},
	{typeConfig, "terraform", "tf tfvars"}, {typeConfig, "hcl", "hcl"},
	{typeText, "markdown", "md markdown mdx"}, {typeText, "plaintext", "txt text"},
	{typeText, "restructuredtext", "rst"}, {typeText, "asciidoc", "adoc asciidoc"},
	{typeText, "diff", "diff patch"},
	{typeLog, "log", "log out"}, {typeTable, "csv", "csv"}, {typeTable, "tsv", "tsv"},
}
