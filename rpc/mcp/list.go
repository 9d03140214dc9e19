package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools"
)

// instructions is what hosts put before a model, in at most 1,200 bytes.
const instructions = `These tools show files as the person's editor has them, unsaved changes included, and put edits into the editor as single undo steps. Prefer them to cat, sed and grep in a shell, which see only what was saved.

Work in this order:
1. Find: grep_files for text, outline with query for definitions, find_files for names. open_files tells what the person is looking at.
2. Outline: outline of a file or folder shows what it defines, at a fraction of the cost of reading it.
3. Window: read_file with symbol, or with start_line and end_line. Page through large files by start_byte and a generous max_bytes, and continue at next_start_byte.
4. Edit: pass the hash that read_file or grep_files gave as expected_hash. Copy old_text exactly, without line numbers. Put several edits of one file into one call. The answer's hash is good for the next edit.

stale_file means that the text changed since: look at the diff in the answer, read again, repeat the edit. Never work around a guard by a shell. After an edit ask diagnostics what broke.

Errors begin with their kind and say what to do next.`

// forHosts are tools for programs that run commands themselves and call over
// LSP or the command line. A model has no use for them.
const forHosts = "persist_output"

// served returns the tools to serve. An unknown name in Only is invalid_params.
func (c Config) served() ([]tools.Definition, error) {
	var served []tools.Definition
	var known []string
	for _, d := range tools.All() {
		if d.Name == forHosts || !d.Available(c.Settings) {
			continue
		}
		known = append(known, d.Name)
		wanted := len(c.Only) == 0 || slices.Contains(c.Only, d.Name)
		if wanted && (d.ReadOnly || !c.ReadOnly) {
			served = append(served, d)
		}
	}
	for _, name := range c.Only {
		if !slices.Contains(known, name) {
			return nil, fault.New(fault.InvalidParams, "there is no tool %q", name).Advise("The tools are %s.", strings.Join(known, ", "))
		}
	}
	return served, nil
}

// describe returns a tool as MCP lists it.
func describe(d tools.Definition, structured bool) *mcp.Tool {
	t := &mcp.Tool{
		Name: d.Name, Description: d.Doc, Annotations: annotations(d),
		InputSchema: json.RawMessage(slim(d.InputSchema, d.Doc)),
	}
	if structured {
		t.OutputSchema = json.RawMessage(d.OutputSchema())
	}
	return t
}

// guarded are tools that a second call with the same arguments finds changed:
// the hash that guards it is stale then, or the file exists.
const guarded = " edit_file write_file "

// annotations tell what a tool does to the world. What is not known of a tool
// is assumed.
func annotations(d tools.Definition) *mcp.ToolAnnotations {
	changes := !d.ReadOnly
	a := &mcp.ToolAnnotations{
		ReadOnlyHint:   d.ReadOnly,
		IdempotentHint: d.ReadOnly || strings.Contains(guarded, " "+d.Name+" "),
		OpenWorldHint:  new(changes && d.Local), // a command does what it likes
	}
	if changes {
		a.DestructiveHint = new(true)
	}
	return a
}
