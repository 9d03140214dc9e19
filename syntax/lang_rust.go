package syntax

// rustType is the name of the type that an impl block is for, or the type as
// it is written if it has none: "[T; N]".
const rustType = "type:type_identifier,primitive_type | type:scoped_type_identifier/name" +
	" | type:generic_type/type:type_identifier | type:generic_type/type:scoped_type_identifier/name" +
	" | type:reference_type/type:type_identifier | type:reference_type/type:generic_type/type:type_identifier" +
	" | type:reference_type/type:scoped_type_identifier/name | type:reference_type/type | type"

var langRust = &Language{
	Name: "rust", Extensions: []string{"rs"}, Shebangs: []string{"rust-script"},
	Comments:  Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	spellings: []Spelling{{Now: "safe fn ", Then: "     fn "}},
	rules: Rules{
		"source_file":             {},
		"mod_item":                {Kind: Module, Name: "name"},
		"declaration_list":        {},
		"foreign_mod_item":        {},
		"function_item":           {Kind: Function, Member: Method, Name: "name"},
		"function_signature_item": {Kind: Function, Member: Method, Name: "name"},
		"struct_item":             {Kind: Struct, Name: "name"},
		"union_item":              {Kind: Struct, Name: "name"},
		"enum_item":               {Kind: Enum, Name: "name"},
		"trait_item":              {Kind: Interface, Name: "name"},
		"type_item":               {Kind: Class, Name: "name"},
		"associated_type":         {Kind: Class, Name: "name"},
		"impl_item":               {Kind: Object, Name: "~", Inner: rustType},
		"field_declaration_list":  {},
		"field_declaration":       {Kind: Field, Name: "name"},
		"enum_variant_list":       {},
		"enum_variant":            {Kind: EnumMember, Name: "name"},
		"const_item":              {Kind: Constant, Name: "name"},
		"static_item":             {Kind: Variable, Name: "name"},
		"macro_definition":        {Kind: Function, Name: "name", Body: `"{" | "("`, Leaf: true},
		"attribute_item":          {Lead: true},
		"block":                   {},
	},
}
