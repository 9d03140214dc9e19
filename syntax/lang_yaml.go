package syntax

var langYAML = Language{
	Name: "yaml", Aliases: []string{"yml", "dockercompose", "github-actions-workflow"}, Extensions: []string{"yaml", "yml"},
	FileNames: []string{".clang-format", ".clang-tidy", ".yamllint"},
	Comments:  Comments{Line: []string{"#"}},
	rules: Rules{
		"stream": {}, "document": {}, "block_node": {}, "flow_node": {},
		"block_mapping": {}, "block_sequence": {}, "block_sequence_item": {}, "flow_mapping": {}, "flow_sequence": {},
		"block_mapping_pair": yamlPair,
		"flow_pair":          yamlPair,
	},
}

var yamlPair = Rule{
	Kind: Key, Name: "key", Solid: true, Body: "value:block_node/<block_mapping,block_sequence>",
	Cases: []Case{{"value/<block_mapping,flow_mapping>", Object}, {"value/<block_sequence,flow_sequence>", Array}},
}
