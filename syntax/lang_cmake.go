package syntax

import "strings"

var langCMake = &Language{
	Name: "cmake", Extensions: []string{"cmake"}, FileNames: []string{"cmakelists.txt"},
	Comments: Comments{Line: []string{"#"}, Block: [][2]string{{"#[[", "]]"}}},
	rules: Rules{
		"source_file": {}, "body": {Deep: true}, "if_condition": {Deep: true}, "foreach_loop": {Deep: true},
		"while_loop": {Deep: true}, "block_def": {Deep: true},
		"function_def": {Kind: Function, Name: "<function_command>/<argument_list>/<argument>", Body: "<body>", Deep: true},
		"macro_def":    {Kind: Function, Name: "<macro_command>/<argument_list>/<argument>", Body: "<body>", Deep: true},
		"normal_command": {
			Callee: "<identifier>", Name: "<argument_list>/<argument>", Read: readCMakeVariable,
			Calls: inAnyCase(map[string]Call{
				"project": {Kind: Module}, "set": {Kind: Variable}, "option": {Kind: Variable},
				"add_executable": {Kind: Object}, "add_library": {Kind: Object}, "add_custom_target": {Kind: Object},
			}),
		},
	},
}

// inAnyCase returns calls by their names in small letters and in capitals.
func inAnyCase(calls map[string]Call) map[string]Call {
	all := map[string]Call{}
	for name, call := range calls {
		all[name], all[strings.ToUpper(name)] = call, call
	}
	return all
}

// readCMakeVariable drops what is set in other tables than the script's own:
// "set(ENV{PATH} …)".
func readCMakeVariable(_ []byte, kind Kind, name string) (Kind, string) {
	if kind == Variable && strings.ContainsAny(name, "{}") {
		return NoKind, ""
	}
	return kind, name
}
