package syntax

import "bytes"

var langCSharp = &Language{
	Name: "csharp", Aliases: []string{"c#"}, Extensions: []string{"cs", "csx"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	family:   familySharp,
	// An empty collection.
	rewrites: []Rewrite{{Marks: []string{"[]"}, Find: `[=>(,?]\s*(\[\])\s*[,;)}]`, Then: []string{"0"}}},
	rules: Rules{
		"compilation_unit":                  {},
		"global_statement":                  {},
		"namespace_declaration":             {Kind: Namespace, Name: "name"},
		"file_scoped_namespace_declaration": {Kind: Namespace, Name: "name", Rest: true},
		"declaration_list":                  {},
		"class_declaration":                 {Kind: Class, Name: "name"},
		"struct_declaration":                {Kind: Struct, Name: "name"},
		"record_declaration":                {Kind: Class, Name: "name", Cases: []Case{{`"struct"`, Struct}}},
		"interface_declaration":             {Kind: Interface, Name: "name"},
		"delegate_declaration":              {Kind: Class, Name: "name"},
		"enum_declaration":                  {Kind: Enum, Name: "name"},
		"enum_member_declaration_list":      {},
		"enum_member_declaration":           {Kind: EnumMember, Name: "name"},
		"method_declaration":                {Kind: Method, Name: "name"},
		"constructor_declaration":           {Kind: Constructor, Name: "name"},
		"destructor_declaration":            {Kind: Method, Name: "name", Prefix: "~"},
		"operator_declaration":              {Kind: Operator, Name: "operator", Prefix: "operator ", Read: readOperator},
		"conversion_operator_declaration":   {Kind: Operator, Name: "type", Prefix: "operator "},
		"local_function_statement":          {Kind: Function, Name: "name"},
		"property_declaration":              {Kind: Property, Name: "name", Body: "accessors | value"},
		"indexer_declaration":               {Kind: Property, Name: `"this"`, Body: "accessors | value"},
		"event_declaration":                 {Kind: Event, Name: "name", Body: "accessors"},
		"event_field_declaration":           {Kind: Event, Name: "<variable_declaration>/<variable_declarator>+/name"},
		"field_declaration": {
			Kind: Field, Name: "<variable_declaration>/<variable_declarator>+/name",
			Cases: []Case{{`<modifier>+/"const"`, Constant}},
		},
		"attribute_list": {Lead: true},
		"block":          {},
		"preproc_if":     {},
		"preproc_elif":   {},
		"preproc_else":   {},
		"preproc_region": {},
	},
}

// readOperator knows the operators that the grammar does not: "+=".
func readOperator(node []byte, k Kind, name string) (Kind, string) {
	_, rest, found := bytes.Cut(node, []byte("operator"))
	if sign, _, open := bytes.Cut(rest, []byte("(")); found && open && bytes.HasSuffix(bytes.TrimSpace(sign), []byte("=")) {
		return k, string(bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(sign), []byte("checked"))))
	}
	return k, name
}
