package syntax

var langScala = &Language{
	Name: "scala", Extensions: []string{"scala", "sc", "sbt", "mill"}, Shebangs: []string{"scala", "scala-cli"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	braces:   true,
	EndMarks: true,
	rewrites: []Rewrite{{ // an annotation of the constructor
		Marks: []string{" @"}, Find: `\bclass\s+\w+(?:\[[^\]\n]*\])?\s*(@\w+(?:\([^()\n]*\))?)\s*\(`,
	}},
	rules: Rules{
		"compilation_unit": {},
		"package_clause":   {}, // with a body
		"package_object":   {Solid: true, Kind: Object, Name: "name"},
		"class_definition": {Solid: true, Kind: Class, Name: "name"},
		// A case is part of a declaration that may hold several.
		"enum_definition":       {Solid: true, Kind: Enum, Name: "name"},
		"enum_body":             {},
		"enum_case_definitions": {Wrap: true},
		"simple_enum_case":      {Kind: EnumMember, Name: "name"},
		"full_enum_case":        {Kind: EnumMember, Name: "name", Leaf: true},
		"trait_definition":      {Solid: true, Kind: Interface, Name: "name"},
		"object_definition":     {Solid: true, Kind: Object, Name: "name"},
		"template_body":         {}, "with_template_body": {},
		"class_parameters": {},
		"class_parameter":  {Kind: Property, Name: "name", Only: `"val" | "var" | ^/^/"case"`},
		"given_definition": {
			Solid: true, Kind: Constant, Member: Property, Name: "name | return_type", Cases: []Case{{"body:with_template_body", Object}},
		},
		"extension_definition": {
			Solid: true, Kind: Object, Name: "parameters/<parameter>/type", Inner: "parameters/<parameter>/type", Prefix: "extension ",
		},
		"function_definition": {
			Solid: true, Kind: Function, Member: Method, Name: "name", Cases: []Case{{`<modifiers>/"override"`, Method}},
		},
		"function_declaration": {Solid: true, Kind: Method, Name: "name"},
		"val_definition":       {Solid: true, Kind: Constant, Member: Property, Name: scalaPatterns, Body: "value"},
		"var_definition":       {Solid: true, Kind: Variable, Member: Property, Name: scalaPatterns, Body: "value"},
		"val_declaration":      {Kind: Constant, Member: Property, Name: "name+"},
		"var_declaration":      {Kind: Variable, Member: Property, Name: "name+"},
		"type_definition":      {Solid: true, Kind: Class, Name: "name"},
		"call_expression": {
			Deep: true, Callee: "function/function", Name: "function/arguments/<string>",
			Calls: map[string]Call{"test": scalaTest, "describe": scalaTest, "it": scalaTest, "feature": scalaTest, "scenario": scalaTest},
		},
		// The ways to definitions within.
		"block": {Kind: Function}, "indented_block": {Kind: Function}, "instance_expression": {}, "if_expression": {}, "match_expression": {},
		"case_block": {}, "indented_cases": {}, "case_clause": {Kind: Function}, "try_expression": {}, "colon_argument": {},
		"arguments": {}, "lambda_expression": {}, "infix_expression": {}, "field_expression": {}, "assignment_expression": {},
		"for_expression": {}, "enumerators": {}, "enumerator": {}, "catch_clause": {}, "finally_clause": {}, "while_expression": {},
		"parenthesized_expression": {}, "generic_function": {},
	},
}

// scalaTest is a call by which test libraries define tests.
var scalaTest = Call{Kind: Function}

// scalaPatterns is the path to the names that a val or var gives.
const scalaPatterns = "pattern:identifier,operator_identifier | pattern:identifiers,tuple_pattern/<identifier>+"
