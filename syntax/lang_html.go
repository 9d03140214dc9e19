package syntax

var langHTML = &Language{
	holdsText: true,
	Name:      "html", Aliases: []string{"xhtml"}, Extensions: []string{"html", "htm", "xhtml"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	rules:    markupRules,
}

var langVue = &Language{
	holdsText: true,
	Name:      "vue", Extensions: []string{"vue"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	rules:    markupRules,
}

var markupRules = Rules{
	"document":       {},
	"element":        markupElement,
	"script_element": markupScript,
	"style_element":  markupStyle,
}

// What HTML's grammar and Svelte's have in common.
var (
	markupElement = Rule{Kind: Object, Name: "<start_tag,self_closing_tag>/<tag_name>", Body: "#1", Read: readElement}
	markupScript  = Rule{
		Kind: Object, Name: "<start_tag>/<tag_name>", Body: "#1", Read: readElement, Leaf: true,
		Embed: &Embed{Body: "<raw_text>", Language: "javascript", Or: map[string]string{
			`lang="ts"`: "typescript", `lang='ts'`: "typescript", `lang="tsx"`: "typescriptreact", `lang="jsx"`: "javascriptreact",
			"json": "", "importmap": "", "text/template": "", "text/x-": "", "x-shader": "",
		}},
	}
	markupStyle = Rule{
		Kind: Object, Name: "<start_tag>/<tag_name>", Body: "#1", Read: readElement, Leaf: true,
		Embed: &Embed{Body: "<raw_text>", Language: "css"},
	}
)
