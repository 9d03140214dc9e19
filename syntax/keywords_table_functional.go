package syntax

var lispQuotes = []quote{doubleLines}

// functionalDialects are languages of equations, and of parentheses.
var functionalDialects = map[string]*dialect{
	"haskell": {
		style: byIndent, quotes: []quote{doubleQuote, charQuote}, letters: "'", merges: always, continues: "where",
		matchLine: haskellLine,
		lines: []line{
			{kind: Class, patterns: "type instance", how: hidden}, {kind: Class, patterns: "type family NAME ; type ( SIGN ) ; type NAME ; data family NAME"},
			{kind: Enum, patterns: "data .. => NAME ; data NAME"}, {kind: Struct, patterns: "newtype NAME"},
			{kind: Interface, patterns: "class .. => NAME ; class NAME"}, {kind: Object, patterns: "^ instance TEXT"},
			{kind: Constant, patterns: "pattern NAME", place: anywhere},
		},
	},
	"elm": {
		style: byIndent, quotes: []quote{tripleDouble, doubleQuote, charQuote}, merges: always,
		lines: []line{
			{kind: Class, patterns: "type alias NAME"}, {kind: Enum, patterns: "type NAME"}, {kind: Function, patterns: "port NAME :"},
			{kind: Module, patterns: "module PATH ; port module PATH", how: alone}, {kind: Function, patterns: "NAME : ; NAME .. = !=", place: atRoot},
		},
		separators: ".",
	},
	"ocaml": {
		style: byIndent, quotes: []quote{doubleLines, charQuote}, letters: "'", closers: "end", continues: "in then else with object sig struct",
		lines: []line{
			{kind: Function, patterns: "let ?rec NAME !=: ; let ?rec ( SIGN ) ; external NAME"}, {kind: Constant, patterns: "let ?rec NAME", place: outside},
			{kind: Interface, patterns: "module type NAME"}, {kind: Module, patterns: "module ?rec NAME"}, {kind: Interface, patterns: "class type NAME"}, {kind: Struct, patterns: "type ?nonrec GROUP TYPED = {"},
			{kind: Enum, patterns: "type ?nonrec GROUP TYPED = |"}, {kind: Class, patterns: "type ?nonrec GROUP TYPED ; exception NAME ; class ?virtual GROUP NAME"},
			{kind: Function, patterns: "val NAME : ; method ?private ?virtual NAME ; and NAME !=:"}, {kind: Class, patterns: "and NAME =", place: outside},
		},
	},
	"fsharp": {
		style: byIndent, quotes: []quote{tripleDouble, doubleLines, charQuote}, letters: "'", separators: ".", attributes: "[<",
		modifiers: "private internal public static mutable inline rec", continues: "with and then else elif",
		lines: []line{
			{kind: Function, patterns: "let ?rec ?inline ?private NAME !=: ; member ?private NAME !.=: ; override NAME !. ; member WORD . NAME ; override WORD . NAME ; default WORD . NAME ; abstract ?member NAME"},
			{kind: Constant, patterns: "let ?mutable ?private NAME ~=:", place: outside}, {kind: Class, patterns: "type ?private ?internal NAME ; and NAME ; exception NAME"},
			{kind: Module, patterns: "module ?rec ?private ?internal PATH =", place: anywhere}, {kind: Namespace, patterns: "namespace ?rec PATH", how: resting},
			{kind: Module, patterns: "module ?rec PATH", how: resting}, {kind: Constructor, patterns: "=new ("},
		},
	},
	"erlang": {
		style: byIndent, quotes: []quote{doubleLines, singleQuote}, letters: "@-", merges: always, leads: "-spec -doc",
		lines: []line{
			{kind: Struct, patterns: "-record ( NAME", place: anywhere}, {kind: Constant, patterns: "-define ( NAME", place: anywhere}, {kind: Class, patterns: "-type NAME ; -opaque NAME"},
			{kind: Method, patterns: "-callback NAME"}, {kind: Function, patterns: "NAME ( .. ) -> ; NAME ( .. ) when", place: atRoot},
		},
	},
	"clojure": {
		style: byParens, quotes: lispQuotes, letters: "-*+!?<>=/.'&%$:", comments: &Comments{Line: []string{";"}},
		lines: []line{
			{kind: Function, patterns: "( defn NAME ; ( defn- NAME ; ( defmacro NAME ; ( defmethod NAME ; ( defmulti NAME ; ( deftest NAME ; ( s/fdef NAME"},
			{kind: Constant, patterns: "( def NAME ; ( defonce NAME ; ( def ^:private NAME ; ( def ^:dynamic NAME", place: anywhere}, {kind: Interface, patterns: "( defprotocol NAME ; ( definterface NAME"},
			{kind: Struct, patterns: "( defrecord NAME ; ( deftype NAME"}, {kind: Namespace, patterns: "( ns NAME"},
		},
	},
	"lisp": {
		style: byParens, quotes: lispQuotes, letters: "-*+!?<>=/.&%$:", foldsCase: true,
		lines: []line{
			{kind: Function, patterns: "( defun NAME ; ( defmacro NAME ; ( defgeneric NAME ; ( defmethod NAME ; ( deftest NAME"}, {kind: Class, patterns: "( defclass NAME ; ( deftype NAME ; ( define-condition NAME"},
			{kind: Struct, patterns: "( defstruct GROUP NAME ; ( defstruct ( NAME"}, {kind: Constant, patterns: "( defconstant NAME", place: anywhere}, {kind: Variable, patterns: "( defvar NAME ; ( defparameter NAME", place: anywhere},
			{kind: Module, patterns: "( defpackage : NAME ; ( defpackage # : NAME"},
		},
	},
	"elisp": {
		style: byParens, quotes: lispQuotes, letters: "-*+!?<>=/.&%$:",
		lines: []line{
			{kind: Function, patterns: "( defun NAME ; ( defmacro NAME ; ( defsubst NAME ; ( cl-defun NAME ; ( cl-defmethod NAME ; ( cl-defgeneric NAME ; ( ert-deftest NAME ; ( define-minor-mode NAME ; ( define-derived-mode NAME"},
			{kind: Constant, patterns: "( defconst NAME", place: anywhere}, {kind: Variable, patterns: "( defvar NAME ; ( defcustom NAME ; ( defvar-local NAME ; ( defface NAME", place: anywhere},
			{kind: Struct, patterns: "( cl-defstruct NAME ; ( cl-defstruct ( NAME"}, {kind: Module, patterns: "( defgroup NAME"},
		},
	},
	"scheme": {
		style: byParens, quotes: lispQuotes, letters: "-*+!?<>=/.&%$:",
		lines: []line{
			{kind: Function, patterns: "( define ( NAME ; ( define-syntax NAME ; ( define-syntax-rule ( NAME ; ( define/contract ( NAME ; ( defn NAME"}, {kind: Struct, patterns: "( define-record-type NAME ; ( struct NAME"},
			{kind: Constant, patterns: "( define NAME", place: anywhere}, {kind: Module, patterns: "( define-library ( NAME ; ( module NAME"},
		},
	},
}
