package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools"
)

// served returns the tools to serve. An unknown name in Only is invalid_params.
func (c Config) served() ([]tools.Definition, error) {
	var served []tools.Definition
	var known []string
	for _, d := range tools.All() {
		if d.ForHosts || !d.Available(c.Settings) {
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
		InputSchema: json.RawMessage(d.BriefSchema()),
	}
	if structured {
		t.OutputSchema = json.RawMessage(d.OutputSchema())
	}
	return t
}

// hinted is a list of tools as a client is sent it that reads hints of their _meta.
func hinted(list *mcp.ListToolsResult) *mcp.ListToolsResult {
	with := *list
	with.Tools = make([]*mcp.Tool, len(list.Tools))
	for i, tool := range list.Tools {
		t := *tool
		t.Meta = mcp.Meta{sizeHint: mostShown, loadHint: true}
		with.Tools[i] = &t
	}
	return &with
}

// annotations tell what a tool does to the world. What is not known of a tool
// is assumed.
func annotations(d tools.Definition) *mcp.ToolAnnotations {
	changes := !d.ReadOnly
	a := &mcp.ToolAnnotations{
		ReadOnlyHint:   d.ReadOnly,
		IdempotentHint: d.Idempotent,
		OpenWorldHint:  new(changes && d.Local), // a command does what it likes
	}
	if changes {
		a.DestructiveHint = new(true)
	}
	return a
}
