package syntax

var langMarkdown = Language{
	Name: "markdown", Aliases: []string{"mdx"}, Extensions: []string{"md", "markdown", "mdown", "mkd", "mdx"},
	rules: Rules{
		"document": {},
		"section":  {Kind: String, Name: "<atx_heading,setext_heading>/heading_content", Body: "#1"},
	},
}
