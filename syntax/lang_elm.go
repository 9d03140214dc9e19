package syntax

var langElm = &Language{
	Name: "elm", Extensions: []string{"elm"},
	Comments: Comments{Line: []string{"--"}, Block: [][2]string{{"{-", "-}"}}},
	nesting:  "{-",
	rules: Rules{
		"file":               {},
		"module_declaration": {Kind: Module, Name: "name", Leaf: true},
		"port_annotation":    {Kind: Function, Name: "name", Leaf: true},
		"infix_declaration":  {Kind: Operator, Name: "operator", Leaf: true},

		"type_alias_declaration": {Kind: Class, Name: "name", Body: "<eq>", Cases: []Case{{"typeExpression/part:record_type", Struct}}},
		"type_declaration":       {Kind: Enum, Name: "name", Body: "<eq>"},
		"union_variant":          {Kind: EnumMember, Name: "name", Opening: "|", Solid: true},
		"field_type":             {Kind: Field, Name: "name"},
		"type_expression":        {}, "record_type": {},

		"type_annotation": {Lead: true},
		"value_declaration": {
			Kind: Constant, Name: "functionDeclarationLeft/#0",
			Cases: []Case{{"functionDeclarationLeft/#1", Function}, {"body:anonymous_function_expr", Function}},
		},
		// The ways to the functions that a function has for itself. Other
		// names that "let" gives are nobody else's concern.
		"let_in_expr":  {Kind: Function, Name: "<eq>/<eq>", Deep: true},
		"case_of_expr": {}, "case_of_branch": {}, "if_else_expr": {}, "parenthesized_expr": {}, "anonymous_function_expr": {},
		"function_call_expr": {}, "bin_op_expr": {},
	},
}
