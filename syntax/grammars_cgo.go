//go:build cgo

package syntax

// #include "mended.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/alexaandru/go-sitter-forest/clojure"
	"github.com/alexaandru/go-sitter-forest/cmake"
	"github.com/alexaandru/go-sitter-forest/elisp"
	"github.com/alexaandru/go-sitter-forest/erlang"
	"github.com/alexaandru/go-sitter-forest/fish"
	"github.com/alexaandru/go-sitter-forest/graphql"
	"github.com/alexaandru/go-sitter-forest/nix"
	"github.com/alexaandru/go-sitter-forest/r"
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/cue"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/kotlin"
	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/scala"
	_ "github.com/smacker/go-tree-sitter/sql"   // for mended_sql
	_ "github.com/smacker/go-tree-sitter/swift" // for mended_swift
	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	properties "github.com/tree-sitter-grammars/tree-sitter-properties/bindings/go"
	svelte "github.com/tree-sitter-grammars/tree-sitter-svelte/bindings/go"
	toml "github.com/tree-sitter-grammars/tree-sitter-toml/bindings/go"
	xml "github.com/tree-sitter-grammars/tree-sitter-xml/bindings/go"
	yaml "github.com/tree-sitter-grammars/tree-sitter-yaml/bindings/go"
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	css "github.com/tree-sitter/tree-sitter-css/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	html "github.com/tree-sitter/tree-sitter-html/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// grammars holds the grammars by the language's name. Each is made on its
// first use and lives as long as the process.
var grammars = map[string]func() *grammar{
	"c":               once("c", of(c.Language)),
	"clojure":         once("clojure", of(clojure.GetLanguage)),
	"cmake":           once("cmake", of(cmake.GetLanguage)),
	"cpp":             once("cpp", of(cpp.Language)),
	"csharp":          once("csharp", of(csharp.Language)),
	"css":             once("css", of(css.Language)),
	"cue":             once("cue", cue.GetLanguage),
	"dockerfile":      once("dockerfile", dockerfile.GetLanguage),
	"elisp":           once("elisp", of(elisp.GetLanguage)),
	"elixir":          once("elixir", elixir.GetLanguage),
	"elm":             once("elm", elm.GetLanguage),
	"erlang":          once("erlang", of(erlang.GetLanguage)),
	"fish":            once("fish", of(fish.GetLanguage)),
	"go":              once("go", of(golang.Language)),
	"graphql":         once("graphql", of(graphql.GetLanguage)),
	"groovy":          once("groovy", groovy.GetLanguage),
	"hcl":             once("hcl", hcl.GetLanguage),
	"html":            once("html", of(html.Language)),
	"java":            once("java", of(java.Language)),
	"javascript":      once("javascript", of(javascript.Language)),
	"javascriptreact": once("javascriptreact", of(javascript.Language)),
	"kotlin":          once("kotlin", kotlin.GetLanguage),
	"lua":             once("lua", of(lua.Language)),
	"markdown":        once("markdown", markdown.GetLanguage),
	"nix":             once("nix", of(nix.GetLanguage)),
	"ocaml":           once("ocaml", ocaml.GetLanguage),
	"ocaml.interface": once("ocaml.interface", ocaml.GetLanguage),
	"php":             once("php", of(php.LanguagePHP)),
	"properties":      once("properties", of(properties.Language)),
	"proto":           once("proto", protobuf.GetLanguage),
	"python":          once("python", of(python.Language)),
	"r":               once("r", of(r.GetLanguage)),
	"ruby":            once("ruby", of(ruby.Language)),
	"rust":            once("rust", of(rust.Language)),
	"scala":           once("scala", scala.GetLanguage),
	"shellscript":     once("shellscript", of(bash.Language)),
	"sql":             once("sql", mendedSQL),
	"svelte":          once("svelte", of(svelte.Language)),
	"swift":           once("swift", mendedSwift),
	"toml":            once("toml", of(toml.Language)),
	"typescript":      once("typescript", of(typescript.LanguageTypescript)),
	"typescriptreact": once("typescriptreact", of(typescript.LanguageTSX)),
	"vue":             once("vue", of(html.Language)),
	"xml":             once("xml", of(xml.LanguageXML)),
	"yaml":            once("yaml", of(yaml.Language)),
}

func once(name string, load func() *sitter.Language) func() *grammar {
	return sync.OnceValue(func() *grammar { return compile(ByName(name), load()) })
}

// of makes a grammar that its own module holds one of the binding's.
func of(language func() unsafe.Pointer) func() *sitter.Language {
	return func() *sitter.Language { return sitter.NewLanguage(C.at_abi_14(language())) }
}

func mendedSQL() *sitter.Language   { return sitter.NewLanguage(C.mended_sql()) }
func mendedSwift() *sitter.Language { return sitter.NewLanguage(C.mended_swift()) }

// HasGrammar tells that texts in the language are parsed.
func (l *Language) HasGrammar() bool { return l.rules != nil && grammars[l.Name] != nil }
