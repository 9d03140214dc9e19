package syntax

import "bytes"

const (
	// The names of C++: qualified, of operators, of destructors.
	cppNames = "//identifier,field_identifier,type_identifier,qualified_identifier,template_function,template_type,template_method" +
		",destructor_name,operator_name,operator_cast"
	cppDeclared = "identifier,field_identifier,qualified_identifier,template_function,template_method,destructor_name,operator_name"
	cppFunction = "declarator//function_declarator/declarator:" + cppDeclared +
		" | declarator//function_declarator/declarator:parenthesized_declarator/<identifier,field_identifier>" +
		" | declarator//function_declarator/declarator:parenthesized_declarator//function_declarator/declarator:" + cppDeclared
	cppQualified = "declarator:qualified_identifier | declarator//function_declarator/declarator:qualified_identifier"
	cppOperator  = "declarator:operator_cast | declarator:qualified_identifier//operator_cast" +
		" | declarator//function_declarator/declarator:operator_name" +
		" | declarator//function_declarator/declarator:qualified_identifier//operator_name"
	cppMethod = "declarator//function_declarator/declarator:qualified_identifier"
)

var langCPP = &Language{
	Name: "cpp", Aliases: []string{"c++", "cuda-cpp"},
	Extensions: []string{"cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "txx", "ixx", "cppm", "cu", "cuh"},
	Comments:   cComments, Separator: "::", family: familyCPP, flat: true,
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
		"namespace_definition":   {Kind: Namespace, Name: "name"},
		"template_declaration":   {Wrap: true},
		"class_specifier":        {Kind: Class, Name: "name", Only: "body"},
		"struct_specifier":       {Kind: Struct, Name: "name", Only: "body"},
		"union_specifier":        {Kind: Struct, Name: "name", Only: "body"},
		"enum_specifier":         {Kind: Enum, Name: "name", Only: "body"},
		"concept_definition":     {Kind: Interface, Name: "name"},
		"alias_declaration":      {Kind: Class, Name: "name"},
		"field_declaration_list": {},
		"enumerator_list":        {},
		"enumerator":             {Kind: EnumMember, Name: "name"},
		"attribute_declaration":  {Lead: true},
		"function_definition": {
			Kind: Function, Member: Method, Name: "declarator" + cppNames, Body: "<field_initializer_list> | body",
			Cases: []Case{
				{cppOperator, Operator}, {cppQualified, Method},
				// A field that is set to 0 looks like a pure virtual function.
				{"declarator:field_identifier | declarator:pointer_declarator/declarator:field_identifier", Field},
			},
		},
		// A friend belongs here only if it is defined here.
		"friend_declaration": {
			Kind: Function, Name: "<function_definition>/declarator" + cppNames, Body: "<function_definition>/body", Leaf: true,
			Cases: []Case{{"<function_definition>/declarator//operator_name", Operator}},
		},
		"field_declaration": {
			Kind: Field, Name: "declarator+" + cppNames, Wrap: true,
			Cases: []Case{
				{cppOperator, Operator}, {cppFunction, Method}, {cConst, Constant},
				{"declarator:pointer_declarator,reference_declarator", Field}, {`<type_qualifier>+/"const"`, Constant},
			},
		},
		"type_definition": {
			Kind: Class, Name: "declarator+" + cppNames, Body: "type/body", Wrap: true,
			Cases: []Case{{"type:struct_specifier,union_specifier,class_specifier", Struct}, {"type:enum_specifier", Enum}},
		},
		"declaration": {
			Kind: Variable, Member: Field, Name: "declarator+" + cppNames, Top: true, Wrap: true, Read: notGuide,
			Cases: []Case{
				{cppOperator, Operator}, {cppMethod, Method}, {cppFunction, Function}, {cConst, Constant},
				{"declarator//pointer_declarator/<type_qualifier>", Constant}, {"declarator//pointer_declarator", Variable},
				{`<type_qualifier>+/"const"`, Constant},
			},
		},
	},
}

// notGuide tells guides of template arguments, "list(T) -> list<T>;", from
// functions.
func notGuide(declaration []byte, k Kind, name string) (Kind, string) {
	if head, _, found := bytes.Cut(declaration, []byte("->")); found && k == Function && !bytes.Contains(head, []byte("auto")) {
		return NoKind, name
	}
	return k, name
}
