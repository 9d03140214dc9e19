package syntax

import "bytes"

var langGo = &Language{
	Name: "go", Extensions: []string{"go"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	spellings: []Spelling{
		{Now: "\nfunc (", Part: goMethodParameters},
		// The grammar asks for a type in new(…). As an argument it takes a name
		// for a value.
		{
			Now: "new(", Then: "New(",
			Unless: []string{"[", "*", "map[", "struct{", "struct {", "chan ", "func(", "interface{", "interface {"},
		},
	},
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

		// Types are also defined in functions.
		"block": {}, "statement_list": {}, "if_statement": {}, "for_statement": {}, "labeled_statement": {}, "func_literal": {Kind: Function, Name: "name"},
		"expression_switch_statement": {}, "expression_case": {}, "default_case": {},
		"type_switch_statement": {}, "type_case": {}, "select_statement": {}, "communication_case": {},
		"expression_statement": {}, "call_expression": {}, "argument_list": {}, "go_statement": {}, "defer_statement": {},
		"return_statement": {}, "short_var_declaration": {}, "assignment_statement": {}, "expression_list": {},
	},
}

// goMethodParameters finds the type parameters of a method in a line that
// begins with its receiver: "func (l *List[E]) Map[T any](f func(E) T) …".
func goMethodParameters(line []byte) (start, end int) {
	at := bytes.IndexByte(line, ')') + 1
	if at == 0 {
		return 0, 0
	}
	at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " "))
	at += wordLen(line[at:])
	if at == len(line) || line[at] != '[' {
		return 0, 0
	}
	depth := 0
	for i, c := range line[at:] {
		switch c {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return at, at + i + 1
			}
		}
	}
	return 0, 0
}
