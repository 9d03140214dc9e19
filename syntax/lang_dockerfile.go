package syntax

var langDockerfile = &Language{
	holdsText: true,
	Name:      "dockerfile", Aliases: []string{"docker", "containerfile"}, Extensions: []string{"dockerfile", "containerfile"},
	FileNames: []string{"dockerfile", "dockerfile.", "containerfile", "containerfile."},
	Comments:  hashComments,
	lines:     definitionsOfDocker,
	rules: Rules{
		"source_file":       {},
		"from_instruction":  {Kind: Module, Name: "as | <image_spec>", Rest: true, Leaf: true},
		"arg_instruction":   {Kind: Variable, Name: "name", Leaf: true},
		"env_instruction":   {Wrap: true},
		"env_pair":          {Kind: Variable, Name: "name", Opening: "ENV env", Leaf: true},
		"label_instruction": {Wrap: true},
		"label_pair":        {Kind: Key, Name: "key", Opening: "LABEL label", Leaf: true},
	},
}
