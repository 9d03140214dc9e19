package syntax

import "strings"

var langCUE = &Language{
	Name: "cue", Extensions: []string{"cue"},
	Comments: Comments{Line: []string{"//"}},
	rewrites: []Rewrite{
		{Marks: []string{"~"}, Find: `\w(~\(?[\w#$, ]+\)?)[ \t]*:`, Then: []string{""}}, // name~Alias: value
	},
	rules: Rules{
		"source_file": {}, "value": {}, "struct_lit": {}, "list_lit": {}, "ellipsis": {}, "comprehension": {},
		"binary_expression": {}, "unary_expression": {},
		// A quote that is not closed makes all the rest an import.
		"import_declaration": {}, "import_spec_list": {}, "import_spec": {},
		"let_clause": {Kind: Constant, Name: "left", Unless: "^/<for_clause,guard_clause>"},
		"field": {
			Kind: Key, Name: "<label>+", Join: ".", Body: "<value>/<struct_lit>", Read: readLabel,
			Cases: []Case{
				{"<value>/<struct_lit>", Object}, {"<value>/<list_lit>", Array},
				{"<value>/<binary_expression>/<struct_lit>", Object}, {"<value>/<binary_expression>/<binary_expression>/<struct_lit>", Object},
			},
		},
	},
}

// readLabel tells definitions from other fields, and takes off the marks
// of what may, or must not, be missing.
func readLabel(_ []byte, kind Kind, name string) (Kind, string) {
	name = strings.TrimRight(name, "?!")
	if !strings.Contains(name, "~") { // no pattern
		name = strings.NewReplacer("?.", ".", "!.", ".").Replace(name)
	}
	last := name[strings.LastIndex(name, ".")+1:]
	if strings.HasPrefix(last, "#") || strings.HasPrefix(last, "_#") {
		kind = Class
	}
	return kind, name
}
