package syntax

// The places where a name can stand within a declarator of C: "*name[3]",
// "(*name)(int)".
const (
	cNames = "//identifier,field_identifier,type_identifier"
	// A function is declared where parameters follow the very name. Those of a
	// function that returns a pointer to one stand in parentheses.
	cFunction = "declarator//function_declarator/declarator:identifier" +
		" | declarator//function_declarator/declarator:parenthesized_declarator//function_declarator/declarator:identifier"
	cConst = `<type_qualifier>+/"constexpr"`
)

var langC = &Language{
	Name: "c", Extensions: []string{"c", "h"},
	Comments: cComments, family: familyC, flat: true,
	rules: Rules{
		"translation_unit":       {},
		"linkage_specification":  {},
		"declaration_list":       {},
		"compound_statement":     {},
		"preproc_if":             {},
		"preproc_ifdef":          {},
		"preproc_elif":           {},
		"preproc_elifdef":        {},
		"preproc_else":           {},
		"preproc_def":            {Kind: Constant, Name: "name"},
		"preproc_function_def":   {Kind: Function, Name: "name", Body: "value", Leaf: true},
		"struct_specifier":       {Kind: Struct, Name: "name", Only: "body"},
		"union_specifier":        {Kind: Struct, Name: "name", Only: "body"},
		"enum_specifier":         {Kind: Enum, Name: "name", Only: "body"},
		"field_declaration_list": {},
		"enumerator_list":        {},
		"enumerator":             {Kind: EnumMember, Name: "name"},
		"field_declaration":      {Kind: Field, Name: "declarator+" + cNames, Wrap: true},
		"function_definition":    {Kind: Function, Name: "declarator" + cNames},
		"type_definition": {
			Kind: Class, Name: "declarator+" + cNames, Body: "type/body", Wrap: true,
			Cases: []Case{{"type:struct_specifier,union_specifier", Struct}, {"type:enum_specifier", Enum}},
		},
		"declaration": {
			Kind: Variable, Name: "declarator+" + cNames, Top: true, Wrap: true,
			Cases: []Case{
				{cFunction, Function}, {cConst, Constant},
				// A pointer to a constant is none itself.
				{"declarator//pointer_declarator/<type_qualifier>", Constant}, {"declarator//pointer_declarator", Variable},
				{`<type_qualifier>+/"const"`, Constant},
			},
		},
	},
}

var cComments = Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}
