package syntax

import (
	"bytes"
	"strings"
)

var langCSS = &Language{
	Name: "css", Aliases: []string{"postcss"}, Extensions: []string{"css", "pcss", "postcss"},
	Comments: Comments{Block: [][2]string{{"/*", "*/"}}},
	rules: Rules{
		"stylesheet":          {},
		"block":               {},
		"rule_set":            {Kind: Class, Name: "~", Body: "<block>", Read: readSelector},
		"media_statement":     {Kind: Module, Name: "~", Only: "<block>", Body: "<block>", Read: readSelector},
		"supports_statement":  {Kind: Module, Name: "~", Only: "<block>", Body: "<block>", Read: readSelector},
		"scope_statement":     {Kind: Module, Name: "~", Only: "<block>", Body: "<block>", Read: readSelector},
		"at_rule":             {Kind: Module, Name: "~", Only: "<block>", Body: "<block>", Read: readSelector},
		"keyframes_statement": {Kind: Module, Name: "~", Body: "<keyframe_block_list>", Leaf: true},
		"declaration":         {Kind: Variable, Name: "<property_name>", Leaf: true, Read: readProperty},
	},
}

// readSelector takes comments out of a name.
func readSelector(node []byte, kind Kind, name string) (Kind, string) {
	if !strings.Contains(name, "/*") {
		return kind, name
	}
	head, _, _ := bytes.Cut(node, []byte("{"))
	for {
		before, rest, found := bytes.Cut(head, []byte("/*"))
		if !found {
			return kind, cleanName(head)
		}
		_, after, _ := bytes.Cut(rest, []byte("*/"))
		head = bytes.Join([][]byte{before, after}, nil)
	}
}

// readProperty lets custom properties through, and none that are CSS's own.
func readProperty(_ []byte, kind Kind, name string) (Kind, string) {
	if !strings.HasPrefix(name, "--") {
		return NoKind, ""
	}
	return kind, name
}
