package syntax

var langHTML = Language{
	Name: "html", Aliases: []string{"xhtml"}, Extensions: []string{"html", "htm", "xhtml"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	rules:    markupRules,
}

var langVue = Language{
	Name: "vue", Extensions: []string{"vue"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	rules:    markupRules,
}

var markupRules = Rules{
	"document":       {},
	"element":        {Kind: Object, Name: "<start_tag,self_closing_tag>/<tag_name>", Body: "#1"},
	"script_element": {Embed: &Embed{Body: "<raw_text>", Language: "javascript"}},
	"style_element":  {Embed: &Embed{Body: "<raw_text>", Language: "css"}},
}
