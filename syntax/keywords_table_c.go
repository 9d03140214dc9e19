package syntax

// cDialects are C and the languages that look like it: functions begin with a
// type.
var cDialects = map[string]*dialect{
	"c": {
		quotes: []quote{doubleQuote, singleQuote}, modifiers: cModifiers, heads: typedHeads, headKind: Function, tails: true, directives: true,
		lines: cLines,
	},
	"cpp": {
		quotes: []quote{cppRaw, doubleQuote, charQuote}, modifiers: cModifiers, attributes: "[[ template", leads: "requires", heads: typedHeads,
		headKind: Function, tails: true, directives: true, classConstructors: true, separators: ":", continues: cContinues,
		lines: append([]line{
			{kind: Namespace, patterns: "namespace PATH ~{$ ; namespace PATH MACRO GROUP ~{$"}, {kind: Namespace, patterns: "namespace ~{$", how: hidden},
			{kind: Class, patterns: "class NAME ~{$< ; class NAME : !: ; class NAME final ; class MACRO NAME ~{:$ ; class NAME MACRO ~{:$ ; using NAME ="},
			{kind: Struct, patterns: "struct NAME < ; struct NAME : !: ; struct NAME final ; struct NAME MACRO ~{:$ ; struct MACRO NAME ~{:$"},
			{kind: Enum, patterns: "enum class NAME ~{:$ ; enum struct NAME ~{:$ ; enum NAME : ; enum NAME MACRO ~{$"}, {kind: Interface, patterns: "concept NAME ="},
			{kind: Constant, patterns: "constexpr TYPED"},
		}, cLines...),
	},
	"objective-c": {
		quotes: []quote{doubleQuote, singleQuote}, modifiers: cModifiers, heads: typedHeads, headKind: Function, tails: true, directives: true,
		closers: "@end",
		lines: append([]line{
			{kind: Interface, patterns: "@protocol NAME !;,", how: ends}, {kind: Class, patterns: "@interface NAME", how: ends},
			{kind: Object, patterns: "^ @implementation NAME", how: ends},
			{kind: Method, patterns: "- GROUP NAME ; + GROUP NAME"},
		}, cLines...),
	},
	"glsl": {
		quotes: []quote{doubleQuote}, modifiers: "uniform in out const layout highp mediump lowp flat fn", heads: typedHeads, headKind: Function,
		tails: true, directives: true, lines: []line{{kind: Struct, patterns: "struct NAME ~{$"}, {kind: Function, patterns: "fn NAME"}},
	},
	"java": {
		quotes: []quote{tripleDouble, doubleQuote, singleQuote}, attributes: "@", letters: "-", heads: typedHeads, headKind: Method, classConstructors: true,
		modifiers: "value public protected private static final abstract sealed non-sealed strictfp default", continues: "throws extends implements permits",
		lines: []line{
			{kind: Class, patterns: "class NAME ; record NAME GROUP ~{$i"}, {kind: Interface, patterns: "interface NAME ; @interface NAME"},
			{kind: Enum, patterns: "enum NAME"}, {kind: Constant, patterns: "static final TYPED", place: inType},
		},
	},
	"csharp": {
		quotes: []quote{verbatim, tripleDouble, doubleQuote, singleQuote}, attributes: "[", heads: typedHeads, headKind: Method, classConstructors: true,
		modifiers:  "public protected private internal static readonly abstract sealed partial unsafe ref file new virtual override async extern",
		directives: true, localHeads: true, arrows: true, continues: "where",
		lines: []line{
			{kind: Namespace, patterns: "namespace PATH ;", how: resting}, {kind: Namespace, patterns: "namespace PATH"},
			{kind: Class, patterns: "class NAME ; record class NAME ; record NAME ~({;<:$"}, {kind: Struct, patterns: "struct NAME ; record struct NAME"},
			{kind: Interface, patterns: "interface NAME"}, {kind: Enum, patterns: "enum NAME"}, {kind: Constant, patterns: "const TYPED", place: inType},
			{kind: Event, patterns: "event TYPED", place: inType},
		},
		separators: ".", receivers: true,
	},
	"d": {
		quotes: []quote{doubleLines, backQuote, charQuote}, heads: typedHeads, headKind: Function,
		modifiers: "public private protected package export static final abstract override const immutable shared pure nothrow extern @safe @nogc @property @trusted auto",
		lines: []line{
			{kind: Class, patterns: "class NAME ; alias NAME ="}, {kind: Struct, patterns: "struct NAME ; union NAME"}, {kind: Interface, patterns: "interface NAME"},
			{kind: Enum, patterns: "enum NAME ~{:$"}, {kind: Constant, patterns: "enum TYPED"}, {kind: Module, patterns: "template NAME ; mixin template NAME"},
			{kind: Constructor, patterns: "=this ~("}, {kind: Function, patterns: "unittest QUOTE"},
		},
	},
	"dart": {
		quotes: []quote{tripleDouble, tripleSingle, doubleQuote, singleQuote}, attributes: "@", letters: "$.", heads: typedHeads,
		headKind: Function, classConstructors: true, localHeads: true, arrows: true, continues: "extends with implements on",
		modifiers: "abstract base interface final sealed mixin external static const late covariant factory",
		lines: []line{
			{kind: Class, patterns: "class NAME ; mixin class NAME ; mixin NAME ~{$oi< ; typedef NAME GROUP = ; extension type ?const NAME"},
			{kind: Class, patterns: "typedef CALLED"},
			{kind: Object, patterns: "extension NAME ; ^ extension on"}, {kind: Enum, patterns: "enum NAME"},
			{kind: Constant, patterns: "const TYPED", place: outside}, {kind: Constant, patterns: "late final TYPED ; final TYPED", place: atRoot},
			{kind: Variable, patterns: "var TYPED ; late TYPED", place: atRoot},
		},
		matchLine: dartLine,
	},
	"groovy": {
		quotes: []quote{tripleDouble, tripleSingle, doubleQuote, singleQuote}, attributes: "@", heads: typedHeads, headKind: Function, lineStatements: true,
		classConstructors: true, modifiers: "public protected private static final abstract synchronized transient", continues: "extends implements throws",
		lines: []line{
			{kind: Class, patterns: "class NAME ; record NAME"}, {kind: Interface, patterns: "interface NAME ; trait NAME ; @interface NAME"},
			{kind: Enum, patterns: "enum NAME"}, {kind: Function, patterns: "def NAME ( ; def QUOTE ( ; task NAME ; stage ( QUOTE"},
			{kind: Variable, patterns: "def NAME =", place: atRoot},
		},
	},
	"solidity": {
		quotes: []quote{doubleQuote, singleQuote}, modifiers: "abstract",
		lines: []line{
			{kind: Class, patterns: "contract NAME ; library NAME"}, {kind: Interface, patterns: "interface NAME"}, {kind: Struct, patterns: "struct NAME"},
			{kind: Enum, patterns: "enum NAME"}, {kind: Function, patterns: "function NAME ; modifier NAME ; =fallback ( ; =receive ("},
			{kind: Constructor, patterns: "=constructor"}, {kind: Event, patterns: "event NAME ; error NAME"},
		},
	},
	"php": {
		quotes: []quote{doubleLines, singleLines}, attributes: "#[", heredoc: "<<<", heredocAny: true, separators: `\`, constructors: "__construct",
		modifiers: "public protected private static final abstract readonly var",
		lines: []line{
			{kind: Namespace, patterns: "namespace PATH ;", how: resting}, {kind: Namespace, patterns: "namespace PATH ~{$"},
			{kind: Class, patterns: "class NAME"}, {kind: Interface, patterns: "interface NAME ; trait NAME"}, {kind: Enum, patterns: "enum NAME ~{:$"},
			{kind: Function, patterns: "function NAME ( ; function & NAME ("}, {kind: Constant, patterns: "const TYPED", place: outside},
		},
	},
	"javascript": scriptLines(append(jsArrows, jsLines...)), "javascriptreact": scriptLines(append(jsArrows, jsLines...)),
	"typescript": scriptLines(tsLines), "typescriptreact": scriptLines(tsLines),
}

const (
	cModifiers = "static inline extern const volatile register _Noreturn thread_local __inline explicit virtual friend mutable export public private " +
		"protected typename consteval constinit inline constexpr"
	cContinues = "const noexcept override final requires throw try"
)

// cLines are what C has, and all that are made of it.
var cLines = []line{
	{kind: Struct, patterns: "typedef struct NAME ~{$ LATE ; typedef struct ~{$ LATE ; typedef union NAME ~{$ LATE ; typedef union ~{$ LATE"},
	{kind: Enum, patterns: "typedef enum NAME ~{$ LATE ; typedef enum ~{$ LATE"}, {kind: Struct, patterns: "typedef struct WORD !( LATE ; typedef union WORD !( LATE"}, {kind: Enum, patterns: "typedef enum LATE"}, {kind: Class, patterns: "typedef LATE"},
	{kind: Struct, patterns: "struct NAME ~{$ ; union NAME ~{$"}, {kind: Enum, patterns: "enum NAME ~{$"},
	{kind: Namespace, patterns: "extern QUOTE ~{$", how: hidden},
}

func scriptLines(lines []line) *dialect {
	return &dialect{
		quotes: []quote{templateQuote, doubleQuote, singleQuote}, attributes: "@", letters: "$#", separators: ".", heads: plainHeads, headKind: Method,
		modifiers: "export default declare abstract async", constructors: "constructor", afterBody: ">|&[", lines: lines,
	}
}

var jsLines = []line{
	{kind: Function, patterns: "function NAME ; function * NAME"}, {kind: Class, patterns: "class NAME"},
	{kind: Function, patterns: "const NAME = ?async function ; let NAME = ?async function ; var NAME = ?async function"},
	{kind: Function, patterns: "const NAME = ?async GROUP => ; const NAME = ?async WORD => ; let NAME = ?async GROUP => ; var NAME = ?async GROUP =>"},
	{kind: Class, patterns: "const NAME = class ; let NAME = class ; var NAME = class"}, {kind: Function, patterns: "PATH = ?async function"},
	{kind: Method, patterns: "NAME : ?async function ; QUOTE : ?async function"},
	{kind: Function, patterns: "describe ( QUOTE ; it ( QUOTE ; test ( QUOTE", how: call},
	{kind: Constant, patterns: "const NAME", place: outside}, {kind: Variable, patterns: "let NAME ; var NAME", place: outside},
}

// jsArrows are types in TypeScript.
var jsArrows = []line{{kind: Method, patterns: "NAME : ?async GROUP => ; NAME : ?async WORD => ; QUOTE : ?async GROUP =>"}}

var tsLines = append([]line{
	{kind: Interface, patterns: "interface NAME"}, {kind: Enum, patterns: "enum NAME ; const enum NAME"}, {kind: Class, patterns: "type NAME GROUP ="},
	{kind: Namespace, patterns: "namespace PATH ; module PATH ~{ ; module QUOTE"},
}, jsLines...)
