package syntax

var langNix = &Language{
	Name: "nix", Extensions: []string{"nix"}, Shebangs: []string{"nix-instantiate"},
	Comments: Comments{Line: []string{"#"}, Block: slashComments.Block},
	rules: Rules{
		"source_code": {}, "attrset_expression": {Deep: true}, "rec_attrset_expression": {Deep: true}, "let_expression": {Deep: true},
		"binding_set": {Deep: true}, "with_expression": {Deep: true}, "assert_expression": {Deep: true}, "if_expression": {Deep: true},
		"function_expression": {Deep: true}, "apply_expression": {Deep: true}, "parenthesized_expression": {Deep: true},
		"binary_expression": {Deep: true}, "list_expression": {Deep: true},
		"binding": {
			Kind: Key, Name: "attrpath", Body: "expression", Deep: true,
			Cases: []Case{
				{"expression:function_expression", Function},
				{"expression:attrset_expression,rec_attrset_expression", Object},
			},
		},
	},
}
