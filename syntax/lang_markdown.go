package syntax

import "bytes"

var langMarkdown = &Language{
	holdsText: true,
	Name:      "markdown", Aliases: []string{"mdx"}, Extensions: []string{"md", "markdown", "mdown", "mkd", "mdx"},
	rules: Rules{
		"document": {},
		"section":  {}, // which setext headings do not open in this grammar
		"atx_heading": {
			Name: ".", Ranked: true, Read: readHeading,
			Cases: []Case{
				{"<atx_h1_marker>", String}, {"<atx_h2_marker>", String}, {"<atx_h3_marker>", String},
				{"<atx_h4_marker>", String}, {"<atx_h5_marker>", String}, {"<atx_h6_marker>", String},
			},
		},
		"setext_heading": {
			Name: "heading_content", Ranked: true, Body: "<setext_h1_underline,setext_h2_underline>",
			Cases: []Case{{"<setext_h1_underline>", String}, {"<setext_h2_underline>", String}},
		},
	},
}

// readHeading takes off the marks around a heading's words, which the grammar
// leaves in at the end.
func readHeading(node []byte, kind Kind, _ string) (Kind, string) {
	words := bytes.TrimSpace(bytes.TrimLeft(bytes.TrimSpace(node), "#"))
	if open := bytes.TrimRight(words, "#"); len(open) == 0 || open[len(open)-1] == ' ' || open[len(open)-1] == '\t' {
		words = open
	}
	return kind, cleanName(words)
}
