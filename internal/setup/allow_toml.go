package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// toolTables are Codex's tables of a tool each.
type toolTables struct{}

// approve is what such a table says.
func approve() map[string]any { return map[string]any{"approval_mode": "approve"} }

func (toolTables) add(src []byte, _ Places, tools []string) ([]byte, error) {
	config, err := decode(src)
	if err != nil {
		return nil, err
	}
	for _, t := range tools {
		at := append(tomlTools(), t)
		if _, there := lookup(config, at); there {
			continue // so, or as the person has it
		}
		if src, err = addTable(src, at, `approval_mode = "approve"`); err != nil {
			return nil, err
		}
	}
	return src, nil
}

func (toolTables) cut(src []byte, _ Places, tools []string, _ bool) ([]byte, error) {
	config, err := decode(src)
	if err != nil {
		return nil, err
	}
	return cutTables(src, func(path []string) bool {
		if !hasPrefix(path, tomlTools()) || len(path) != len(tomlTools())+1 || !slices.Contains(tools, path[len(path)-1]) {
			return false
		}
		is, _ := lookup(config, path)
		values, _ := is.(map[string]any)
		return maps.Equal(values, approve())
	})
}

// policyFile is a file of Gemini CLI's policies that is all ours: one rule,
// which names tools as Gemini CLI does. With the server in a field of its own
// and the bare names here, it warns of those that are like one of its tools.
type policyFile struct{}

const policyPrefix = "mcp_" + Name + "_"

// policy is that file as it is read back.
type policy struct {
	Rule []struct {
		MCPName  string   `toml:"mcpName"`
		ToolName []string `toml:"toolName"`
		Decision string   `toml:"decision"`
		Priority int      `toml:"priority"`
	} `toml:"rule"`
}

func (f policyFile) add(src []byte, _ Places, tools []string) ([]byte, error) {
	has, err := f.tools(src)
	if err != nil {
		return nil, err
	}
	return f.with(src, has, slices.Concat(has, slices.DeleteFunc(slices.Clone(tools), func(t string) bool { return slices.Contains(has, t) }))), nil
}

func (f policyFile) cut(src []byte, _ Places, tools []string, _ bool) ([]byte, error) {
	has, err := f.tools(src)
	if err != nil {
		return nil, err
	}
	return f.with(src, has, slices.DeleteFunc(slices.Clone(has), func(t string) bool { return slices.Contains(tools, t) })), nil
}

// tools returns those that the file names.
func (policyFile) tools(src []byte) ([]string, error) {
	var is policy
	meta, err := toml.Decode(string(src), &is)
	switch {
	case err == nil && len(meta.Keys()) == 0:
		return nil, nil
	case err != nil || len(is.Rule) != 1 || is.Rule[0].Decision != "allow" || len(meta.Undecoded()) > 0:
		return nil, fmt.Errorf("the file holds other rules than those of setup")
	}
	rule := is.Rule[0]
	if rule.MCPName == Name { // as earlier versions wrote it
		return rule.ToolName, nil
	}
	var names []string
	for _, full := range rule.ToolName {
		name, ours := strings.CutPrefix(full, policyPrefix)
		if !ours || rule.MCPName != "" {
			return nil, fmt.Errorf("the file holds other rules than those of setup")
		}
		names = append(names, name)
	}
	return names, nil
}

func (policyFile) with(src []byte, has, wanted []string) []byte {
	switch {
	case slices.Equal(has, wanted):
		return src
	case len(wanted) == 0:
		return nil
	}
	full := make([]string, len(wanted))
	for i, name := range wanted {
		full[i] = policyPrefix + name
	}
	return fmt.Appendf(nil, `# What Gemini CLI may call without asking. "agent-lsp setup gemini" writes this file anew.
[[rule]]
toolName = %s
decision = "allow"
priority = 100
`, quoteAll(full))
}
