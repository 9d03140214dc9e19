package syntax

var langPython = &Language{
	Name: "python", Extensions: []string{"py", "pyi", "pyw", "bzl", "star"},
	FileNames: []string{"sconstruct", "sconscript", "wscript", "build.bazel", "workspace.bazel"},
	Shebangs:  []string{"python", "pypy"},
	Comments:  Comments{Line: []string{"#"}},
	rules: Rules{
		"module":               {},
		"function_definition":  {Kind: Function, Member: Method, Name: "name"},
		"class_definition":     {Kind: Class, Name: "name"},
		"decorated_definition": {Wrap: true},
		"type_alias_statement": {Kind: Class, Name: "#0/<identifier> | #0/<generic_type>/<identifier>"},
		"expression_statement": {},
		"assignment": {
			Kind: Variable, Member: Field, Caps: Constant, Body: "right",
			Name: "left:identifier | left:pattern_list/<identifier>+ | left:tuple_pattern/<identifier>+",
		},

		"block": {}, "if_statement": {}, "elif_clause": {}, "else_clause": {},
		"try_statement": {}, "except_clause": {}, "finally_clause": {},
		"with_statement": {}, "for_statement": {}, "while_statement": {},
		"match_statement": {}, "case_clause": {},
	},
}
