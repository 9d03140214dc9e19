package syntax

var langCSS = Language{
	Name: "css", Aliases: []string{"postcss"}, Extensions: []string{"css", "pcss", "postcss"},
	Comments: Comments{Block: [][2]string{{"/*", "*/"}}},
	rules: Rules{
		"stylesheet":          {},
		"block":               {},
		"rule_set":            {Kind: Class, Name: "<selectors>", Body: "<block>"},
		"media_statement":     {Kind: Module, Name: "~", Only: "<block>", Body: "<block>"},
		"supports_statement":  {Kind: Module, Name: "~", Only: "<block>", Body: "<block>"},
		"at_rule":             {Kind: Module, Name: "~", Only: "<block>", Body: "<block>"},
		"keyframes_statement": {Kind: Module, Name: "~", Body: "<keyframe_block_list>", Leaf: true},
		"declaration":         {Kind: Variable, Name: "<property_name>", Leaf: true},
	},
}
