package syntax

import "bytes"

var langProperties = &Language{
	holdsText: true,
	Name:      "properties", Aliases: []string{"java-properties", "dotenv"}, Extensions: []string{"properties", "env"}, FileNames: []string{".env"},
	Comments: Comments{Line: []string{"#", "!"}},
	rules:    Rules{"file": {}, "property": {Kind: Key, Name: "<key>", Read: readExported, Leaf: true}},
}

// readExported knows "export KEY=value", as files for shells have it.
func readExported(node []byte, kind Kind, name string) (Kind, string) {
	if rest, found := bytes.CutPrefix(node, []byte("export ")); found && name == "export" {
		exported, _, _ := bytes.Cut(rest, []byte("="))
		return kind, cleanName(exported)
	}
	return kind, name
}
