package syntax

var langHCL = &Language{
	holdsText: true,
	Name:      "hcl", Aliases: []string{"terraform", "terraform-vars", "opentofu"}, Extensions: []string{"hcl", "tf", "tfvars", "tofu", "nomad"},
	Comments: Comments{Line: []string{"#", "//"}, Block: [][2]string{{"/*", "*/"}}},
	rewrites: []Rewrite{
		// Half typed: the next line would be the value.
		{Marks: []string{"=\n", "=\r", "= \n", "= \r"}, Find: `(?m)^[ \t]*([\w-]+[ \t]*=)[ \t]*\r?$`, Then: []string{""}},
	},
	rules: Rules{
		"config_file": {}, "body": {}, "expression": {}, "collection_value": {}, "object": {}, "tuple": {},
		"block": {Kind: Object, Name: "<identifier,string_lit>+", Join: ".", Body: "<block_start>"},
		"attribute": {
			Kind: Key, Name: "<identifier>",
			Cases: []Case{
				{"<expression>/<collection_value>/<object>", Object}, {"<expression>/<collection_value>/<tuple>", Array},
				{"<expression>/<for_expr>/<for_object_expr>", Object}, {"<expression>/<for_expr>/<for_tuple_expr>", Array},
			},
		},
		"object_elem": {
			Kind: Key, Name: "key",
			Cases: []Case{
				{"val/<collection_value>/<object>", Object}, {"val/<collection_value>/<tuple>", Array},
				{"val/<for_expr>/<for_object_expr>", Object}, {"val/<for_expr>/<for_tuple_expr>", Array},
			},
		},
	},
}
