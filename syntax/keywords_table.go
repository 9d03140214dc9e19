package syntax

import "maps"

// unknownDialect is the name of what unknown languages are read as.
const unknownDialect = ""

// dialects are all of them, by the language's name. [line] patterns are
// explained at [compilePattern].
var dialects = mergeDialects(cDialects, typeDialects, scriptDialects, functionalDialects, hardwareDialects, shellDialects, dataDialects)

func mergeDialects(families ...map[string]*dialect) map[string]*dialect {
	all := map[string]*dialect{unknownDialect: unknownLines, "ocaml.interface": functionalDialects["ocaml"]}
	for _, family := range families {
		maps.Copy(all, family)
	}
	return all
}

// unknownLines is what most languages have in common. Prose must not pass for
// it, so each word has to be followed by more than a name.
var unknownLines = &dialect{
	comments: &Comments{Line: []string{"//", "#", "--"}, Block: [][2]string{{"/*", "*/"}}},
	quotes:   []quote{tripleDouble, doubleQuote},
	modifiers: "pub public private protected internal static final abstract async export default extern inline const virtual override open " +
		"sealed local global unsafe",
	attributes: "@", closers: "end", continues: "else then",
	lines: []line{
		{kind: Function, patterns: "func NAME GROUP ~({:=$ ; fn NAME GROUP ~({:=-$ ; fun NAME GROUP ~({:= ; function PATH ~({:=< ; def PATH ~({:= ; sub NAME ~({ ; proc NAME ~({:"},
		{kind: Class, patterns: "class NAME ~{:(< ; class NAME extends"},
		{kind: Struct, patterns: "struct NAME ~{:(<"},
		{kind: Interface, patterns: "interface NAME ~{:(< ; trait NAME ~{:(< ; protocol NAME ~{:(<"},
		{kind: Enum, patterns: "enum NAME ~{:("},
		{kind: Module, patterns: "module PATH ~{;"},
		{kind: Namespace, patterns: "namespace PATH ~{;"},
	},
	separators: ".:",
}

// wholeJSON is JSON in all its sorts.
var wholeJSON = &dialect{style: bySections, letters: "$-", scan: scanJSON}

// dataDialects are texts that are no programs.
var dataDialects = map[string]*dialect{
	"json": wholeJSON, "jsonc": wholeJSON, "json5": wholeJSON, "jsonl": nothing, "csv": nothing, "tsv": nothing, "log": nothing,
	"go.sum": nothing, "ignore": nothing,
	"toml": {style: bySections, scan: scanSections},
	"ini":  iniSections, "editorconfig": iniSections,

	"markdown":  {style: bySections, comments: &Comments{}, scan: scanMarkdown},
	"plaintext": {style: bySections, comments: &Comments{}, scan: scanProse},
	"asciidoc":  {style: bySections, scan: scanAsciidoc}, "restructuredtext": {style: bySections, scan: scanRest},
	"tex": {style: bySections, scan: scanTeX},
	"diff": {
		style: bySections, scan: scanPatterns, letters: "/.-+",
		lines: []line{{kind: File, patterns: "+++ b/ TEXT ; +++ TEXT"}},
	},
	"makefile": {style: bySections, letters: "-", merges: headsOnly, scan: scanMakefile},
	"go.mod":   goModules, "go.work": goModules,
	"hcl": hclLines, "terraform": hclLines,
	"css": {
		quotes: []quote{doubleQuote, singleQuote}, letters: "-", heads: selectorHeads,
		lines: []line{{kind: Variable, patterns: "--NAME", place: inType}},
	},
	"scss": {
		quotes: []quote{doubleQuote, singleQuote}, letters: "-", heads: selectorHeads,
		lines: []line{
			{kind: Function, patterns: "@mixin NAME ; @function NAME"},
			{kind: Variable, patterns: "^ $ NAME :", place: outside},
		},
	},
	"less": {
		quotes: []quote{doubleQuote, singleQuote}, letters: "-", heads: selectorHeads,
		lines: []line{{kind: Variable, patterns: "^ @ NAME :", place: outside}},
	},
	"graphql": {
		modifiers: "extend", quotes: []quote{tripleDouble, doubleQuote},
		lines: []line{
			{kind: Class, patterns: "type NAME ; union NAME ; scalar NAME"}, {kind: Struct, patterns: "input NAME"},
			{kind: Interface, patterns: "interface NAME"}, {kind: Enum, patterns: "enum NAME"},
			{kind: Function, patterns: "fragment NAME ; query NAME ; mutation NAME ; subscription NAME ; directive @ NAME"},
			{kind: Object, patterns: "=schema"},
			{kind: Field, patterns: "NAME ~(:", place: inType},
		},
	},
	"thrift": {
		quotes: []quote{doubleQuote, singleQuote}, separators: ".",
		lines: []line{
			{kind: Struct, patterns: "struct NAME ; union NAME ; exception NAME"}, {kind: Enum, patterns: "enum NAME"},
			{kind: Interface, patterns: "service NAME"}, {kind: Constant, patterns: "const TYPED"}, {kind: Class, patterns: "typedef TYPED", how: alone},
			{kind: Method, patterns: "?oneway WORD GROUP NAME (", place: inType},
		},
	},
	"prisma": {
		quotes: []quote{doubleQuote},
		lines: []line{
			{kind: Struct, patterns: "model NAME ; type NAME"}, {kind: Enum, patterns: "enum NAME"}, {kind: Class, patterns: "view NAME"},
			{kind: Object, patterns: "^ generator NAME ; ^ datasource NAME"},
		},
	},
	"cue": {
		quotes: []quote{tripleDouble, doubleQuote}, letters: "#$",
		lines: []line{
			{kind: Object, patterns: "NAME : {", place: anywhere}, {kind: Array, patterns: "NAME : [", place: outside},
			{kind: Key, patterns: "NAME :", place: outside},
		},
	},
	"nix": {
		quotes: []quote{doubleLines, nixLines}, letters: "-'.", afterBody: ":",
		lines: []line{
			{kind: Function, patterns: "NAME = WORD : ; NAME = { .. }:", place: anywhere}, {kind: Object, patterns: "NAME = ?rec ~{$", place: anywhere},
			{kind: Key, patterns: "NAME = !=", place: outside},
		},
	},
}

var (
	iniSections = &dialect{style: bySections, scan: scanSections}
	goModules   = &dialect{lines: []line{{kind: Module, patterns: "module TEXT", how: alone}, {kind: Key, patterns: "=go ; =toolchain", how: alone}}}
)

// nothing is for texts in which nothing is defined.
var nothing = &dialect{style: bySections, scan: func(s *scanner) { s.at = s.end }}

var hclLines = &dialect{
	quotes: []quote{doubleQuote}, letters: "-", heredoc: "<<", heredocAny: true,
	lines: []line{
		{kind: Object, patterns: "NAME = { ; BLOCK", place: anywhere}, {kind: Array, patterns: "NAME = [", place: outside},
		{kind: Key, patterns: "NAME = !=", place: outside},
	},
}
