package hosttest

import (
	"fmt"
	"slices"
)

// Host is an assistant: where npm puts its program, and how it is started
// against a model.
type Host struct {
	Name    string // as `agent-lsp setup` calls it, and its folder
	Title   string
	program string // a glob below its folder
	// home are files that the person has before agent-lsp is set up: how they
	// logged in, and that they trust the folder $WORK.
	home map[string]string
	// args and env start it without a terminal; $URL in them is the model's
	// address, $PROMPT the prompt.
	args []string
	env  []string
	// screen are the arguments that start it in a terminal; $ASK in them is what
	// the person asks.
	screen []string
	// search is the host's own tool that shows hidden tools, "" for a host that
	// hides none; searchMore are the arguments by which it shows many.
	search, searchMore string
	// adds is an argument that the host adds to the schema of each tool.
	adds string
	// own are the host's own tools where it has tool hooks, which are set up then;
	// nil for a host that has none.
	own *ownTools
	// soon has the host give up a call after a few seconds: what it sets in the
	// environment, and in what file of the home which text becomes what.
	soon soon
	// neovim has the conversation beside a real Neovim, not the fake editor.
	neovim bool
}

// soon is how a host is told to give up early.
type soon struct{ env, file, from, to string }

// Hosts returns all hosts.
func Hosts() []Host {
	return []Host{
		{
			Name: "claude", Title: "Claude Code", program: "node_modules/@anthropic-ai/claude-code-*/claude",
			soon: soon{env: "MCP_TOOL_TIMEOUT=8000"},
			home: map[string]string{
				".claude.json": `{"hasCompletedOnboarding": true, "theme": "dark", "customApiKeyResponses": {"approved": ["sk-ant-api03-test"]}, "projects": {"$WORK": {"hasTrustDialogAccepted": true}}}` + "\n",
			},
			args:   []string{"-p", "$ASK"},
			screen: []string{"$ASK"},
			env: []string{
				"ANTHROPIC_BASE_URL=$URL", "ANTHROPIC_API_KEY=sk-ant-api03-test", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
				"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "ENABLE_TOOL_SEARCH=true",
				"IS_SANDBOX=1", // root may have it ask about nothing
			},
			search: "ToolSearch", searchMore: `, "max_results": 20`,
			neovim: true,
			own: &ownTools{
				leave: []string{"--permission-mode", "bypassPermissions"},
				read:  call{"own:Read", `{"file_path": "$FILE"}`, ""},
				edit:  call{"own:Edit", `{"file_path": "$FILE", "old_string": "$OLD", "new_string": "$NEW"}`, ""},
				write: call{"own:Write", `{"file_path": "$FILE", "content": "$TEXT"}`, ""},
				shell: call{"own:Bash", `{"command": "$TEXT", "description": "as asked"}`, ""},
			},
		},
		{
			Name: "codex", Title: "Codex", program: "node_modules/.bin/codex",
			soon: soon{file: ".codex/config.toml", from: `args = ["mcp"]`, to: "args = [\"mcp\"]\ntool_timeout_sec = 8.0"},
			home: map[string]string{".codex/config.toml": "[projects.\"$WORK\"]\ntrust_level = \"trusted\"\n"},
			args: []string{
				"exec", "--skip-git-repo-check", "-m", "gpt-5.5", "-c", `model_provider="test"`,
				"-c", `model_providers.test={name="test",base_url="$URL/v1",env_key="TEST_KEY",wire_api="responses"}`,
				"-c", "analytics.enabled=false", "-c", "check_for_update_on_startup=false", "$ASK",
			},
			screen: []string{
				"-m", "gpt-5.5", "-c", `model_provider="test"`,
				"-c", `model_providers.test={name="test",base_url="$URL/v1",env_key="TEST_KEY",wire_api="responses"}`,
				"-c", "analytics.enabled=false", "-c", "check_for_update_on_startup=false", "$ASK",
			},
			env:    []string{"TEST_KEY=x"},
			search: "tool_search", searchMore: `, "limit": 20`,
			own: &ownTools{
				leave: []string{"--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"},
				read:  call{"own:exec_command", `{"cmd": "$TEXT"}`, ""},
				edit:  call{"own:apply_patch", `{"input": "*** Begin Patch\n*** Update File: app.py\n@@\n-$OLD\n+$NEW\n*** End Patch\n"}`, ""},
				shell: call{"own:exec_command", `{"cmd": "$TEXT"}`, ""},
			},
		},
		{
			Name: "gemini", Title: "Gemini CLI", program: "node_modules/.bin/gemini",
			soon: soon{file: ".gemini/settings.json", from: `["mcp"]`, to: `["mcp"], "timeout": 8000`},
			home: map[string]string{
				".gemini/settings.json": `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}, "privacy": {"usageStatisticsEnabled": false}}` + "\n",
			},
			args:   []string{"-m", "gemini-2.5-pro", "-p", "$ASK"},
			screen: []string{"-m", "gemini-2.5-pro", "-i", "$ASK"},
			env:    []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=$URL", "NO_BROWSER=1", "GEMINI_CLI_TRUST_WORKSPACE=true"},
			adds:   "wait_for_previous",
			own: &ownTools{
				leave: []string{"--approval-mode", "yolo"},
				read:  call{"own:read_file", `{"file_path": "$FILE"}`, ""},
				edit:  call{"own:replace", `{"file_path": "$FILE", "instruction": "as asked", "old_string": "$OLD", "new_string": "$NEW"}`, ""},
				write: call{"own:write_file", `{"file_path": "$FILE", "content": "$TEXT"}`, ""},
				grep:  call{"own:grep_search", `{"pattern": "$TEXT"}`, ""},
				shell: call{"own:run_shell_command", `{"command": "$TEXT"}`, ""},
			},
		},
		{
			Name: "opencode", Title: "opencode", program: "node_modules/opencode-*/bin/opencode",
			soon:   soon{file: ".config/opencode/opencode.json", from: `"enabled": true`, to: `"enabled": true, "timeout": 8000`},
			args:   []string{"run", "$ASK"},
			screen: []string{"--prompt", "$ASK"},
			env: []string{
				`OPENCODE_CONFIG_CONTENT={"provider": {"test": {"npm": "@ai-sdk/openai-compatible", "name": "test",` +
					` "options": {"baseURL": "$URL/v1", "apiKey": "x"}, "models": {"test": {"name": "test", "tool_call": true, "limit": {"context": 400000, "output": 8000}}}}},` +
					` "model": "test/test", "small_model": "test/test", "autoupdate": false, "share": "disabled", "snapshot": false}`,
				"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			},
		},
		{
			Name: "copilot", Title: "Copilot CLI", program: "node_modules/.bin/copilot",
			soon: soon{file: ".copilot/mcp-config.json", from: `["mcp"]`, to: `["mcp"], "timeout": 8000`},
			home: map[string]string{
				".copilot/config.json": `{"trusted_folders": ["$WORK"], "banner": "never"}` + "\n",
			},
			args:   []string{"-p", "$ASK"},
			screen: []string{"-i", "$ASK"},
			env: []string{
				"COPILOT_PROVIDER_BASE_URL=$URL/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=gpt-4.1", "COPILOT_OFFLINE=true",
				"COPILOT_AUTO_UPDATE=false",
			},
			own: &ownTools{
				leave:   []string{"--allow-all-tools"},
				read:    call{"own:view", `{"path": "$FILE"}`, ""},
				edit:    call{"own:edit", `{"path": "$FILE", "old_str": "$OLD", "new_str": "$NEW"}`, ""},
				write:   call{"own:create", `{"path": "$FILE", "file_text": "$TEXT"}`, ""},
				grep:    call{"own:grep", `{"pattern": "$TEXT", "output_mode": "content"}`, ""},
				shell:   call{"own:bash", `{"command": "$TEXT", "description": "as asked"}`, ""},
				advised: true,
			},
		},
		{
			Name: "qwen", Title: "Qwen Code", program: "node_modules/.bin/qwen",
			soon: soon{file: ".qwen/settings.json", from: `["mcp"]`, to: `["mcp"], "timeout": 8000`},
			home: map[string]string{
				".qwen/settings.json": `{"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": false}, "general": {"enableAutoUpdate": false}}` + "\n",
			},
			args:   []string{"-p", "$ASK"},
			screen: []string{"-i", "$ASK"},
			env:    []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=$URL/v1", "OPENAI_MODEL=test", "HTTP_PROXY=", "HTTPS_PROXY=", "http_proxy=", "https_proxy="},
			search: "tool_search", searchMore: `, "max_results": 20`,
			own: &ownTools{
				leave: []string{"--approval-mode", "yolo"},
				read:  call{"own:read_file", `{"file_path": "$FILE"}`, ""},
				edit:  call{"own:edit", `{"file_path": "$FILE", "old_string": "$OLD", "new_string": "$NEW"}`, ""},
				write: call{"own:write_file", `{"file_path": "$FILE", "content": "$TEXT"}`, ""},
				grep:  call{"own:grep_search", `{"pattern": "$TEXT"}`, ""},
				shell: call{"own:run_shell_command", `{"command": "$TEXT", "is_background": false}`, ""},
			},
		},
	}
}

// find returns the host of a name.
func find(name string) (Host, error) {
	all := Hosts()
	i := slices.IndexFunc(all, func(h Host) bool { return h.Name == name })
	if i < 0 {
		return Host{}, fmt.Errorf("there is no host %q", name)
	}
	return all[i], nil
}
