package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

var langSvelte = &Language{
	holdsText: true,
	Name:      "svelte", Extensions: []string{"svelte"},
	Comments: Comments{Block: [][2]string{{"<!--", "-->"}}},
	rules: Rules{
		"document":       {},
		"element":        markupElement,
		"script_element": markupScript,
		"style_element":  markupStyle,

		// The grammar knows no snippets: it has their first and their last
		// line as expressions.
		"expression": {Kind: Function, Name: ".", Read: readSnippet, Reach: snippetEnd, Leaf: true},

		"if_statement": {}, "else_statement": {}, "else_if_statement": {},
		"each_statement": {}, "else_each_statement": {}, "key_statement": {},
		"await_statement": {}, "then_statement": {}, "catch_statement": {},
	},
}

// readSnippet tells the beginning of a snippet, "{#snippet row(tide)}", from
// other expressions.
func readSnippet(node []byte, kind Kind, _ string) (Kind, string) {
	head, found := bytes.CutPrefix(node, []byte("{#snippet"))
	name, _, call := bytes.Cut(head, []byte("("))
	if !found || !call {
		return NoKind, ""
	}
	return kind, cleanName(name)
}

// snippetEnd finds the end of the snippet whose beginning ends at end.
func snippetEnd(src []byte, end text.Offset) text.Offset {
	opening, closing := []byte("{#snippet"), []byte("{/snippet}")
	at := end
	for open := 1; open > 0; open-- {
		next := bytes.Index(src[at:], closing)
		if next < 0 {
			return end
		}
		open += bytes.Count(src[at:at+next], opening)
		at += next + len(closing)
	}
	return at
}
