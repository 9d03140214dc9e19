package mcp

import (
	"fmt"
	"slices"
	"strings"
)

// maxInstructions is how much hosts put before a model, in bytes.
const maxInstructions = 1200

// instructions teach a model the flow, as far as these tools go.
func instructions(tools []string) string {
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(name string) bool { return slices.Contains(tools, name) })
	}
	edits := has("edit_file", "write_file", "apply_patch")
	var b strings.Builder
	b.WriteString("These tools show files as the person's editor has them, unsaved changes included")
	if edits {
		b.WriteString(", and put edits into the editor as single undo steps")
	}
	b.WriteString(". Prefer them to cat, sed and grep in a shell and to other file tools, which see only what was saved.")
	guards := ways(has, "read_file", "grep_files")
	if has("edit_file") && len(guards) > 0 {
		b.WriteString(" edit_file goes by what " + strings.Join(guards, " or ") + " showed last; edits of lines need its hash as expected_hash.")
	}
	b.WriteString("\n\n") // some hosts show no more than this paragraph
	if steps := flow(has); len(steps) > 0 {
		b.WriteString("Work in this order:\n")
		for i, step := range steps {
			fmt.Fprintf(&b, "%d. %s\n", i+1, step)
		}
		b.WriteByte('\n')
	}
	if edits {
		b.WriteString("stale_file means that the text changed since: look at the diff in the answer, read again, repeat the edit. Never work around a guard by a shell.")
		if has("diagnostics") {
			b.WriteString(" After an edit ask diagnostics what broke.")
		}
		b.WriteString("\n\n")
	}
	b.WriteString("Errors begin with their kind and say what to do.")
	return b.String()
}

// flow returns the steps that there are tools for.
func flow(has func(...string) bool) (steps []string) {
	if find := ways(has, "grep_files for text", "outline with query for definitions", "references for uses", "find_files for names"); len(find) > 0 {
		step := "Find: " + strings.Join(find, ", ") + "."
		if has("open_files") {
			step += " open_files tells what the person is looking at."
		}
		steps = append(steps, step)
	}
	if has("outline") {
		steps = append(steps, "Outline: outline of a file or folder shows what it defines, far cheaper than reading.")
	}
	if has("read_file") {
		steps = append(steps, "Window: read_file with symbol, or with start_line and end_line. Page through large files by start_byte and a generous max_bytes.")
	}
	if has("edit_file") {
		steps = append(steps, "Edit: copy old_text exactly, without line numbers. Put several edits of one file into one call. The answer's hash is good for the next edit.")
	}
	return steps
}

// ways returns those phrases that begin with a tool that there is.
func ways(has func(...string) bool, phrases ...string) (list []string) {
	for _, phrase := range phrases {
		if tool, _, _ := strings.Cut(phrase, " "); has(tool) {
			list = append(list, phrase)
		}
	}
	return list
}
