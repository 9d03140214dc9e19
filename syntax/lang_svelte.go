package syntax

var langSvelte = Language{
	Name: "svelte", Extensions: []string{"svelte"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	rules: Rules{
		"document":       {},
		"element":        {Kind: Object, Name: "<start_tag,self_closing_tag>/<tag_name>", Body: "#1"},
		"script_element": {Embed: &Embed{Body: "<raw_text>", Language: "javascript"}},
		"style_element":  {Embed: &Embed{Body: "<raw_text>", Language: "css"}},
	},
}
