package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/rpc"
	"github.com/agent-lsp/agent-lsp/rpc/stdio"
	"github.com/agent-lsp/agent-lsp/tools"
)

// version is set when a release is built.
var version = "0.1.0-dev"

type commandLine struct {
	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`

	LSP           lspCommand        `cmd:"" name:"lsp" group:"servers" help:"Serve an editor: LSP over standard input and output."`
	MCP           mcpCommand        `cmd:"" name:"mcp" group:"servers" help:"Serve assistants: MCP over standard input and output, or HTTP."`
	PersistOutput persistCommand    `cmd:"" group:"tools" name:"persist-output" help:"Run a command, keep its whole output, and print what tells of it."`
	RunCommand    runCommand        `cmd:"" group:"tools" name:"run-command" help:"Run a line of shell in the working directory, where exec.enabled allows it."`
	Stats         statsCommand      `cmd:"" group:"look" help:"Print what the tools were used for, as counted on this machine."`
	Hook          hookCommand       `cmd:"" group:"servers" help:"Answer an assistant's tool hook: what its own tools do sees the editor."`
	Blame         blameCommand      `cmd:"" group:"look" help:"Print who wrote the lines of a file: the editor, an agent, another program."`
	History       historyCommand    `cmd:"" group:"look" help:"Look after what is kept of agents' changes."`
	Sessions      sessionsCommand   `cmd:"" group:"look" help:"List the editors that run agent-lsp now."`
	Setup         setupCommand      `cmd:"" group:"servers" help:"Print, or add with --write, an assistant's MCP configuration."`
	Doctor        doctorCommand     `cmd:"" group:"look" help:"Tell what is found, what is wrong, and how to mend it."`
	Completion    completionCommand `cmd:"" group:"look" help:"Print what a shell has to read to complete commands, flags and values."`
	Complete      completeCommand   `cmd:"" hidden:"" help:"Print what a word may become."`

	Version versionCommand `cmd:"" group:"look" help:"Print the version."`
}

func main() {
	var definitions []tools.Definition
	if !isServer(os.Args[1:]) {
		definitions = tools.All()
	}
	parser := newParser(definitions)
	k, err := parser.Parse(askedHelp(os.Args[1:]))
	if err != nil {
		os.Exit(hookCode(codeOf(wrongUsage(err))))
	}
	if err := run(k, definitions); err != nil {
		os.Exit(codeOf(err))
	}
}

// askedHelp returns arguments with the flag that asks for help in the place of the
// word that does, and where there are none.
func askedHelp(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// isServer tells the commands that are started by programs, over and over, and
// need no commands for tools.
func isServer(args []string) bool {
	return len(args) > 0 && (args[0] == "lsp" || args[0] == "mcp" || args[0] == "hook")
}

// newParser makes the whole command line.
func newParser(definitions []tools.Definition) *kong.Kong {
	return kong.Must(new(commandLine), append(toolCommands(definitions),
		kong.Name("agent-lsp"),
		kong.Description("Gives AI assistants the editor's own view of the code."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "servers", Title: "For editors and assistants:"},
			{Key: "tools", Title: "What assistants can do, by hand:"},
			{Key: "look", Title: "To look after it:"},
		}),
		kong.Vars{"version": "agent-lsp " + version},
	)...)
}

// wrongUsage is what kong finds wrong, as an error of ours, and its exit code.
func wrongUsage(err error) error {
	command := "agent-lsp"
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok && wrong.Context.Selected() != nil {
		command = wrong.Context.Selected().FullPath()
	}
	return usageError(fault.New(fault.InvalidParams, "%s", err).Advise(`"%s --help" tells how it is used.`, command))
}

// run runs the command that was chosen.
func run(k *kong.Context, definitions []tools.Definition) error {
	for _, d := range definitions {
		if k.Selected().Name == dashed(d.Name) && !slices.Contains(ownCommands, d.Name) {
			return runTool(k.Selected(), d)
		}
	}
	return k.Run()
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	fmt.Println("agent-lsp", version)
	return nil
}

type lspCommand struct {
	Stdio     bool   `help:"Accepted for clients that insist; standard input and output are always used."`
	ReadOnly  bool   `help:"Change nothing: setting policy.readOnly."`
	NoSession bool   `help:"Let no other process find this one: assistants outside of the editor then see what is on disk only."`
	LogLevel  string `help:"debug, info, warn, error or off: setting log.level." placeholder:"LEVEL"`
	LogFile   string `help:"Log to this file instead of standard error: setting log.file." placeholder:"FILE"`
}

// Run serves one editor.
func (c lspCommand) Run() error {
	started := collectLate()
	user := settings.LoadUser(configHome())
	out, closeLog, logErr := openLog(c.logFile(user))
	defer closeLog()
	level := new(slog.LevelVar)
	log := slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level}))
	if logErr != nil {
		log.Warn("the log file cannot be opened", "error", logErr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	in, stdout, drain := stdio.Open(os.Stdin, os.Stdout)
	return rpc.Serve(ctx, in, stdout, rpc.Config{
		Version: version, CacheHome: cacheHome(), StateHome: stateHome(), Own: ownPlaces(), Home: homeDir(), Excludes: gitExcludes(), User: user, Flags: c.flags(), Log: log, Level: level,
		SessionFolders: c.sessionFolders(), Started: started, Drain: drain,
	})
}

func (c lspCommand) sessionFolders() []string {
	if c.NoSession {
		return nil
	}
	return ownSessionFolders()
}

// logFile is what the settings say before an editor says anything. What is
// wrong with them is for the server to tell.
func (c lspCommand) logFile(user settings.UserSettings) string {
	s, _ := settings.Default().Merge(user.Scope, user.Values)
	s, _ = s.Merge(settings.Flags, c.flags())
	return s.Log.File
}

func (c lspCommand) flags() map[string]any {
	flags := map[string]any{}
	if c.ReadOnly {
		flags["policy.readOnly"] = true
	}
	if c.LogLevel != "" {
		flags["log.level"] = c.LogLevel
	}
	if c.LogFile != "" {
		flags["log.file"] = c.LogFile
	}
	return flags
}

// configHome is the folder of the user's own settings; "" when there is none.
func configHome() string { return homeFolder("XDG_CONFIG_HOME", ".config") }

// cacheHome is the folder for what can be made again; "" when there is none.
func cacheHome() string { return localFolder("XDG_CACHE_HOME", ".cache") }

// stateHome returns the folder for what must last; "" when there is none.
func stateHome() string { return localFolder("XDG_STATE_HOME", ".local/state") }

// localFolder is [homeFolder] for what stays on this machine, for which Windows has
// a folder.
func localFolder(variable, below string) string {
	if dir := os.Getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && !filepath.IsAbs(os.Getenv(variable)) && filepath.IsAbs(dir) {
		return dir
	}
	return homeFolder(variable, below)
}

// homeFolder returns the folder that a variable names, else the one below the
// home folder.
func homeFolder(variable, below string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return belowHome(below)
}

// belowHome returns a folder below the home folder; "" when there is none.
func belowHome(below string) string {
	home := homeDir()
	if home == "" {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(below))
}

// homeDir is the person's home folder; "" when it is not known.
func homeDir() string {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return ""
	}
	return home
}

// openLog returns where to log to. A file that cannot be opened is no reason
// not to serve.
func openLog(path string) (io.Writer, func(), error) {
	if path == "" {
		return os.Stderr, func() {}, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return os.Stderr, func() {}, err
	}
	return f, func() { _ = f.Close() }, nil
}
