package syntax

var langGraphQL = &Language{
	Name: "graphql", Aliases: []string{"gql"}, Extensions: []string{"graphql", "gql", "graphqls"},
	Comments: Comments{Line: []string{"#"}, Block: [][2]string{{`"""`, `"""`}}},
	braces:   true,
	rules: Rules{
		"source_file": {}, "document": {}, "definition": {}, "type_system_definition": {}, "type_definition": {},
		"executable_definition": {}, "type_system_extension": {}, "type_extension": {},
		"description":            {Lead: true},
		"schema_definition":      {Kind: Object, Name: `"schema"`, Body: `"{"`},
		"scalar_type_definition": {Kind: Class, Name: "<name>"}, "scalar_type_extension": {Kind: Class, Name: "<name>"},
		"object_type_definition": graphQLType(Class), "object_type_extension": graphQLType(Class),
		"interface_type_definition": graphQLType(Interface), "interface_type_extension": graphQLType(Interface),
		"union_type_definition": graphQLType(Class), "union_type_extension": graphQLType(Class),
		"input_object_type_definition": graphQLType(Struct), "input_object_type_extension": graphQLType(Struct),
		"enum_type_definition": graphQLType(Enum), "enum_type_extension": graphQLType(Enum),
		"fields_definition": {}, "input_fields_definition": {}, "enum_values_definition": {},
		"field_definition":       {Kind: Field, Name: "<name>"},
		"input_value_definition": {Kind: Field, Name: "<name>"},
		"enum_value_definition":  {Kind: EnumMember, Name: "<enum_value>"},
		"directive_definition":   {Kind: Function, Name: "<name>", Body: "<directive_locations>"},
		"operation_definition":   {Kind: Function, Name: "<name>", Body: "<selection_set>"},
		"fragment_definition":    {Kind: Function, Name: "<fragment_name>", Body: "<selection_set>"},
	},
}

// graphQLType is for a type of a kind, and for what extends one.
func graphQLType(k Kind) Rule {
	return Rule{
		Kind: k, Name: "<name>",
		Body: "<fields_definition,input_fields_definition,enum_values_definition,union_member_types>",
	}
}
