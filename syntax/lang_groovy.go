package syntax

var langGroovy = Language{
	Name: "groovy", Extensions: []string{"groovy", "gradle", "gvy", "gy", "gsh"},
	FileNames: []string{"jenkinsfile"}, Shebangs: []string{"groovy"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	rules: Rules{
		"source_file": {},
		"class_definition": {
			Kind: Class, Name: "name", Cases: []Case{{`"interface"`, Interface}, {`"@interface"`, Interface}},
		},
		"function_definition":  {Kind: Function, Member: Method, Name: "function"},
		"function_declaration": {Kind: Function, Member: Method, Name: "function"},
		"declaration":          {Kind: Variable, Member: Field, Name: "name", Body: "value"},
		"closure":              {}, "argument_list": {}, "juxt_function_call": {},
	},
}
