package syntax

// Values that are functions, and those that make what holds them a definition
// of its own.
const (
	jsFunctions = "arrow_function,function_expression,generator_function"
	jsValues    = jsFunctions + ",class"
)

// jsTests are the functions that tests are declared by, in the common
// libraries: describe("a stack", () => …), it.only("pushes", …).
var jsTests = map[string]Call{
	"describe": {Kind: Function}, "context": {Kind: Function}, "suite": {Kind: Function},
	"it": {Kind: Function}, "specify": {Kind: Function}, "test": {Kind: Function}, "bench": {Kind: Function},
	"xdescribe": {Kind: Function}, "xit": {Kind: Function}, "xtest": {Kind: Function},
	"fdescribe": {Kind: Function}, "fit": {Kind: Function},
	"QUnit": {Kind: Function}, "Deno": {Kind: Function},
}

var jsRules = Rules{
	"program": {},
	"export_statement": {
		Kind: Function, Name: `"default"`, Only: "value:" + jsValues, Wrap: true,
		Cases: []Case{{"value:class", Class}}, Body: "value/body",
	},
	"function_declaration":           {Kind: Function, Name: "name"},
	"generator_function_declaration": {Kind: Function, Name: "name"},
	"class_declaration":              {Kind: Class, Name: "name"},
	"decorator":                      {Lead: true},

	"lexical_declaration":  {Wrap: true, Deep: true, Cases: []Case{{`"const"`, Constant}}},
	"variable_declaration": {Wrap: true, Deep: true},
	"variable_declarator": {
		Kind: Variable, Name: "name:identifier", Deep: true,
		Body: "value/body | value:object | value:assignment_expression/right/body" +
			" | value:parenthesized_expression/<" + jsFunctions + ">/body" +
			" | value:parenthesized_expression/<assignment_expression>/right/body",
		Cases: []Case{
			{"value:" + jsFunctions, Function}, {"value:class", Class},
			{"value:parenthesized_expression/<" + jsFunctions + ">", Function},
			// var f = exports.f = function () { … }
			{"value:assignment_expression/right:" + jsFunctions, Function},
			{"value:parenthesized_expression/<assignment_expression>/right:" + jsFunctions, Function},
		},
	},
	"assignment_expression": {
		Kind: Function, Member: Method, Only: "right:" + jsValues, Body: "right/body",
		Name:  "left:identifier | left:member_expression/property | left:subscript_expression/index:string",
		Cases: []Case{{"right:class", Class}, {"left:member_expression/object:this", Method}},
		Scope: "left:member_expression/object:identifier,member_expression", ScopeCut: []string{".prototype", "module.exports", "exports", "module"},
	},

	// Functions and classes as values: named, or known by what holds them.
	"function_expression": {Kind: Function, Name: "name"},
	"generator_function":  {Kind: Function, Name: "name"},
	"arrow_function":      {Kind: Function, Name: "name"},
	"class":               {Kind: Class, Name: "name"},

	"class_body":         {},
	"class_static_block": {},
	"method_definition":  {Kind: Method, Name: "name", Deep: true, Callee: "name", Kinds: map[string]Kind{"constructor": Constructor}},
	"object":             {Deep: true},
	"pair":               {Kind: Method, Name: "key", Only: "value:" + jsFunctions, Body: "value/body"},

	"call_expression": {
		Callee: "function:identifier | function:member_expression/object:identifier" +
			" | function:call_expression/function:member_expression/object:identifier",
		Calls: jsTests,
		Only:  "arguments/<" + jsFunctions + ">",
		Name:  "arguments/<string,template_string,binary_expression,member_expression,identifier>",
		Deep:  true,
	},

	"expression_statement": {Deep: true},
	"statement_block":      {}, "if_statement": {}, "else_clause": {}, "labeled_statement": {},
	"try_statement": {}, "catch_clause": {}, "finally_clause": {},
	"switch_statement": {}, "switch_body": {}, "switch_case": {}, "switch_default": {},
	"return_statement": {Deep: true}, "throw_statement": {}, "with_statement": {},
	// What a loop declares is nobody else's concern.
	"for_statement": {Kind: Function, Name: "name"}, "for_in_statement": {Kind: Function, Name: "name"},
	"while_statement": {Kind: Function, Name: "name"}, "do_statement": {Kind: Function, Name: "name"},

	"parenthesized_expression": {Deep: true}, "sequence_expression": {}, "ternary_expression": {}, "binary_expression": {},
	"unary_expression": {}, "await_expression": {}, "yield_expression": {}, "new_expression": {}, "arguments": {Deep: true},
	"array": {}, "spread_element": {}, "member_expression": {}, "subscript_expression": {},
	"augmented_assignment_expression": {},
}

var jsxRules = Rules{
	"jsx_element": {}, "jsx_opening_element": {}, "jsx_self_closing_element": {Deep: true},
	"jsx_attribute": {Deep: true}, "jsx_expression": {Deep: true},
}

var jsComments = Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}

var jsOwnRules = Rules{
	"field_definition": {
		Kind: Property, Name: "<ERROR>/#-1 | property", Body: "value/body | value:object",
		Cases: []Case{{"value:" + jsFunctions, Method}},
	},
}

var langJavaScript = &Language{
	Name: "javascript", Extensions: []string{"js", "mjs", "cjs", "es6"},
	FileNames: []string{"jakefile"}, Shebangs: []string{"node", "nodejs"},
	Comments: jsComments, rules: jsRules.and(jsxRules).and(jsOwnRules),
}

var langJavaScriptReact = &Language{
	Name: "javascriptreact", Extensions: []string{"jsx"},
	Comments: jsComments, rules: jsRules.and(jsxRules).and(jsOwnRules),
}
