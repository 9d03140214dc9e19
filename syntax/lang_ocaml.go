package syntax

const (
	// What binds a name to a function.
	ocamlFunctions = "<parameter> | body:function_expression,fun_expression | pattern:parenthesized_operator,string"
	ocamlValues    = "pattern:value_name,string | pattern:parenthesized_operator/#0 | pattern:tuple_pattern/<value_name>+" +
		" | pattern:typed_pattern/pattern:value_name | pattern:parenthesized_pattern//value_name"
)

var ocamlComments = Comments{Block: [][2]string{{"(*", "*)"}}}

var langOCaml = &Language{
	Name: "ocaml", Extensions: []string{"ml", "eliom", "mll", "mly"}, FileNames: []string{".ocamlinit"}, Shebangs: []string{"ocaml", "ocamlrun"},
	Comments: ocamlComments, rules: ocamlRules, ascii: true,
}

// The grammar is that of programs. An interface is the signature of a module
// in one.
var langOCamlInterface = &Language{
	Name: "ocaml.interface", Aliases: []string{"ocamlinterface", "ocaml-interface"}, Extensions: []string{"mli", "eliomi"},
	Comments: ocamlComments, rules: ocamlRules, ascii: true,
	frame: Frame{"module _ : sig\n", "\nend = struct end\n"},
}

var ocamlRules = Rules{
	"compilation_unit": {},
	"structure":        {Deep: true}, "signature": {}, "functor": {}, "typed_module_expression": {}, "parenthesized_module_expression": {},
	"include_module": {}, "open_module": {Deep: true}, "module_application": {}, "functor_type": {}, "module_type_constraint": {},

	"module_definition":      {Wrap: true, Deep: true},
	"module_binding":         {Kind: Module, Name: "name", Opening: "module rec and", Read: readOCamlName, Deep: true},
	"module_type_definition": {Kind: Interface, Name: "name"},

	"type_definition": {Wrap: true},
	"type_binding": {
		Kind: Class, Name: "name", Opening: "type nonrec and",
		Cases: []Case{{"body:record_declaration", Struct}, {"body:variant_declaration", Enum}},
	},
	"variant_declaration": {}, "record_declaration": {},
	"constructor_declaration": {Kind: EnumMember, In: Enum, Name: "<constructor_name>", Opening: "|"},
	"field_declaration":       {Kind: Field, Name: "<field_name>"},
	"exception_definition":    {Kind: Class, Name: "<constructor_declaration>/<constructor_name>"},

	"value_definition": {Wrap: true, Deep: true, Unless: "<let_binding>/pattern:unit,constructor_pattern,record_pattern"},
	"let_binding":      {Kind: Constant, Name: ocamlValues, Opening: "let rec and", Cases: []Case{{ocamlFunctions, Function}}, Read: readOCamlName},
	"external":         {Kind: Function, Name: "<value_name> | <parenthesized_operator>/#0", Leaf: true},
	"value_specification": {
		Kind: Constant, Member: Constant, Name: "<value_name> | <parenthesized_operator>/#0", Leaf: true,
		Cases: []Case{{"<function_type> | <polymorphic_type>/<function_type>", Function}},
	},

	"class_definition":      {Wrap: true},
	"class_binding":         {Kind: Class, Name: "name", Opening: "class and virtual"},
	"class_type_definition": {Wrap: true},
	"class_type_binding":    {Kind: Interface, Name: "name", Opening: "class type and virtual"},
	"object_expression":     {}, "class_body_type": {}, "class_function_type": {}, "class_function": {}, "typed_class_expression": {},
	"let_class_expression": {}, "parenthesized_class_expression": {},
	"method_definition":               {Kind: Method, Name: "name"},
	"method_specification":            {Kind: Method, Name: "<method_name>", Leaf: true},
	"instance_variable_definition":    {Kind: Field, Name: "name"},
	"instance_variable_specification": {Kind: Field, Name: "<instance_variable_name>", Leaf: true},

	// The ways to the functions that a function has for itself. Other names
	// are nobody else's concern.
	"let_expression": {Kind: Function, Name: "<number>/<number>", Deep: true},
	"fun_expression": {}, "function_expression": {}, "match_expression": {}, "match_case": {}, "try_expression": {},
	"if_expression": {}, "then_clause": {}, "else_clause": {}, "sequence_expression": {}, "parenthesized_expression": {},
	"let_open_expression": {}, "local_open_expression": {}, "let_module_expression": {}, "let_exception_expression": {},
	"application_expression": {}, "infix_expression": {}, "labeled_argument": {}, "expression_item": {}, "typed_expression": {},
}

// readOCamlName leaves out what has no name, as the frame of an interface.
func readOCamlName(_ []byte, kind Kind, name string) (Kind, string) {
	if name == "_" {
		return NoKind, ""
	}
	return kind, name
}
