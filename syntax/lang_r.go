package syntax

// rBlock is a part of a script that may be gone through or not: what it assigns
// is nobody else's concern, but what it makes a function is.
var rBlock = Rule{Kind: Function, Name: "<comment>/<comment>", Deep: true}

var langR = &Language{
	Name: "r", Aliases: []string{"rsplus"}, Extensions: []string{"r"}, FileNames: []string{".rprofile"},
	Shebangs: []string{"Rscript", "r"}, Comments: hashComments,
	braces: true,
	rules: Rules{
		"program": {}, "braced_expression": {Deep: true}, "parenthesized_expression": {Deep: true}, "arguments": {Deep: true},
		"binary_operator": {
			Kind: Variable, Caps: Constant, Only: `"<-" | "=" | "<<-"`, Name: "lhs:identifier,string", Deep: true,
			Body:   "rhs:function_definition/body | rhs:call/arguments/#1 | rhs:call/arguments",
			Callee: "rhs:call/function:identifier",
			Kinds:  map[string]Kind{"R6Class": Class, "setRefClass": Class, "setClass": Class, "new_class": Class},
			Cases:  []Case{{"rhs:function_definition", Function}},
		},
		"argument": {
			Kind: Method, In: Class, Name: "name", Only: "value:function_definition", Body: "value:function_definition/body", Deep: true,
		},
		"call": {
			Callee: "function:identifier", Name: "arguments/argument/value:string", Body: "arguments/#1", Deep: true,
			Calls: map[string]Call{
				"setClass": {Kind: Class}, "setRefClass": {Kind: Class}, "setGeneric": {Kind: Function}, "setMethod": {Kind: Function},
				"test_that": {Kind: Function}, "describe": {Kind: Function}, "it": {Kind: Function},
			},
		},
		"function_definition": rBlock,
		"if_statement":        rBlock, "for_statement": rBlock, "while_statement": rBlock, "repeat_statement": rBlock,
	},
}
