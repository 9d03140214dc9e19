package syntax

var langSwift = &Language{
	Name: "swift", Extensions: []string{"swift", "swiftinterface"}, Shebangs: []string{"swift"},
	Comments:  Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	braces:    true,
	spellings: []Spelling{{Now: "nonisolated(unsafe)", Then: "nonisolated"}},
	rewrites: []Rewrite{
		{Marks: []string{"@Sendable", "@MainActor"}, Around: 1, Find: `(@Sendable|@MainActor)\s+func\s`},
		{Marks: []string{"switch try", "switch await"}, Find: `\bswitch\s+((?:try[?!]?\s+)?await\s|try[?!]?\s)`},
		{Marks: []string{"= try await ", "= await "}, Find: `\b(?:if|while|guard)\s+(?:let|var)\s+\w+\s*=\s*((?:try[?!]?\s+)?await\s)`},
		{Marks: []string{"catch "}, Around: 1, Find: `\bcatch\s[^\n{]*?\s(where\s[^\n{]*)\{`},
		{ // macros
			Marks: []string{"#expect", "#require", "#Pre", "#Expression", "#Playground", "#_sourceLocation", "#isolation"},
			Find:  `(#)(?:expect|require|Preview|Predicate|Expression|Playground|_sourceLocation|isolation)\b`,
		},
	},
	rules: Rules{
		"source_file": {},
		"class_declaration": {
			Kind: Class, Name: "name", Inner: "name:user_type,optional_type,array_type,dictionary_type", Prefix: "extension ",
			Cases: []Case{{`"struct"`, Struct}, {`"enum"`, Enum}, {`"extension"`, Object}},
		},
		"protocol_declaration": {Kind: Interface, Name: "name"},
		"class_body":           {}, "enum_class_body": {}, "protocol_body": {},
		"enum_entry": {Kind: EnumMember, Name: "name+"},
		"property_declaration": {
			Kind: Constant, Member: Property, Name: "name:pattern+", Body: "value | computed_value",
			Cases: []Case{{`<value_binding_pattern>/"var"`, Variable}},
		},
		"protocol_property_declaration": {Kind: Property, Name: "name/bound_identifier"},
		"function_declaration":          {Kind: Function, Member: Method, Name: "name"},
		"protocol_function_declaration": {Kind: Method, Name: "name"},
		"init_declaration":              {Kind: Constructor, Name: "name"},
		"deinit_declaration":            {Kind: Method, Name: `"deinit"`},
		"subscript_declaration":         {Kind: Method, Name: `"subscript"`, Body: "<computed_property>"},
		"typealias_declaration":         {Kind: Class, Name: "name"},
		"associatedtype_declaration":    {Kind: Class, Name: "name"},
		"operator_declaration":          {Kind: Operator, Name: "<custom_operator>"},
		"macro_declaration":             {Kind: Function, Member: Method, Name: "<simple_identifier>"},
		// The ways to functions and types within.
		"function_body": {}, "statements": {}, "do_statement": {}, "catch_block": {}, "if_statement": {}, "guard_statement": {},
		"for_statement": {}, "while_statement": {}, "switch_statement": {}, "switch_entry": {},
		"call_expression": {}, "call_suffix": {}, "lambda_literal": {Kind: Function},
		"value_arguments": {}, "value_argument": {}, "assignment": {}, "control_transfer_statement": {}, "try_expression": {},
		"await_expression": {}, "navigation_expression": {}, "computed_property": {Kind: Function}, "computed_getter": {},
		"computed_setter": {}, "willset_didset_block": {Kind: Function}, "willset_clause": {}, "didset_clause": {},
	},
}
