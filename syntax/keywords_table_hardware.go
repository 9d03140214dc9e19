package syntax

// hardwareDialects are the languages in the tradition of Pascal and Fortran:
// what ends a definition says so, and the indentation tells little.
var hardwareDialects = map[string]*dialect{
	"pascal": {
		style: byEnds, quotes: []quote{rawSingleLine}, foldsCase: true, separators: ".", closers: "end", continues: "begin var const type label uses",
		lines: []line{
			{kind: Function, patterns: "function PATH ; procedure PATH ; operator SIGN ; class function PATH ; class procedure PATH"}, {kind: Constructor, patterns: "constructor PATH ; destructor PATH"},
			{kind: Class, patterns: "type ~$", how: hidden}, {kind: Class, patterns: "NAME = class", place: inBlock},
			{kind: Interface, patterns: "NAME = interface", place: inBlock}, {kind: Struct, patterns: "NAME = ?packed record", place: inBlock}, {kind: Class, patterns: "NAME =", place: inBlock},
			{kind: Property, patterns: "property NAME", place: inType},
		},
	},
	"ada": {
		style: byEnds, quotes: []quote{rawDouble, charQuote}, foldsCase: true, separators: ".", closers: "end", continues: "begin is return with private", flat: true,
		others: "if loop case select record return", modifiers: "overriding private not generic",
		lines: []line{
			{kind: Function, patterns: "function QUOTE .. is ; function PATH .. is ; procedure PATH .. is ; function PATH .. return WORD ~$ ; procedure PATH ~$ ; function PATH ~$("},
			{kind: Module, patterns: "package body PATH .. is ; package PATH .. is ; package body PATH ~$ ; package PATH ~$"},
			{kind: Class, patterns: "task body NAME ; task type NAME ; protected body NAME ; protected type NAME"},
			{kind: Class, patterns: "type NAME ; subtype NAME", how: alone},
		},
	},
	"fortran": {
		style: byEnds, quotes: []quote{rawDouble, rawSingleLine}, foldsCase: true, flat: true, comments: &Comments{Line: []string{"!"}},
		closers:   "end endsubroutine endfunction endmodule endprogram endtype endinterface",
		others:    "if do select where forall associate block critical enum team",
		modifiers: "pure elemental recursive impure integer real double precision complex logical character module type",
		lines: []line{
			{kind: Function, patterns: "subroutine NAME ; function NAME ; program NAME"}, {kind: Module, patterns: "module procedure", how: hidden | alone},
			{kind: Module, patterns: "module subroutine", how: hidden | alone}, {kind: Module, patterns: "module NAME ~$ ; submodule GROUP NAME"},
			{kind: Struct, patterns: "type , .. :: NAME ; type :: NAME ; type NAME ~$"}, {kind: Interface, patterns: "interface NAME ; abstract =interface ; =interface ~$"},
		},
	},
	"vb": {
		style: byEnds, quotes: []quote{rawDouble}, foldsCase: true, flat: true, closers: "end", others: "if select with try using while synclock get set enum",
		modifiers: "public private protected friend shared overrides overridable mustinherit mustoverride notinheritable partial readonly async default static property",
		lines: []line{
			{kind: Function, patterns: "sub NAME ; function NAME"}, {kind: Class, patterns: "class NAME"}, {kind: Module, patterns: "module NAME"}, {kind: Struct, patterns: "structure NAME"},
			{kind: Interface, patterns: "interface NAME"}, {kind: Namespace, patterns: "namespace PATH"},
		},
		constructors: "New", separators: ".",
	},
	"verilog": {
		style: byEnds, quotes: []quote{doubleQuote}, flat: true, closers: "endmodule endfunction endtask endclass endpackage endinterface endprogram endproperty endsequence", letters: "$",
		modifiers: "automatic static virtual pure extern local protected",
		lines: []line{
			{kind: Module, patterns: "module ?automatic NAME ; package NAME ; program NAME"}, {kind: Function, patterns: "function CALLED ; task CALLED"},
			{kind: Class, patterns: "class NAME"}, {kind: Interface, patterns: "interface NAME ~#(;"}, {kind: Class, patterns: "typedef LATE", how: alone},
		},
	},
	"vhdl": {
		style: byEnds, quotes: []quote{rawDouble, charQuote}, foldsCase: true, flat: true, closers: "end", others: "if case loop process generate block record units for",
		modifiers: "pure impure shared", continues: "begin is",
		lines: []line{
			{kind: Class, patterns: "entity NAME ; component NAME"}, {kind: Object, patterns: "architecture NAME"}, {kind: Module, patterns: "package body NAME is ; package NAME is"},
			{kind: Function, patterns: "function NAME .. is ; procedure NAME .. is ; function NAME ~$( ; procedure NAME ~$("}, {kind: Class, patterns: "type NAME is ; subtype NAME is", how: alone},
		},
	},
}

var rawSingleLine = quote{open: `'`, close: `'`}
