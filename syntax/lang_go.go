package syntax

var langGo = Language{
	Name: "go", Extensions: []string{"go"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	rules: Rules{
		"source_file":          {},
		"function_declaration": {Kind: Function, Name: "name", Leaf: true},
		"method_declaration":   {Kind: Method, Name: "name", Scope: "receiver//type_identifier", Leaf: true},
		"type_declaration":     {Wrap: true},
		"type_spec": {
			Kind: Class, Name: "name", Body: "type",
			Cases: []Case{{"type:struct_type", Struct}, {"type:interface_type", Interface}},
		},
		"type_alias":             {Kind: Class, Name: "name"},
		"struct_type":            {},
		"field_declaration_list": {},
		"field_declaration":      {Kind: Field, Name: "name+"},
		"const_declaration":      {Wrap: true},
		"const_spec":             {Kind: Constant, Name: "name+"},
		"var_declaration":        {Wrap: true},
		"var_spec":               {Kind: Variable, Name: "name+"},
	},
}
