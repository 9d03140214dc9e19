package syntax

var langGo = Language{
	Name: "go", Extensions: []string{"go"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	rules: Rules{
		"source_file":          {},
		"function_declaration": {Kind: Function, Name: "name"},
		"method_declaration":   {Kind: Method, Name: "name", Scope: "receiver//type_identifier"},
		"type_declaration":     {Wrap: true, Deep: true},
		"type_spec": {
			Kind: Class, Name: "name",
			Body:  `type:struct_type/<field_declaration_list> | type:interface_type/"{"`,
			Cases: []Case{{"type:struct_type", Struct}, {"type:interface_type", Interface}},
		},
		"type_alias":             {Kind: Class, Name: "name"},
		"struct_type":            {},
		"field_declaration_list": {},
		"field_declaration": {
			Kind: Field,
			Name: "name+ | type:type_identifier | type:qualified_type/name | type:generic_type/type" +
				" | type:generic_type/type/name",
		},
		"interface_type":    {},
		"method_elem":       {Kind: Method, Name: "name"},
		"const_declaration": {Wrap: true},
		"const_spec":        {Kind: Constant, Name: "name+"},
		"var_declaration":   {Wrap: true},
		"var_spec_list":     {},
		"var_spec":          {Kind: Variable, Name: "name+"},

		// Types are also defined in blocks.
		"block": {}, "if_statement": {}, "for_statement": {}, "labeled_statement": {},
	},
}
