package syntax

var langPHP = &Language{
	holdsText: true,
	Name:      "php", Extensions: []string{"php", "phtml", "php3", "php4", "php5", "php7", "phps", "inc"},
	Shebangs: []string{"php"},
	Comments: Comments{Line: []string{"//", "#"}, Block: [][2]string{{"/*", "*/"}}},
	rules: Rules{
		"program":               {},
		"namespace_definition":  {Kind: Namespace, Name: "name", Rest: true},
		"class_declaration":     {Kind: Class, Name: "name"},
		"interface_declaration": {Kind: Interface, Name: "name"},
		"trait_declaration":     {Kind: Interface, Name: "name"},
		"enum_declaration":      {Kind: Enum, Name: "name"},
		"declaration_list":      {}, "enum_declaration_list": {},
		"enum_case":                    {Kind: EnumMember, Name: "name"},
		"const_declaration":            {Kind: Constant, Name: "<const_element>+/<name>"},
		"property_declaration":         {Kind: Field, Name: "<property_element>+/<variable_name>/<name>"},
		"property_promotion_parameter": {Kind: Field, Name: "name/<name>", Hoist: true},
		"method_declaration": {
			Kind: Method, Name: "name", Deep: true,
			Callee: "name", Kinds: map[string]Kind{"__construct": Constructor},
		},
		"function_definition": {Kind: Function, Member: Method, Name: "name", Deep: true},
		"formal_parameters":   {Deep: true},
		"function_call_expression": {
			Callee: "function", Name: "arguments/<argument>/<string,encapsed_string>",
			Calls: map[string]Call{"define": {Kind: Constant}},
		},
		"attribute_list": {Lead: true},
		// The ways to definitions within, anonymous classes included.
		"compound_statement": {}, "expression_statement": {}, "return_statement": {}, "assignment_expression": {},
		"object_creation_expression": {}, "anonymous_class": {}, "anonymous_function": {}, "arrow_function": {},
		"arguments": {}, "argument": {}, "if_statement": {}, "else_clause": {}, "else_if_clause": {}, "colon_block": {},
		"foreach_statement": {}, "for_statement": {}, "while_statement": {}, "try_statement": {}, "catch_clause": {},
		"finally_clause": {}, "member_call_expression": {}, "scoped_call_expression": {},
	},
}
