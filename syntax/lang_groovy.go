package syntax

import (
	"bytes"
	"slices"
)

var langGroovy = &Language{
	Name: "groovy", Extensions: []string{"groovy", "gradle", "gvy", "gy", "gsh"},
	FileNames: []string{"jenkinsfile"}, Shebangs: []string{"groovy"},
	Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	braces:   true,
	rewrites: []Rewrite{
		{Marks: []string{"@"}, Around: 8, Find: `(?m)^[ \t]*(` + groovyAnnotation + `(?:\s+` + groovyAnnotation + `)*)\s+\w`},
		{Marks: []string{"@"}, Around: 1, Find: `[(,]\s*(@\w[\w.]*)`}, // annotations of parameters
		{Marks: []string{"<"}, Find: `\b[A-Z]\w*(<[\w?.,\t \[\]]*(?:<[\w?.,\t \[\]]*>[\w?.,\t \[\]]*)*>)`},
		{Marks: []string{"abstract "}, Find: `\b(abstract)\s`},
		{Marks: []string{"sealed "}, Find: `\b((?:non-)?sealed)\s`},
		{Marks: []string{"implements", "permits"}, Around: 3, Find: `\b((?:implements|permits)\s+[^{}()=]+?)\s*\{`},
		{Marks: []string{"throws"}, Around: 2, Find: `\)\s*(throws\s+[\w., \t]+?)\s*[{\n;]`},
		{Marks: []string{"trait "}, Find: `(?m)^[ \t]*(trait)\s+\w+[^{}()=\n]*\{`, Then: []string{"class"}, Kind: Interface},
		{Marks: []string{"..."}, Find: `\w(\.\.\.)\s*\w`},
		{Marks: []string{"<"}, Find: `(?m)^[ \t]*(?:(?:public|protected|private|static|final|synchronized|def)\s+)+(<[^<>()\n]*>)\s+\w`},
		{ // a method without type
			Marks: []string{"static ", "private ", "protected ", "public "}, Around: 3,
			Find: `(?m)^[ \t]*(?:(?:public|private|protected|final)[ \t]+)*(static|private|protected|public)[ \t]+[a-z]\w*[ \t]*\([^(){};]*\)\s*\{`, Then: []string{"def"},
		},
		{ // a constructor: in the grammar's eyes a method has a type
			Marks: []string{") {", ")\n", "){"}, Around: 2,
			Find: `(?m)^[ \t]*((?:public|protected|private)[ \t]+|[ \t]{4})[A-Z]\w*\s*\([^(){};]*\)\s*\{`,
			Then: []string{"def"}, Kind: Constructor,
		},
		{ // the same with less room in front
			Marks: []string{") {", ")\n", "){"}, Around: 2,
			Find: `(?m)^[ \t]{2,3}([A-Z]\w{4,})\s*\([^(){};]*\)\s*\{`,
			Then: []string{"def x…"}, Kind: Constructor,
		},
		{ // a method named by a string: a test
			Marks: []string{"\"(", "'(", "\" (", "' ("},
			Find:  `(?m)^[ \t]*(?:def|void)[ \t]+("[ ]*"|'[ ]*')[ \t]*\(`, Then: []string{"…"}, Kind: Method,
		},
		{
			Marks: []string{"task "},
			Find:  `(?m)^[ \t]*(task)[ \t]+\w+[ \t]*(\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))?([ \t]+\{)`,
			Then:  []string{"def", "", "={"}, Kind: Function,
		},
		{
			Marks: []string{"tasks.register", "tasks.create"},
			Find:  `(?m)^[ \t]*tasks\.(?:register|create)(\()[^()\n]*(\))[ \t]*\{`, Then: []string{"", ","},
		},
		{
			Marks: []string{"enum "}, Around: 3, Within: `\benum\s+\w+[^{};()]*\{`, Kind: EnumMember, Own: true,
			Find: `(?m)^[ \t]*(([A-Z]\w*)(?:\([^()\n]*\))?)[ \t]*[,;]?[ \t]*$`,
		},
		{
			Marks: []string{"enum "}, Around: 3, Within: `\benum\s+\w+[^{};()]*\{`,
			Find: `(?m)^[ \t]*([,;])[ \t]*$`,
		},
		{ // an enum is shown as a variable
			Marks: []string{"enum "}, Find: `(?m)^[ \t]*(?:(?:public|protected|private|static)[ \t]+)*(enum)[ \t]+\w+([^{}()=\n]*?)([ \t]\{)`,
			Then: []string{"def", "", "={"}, Kind: Enum,
		},
	},
	rules: Rules{
		"source_file": {},
		"class_definition": {
			Kind: Class, Name: "name", Cases: []Case{{`"interface"`, Interface}, {`"@interface"`, Interface}},
		},
		"function_definition":  {Kind: Function, Member: Method, Name: "function"},
		"function_declaration": {Kind: Function, Member: Method, Name: "function"},
		"declaration":          {Kind: Variable, Member: Field, Name: "name", Caps: Constant, Body: "value", Read: readGroovy},
		"closure":              {}, "argument_list": {}, "juxt_function_call": {
			Callee: "function", Name: "args/<string>", Deep: true,
			Calls: map[string]Call{"tasks.register": {Kind: Function}, "tasks.create": {Kind: Function}},
		},
	},
}

// readGroovy tells a declaration, in the kind and name that it has, from a
// command of two words: "dependsOn tutorial".
func readGroovy(node []byte, kind Kind, name string) (Kind, string) {
	words := []string{"def", "final", "static", "private", "protected", "public", "int", "long", "boolean", "byte", "char", "short", "float", "double", "task", "enum"}
	first, _, _ := bytes.Cut(node, []byte(" "))
	if len(first) == 0 || first[0] < 'a' || first[0] > 'z' || bytes.IndexByte(node, '=') > 0 || slices.Contains(words, string(first)) {
		return kind, name
	}
	return NoKind, ""
}

// groovyAnnotation is an annotation with its arguments, as a regular expression.
const groovyAnnotation = `@(?:[a-z]\w*\.)*[A-Z][\w.]*(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?`
