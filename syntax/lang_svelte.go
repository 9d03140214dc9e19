package syntax

var langSvelte = &Language{
	holdsText: true,
	Name:      "svelte", Extensions: []string{"svelte"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	nesting:  "${",
	rules: Rules{
		"document":       {},
		"element":        markupElement,
		"script_element": markupScript,
		"style_element":  markupStyle,

		"snippet_statement": {Kind: Function, Name: "<snippet_start>/<snippet_name>", Body: "#1"},

		"if_statement": {}, "else_block": {}, "else_if_block": {}, "each_statement": {}, "key_statement": {},
		"await_statement": {}, "then_block": {}, "catch_block": {},
	},
}
