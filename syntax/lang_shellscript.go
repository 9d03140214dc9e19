package syntax

import (
	"bytes"
	"strings"
)

// shellBlock is what may be gone through or not: what is assigned in there is
// no part of a script's face, but a function is.
var shellBlock = Rule{Kind: Function, Name: "<comment>/<comment>", Deep: true}

var langShell = &Language{
	holdsText: true,
	Name:      "shellscript", Aliases: []string{"bash", "sh", "shell", "zsh", "ksh"},
	Extensions: []string{"sh", "bash", "zsh", "ksh", "bats", "ebuild", "eclass", "command"},
	FileNames: []string{
		".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".kshrc",
		"pkgbuild", "apkbuild", ".envrc",
	},
	Shebangs: []string{"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "bats"},
	Comments: hashComments,
	fragile:  true, // most of all at zsh
	// Parentheses in a test.
	// What a command prints, taken without another process.
	rewrites: []Rewrite{{
		Marks: []string{"${ ", "${|"}, Find: `\$(\{[ |])(?:[^{}]|\$\{[^{}]*\})*(\})`, Then: []string{"(", ")"},
	}},
	rules: Rules{
		"program":              {},
		"function_definition":  {Kind: Function, Name: "name", Deep: true},
		"variable_assignments": {},
		"variable_assignment":  {Kind: Variable, Name: "name:variable_name", Body: "value:array", Unless: `"+="`, Leaf: true},
		"declaration_command": {
			Kind: Variable, Name: "<variable_assignment>+/name:variable_name | <variable_name>+", Read: readShellDeclaration, Leaf: true,
		},
		"command": {
			Callee: "name/<word>", Calls: map[string]Call{"alias": {Kind: Function, All: true}},
			Name: "argument:concatenation,word+", Read: readShellAlias, Deep: true, Leaf: true,
		},
		"compound_statement": {Deep: true}, "subshell": {Deep: true}, "redirected_statement": {Deep: true}, "list": {Deep: true},
		"negated_command": {}, "do_group": {Deep: true}, "elif_clause": {Deep: true}, "else_clause": {Deep: true}, "case_item": {Deep: true},
		"if_statement": shellBlock, "case_statement": shellBlock, "while_statement": shellBlock,
		"for_statement": shellBlock, "c_style_for_statement": shellBlock,
	},
}

// readShellAlias takes the name from "ll='ls -l'".
func readShellAlias(_ []byte, kind Kind, argument string) (Kind, string) {
	name, _, found := strings.Cut(argument, "=")
	if !found {
		return NoKind, ""
	}
	return kind, name
}

// readShellDeclaration tells of "declare -r KEEP=5" that KEEP is a constant, and
// of "export PATH" that it declares nothing.
func readShellDeclaration(command []byte, kind Kind, name string) (Kind, string) {
	words := bytes.Fields(command)
	word := string(words[0])
	set := bytes.Contains(command, []byte(name+"="))
	if word == "local" || !set && word != "declare" && word != "typeset" {
		return NoKind, ""
	}
	if word == "readonly" {
		kind = Constant
	}
	for _, flag := range words[1:] {
		switch {
		case flag[0] != '-':
			return kind, name
		case bytes.ContainsAny(flag, "fFp"): // asks for what is declared
			return NoKind, ""
		case bytes.ContainsRune(flag, 'r'):
			kind = Constant
		}
	}
	return kind, name
}
