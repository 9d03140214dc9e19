package hosttest

// until setup knows --allow

func (s *stage) interim() bool {
	switch s.host.Name {
	case "copilot":
		_ = s.files(s.home, map[string]string{".copilot/mcp-config.json": `{"mcpServers": {"agent-lsp": {"type": "local", "command": "agent-lsp", "args": ["mcp"], "tools": ["*"]}}}`})
		return true
	case "qwen":
		_ = s.files(s.home, map[string]string{".qwen/settings.json": `{"mcpServers":{"agent-lsp":{"command":"agent-lsp","args":["mcp"],"trust":true}},"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": false}, "general": {"enableAutoUpdate": false}}`})
		return true
	}
	return false
}

func (s *stage) interimArgs() []string {
	switch s.host.Name {
	case "claude":
		return []string{"--allowedTools", "mcp__agent-lsp"}
	case "codex":
		return []string{"-c", `mcp_servers.agent-lsp.default_tools_approval_mode="approve"`}
	case "gemini", "qwen":
		return []string{"--approval-mode", "yolo"}
	case "copilot":
		return []string{"--allow-all-tools"}
	}
	return nil
}
