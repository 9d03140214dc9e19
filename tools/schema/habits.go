package schema

import (
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// hostArguments are what hosts add to the arguments of every tool, whatever its
// schema says, for themselves or to have the model say what it is about.
var hostArguments = []string{
	"wait_for_previous",           // Gemini CLI
	"wait_for_previous_tools",     // Antigravity
	"tool_action", "tool_summary", // Antigravity
	"task_progress",                        // Cline
	"security_risk",                        // OpenHands
	"explanation", "_meta", "tool_call_id", // Cursor, and who passes protocol members on
}

// otherName gives the member that a name means which other tools have for it,
// and models by habit use here; "" for other names. given is in snake_case.
func otherName(given string) string {
	switch given {
	case "old_string", "old_str":
		return "old_text"
	case "new_string", "new_str", "body": // the last is that of a symbol
		return "new_text"
	case "name_path", "symbol_name":
		return "symbol"
	case "position":
		return "place"
	case "replace", "replace_with", "replace_by":
		return "replacement"
	case "file_path", "filepath", "absolute_path", "file", "filename", "relative_path", "dir", "dir_path", "directory", "folder":
		return "path"
	case "query", "regex", "search":
		return "pattern"
	case "glob", "include_pattern":
		return "include"
	case "exclude_pattern":
		return "exclude"
	case "head_limit":
		return "max_results"
	case "context_before", "before_context", "context_lines_before", "lines_before":
		return "before"
	case "context_after", "after_context", "context_lines_after", "lines_after":
		return "after"
	case "context_lines":
		return "context"
	case "tail":
		return "last"
	case "text", "contents":
		return "content"
	case "input", "diff":
		return "patch"
	case "hash", "content_hash":
		return "expected_hash"
	}
	return ""
}

// habit is an argument of other tools whose value is not that of one of ours, but
// can be said with ours: whether value is understood, and the members for it.
type habit func(value wire.RawValue) (members map[string]wire.RawValue, ok bool)

// habits are those arguments of the tools that models know best, by what they
// are called there.
var habits = map[string]habit{
	"view_range":     viewRange,
	"output_mode":    asOneOf("output", map[string]string{"content": "lines", "files_with_matches": "files", "count": "count"}),
	"-i":             whenTrue("case", `"insensitive"`),
	"ignore_case":    whenTrue("case", `"insensitive"`),
	"case_sensitive": whenTrue("case", `"sensitive"`),
	"-n":             whenTrue("", ""), // lines always have numbers
	"-C":             asMember("context"),
	"-B":             asMember("before"),
	"-A":             asMember("after"),
}

// viewRange is [first, last], of which last may be -1, the end.
func viewRange(value wire.RawValue) (map[string]wire.RawValue, bool) {
	var lines []int
	if wire.Unmarshal(value, &lines) != nil || len(lines) != 2 || lines[0] < 0 {
		return nil, false
	}
	members := map[string]wire.RawValue{"start_line": strconv.AppendInt(nil, int64(lines[0]), 10)}
	if lines[1] >= 0 {
		members["end_line"] = strconv.AppendInt(nil, int64(lines[1]), 10)
	}
	return members, true
}

func asMember(name string) habit {
	return func(value wire.RawValue) (map[string]wire.RawValue, bool) {
		return map[string]wire.RawValue{name: value}, true
	}
}

// whenTrue is a switch that says something when it is on.
func whenTrue(name, value string) habit {
	return func(given wire.RawValue) (map[string]wire.RawValue, bool) {
		var on bool
		if wire.Unmarshal(given, &on) != nil {
			return nil, false
		}
		if !on || name == "" {
			return nil, true
		}
		return map[string]wire.RawValue{name: wire.RawValue(value)}, true
	}
}

// asOneOf is a choice whose values have other names here.
func asOneOf(name string, values map[string]string) habit {
	return func(given wire.RawValue) (map[string]wire.RawValue, bool) {
		var chosen string
		if wire.Unmarshal(given, &chosen) != nil || values[chosen] == "" {
			return nil, false
		}
		return map[string]wire.RawValue{name: strconv.AppendQuote(nil, values[chosen])}, true
	}
}

// unquoted returns the value that a string holds as JSON; other values as they are.
func unquoted(value wire.RawValue) wire.RawValue {
	var inner string
	if value.Kind() == '"' && wire.Unmarshal(value, &inner) == nil && wire.RawValue(inner).IsValid() {
		return wire.RawValue(inner)
	}
	return value
}

// understood returns the members that an argument gives which s does not have:
// none for what hosts add. ok is false for one that means nothing here.
func understood(given string, value wire.RawValue, s *jsonschema.Schema) (members map[string]wire.RawValue, ok bool) {
	name := snakeCase(given)
	if slices.Contains(hostArguments, name) {
		return nil, true
	}
	if other := otherName(name); s.Properties[other] != nil {
		return map[string]wire.RawValue{other: value}, true
	}
	of := habits[given]
	if of == nil {
		of = habits[name]
	}
	if of == nil {
		return nil, false
	}
	members, ok = of(unquoted(value))
	for member := range members {
		ok = ok && s.Properties[member] != nil
	}
	return members, ok
}
