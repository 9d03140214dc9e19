package syntax

var langKotlin = &Language{
	Name: "kotlin", Extensions: []string{"kt", "kts", "ktm"}, Shebangs: []string{"kotlin", "kotlinc"},
	Comments:  Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	braces:    true,
	spellings: []Spelling{{Now: "fun interface ", Then: "@F interface "}, {Now: "..<", Then: ".."}},
	rewrites: []Rewrite{
		{Marks: []string{"companion object"}, Find: `\bcompanion\s+object\b(?:\s+\w+)?\s*(:[^{}\n]*)`},
		{ // a constructor that begins a line
			Marks: []string{"constructor"}, Around: 8, Lines: true,
			Find: `\bclass\s+\w+(?:<[^{}()\n]*>)?([ \t]*\n\s*)(?:@\w+(?:\([^()\n]*\))?(\s+))?(?:(?:private|internal|protected|public)\s+)?constructor\s*\(`,
		},
		{ // annotations at the top, which the class behind could be an operand of
			Marks: []string{"\n@"}, Around: 12,
			Find: `(?m)^((?:@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?\s+)+)(?:(?:public|private|internal|open|abstract|sealed|data|enum|annotation|value|inline|final|expect|actual)\s+)*(?:class|interface|object)\s`,
		},
		{ // assignments to what a call returns has
			Marks: []string{").", "!!."}, Find: `[)!]\??\.\w+[ \t]*([-+*/%]?=)\s`, Then: []string{"+"},
		},
		{Marks: []string{"context("}, Find: `(?m)^[ \t]*(context\([^()\n]*\))`},
		{ // a delegate's name, which takes the class's body for its own
			Marks: []string{" by "}, Around: 1,
			Find: `(?m)^(?:[^\n]*\b(?:class|object)\b[^\n]*|[ \t]*\)[^\n]*?|[ \t]*)[:,]\s*[A-Za-z][\w.]*(?:<[^{}\n]*>)?\s+(by\s+[\w.]+(?:\([^(){}\n]*\))?)\s*\{`,
		},
		{Marks: []string{"field"}, Around: 1, Find: `\bval\s+\w+[^={}\n]*\n[ \t]+(field)\s*[:=]`, Then: []string{"get()"}},
		{Marks: []string{`$"`}, Find: `(\$+)"`},
	},
	rules: Rules{
		"source_file": {},
		"class_declaration": {
			Kind: Class, Name: "<type_identifier>", Body: "<class_body,enum_class_body>",
			Cases: []Case{{`"interface"`, Interface}, {`"enum"`, Enum}},
		},
		"object_declaration": {Kind: Object, Name: "<type_identifier>", Body: "<class_body>"},
		"companion_object":   {Kind: Object, Name: "<type_identifier> | \"companion\"", Body: "<class_body>", Read: readCompanion},
		"class_body":         {}, "enum_class_body": {},
		"enum_entry":          {Kind: EnumMember, Name: "<simple_identifier>", Body: "<class_body>"},
		"primary_constructor": {},
		"class_parameter":     {Kind: Property, Name: "<simple_identifier>", Only: "<binding_pattern_kind>"},
		"secondary_constructor": {
			Kind: Constructor, Name: `"constructor"`, Body: `"{"`,
		},
		"function_declaration": {
			Kind: Function, Member: Method, Name: "<simple_identifier>", Body: "<function_body>",
			Cases: []Case{{"<modifiers>/<member_modifier>", Method}}, // an override, in an object's expression
		},
		"property_declaration": {
			Kind: Variable, Member: Property, Cases: []Case{{"<modifiers>/<property_modifier>", Constant}}, Body: `"=" | <getter,setter>`,
			Name: "<variable_declaration>/<simple_identifier> | <multi_variable_declaration>/<variable_declaration>+/<simple_identifier>",
		},
		"getter": {Tail: true}, "setter": {Tail: true},
		"type_alias": {Kind: Class, Name: "<type_identifier>"},
		// The ways to functions and types within.
		"function_body": {Kind: Function}, "lambda_literal": {Kind: Function}, "anonymous_initializer": {Kind: Function},
		"statements": {}, "object_literal": {}, "control_structure_body": {},
		"call_expression": {}, "call_suffix": {}, "annotated_lambda": {}, "jump_expression": {}, "if_expression": {},
		"value_arguments": {}, "value_argument": {}, "assignment": {}, "navigation_expression": {}, "elvis_expression": {},
		"try_expression": {}, "catch_block": {}, "finally_block": {}, "when_expression": {}, "when_entry": {},
		"for_statement": {}, "while_statement": {}, "do_while_statement": {},
	},
}

// readCompanion gives a companion object without a name the one that Kotlin
// gives it.
func readCompanion(_ []byte, kind Kind, name string) (Kind, string) {
	if name == "companion" {
		name = "Companion"
	}
	return kind, name
}
