package syntax

var langJava = &Language{
	Name: "java", Extensions: []string{"java", "jav"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	rules: Rules{
		"program":                             {},
		"module_declaration":                  {Kind: Module, Name: "name", Leaf: true},
		"class_declaration":                   {Kind: Class, Name: "name"},
		"record_declaration":                  {Kind: Class, Name: "name"},
		"interface_declaration":               {Kind: Interface, Name: "name"},
		"annotation_type_declaration":         {Kind: Interface, Name: "name"},
		"enum_declaration":                    {Kind: Enum, Name: "name"},
		"class_body":                          {},
		"interface_body":                      {},
		"annotation_type_body":                {},
		"enum_body":                           {},
		"enum_body_declarations":              {},
		"enum_constant":                       {Kind: EnumMember, Name: "name"},
		"method_declaration":                  {Kind: Method, Name: "name"},
		"annotation_type_element_declaration": {Kind: Method, Name: "name"},
		"constructor_declaration":             {Kind: Constructor, Name: "name"},
		"compact_constructor_declaration":     {Kind: Constructor, Name: "name"},
		"constant_declaration":                {Kind: Constant, Name: "declarator+/name"},
		"field_declaration":                   {Kind: Field, Name: "declarator+/name", Caps: Constant, Body: "declarator"},
		// A file may be a class without saying so.
		"local_variable_declaration": {Kind: Field, Name: "declarator+/name", Caps: Constant, Body: "declarator", Top: true},
		// Annotations are a part of the declaration; types stand in blocks.
		"modifiers":         {},
		"annotation":        {Lead: true},
		"marker_annotation": {Lead: true},
		"block":             {},
		"constructor_body":  {},
	},
}
