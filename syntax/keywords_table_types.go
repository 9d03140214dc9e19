package syntax

// typeDialects are languages with braces whose definitions begin with a word.
var typeDialects = map[string]*dialect{
	"go": {
		quotes: []quote{backQuote, doubleQuote, charQuote}, separators: ".",
		lines: []line{
			{kind: Method, patterns: "func OWNER NAME"}, {kind: Function, patterns: "func NAME"},
			{kind: Class, patterns: "type (", how: hidden | call}, {kind: Constant, patterns: "const (", how: hidden | call},
			{kind: Variable, patterns: "var (", how: hidden | call},
			{kind: Struct, patterns: "type NAME GROUP struct"}, {kind: Interface, patterns: "type NAME GROUP interface"}, {kind: Class, patterns: "type NAME"},
			{kind: Constant, patterns: "const NAME"}, {kind: Variable, patterns: "var NAME"}, {kind: Method, patterns: "NAME (", place: inType},
			{kind: Struct, patterns: "NAME GROUP struct", place: inBlock}, {kind: Interface, patterns: "NAME GROUP interface", place: inBlock},
			{kind: Class, patterns: "NAME", place: inBlock}, {kind: Constant, patterns: "NAME", place: inBlock}, {kind: Variable, patterns: "NAME", place: inBlock},
		},
	},
	"rust": {
		quotes: []quote{rustRaw, doubleLines, charQuote}, attributes: "#[", continues: "where", separators: "",
		modifiers: "pub unsafe async extern default const",
		lines: []line{
			{kind: Function, patterns: "fn NAME"}, {kind: Function, patterns: "macro_rules! NAME", how: leaf}, {kind: Struct, patterns: "struct NAME ; union NAME ~{<"}, {kind: Enum, patterns: "enum NAME"},
			{kind: Interface, patterns: "trait NAME"}, {kind: Object, patterns: "^ unsafe impl TEXT ; ^ impl TEXT"}, {kind: Class, patterns: "type NAME"},
			{kind: Module, patterns: "mod NAME"}, {kind: Constant, patterns: "const NAME :"}, {kind: Variable, patterns: "static ?mut NAME :"},
		},
	},
	"kotlin": {
		quotes: []quote{tripleDouble, doubleQuote, charQuote}, attributes: "@", separators: ".", continues: "where", receivers: true,
		modifiers: "public private protected internal abstract open final sealed data inline value override suspend operator infix tailrec external " +
			"lateinit inner annotation expect actual const companion enum fun noinline",
		lines: []line{
			{kind: Interface, patterns: "fun interface NAME ; interface NAME"}, {kind: Function, patterns: "fun GROUP PATH"}, {kind: Enum, patterns: "enum class NAME"},
			{kind: Class, patterns: "class NAME ; typealias NAME"}, {kind: Object, patterns: "object NAME ; companion object NAME ~{:$"}, {kind: Object, patterns: "=companion object", name: "Companion"},
			{kind: Constructor, patterns: "=constructor (", place: inType},
			{kind: Property, patterns: "val NAME ; var NAME", place: inType}, {kind: Constant, patterns: "val NAME", place: atRoot},
			{kind: Variable, patterns: "var NAME", place: atRoot},
		},
	},
	"swift": {
		quotes: []quote{tripleDouble, doubleQuote}, attributes: "@", letters: ".", continues: "where", constructors: "init",
		modifiers: "public private fileprivate internal open final static class override mutating nonmutating lazy weak unowned required convenience " +
			"class indirect dynamic optional prefix postfix infix nonisolated isolated package consuming borrowing async",
		lines: []line{
			{kind: Function, patterns: "func SIGN"}, {kind: Struct, patterns: "struct NAME"}, {kind: Enum, patterns: "enum NAME"},
			{kind: Interface, patterns: "protocol NAME"}, {kind: Class, patterns: "class NAME ~{:<$ ; actor NAME ; typealias NAME"},
			{kind: Object, patterns: "^ extension NAME"}, {kind: Constructor, patterns: "=init ~(?!<"}, {kind: Method, patterns: "=deinit ~{ ; =subscript ~(<"},
			{kind: Property, patterns: "let NAME ; var NAME", place: inType}, {kind: Constant, patterns: "let NAME", place: atRoot},
			{kind: Variable, patterns: "var NAME", place: atRoot},
		},
	},
	"scala": {
		quotes: []quote{tripleDouble, doubleQuote, charQuote}, attributes: "@", continues: "extends with derives then else", closers: "end",
		modifiers: "private protected override final sealed abstract implicit lazy inline open transparent case package opaque infix export",
		lines: []line{
			{kind: Constructor, patterns: "def this", how: hidden | alone}, {kind: Function, patterns: "def SIGN"}, {kind: Class, patterns: "class NAME ; type NAME"},
			{kind: Object, patterns: "object NAME ; ^ extension GROUP ~$d"}, {kind: Interface, patterns: "trait NAME"}, {kind: Enum, patterns: "enum NAME"},
			{kind: Property, patterns: "val NAME ; var NAME", place: inType}, {kind: Constant, patterns: "val NAME ; given NAME :", place: atRoot},
			{kind: Variable, patterns: "var NAME", place: atRoot},
		},
	},
	"zig": {
		quotes: []quote{zigLine, doubleQuote, charQuote}, afterBody: "|", modifiers: "pub export extern inline noinline threadlocal",
		lines: []line{
			{kind: Function, patterns: "fn NAME ; test QUOTE ; test NAME ~{"},
			{kind: Struct, patterns: "const NAME = ?extern ?packed struct ; const NAME = ?extern ?packed union ; const NAME = opaque"},
			{kind: Enum, patterns: "const NAME = enum ; const NAME = error {"},
			{kind: Struct, patterns: "return struct ~{", how: hidden}, {kind: Constant, patterns: "const WORD = @import", how: hidden | alone, place: outside},
			{kind: Constant, patterns: "const NAME ~=:"}, {kind: Variable, patterns: "var NAME ~=:"},
		},
	},
	"r": {
		quotes: []quote{doubleLines, singleLines}, letters: ".",
		lines: []line{
			{kind: Class, patterns: "NAME <- R6Class ; NAME <- setRefClass ; NAME = R6Class ; setClass ( QUOTE"},
			{kind: Function, patterns: "NAME <- function ; NAME = function ; NAME <- \\( ; QUOTE <- function ; setMethod ( QUOTE ; setGeneric ( QUOTE ; test_that ( QUOTE", place: anywhere},
			{kind: Variable, patterns: "NAME <-", place: atRoot},
		},
		capitals: true,
	},
	"awk": {
		quotes: []quote{doubleQuote},
		lines:  []line{{kind: Function, patterns: "function NAME ; func NAME ; =BEGIN { ; =END {"}},
	},
	"tcl": {
		letters: ":-?!", separators: ":", brackets: "{}",
		lines: []line{
			{kind: Function, patterns: "proc NAME ; method NAME ; test NAME"}, {kind: Namespace, patterns: "namespace eval NAME"},
			{kind: Class, patterns: "oo::class create NAME ; itcl::class NAME"}, {kind: Variable, patterns: "variable NAME", place: outside},
			{kind: Constructor, patterns: "=constructor"},
		},
	},
	"perl": {
		quotes: []quote{doubleLines, singleLines}, separators: ":", brackets: "{}", heredoc: "<<", letters: "",
		comments: &Comments{Line: []string{"#"}, Block: [][2]string{{"=pod", "=cut"}, {"=head", "=cut"}, {"=over", "=cut"}, {"=begin", "=cut"}, {"=encoding", "=cut"}, {"=item", "=cut"}}},
		lines: []line{
			{kind: Module, patterns: "package PATH ~;v0123456789", how: resting}, {kind: Module, patterns: "package PATH ~{"}, {kind: Class, patterns: "class PATH ~{:"},
			{kind: Function, patterns: "sub PATH ; method NAME ~{("}, {kind: Constant, patterns: "use constant NAME =>", place: anywhere},
		},
		moduleMethods: false,
	},
	"powershell": {
		quotes: []quote{hereString, hereRaw, doubleLines, singleLines}, letters: "-", foldsCase: true, heads: typedHeads, headKind: Method,
		modifiers: "static hidden", classConstructors: true, lineStatements: true,
		lines: []line{
			{kind: Function, patterns: "function PATH ; filter NAME ; workflow NAME ; describe QUOTE ; context QUOTE ; it QUOTE"}, {kind: Class, patterns: "class NAME"},
			{kind: Enum, patterns: "enum NAME"},
		},
	},
}
