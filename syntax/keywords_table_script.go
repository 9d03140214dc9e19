package syntax

// scriptDialects are languages whose definitions end by a word or by the
// indentation.
var scriptDialects = map[string]*dialect{
	"python": {
		style: byIndent, quotes: []quote{tripleDouble, tripleSingle, doubleQuote, singleQuote}, attributes: "@", modifiers: "async", capitals: true,
		lines: []line{
			{kind: Function, patterns: "def NAME"}, {kind: Class, patterns: "class NAME ; type NAME GROUP ="},
			{kind: Variable, patterns: "NAME = != ; NAME : .. = !=", place: atRoot},
		},
	},
	"ruby": {
		style: byEnds, quotes: []quote{doubleLines, singleLines}, letters: "?!", separators: ".:", closers: "end", continues: "rescue ensure else elsif when in then",
		comments: &Comments{Line: []string{"#"}, Block: [][2]string{{"=begin", "=end"}}}, heredoc: "<<", moduleMethods: true,
		modifiers: "private protected public private_class_method module_function public_class_method",
		lines: []line{
			{kind: Function, patterns: "def self . SIGN ; def WORD . SIGN ; def SIGN"}, {kind: Class, patterns: "class PATH"}, {kind: Module, patterns: "module PATH"},
			{kind: Class, patterns: "CAPITAL = Class . new ; CAPITAL = Struct . new ; CAPITAL = Data . define"}, {kind: Module, patterns: "CAPITAL = Module . new"},
			{kind: Constant, patterns: "CAPITAL = !=~>", place: outside},
			{kind: Function, how: fixed, patterns: "RSpec . describe QUOTE ; RSpec . describe ~ABCDEFGHIJKLMNOPQRSTUVWXYZ PATH ; describe ~ABCDEFGHIJKLMNOPQRSTUVWXYZ PATH ; describe QUOTE ; context QUOTE ; it QUOTE ; test QUOTE ; task : NAME ; task NAME ; specify QUOTE"},
		},
	},
	"crystal": {
		style: byEnds, quotes: []quote{doubleLines, charQuote}, letters: "?!", separators: ".:", closers: "end", continues: "rescue ensure else elsif when in then",
		attributes: "@[", modifiers: "private protected abstract", moduleMethods: true,
		lines: []line{
			{kind: Function, patterns: "def self . SIGN ; def SIGN ; macro NAME ; fun NAME"}, {kind: Class, patterns: "class PATH ; alias NAME ="}, {kind: Module, patterns: "module PATH ; lib NAME"},
			{kind: Struct, patterns: "struct PATH ; union NAME"}, {kind: Enum, patterns: "enum PATH"}, {kind: Constant, patterns: "CAPITAL = !=~>", place: outside},
		},
	},
	"lua": {
		style: byEnds, quotes: []quote{levelLines, bracketLines, doubleQuote, singleQuote}, separators: ".:", closers: "end", continues: "else elseif until",
		modifiers: "local",
		lines: []line{
			{kind: Function, patterns: "function PATH ; PATH = function ; describe ( QUOTE ; context ( QUOTE ; insulate ( QUOTE ; it ( QUOTE ; pending ( QUOTE ; test ( QUOTE"}, {kind: Variable, patterns: "local NAME ~=,<$", place: atRoot},
		},
	},
	"elixir": {
		style: byEnds, quotes: []quote{tripleDouble, tripleSingle, doubleLines, singleQuote}, letters: "?!", separators: "", closers: "end",
		continues: "else rescue catch after do", leads: "@doc @spec @impl @deprecated @typedoc @since", comments: &Comments{Line: []string{"#"}},
		lines: []line{
			{kind: Function, patterns: "def SIGN ; defp SIGN ; defmacro SIGN ; defmacrop SIGN ; defguard NAME ; defguardp NAME ; test QUOTE ; describe QUOTE ; property QUOTE"},
			{kind: Module, patterns: "defmodule TEXT"}, {kind: Interface, patterns: "defprotocol TEXT"}, {kind: Object, patterns: "^ defimpl TEXT"},
			{kind: Struct, patterns: "=defstruct ; =defexception"}, {kind: Class, patterns: "@type NAME ; @opaque NAME ; @typep NAME"},
			{kind: Method, patterns: "@callback NAME ; @macrocallback NAME"}, {kind: Constant, patterns: "@moduledoc ; @behaviour ; @derive ; @enforce_keys ; @before_compile ; @after_compile", how: hidden | alone},
			{kind: Constant, patterns: "^ @ NAME", place: outside},
		},
		matchLine: elixirModule,
	},
	"julia": {
		style: byEnds, quotes: []quote{tripleDouble, doubleLines, charQuote}, letters: "!", separators: ".", closers: "end", continues: "else elseif catch finally",
		attributes: "@", modifiers: "mutable abstract primitive Base.@kwdef const",
		lines: []line{
			{kind: Module, patterns: "module NAME ; baremodule NAME", how: ends}, {kind: Function, patterns: "function PATH ; macro NAME ; PATH ( .. ) = != ; @testset QUOTE"},
			{kind: Struct, patterns: "struct NAME"}, {kind: Class, patterns: "abstract type NAME ; primitive type NAME"}, {kind: Constant, patterns: "const NAME ="},
		},
	},
	"nim": {
		style: byIndent, quotes: []quote{tripleDouble, doubleQuote, charQuote}, letters: "", capitals: false,
		lines: []line{
			{kind: Function, patterns: "proc SIGN ; func SIGN ; iterator SIGN ; converter SIGN ; template SIGN ; macro SIGN ; test QUOTE ; suite QUOTE"}, {kind: Method, patterns: "method SIGN"},
			{kind: Class, patterns: "type ~$", how: hidden}, {kind: Constant, patterns: "const ~$", how: hidden},
			{kind: Enum, patterns: "NAME .. = enum", place: inBlock}, {kind: Class, patterns: "NAME .. =", place: inBlock}, {kind: Constant, patterns: "NAME .. =", place: inBlock},
			{kind: Class, patterns: "type NAME"}, {kind: Constant, patterns: "const NAME"}, {kind: Variable, patterns: "var NAME ; let NAME", place: atRoot},
		},
	},
	"coffeescript": {
		style: byIndent, quotes: []quote{tripleDouble, tripleSingle, doubleLines, singleLines}, letters: "$@", separators: ".",
		lines: []line{
			{kind: Class, patterns: "class PATH"}, {kind: Function, patterns: "PATH = -> ; PATH = => ; PATH = GROUP -> ; PATH = GROUP =>"},
			{kind: Method, patterns: "NAME : -> ; NAME : => ; NAME : GROUP -> ; NAME : GROUP =>"},
		},
	},
	"fish": {
		style: byEnds, quotes: []quote{doubleLines, rawSingle}, letters: "-:.", closers: "end", continues: "else case", brackets: "()",
		lines: []line{{kind: Function, patterns: "function NAME ; alias NAME"}, {kind: Variable, patterns: "set -g NAME ; set -gx NAME ; set -x NAME ; set -U NAME", place: atRoot}},
	},
	"vim": {
		style: byEnds, letters: ":#!", closers: "endfunction endfunc endf enddef endclass", flat: true, brackets: "()",
		comments: &Comments{Line: []string{`"`}}, modifiers: "silent! export legacy",
		lines: []line{
			{kind: Function, patterns: "function! NAME ; function NAME ; func! NAME ; func NAME ; fu! NAME ; def! NAME ; def NAME"}, {kind: Class, patterns: "class NAME"},
			{kind: Variable, patterns: "let NAME = ; const NAME =", how: alone, place: atRoot},
		},
	},
	"cmake": {
		style: byEnds, quotes: []quote{doubleLines}, letters: "-", closers: "endfunction endmacro", flat: true, foldsCase: true,
		lines: []line{
			{kind: Function, patterns: "function ( NAME ; macro ( NAME", place: anywhere},
			{kind: Object, patterns: "add_executable ( NAME ; add_library ( NAME ; add_custom_target ( NAME", how: call, place: anywhere},
			{kind: Module, patterns: "project ( NAME", how: call}, {kind: Variable, patterns: "set ( NAME ; option ( NAME", how: call, place: outside},
		},
	},
	"bat": {
		style: bySections, scan: scanPatterns, foldsCase: true, letters: "-.", modifiers: "",
		lines: []line{{kind: Function, patterns: ": NAME"}, {kind: Variable, patterns: "set NAME = ; set /a NAME =", place: atRoot}},
	},
	"asm": {
		style: bySections, scan: scanPatterns, letters: "$.@?", foldsCase: false,
		lines:     []line{{kind: Function, patterns: "NAME : !=: ; NAME proc ; NAME PROC ; .macro NAME ; %macro NAME"}, {kind: Constant, patterns: "NAME equ ; .equ NAME ; .set NAME ; %define NAME", place: anywhere}},
		matchLine: localLabel,
	},
}

// elixirModule takes "defmodule Name do" without its last word.
func elixirModule(s *scanner, at int) (match, bool) {
	m, ok := s.matchWords(at)
	if ok && (m.pattern.kind == Module || m.pattern.kind == Interface || m.pattern.kind == Object) {
		if name := s.src[m.name.Start:m.name.End]; len(name) > 3 && string(name[len(name)-3:]) == " do" {
			m.name.End -= 3
		}
	}
	return m, ok
}

// localLabel hides the labels that jumps within a routine go to.
func localLabel(s *scanner, at int) (match, bool) {
	if c := s.src[at]; c == '.' && s.wordAt(at) != ".macro" && s.wordAt(at) != ".equ" && s.wordAt(at) != ".set" || '0' <= c && c <= '9' {
		return match{pattern: hiddenLine}, true
	}
	return match{}, false
}

var hiddenLine = compilePattern("NAME", line{kind: Key, how: hidden | alone})
