package syntax

import "bytes"

var langYAML = &Language{
	holdsText: true,
	Name:      "yaml", Aliases: []string{"yml", "dockercompose", "github-actions-workflow"}, Extensions: []string{"yaml", "yml"},
	FileNames: []string{".clang-format", ".clang-tidy", ".yamllint"},
	Comments:  yamlComments,
	lines:     definitionsOfYAML,
	rules: Rules{
		"stream": {}, "document": {}, "block_node": {}, "flow_node": {},
		"block_mapping": {}, "block_sequence": {}, "block_sequence_item": {}, "flow_mapping": {}, "flow_sequence": {},
		"block_mapping_pair": yamlPair,
		"flow_pair":          yamlPair,
	},
}

var yamlComments = Comments{Line: []string{"#"}}

var yamlPair = Rule{
	Kind: Key, Name: "key", Solid: true, Body: "value:block_node/<block_mapping,block_sequence>",
	Read:  readPair,
	Cases: []Case{{"value/<block_mapping,flow_mapping>", Object}, {"value/<block_sequence,flow_sequence>", Array}},
}

// readPair knows the template of a value from a mapping: "{{ .Values.x }}".
func readPair(node []byte, kind Kind, name string) (Kind, string) {
	if _, value, _ := bytes.Cut(node, []byte(": ")); bytes.HasPrefix(bytes.TrimLeft(value, " "), []byte("{{")) {
		kind = Key
	}
	return kind, name
}
