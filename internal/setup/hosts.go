package setup

import (
	"path"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/jsonc"
)

// Name is what the server is called in every host's configuration.
const Name = "agent-lsp"

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
	Claude  string // CLAUDE_CONFIG_DIR, or Home
	Codex   string // CODEX_HOME, or ~/.codex
	Project string // the folder of the project
}

// Host is an assistant or editor that starts MCP servers.
type Host struct {
	Name  string // as on the command line
	Title string
	// Next tells a person what to do when the entry is there.
	Next string

	user, project []string // candidates for the file; {home} and so on are Places
	format        format
}

// format is how a host's file is written.
type format interface {
	add(src []byte, s Server) ([]byte, error)
	has(src []byte, s Server) (state, error)
	starts(src []byte) string // what the entry that is there starts
}

// Hosts returns all hosts, in the order in which they are told.
//
// The formats are those that the hosts' own documentation gives: Claude Code,
// Gemini CLI and Cursor have "mcpServers"; VS Code has "servers" in mcp.json;
// Zed has "context_servers" in its settings; opencode has "mcp", whose second
// version, which still reads the first's, has "mcp.servers"; Codex has tables
// in TOML.
func Hosts() []Host {
	return []Host{
		{
			Name: "claude", Title: "Claude Code", Next: "Start claude and type /mcp to see it.",
			user: []string{"{claude}/.claude.json"}, project: []string{"{project}/.mcp.json"},
			format: jsonFile{path: []string{"mcpServers"}, entry: typed},
		},
		{
			Name: "codex", Title: "Codex", Next: "Start codex and type /mcp to see it.",
			user: []string{"{codex}/config.toml"}, project: []string{"{project}/.codex/config.toml"},
			format: tomlFile{},
		},
		{
			Name: "gemini", Title: "Gemini CLI", Next: "Start gemini and type /mcp to see it.",
			user: []string{"{home}/.gemini/settings.json"}, project: []string{"{project}/.gemini/settings.json"},
			format: jsonFile{path: []string{"mcpServers"}, entry: plain},
		},
		{
			Name: "opencode", Title: "opencode", Next: "Start opencode anew.",
			user:    []string{"{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"},
			project: []string{"{project}/opencode.json", "{project}/opencode.jsonc", "{project}/.opencode/opencode.json", "{project}/.opencode/opencode.jsonc"},
			format:  jsonFile{path: []string{"mcp"}, nested: "servers", entry: local},
		},
		{
			Name: "vscode", Title: "VS Code", Next: "Run \"MCP: List Servers\" to see it. The agent-lsp extension does this by itself.",
			user: []string{"{app}/Code/User/mcp.json"}, project: []string{"{project}/.vscode/mcp.json"},
			format: jsonFile{path: []string{"servers"}, entry: typed},
		},
		{
			Name: "zed", Title: "Zed", Next: "Open the agent panel's settings to see it.",
			user: []string{"{config}/zed/settings.json"}, project: []string{"{project}/.zed/settings.json"},
			format: jsonFile{path: []string{"context_servers"}, entry: plain},
		},
		{
			Name: "cursor", Title: "Cursor", Next: "Open the settings' MCP page to see it.",
			user: []string{"{home}/.cursor/mcp.json"}, project: []string{"{project}/.cursor/mcp.json"},
			format: jsonFile{path: []string{"mcpServers"}, entry: typed},
		},
	}
}

// Files returns where the host's file may be, absolute, the usual place first:
// for the person's own projects all together, or for one project. What exists
// is the one to take, else the first.
func (h Host) Files(p Places, project bool) []string {
	candidates := h.user
	if project {
		candidates = h.project
	}
	fill := strings.NewReplacer("{home}", p.Home, "{config}", p.Config, "{app}", p.App,
		"{claude}", p.Claude, "{codex}", p.Codex, "{project}", p.Project)
	files := make([]string, len(candidates))
	for i, c := range candidates {
		files[i] = path.Clean(fill.Replace(c))
	}
	return files
}

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
