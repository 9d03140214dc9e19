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
	// hooked is a call by which the host reads app.py itself, which is set up with
	// hooks then; the tool's name begins with "own:".
	hooked call
	// neovim has the conversation beside a real Neovim, not the fake editor.
	neovim bool
}

// Hosts returns all hosts.
func Hosts() []Host {
	return []Host{
		{
			Name: "claude", Title: "Claude Code", program: "node_modules/@anthropic-ai/claude-code-*/claude",
			home: map[string]string{
				".claude.json": `{"hasCompletedOnboarding": true, "theme": "dark", "customApiKeyResponses": {"approved": ["sk-ant-api03-test"]}, "projects": {"$WORK": {"hasTrustDialogAccepted": true}}}` + "\n",
			},
			args:   []string{"-p", "$ASK"},
			screen: []string{"$ASK"},
			env: []string{
				"ANTHROPIC_BASE_URL=$URL", "ANTHROPIC_API_KEY=sk-ant-api03-test", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
				"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "ENABLE_TOOL_SEARCH=true",
			},
			search: "ToolSearch", searchMore: `, "max_results": 20`,
			hooked: call{tool: "own:Read", args: `{"file_path": "$WORK/app.py"}`},
			neovim: true,
		},
		{
			Name: "codex", Title: "Codex", program: "node_modules/.bin/codex",
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
		},
		{
			Name: "gemini", Title: "Gemini CLI", program: "node_modules/.bin/gemini",
			home: map[string]string{
				".gemini/settings.json": `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}, "privacy": {"usageStatisticsEnabled": false}}` + "\n",
			},
			args:   []string{"-m", "gemini-2.5-pro", "-p", "$ASK"},
			screen: []string{"-m", "gemini-2.5-pro", "-i", "$ASK"},
			env:    []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=$URL", "NO_BROWSER=1", "GEMINI_CLI_TRUST_WORKSPACE=true"},
			adds:   "wait_for_previous",
			hooked: call{tool: "own:read_file", args: `{"file_path": "app.py"}`},
		},
		{
			Name: "opencode", Title: "opencode", program: "node_modules/opencode-*/bin/opencode",
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
			home: map[string]string{
				".copilot/config.json": `{"trusted_folders": ["$WORK"], "banner": "never"}` + "\n",
			},
			args:   []string{"-p", "$ASK"},
			screen: []string{"-i", "$ASK"},
			hooked: call{tool: "own:view", args: `{"path": "$WORK/app.py"}`},
			env: []string{
				"COPILOT_PROVIDER_BASE_URL=$URL/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=gpt-4.1", "COPILOT_OFFLINE=true",
				"COPILOT_AUTO_UPDATE=false",
			},
		},
		{
			Name: "qwen", Title: "Qwen Code", program: "node_modules/.bin/qwen",
			home: map[string]string{
				".qwen/settings.json": `{"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": false}, "general": {"enableAutoUpdate": false}}` + "\n",
			},
			args:   []string{"-p", "$ASK"},
			screen: []string{"-i", "$ASK"},
			env:    []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=$URL/v1", "OPENAI_MODEL=test", "HTTP_PROXY=", "HTTPS_PROXY=", "http_proxy=", "https_proxy="},
			hooked: call{tool: "own:read_file", args: `{"file_path": "$WORK/app.py"}`},
			search: "tool_search", searchMore: `, "max_results": 20`,
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
