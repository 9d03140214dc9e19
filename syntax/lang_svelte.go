package syntax

var langSvelte = Language{
	Name: "svelte", Extensions: []string{"svelte"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	rules: Rules{
		"document":       {},
		"element":        markupElement,
		"script_element": markupScript,
		"style_element":  markupStyle,

		"if_statement": {}, "else_statement": {}, "else_if_statement": {},
		"each_statement": {}, "else_each_statement": {}, "key_statement": {},
		"await_statement": {}, "then_statement": {}, "catch_statement": {},
	},
}
