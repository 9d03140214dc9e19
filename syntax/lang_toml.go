package syntax

var langTOML = &Language{
	Name: "toml", Extensions: []string{"toml"}, FileNames: []string{"cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "gopkg.lock", "pipfile"},
	Comments: Comments{Line: []string{"#"}},
	spellings: []Spelling{ // TOML 1.1
		{Now: `\e`, Then: `\t`},
		{Now: `\x`, Then: `\t`},
	},
	rules: Rules{
		"document":            {},
		"array":               {},
		"inline_table":        {},
		"table":               {Kind: Object, Name: "<bare_key,dotted_key,quoted_key>", Body: "<pair>", Solid: true},
		"table_array_element": {Kind: Object, Name: "<bare_key,dotted_key,quoted_key>", Body: "<pair>", Solid: true},
		"pair": {
			Kind: Key, Name: "<bare_key,dotted_key,quoted_key>",
			Cases: []Case{{"<array>", Array}, {"<inline_table>", Object}},
		},
	},
}
