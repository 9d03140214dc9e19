package syntax

import "strings"

var langFish = &Language{
	Name: "fish", Extensions: []string{"fish"}, Shebangs: []string{"fish"}, Comments: hashComments,
	rules: Rules{
		"program": {}, "if_statement": {Deep: true}, "else_if_clause": {Deep: true}, "else_clause": {Deep: true}, "begin_statement": {Deep: true},
		"for_statement": {Deep: true}, "while_statement": {Deep: true}, "switch_statement": {Deep: true}, "case_clause": {Deep: true},
		"function_definition": {Kind: Function, Name: "name", Body: "\"\n\" | \";\"", Deep: true},
		"command": {
			Callee: "name:word", Name: "argument+", Read: readFishCommand,
			Calls: map[string]Call{"set": {Kind: Variable, All: true}, "alias": {Kind: Function, All: true}},
		},
	},
}

// readFishCommand takes the name from "alias ll 'ls -l'", "alias gs='git
// status'" and, where it outlives the script's block, "set -gx NAME value".
func readFishCommand(node []byte, kind Kind, argument string) (Kind, string) {
	words := strings.Fields(string(node))
	outlives := kind == Function
	if len(words) > 1 && kind == Variable && strings.HasPrefix(words[1], "-e") { // is no more
		return NoKind, ""
	}
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "-") {
			long, isLong := strings.CutPrefix(word, "--")
			outlives = outlives || isLong && (long == "global" || long == "export" || long == "universal") || !isLong && strings.ContainsAny(word, "gxU")
			continue
		}
		name, _, _ := strings.Cut(word, "=")
		if from, _, _ := strings.Cut(argument, "="); outlives && from == name {
			return kind, name
		}
		return NoKind, ""
	}
	return NoKind, ""
}
