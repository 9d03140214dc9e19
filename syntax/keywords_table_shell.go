package syntax

// shellDialects are the shells that have braces.
var shellDialects = map[string]*dialect{
	"shellscript": {
		quotes: []quote{doubleLines, rawSingle}, letters: "-:.@", brackets: "{}", heredoc: "<<", heredocAny: true,
		lines: []line{
			{kind: Function, patterns: "function NAME ; NAME ( )"}, {kind: Function, patterns: "alias NAME =", how: alone},
			{kind: Constant, patterns: "readonly NAME ; declare -r NAME", how: alone, place: atRoot}, {kind: Variable, patterns: "export NAME = ; NAME =", how: alone, place: atRoot},
		},
	},
}
