package syntax

var langErlang = &Language{
	Name: "erlang", Extensions: []string{"erl", "hrl", "escript"}, Shebangs: []string{"escript"}, Comments: percentComments,
	nesting: "{",
	rules: Rules{
		"source_file":      {},
		"module_attribute": {Kind: Module, Name: "name"},
		"pp_define":        {Kind: Constant, Name: "lhs/name", Body: "replacement"},
		"record_decl":      {Kind: Struct, Name: "name", Body: `"{"`}, "record_field": {Kind: Field, Name: "name", Leaf: true},
		"type_alias": {Kind: Class, Name: "name/name", Body: "ty"}, "opaque": {Kind: Class, Name: "name/name", Body: "ty"},
		"callback": {Kind: Method, Name: "fun"},
		"spec":     {Lead: true}, "wild_attribute": {Callee: "name", Leads: map[string]bool{"-doc": true, "doc": true}},
		"fun_decl": {Kind: Function, Name: "clause:function_clause/name", Body: "clause/body", Open: ";"},
	},
}
