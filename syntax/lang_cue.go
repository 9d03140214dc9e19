package syntax

var langCUE = Language{
	Name: "cue", Extensions: []string{"cue"},
	Comments: Comments{Line: []string{"//"}},
	rules: Rules{
		"source_file": {},
		"field":       {Kind: Key, Name: "<label>+", Join: "."},
	},
}
