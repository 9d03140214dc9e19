package setup

import "github.com/agent-lsp/agent-lsp/internal/jsonc"

// Name is what the server is called in every host's configuration, and serve
// the command by which the program is one.
const (
	Name  = "agent-lsp"
	serve = "mcp"
)

// This returns the server that a program of ours is.
func This(program string) Server { return Server{Command: program, Args: []string{serve}} }

// Server is how a host starts agent-lsp.
type Server struct {
	Command string
	Args    []string
}

// Places are the folders that hosts keep their files in; absolute, with
// slashes.
type Places struct {
	Home    string
	Config  string // where XDG_CONFIG_HOME points, or ~/.config
	App     string // where applications keep settings: Config, ~/Library/Application Support or %APPDATA%
	Codex   string // CODEX_HOME, or ~/.codex
	Copilot string // COPILOT_HOME, or ~/.copilot
	Project string // the folder of the project
	Root    string // the top of the working tree that Project is in, or Project

	Claude         string // CLAUDE_CONFIG_DIR, or Home
	ClaudeSettings string // CLAUDE_CONFIG_DIR, or ~/.claude
}

// Host is an assistant or editor that starts MCP servers.
type Host struct {
	Name  string // as on the command line
	Title string
	// Probe are the words of a command of the host's own that tells of the
	// servers it knows; none where it has no such command.
	Probe []string

	user, project       []string // candidates for the file; {home} and so on are Places
	format              format
	allow, allowProject permit
	apart               bool // see Merges
	hooks               hooks
	next, nextProject   string
	asks, asksProject   string
}

// Next tells a person what to do when the entry is there, in the person's own
// file or a project's.
func (h Host) Next(project bool) string {
	if project {
		return h.nextProject
	}
	return h.next
}

// Asks tells a person what is to be known of the host's permissions, as an order
// has them; "" where that is nothing. Of a file of permissions there is nothing
// to be known unless lines are written there.
func (h Host) Asks(o Order) string {
	permit := h.permit(o.Project)
	switch {
	case permit.files != nil && len(permit.allowed(o)) == 0:
		return ""
	case o.Project:
		return h.asksProject
	}
	return h.asks
}

// Hosts returns all hosts, in the order in which they are told.
//
// The formats are those that the hosts' own documentation gives, or that their
// own commands write.
func Hosts() []Host {
	return []Host{claude(), codex(), copilot(), gemini(), qwen(), opencode(), crush(), amp(), vscode(), zed(), cursor()}
}

func claude() Host {
	allow := elements{path: []string{"permissions", "allow"}, of: prefixed("mcp__" + Name + "__")}
	return Host{
		Name: "claude", Title: "Claude Code", next: "Start claude and type /mcp to see it.",
		nextProject: "Start claude here, trust the folder and the server when it asks, and type /mcp to see it.",
		Probe:       []string{"claude", "mcp", "get", Name},
		user:        []string{"{claude}/.claude.json"}, project: []string{"{project}/.mcp.json"},
		format:       jsonFile{path: []string{"mcpServers"}, entry: typed},
		allow:        permit{files: []string{"{claudesettings}/settings.json"}, lines: allow},
		allowProject: permit{files: []string{"{project}/.claude/settings.local.json"}, lines: allow},
		hooks:        hooks{files: []string{"{claudesettings}/settings.json"}, project: []string{"{project}/.claude/settings.local.json"}, element: grouped()},
	}
}

func codex() Host {
	allow := permit{lines: toolTables{}, changesAlone: true}
	return Host{
		Name: "codex", Title: "Codex", next: "Start codex and type /mcp to see it.",
		nextProject: "Codex reads a project's file when the project is trusted: start codex here, trust it, and type /mcp to see it.",
		Probe:       []string{"codex", "mcp", "get", Name},
		user:        []string{"{codex}/config.toml"}, project: []string{"{project}/.codex/config.toml"},
		format: tomlFile{}, allow: allow, allowProject: allow,
		hooks: hooks{files: []string{"{codex}/hooks.json"}, project: []string{"{project}/.codex/hooks.json"}, element: grouped()},
	}
}

func copilot() Host {
	allow := permit{files: []string{"{copilot}/permissions-config.json"}, changesAlone: true, lines: perProject{
		projects: "locations", list: "tool_approvals",
		of: func(tool string) any {
			return []jsonc.Field{{Name: "kind", Value: "mcp"}, {Name: "serverName", Value: Name}, {Name: "toolName", Value: tool}}
		},
	}}
	const asks = "Copilot CLI keeps permissions for each project: they hold in the one that you are in. Call this again in others."
	return Host{
		Name: "copilot", Title: "Copilot CLI", next: "Start copilot and type /mcp to see it.",
		nextProject: "Start copilot here, trust the folder when it asks, and type /mcp to see it.",
		asks:        asks, asksProject: asks,
		Probe: []string{"copilot", "mcp", "get", Name},
		user:  []string{"{copilot}/mcp-config.json"}, project: []string{"{project}/.mcp.json", "{project}/.github/mcp.json"},
		format: jsonFile{path: []string{"mcpServers"}, entry: typed}, allow: allow, allowProject: allow,
		hooks: hooks{files: []string{"{copilot}/hooks/agent-lsp.json"}, project: []string{"{project}/.github/hooks/agent-lsp.json"}, element: single, version: 1},
	}
}

func gemini() Host {
	return Host{
		Name: "gemini", Title: "Gemini CLI", next: "Start gemini and type /mcp to see it.",
		nextProject: "Start gemini here, trust the folder when it asks, and type /mcp to see it.",
		asksProject: "Gemini CLI reads no permissions of single tools from a project: it asks about each, or, with --allow all, about none; run_command is taken from it then.",
		Probe:       []string{"gemini", "mcp", "list"},
		user:        []string{"{home}/.gemini/settings.json"}, project: []string{"{project}/.gemini/settings.json"},
		format:       jsonFile{path: []string{"mcpServers"}, entry: plain},
		allow:        permit{files: []string{"{home}/.gemini/policies/agent-lsp.toml"}, lines: policyFile{}},
		allowProject: permit{lines: trust{path: []string{"mcpServers", Name}}, wholeServer: true},
		hooks:        hooks{files: []string{"{home}/.gemini/settings.json"}, project: []string{"{project}/.gemini/settings.json"}, element: grouped(jsonc.Field{Name: "name", Value: Name})},
	}
}

func qwen() Host {
	allow := permit{lines: elements{path: []string{"permissions", "allow"}, of: prefixed("mcp__" + Name + "__")}, changesAlone: true}
	return Host{
		Name: "qwen", Title: "Qwen Code", next: "Start qwen and type /mcp to see it.",
		nextProject: "Start qwen here, and type /mcp to see it.",
		Probe:       []string{"qwen", "mcp", "list"},
		user:        []string{"{home}/.qwen/settings.json"}, project: []string{"{project}/.qwen/settings.json"},
		format: jsonFile{path: []string{"mcpServers"}, entry: plain}, allow: allow, allowProject: allow,
		hooks: hooks{files: []string{"{home}/.qwen/settings.json"}, project: []string{"{project}/.qwen/settings.json"}, element: grouped(jsonc.Field{Name: "name", Value: Name})},
	}
}

func opencode() Host {
	allow := permit{lines: members{path: []string{"permission"}, name: func(tool string) string { return Name + "_" + tool }, value: "allow"}}
	return Host{
		Name: "opencode", Title: "opencode", next: "Start opencode anew.", nextProject: "Start opencode here.",
		Probe:   []string{"opencode", "mcp", "list"},
		user:    []string{"{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"},
		project: []string{"{project}/opencode.json", "{project}/opencode.jsonc", "{project}/.opencode/opencode.json", "{project}/.opencode/opencode.jsonc"},
		format:  jsonFile{path: []string{"mcp"}, nested: "servers", entry: local}, allow: allow, allowProject: allow,
	}
}

func crush() Host {
	allow := permit{lines: elements{path: []string{"permissions", "allowed_tools"}, of: prefixed("mcp_" + Name + "_")}}
	return Host{
		Name: "crush", Title: "Crush", next: "Start crush anew.", nextProject: "Start crush here.",
		user:    []string{"{config}/crush/crush.json"},
		project: []string{"{project}/.crush.json", "{project}/crush.json"},
		format:  jsonFile{path: []string{"mcp"}, entry: typed}, allow: allow, allowProject: allow,
	}
}

func amp() Host {
	allow := permit{lines: elements{path: []string{"amp.permissions"}, of: func(tool string) any {
		return []jsonc.Field{{Name: "tool", Value: "mcp__" + Name + "__" + tool}, {Name: "action", Value: "allow"}}
	}}}
	return Host{
		Name: "amp", Title: "Amp", next: "Start amp anew.",
		nextProject: "Amp starts a project's servers when they are approved: amp mcp approve agent-lsp.",
		Probe:       []string{"amp", "mcp", "list"},
		user:        []string{"{config}/amp/settings.json"}, project: []string{"{project}/.amp/settings.json"},
		format: jsonFile{path: []string{"amp.mcpServers"}, entry: plain}, allow: allow, allowProject: allow, apart: true,
	}
}

func vscode() Host {
	const asks = "VS Code keeps permissions by itself: it asks before changes, and can be told there to allow them always."
	return Host{
		Name: "vscode", Title: "VS Code", next: "Run \"MCP: List Servers\" to see it. The agent-lsp extension does this by itself.",
		nextProject: "Run \"MCP: List Servers\" to see it, and trust it when VS Code asks. The agent-lsp extension does this by itself.",
		asks:        asks, asksProject: asks,
		user: []string{"{app}/Code/User/mcp.json"}, project: []string{"{project}/.vscode/mcp.json"},
		format: jsonFile{path: []string{"servers"}, entry: typed},
	}
}

func zed() Host {
	return Host{
		Name: "zed", Title: "Zed", next: "Open the agent panel's settings to see it.",
		nextProject: "Trust the project when Zed asks, and open the agent panel's settings to see it.",
		asksProject: "Zed reads no permissions from a project: it asks before each call, and can be told there to allow it always.",
		user:        []string{"{config}/zed/settings.json"}, project: []string{"{project}/.zed/settings.json"},
		format: jsonFile{path: []string{"context_servers"}, entry: plain},
		allow: permit{lines: members{
			path:  []string{"agent", "tool_permissions", "tools"},
			name:  func(tool string) string { return "mcp:" + Name + ":" + tool },
			value: []jsonc.Field{{Name: "default", Value: "allow"}},
		}},
	}
}

func cursor() Host {
	const asks = "A list of allowed MCP tools in permissions.json takes the place of the one in Cursor's settings: name other servers' tools there, too."
	allow := elements{path: []string{"mcpAllowlist"}, of: prefixed(Name + ":")}
	return Host{
		Name: "cursor", Title: "Cursor", next: "Open the settings' MCP page to see it.", nextProject: "Open the settings' MCP page to see it.",
		asks: asks, asksProject: asks,
		user: []string{"{home}/.cursor/mcp.json"}, project: []string{"{project}/.cursor/mcp.json"},
		format:       jsonFile{path: []string{"mcpServers"}, entry: typed},
		allow:        permit{files: []string{"{home}/.cursor/permissions.json"}, lines: allow},
		allowProject: permit{files: []string{"{project}/.cursor/permissions.json"}, lines: allow},
	}
}

// prefixed returns how a host names a tool in a list.
func prefixed(prefix string) func(tool string) any {
	return func(tool string) any { return prefix + tool }
}

// Files returns where the host's file with the entry may be, as those of a
// [Step].
func (h Host) Files(p Places, project bool) []string { return p.fill(h.entryFiles(project)) }

// plain, typed and local are the ways to write a server down.
func plain(s Server) []jsonc.Field {
	return []jsonc.Field{{Name: "command", Value: s.Command}, {Name: "args", Value: s.Args}}
}

func typed(s Server) []jsonc.Field {
	return append([]jsonc.Field{{Name: "type", Value: "stdio"}}, plain(s)...)
}

func local(s Server) []jsonc.Field {
	return []jsonc.Field{
		{Name: "type", Value: "local"},
		{Name: "command", Value: append([]string{s.Command}, s.Args...)},
		{Name: "enabled", Value: true},
	}
}
