package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc"
)

// version is set when a release is built.
var version = "0.1.0-dev"

type commandLine struct {
	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`

	LSP           lspCommand      `cmd:"" name:"lsp" help:"Serve an editor: LSP over standard input and output."`
	PersistOutput persistCommand  `cmd:"" name:"persist-output" help:"Run a command, keep its whole output, and print what tells of it."`
	RunCommand    runCommand      `cmd:"" name:"run-command" help:"Run a line of shell in the working directory, where exec.enabled allows it."`
	Stats         statsCommand    `cmd:"" help:"Print what the tools were used for, as counted on this machine."`
	Sessions      sessionsCommand `cmd:"" help:"List the editors that run agent-lsp now."`
	Doctor        doctorCommand   `cmd:"" help:"Tell what is found, what is wrong, and how to mend it."`

	Version versionCommand `cmd:"" help:"Print the version."`
}

func main() {
	var cli commandLine
	k := kong.Parse(&cli,
		kong.Name("agent-lsp"),
		kong.Description("Gives AI assistants the editor's own view of the code."),
		kong.ShortUsageOnError(),
		kong.Vars{"version": "agent-lsp " + version},
		kong.Exit(func(code int) {
			if code != 0 {
				code = 2 // wrong usage
			}
			os.Exit(code)
		}),
	)
	if err := k.Run(); err != nil {
		os.Exit(codeOf(err))
	}
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
	user, err := workspace.LoadUserSettings(configHome())
	out, closeLog, logErr := openLog(c.logFile(user))
	defer closeLog()
	level := new(slog.LevelVar)
	log := slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level}))
	if logErr != nil {
		log.Warn("the log file cannot be opened", "error", logErr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	in, stdout := rpc.Stdio(os.Stdin, os.Stdout)
	return rpc.Serve(ctx, in, stdout, rpc.Config{
		Version: version, CacheHome: cacheHome(), Excludes: gitExcludes(), User: user, UserProblem: err, Flags: c.flags(), Log: log, Level: level,
		SessionFolders: c.sessionFolders(),
	})
}

func (c lspCommand) sessionFolders() []string {
	if c.NoSession {
		return nil
	}
	return sessionFolders()
}

// logFile is what the settings say before an editor says anything. What is
// wrong with them is for the server to tell.
func (c lspCommand) logFile(user map[string]any) string {
	s, _ := workspace.DefaultSettings().Merge(workspace.User, user)
	s, _ = s.Merge(workspace.Flags, c.flags())
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
func configHome() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config")
}

// cacheHome is the folder for what can be made again; "" when there is none.
func cacheHome() string {
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".cache")
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
