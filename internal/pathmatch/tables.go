package pathmatch

// The patterns of this file are matched without regard to case; what they
// match covers everything below it. See rules.go for their syntax.

// DefaultPrivate is the default of policy.private: files that hold secrets.
var DefaultPrivate = []string{
	"**/.env*",
	"**/*.pem",
	"**/*.key",
	"**/id_rsa*",
	"**/id_ed25519*",
	"**/.ssh/**",
	"**/.gnupg/**",
	"**/secrets.*",

	// What programs log in with.
	"**/.netrc",
	"**/_netrc",
	"**/.git-credentials",
	"**/.config/git/credentials",
	"**/.config/gh/hosts.yml",
	"**/.config/glab-cli/**",
	"**/.config/hub",
	"**/.npmrc",
	"**/.pypirc",
	"**/.gem/credentials",
	"**/.cargo/credentials",
	"**/.cargo/credentials.toml",
	"**/.m2/settings.xml",
	"**/.m2/settings-security.xml",
	"**/.composer/auth.json",
	"**/.config/composer/auth.json",
	"**/.docker/config.json",
	"**/.config/containers/auth.json",
	"**/.kube/config",
	"**/.pgpass",
	"**/.my.cnf",
	"**/.mylogin.cnf",
	"**/.s3cfg",
	"**/.boto",
	"**/.config/rclone/**",

	// Clouds.
	"**/.aws/**",
	"**/.azure/**",
	"**/.oci/**",
	"**/.config/gcloud/**",
	"**/.config/doctl/**",
	"**/.config/hcloud/**",
	"**/.config/fly/**",
	"**/.fly/**",
	"**/.config/heroku/**",
	"**/.terraform.d/credentials.tfrc.json",
	"**/.terraformrc",
	"**/.vault-token",

	// Password stores and key rings.
	"**/.password-store/**",
	"**/*.kdbx",
	"**/.local/share/keyrings/**",
	"**/.local/share/kwalletd/**",
	"**/Library/Keychains/**",
	"**/.config/op/**",
	"**/.config/Bitwarden/**",
	"**/.config/Bitwarden CLI/**",

	// Browsers' profiles.
	"**/.mozilla/**",
	"**/.thunderbird/**",
	"**/.config/google-chrome/**",
	"**/.config/google-chrome-beta/**",
	"**/.config/google-chrome-unstable/**",
	"**/.config/chromium/**",
	"**/.config/BraveSoftware/**",
	"**/.config/microsoft-edge/**",
	"**/.config/vivaldi/**",
	"**/.config/opera/**",
	"**/Library/Application Support/Google/Chrome/**",
	"**/Library/Application Support/Chromium/**",
	"**/Library/Application Support/BraveSoftware/**",
	"**/Library/Application Support/Microsoft Edge/**",
	"**/Library/Application Support/Firefox/**",
	"**/Library/Safari/**",
	"**/Library/Cookies/**",
	"**/AppData/Local/Google/Chrome/**",
	"**/AppData/Local/Microsoft/Edge/**",
	"**/AppData/Roaming/Mozilla/**",
}

// PublicSuffixes end the names of files that the patterns of DefaultPrivate
// do not take: they are made to be copied and hold no secrets.
var PublicSuffixes = []string{".example", ".sample", ".template"}

// NeverWritten are the files that nothing here writes, with or without
// consent: git runs what they say, or this program believes it. Where it keeps
// its own files the gate knows besides; see [workspace.Gate.WithOwn].
var NeverWritten = []string{
	"**/.git/**",
	"**/git~?/**", // the same on file systems with short names
	"**/.hg/**", "**/.jj/**", "**/.svn/**",
	"**/.agent-lsp-*",
	"**/.config/agent-lsp/**",
	"**/.local/state/agent-lsp/**",
	"**/.cache/agent-lsp/**",
	"**/agent-lsp-[0-9]*/[0-9]*-??????.json", // registrations, in any folder for temporary files
	"**/agent-lsp-[0-9]*/[0-9]*-??????.sock",
}

// ProtectedGroup is files that are protected for the same reason.
type ProtectedGroup struct {
	Why      string
	Patterns []string
}

// ProtectedGroups returns the files that run code when a folder is opened, a
// commit is made, or a person logs in or starts a shell or an editor, or that
// govern agents. Changing one needs a person's consent, whether it exists yet
// or not. What a person runs by its name, as the scripts of package.json and
// what a Makefile builds, is not among them: every task touches it.
func ProtectedGroups() []ProtectedGroup {
	return []ProtectedGroup{
		{"editor settings run code", []string{
			"**/.vscode/**", "**/.idea/**", "**/.zed/**", "**/.fleet/**", "**/.vs/**",
			"**/*.code-workspace", "**/.devcontainer/**", "**/.devcontainer.json",
			"**/.nvim.lua", "**/.nvimrc", "**/.exrc", "**/.vimrc", "**/.gvimrc", "**/.vim/**", "**/.dir-locals.el",
			"**/.config/nvim/**", "**/.local/share/nvim/site/**", "**/.config/vim/**",
			"**/.emacs", "**/.emacs.el", "**/.emacs.elc", "**/.emacs.d/**", "**/.config/emacs/**", "**/.doom.d/**", "**/.config/doom/**", "**/.spacemacs",
			"**/.nanorc", "**/.config/nano/**", "**/.config/helix/**", "**/.config/kak/**", "**/.config/micro/**",
			"**/.config/zed/**", "**/.config/sublime-text/**", "**/.config/Code/User/**", "**/.config/VSCodium/User/**", "**/.config/Cursor/User/**", "**/.config/Windsurf/User/**", "**/.config/lvim/**",
			"**/.vscode-server/**", "**/.vscode-insiders/**", "**/.vscode-oss/**",
			"**/Library/Application Support/Code/User/**", "**/AppData/Roaming/Code/User/**",
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
			"**/.config/opencode/**", "**/.config/goose/**", "**/.copilot/**",
		}},
		{"server lists start programs", []string{
			"**/.mcp.json", "**/.claude.json", "**/claude_desktop_config.json",
		}},
		{"ignore files limit what agents may see", []string{
			"**/.agentignore", "**/.cursorignore", "**/.cursorindexingignore", "**/.geminiignore",
			"**/.aiexclude", "**/.codeiumignore", "**/.aiignore",
		}},
		{"git takes a folder with it for a repository, and runs what its config says", []string{
			"**/HEAD", "**/*.git/config", "**/*.git/hooks/**", "**/.git-templates/**",
		}},
		{"shells and programs run it when they start", []string{
			"**/.bashrc.d/**", "**/.bash_completion", "**/bash-completion/completions/**", "**/.oh-my-zsh/**", "**/usercustomize.py", "**/sitecustomize.py", "**/.ipython/**/startup/**",
			"**/.cargo/bin/**", "**/.hgrc", "**/.forward", "**/.procmailrc", "**/.rhosts", "**/.shosts",
			"**/.profile", "**/.bashrc", "**/.bash_profile", "**/.bash_login", "**/.bash_logout", "**/.bash_aliases",
			"**/.zshrc", "**/.zshenv", "**/.zprofile", "**/.zlogin", "**/.zlogout",
			"**/.kshrc", "**/.mkshrc", "**/.cshrc", "**/.tcshrc", "**/.login", "**/.logout", "**/.inputrc",
			"**/.config/fish/**", "**/.config/nushell/**", "**/.config/elvish/**", "**/.config/powershell/**",
			"**/Microsoft.PowerShell_profile.ps1", "**/.direnvrc", "**/.config/direnv/**",
			"**/.tmux.conf", "**/.config/tmux/**", "**/.screenrc", "**/.gdbinit", "**/.config/gdb/**", "**/.lldbinit",
			"**/.pythonrc", "**/.Rprofile", "**/.irbrc", "**/.pryrc", "**/.local/bin/**",
		}},
		{"git runs what it names", []string{
			"**/.gitconfig", "**/.config/git/**",
		}},
		{"it starts programs by itself", []string{
			"**/.xinitrc", "**/.xserverrc", "**/.xsession", "**/.xsessionrc", "**/.xprofile", "**/.pam_environment",
			"**/.config/autostart/**", "**/.config/autostart-scripts/**", "**/.config/plasma-workspace/**", "**/.config/environment.d/**",
			"**/.config/i3/**", "**/.config/sway/**", "**/.config/hypr/**",
			"**/.config/systemd/user/**", "**/.local/share/systemd/user/**", "**/etc/systemd/**",
			"**/etc/crontab", "**/etc/cron.d/**", "**/etc/cron.hourly/**", "**/etc/cron.daily/**", "**/etc/cron.weekly/**",
			"**/etc/cron.monthly/**", "**/var/spool/cron/**",
			"**/Library/LaunchAgents/**", "**/Library/LaunchDaemons/**", "**/Start Menu/Programs/Startup/**",
		}},
		{"shells, hooks and build services run it", []string{
			"**/.envrc", "**/.husky/**", "**/.githooks/**", "**/.pre-commit-config.yaml",
			"**/lefthook.yml", "**/.lefthook.yml", "**/lefthook.yaml", "**/.lefthook.yaml",
			"**/.github/workflows/**", "**/.github/actions/**",
			"**/.gitlab-ci.yml", "**/.circleci/**", "**/.buildkite/**",
		}},
	}
}
