package workspace

import "slices"

// The patterns of this file are matched without regard to case; what they
// match covers everything below it. See rules.go for their syntax.

// defaultPrivate is the default of policy.private: files that hold secrets.
var defaultPrivate = []string{
	"**/.env*",
	"**/*.pem",
	"**/*.key",
	"**/id_rsa*",
	"**/id_ed25519*",
	"**/.ssh/**",
	"**/.aws/**",
	"**/secrets.*",
}

// publicSuffixes end the names of files that the patterns of defaultPrivate
// do not take: they are made to be copied and hold no secrets.
var publicSuffixes = []string{".example", ".sample", ".template"}

// neverWritten are the files that nothing here writes, with or without
// consent: git runs what they say.
var neverWritten = []string{
	"**/.git/**",
	"**/git~1/**", // the same on file systems with short names
}

// ProtectedGroup is files that are protected for the same reason.
type ProtectedGroup struct {
	Why      string
	Patterns []string
}

// ProtectedGroups returns the files whose change needs a person's consent.
func ProtectedGroups() []ProtectedGroup { return slices.Clone(protectedGroups) }

// protectedGroups are the files that run code when a folder is opened, built
// or committed, or that govern agents. Changing one needs a person's consent,
// whether it exists yet or not.
var protectedGroups = []ProtectedGroup{
	{"editor settings run code", []string{
		"**/.vscode/**", "**/.idea/**", "**/.zed/**", "**/.fleet/**", "**/.vs/**",
		"**/*.code-workspace", "**/.devcontainer/**", "**/.devcontainer.json",
		"**/.nvim.lua", "**/.nvimrc", "**/.exrc", "**/.vimrc", "**/.dir-locals.el",
	}},
	{"agent settings, rules and skills govern agents", []string{
		"**/.claude/**", "**/.cursor/**", "**/.codex/**", "**/.gemini/**", "**/.windsurf/**",
		"**/.agents/**", "**/.agent/**", "**/.opencode/**", "**/.roo/**", "**/.continue/**",
		"**/.augment/**", "**/.junie/**", "**/.kiro/**", "**/.amazonq/**", "**/.qwen/**",
		"**/.clinerules/**", "**/.trae/**", "**/.openhands/**",
		"**/AGENTS.md", "**/AGENTS.override.md", "**/AGENT.md", "**/AGENTS.local.md",
		"**/CLAUDE.md", "**/CLAUDE.local.md", "**/GEMINI.md", "**/QWEN.md", "**/WARP.md",
		"**/.cursorrules", "**/.windsurfrules", "**/.roorules*", "**/.roomodes", "**/.continuerules",
		"**/.augment-guidelines", "**/.goosehints", "**/.rules", "**/.aider.conf.yml",
		"**/opencode.json", "**/opencode.jsonc", "**/SKILL.md",
		"**/.github/copilot-instructions.md", "**/.github/instructions/**", "**/.github/prompts/**",
		"**/.github/chatmodes/**", "**/.github/agents/**", "**/.github/skills/**", "**/.github/hooks/**",
	}},
	{"server lists start programs", []string{
		"**/.mcp.json",
	}},
	{"ignore files limit what agents may see", []string{
		"**/.agentignore", "**/.cursorignore", "**/.cursorindexingignore", "**/.geminiignore",
		"**/.aiexclude", "**/.codeiumignore", "**/.aiignore",
	}},
	{"shells, hooks and build services run it", []string{
		"**/.envrc", "**/.husky/**", "**/.githooks/**", "**/.pre-commit-config.yaml",
		"**/lefthook.yml", "**/.lefthook.yml", "**/lefthook.yaml", "**/.lefthook.yaml",
		"**/.github/workflows/**", "**/.github/actions/**",
		"**/.gitlab-ci.yml", "**/.circleci/**", "**/.buildkite/**",
	}},
}
