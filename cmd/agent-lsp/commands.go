package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/usage"
)

// exitCode ends the process with a code and no further message.
type exitCode int

// Error says what [codeOf] makes of it.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// The exit codes of the program's own failures.
const (
	codeToolError = 1
	codeUsage     = 2
	codeCancelled = 130
	// What a shell says of a command that it cannot start.
	codeCannotRun = 126
	codeNotFound  = 127
)

// codeOf tells an error on standard error, in its lines, and returns the exit
// code for it.
func codeOf(err error) int {
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	fmt.Fprintln(os.Stderr, oneLine(fault.From(err).Error()))
	if fault.KindOf(err) == fault.Cancelled {
		return codeCancelled
	}
	return codeToolError
}

// usageError tells an error that means wrong usage, and ends with the code for it.
func usageError(err error) error {
	if fault.KindOf(err) != fault.InvalidParams {
		return err
	}
	codeOf(err)
	return exitCode(codeUsage)
}

type persistCommand struct {
	ID      string   `help:"Name of the kept files; made up when absent." placeholder:"ID"`
	Output  string   `help:"How much is printed: silent, concise, normal, verbose or full." enum:"silent,concise,normal,verbose,full" default:"concise" placeholder:"silent|concise|normal|verbose|full"`
	JSON    bool     `name:"json" help:"Print the structured result."`
	Command []string `arg:"" passthrough:"" help:"The command and its arguments, after --."`
}

// Run runs a command, keeps its output, prints what tells of it, and ends with
// the command's exit code.
func (c persistCommand) Run() error {
	args := c.Command
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return usageError(fault.New(fault.InvalidParams, "no command").Advise("it follows after --"))
	}
	ctx, stop := interrupted()
	defer stop()
	store, err := openOutputs()
	if err != nil {
		return err
	}
	recording, err := store.Record(c.ID, output.Level(c.Output))
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	ended, err := output.Run(ctx, output.Command{Args: args, Dir: dir, Env: os.Environ()}, recording)
	shown := recording.Finish()
	if err != nil {
		return notRun(err)
	}
	result := tools.CommandResult(shown, ended)
	if err := printResult(result, store, shown.Files, c.JSON); err != nil {
		return err
	}
	return exitWith(ended.ExitCode)
}

// notRun tells why a command did not run and ends as a shell would.
func notRun(err error) error {
	code := codeOf(err)
	switch fault.KindOf(err) {
	case fault.NotFound:
		code = codeNotFound
	case fault.PermissionDenied:
		code = codeCannotRun
	}
	return exitCode(code)
}

type runCommand struct {
	Cwd       string `help:"Folder to run it in; the working directory when absent." placeholder:"DIR"`
	TimeoutMS uint64 `name:"timeout-ms" help:"When the command is ended, in milliseconds." default:"120000"`
	Output    string `help:"How much is printed: silent, concise, normal, verbose or full." enum:"silent,concise,normal,verbose,full" default:"concise" placeholder:"silent|concise|normal|verbose|full"`
	JSON      bool   `name:"json" help:"Print the structured result."`

	Command []string `arg:"" passthrough:"" help:"The line of shell, as one argument behind all flags."`
}

// Run calls the tool run_command on the working directory. It exits with 1
// when the command could not be run, else with the command's exit code.
func (c runCommand) Run() error {
	if len(c.Command) > 1 {
		return usageError(fault.New(fault.InvalidParams, "a line of shell is one argument, behind all flags: agent-lsp run-command '%s'",
			strings.ReplaceAll(strings.Join(c.Command, " "), "'", `'\''`)))
	}
	ctx, stop := interrupted()
	defer stop()
	backend, end, err := commandBackend(ctx, nil)
	if err != nil {
		return err
	}
	defer end()
	arguments, err := json.Marshal(map[string]any{
		"command": c.Command[0], "cwd": c.folder(), "timeout_ms": c.TimeoutMS, "output": c.Output,
	})
	if err != nil {
		return err
	}
	answer, err := backend.Call(ctx, session.Call{
		Tool: "run_command", Arguments: arguments, Client: toolcall.Client{Name: clientName}, Form: form.JSON,
	})
	if err != nil {
		return err
	}
	return c.show(answer)
}

// show prints the answer, and ends with the exit code for it.
func (c runCommand) show(answer session.Answer) error {
	result, err := tools.ReadCommandResult(answer.Raw)
	switch {
	case c.JSON:
		fmt.Println(string(answer.Raw))
		if err != nil {
			return exitCode(codeToolError)
		}
	case err != nil:
		return err
	default:
		store, err := openOutputs()
		if err != nil {
			return err
		}
		if err := printResult(result, store, tools.OutputFiles(result), false); err != nil {
			return err
		}
	}
	code, _ := tools.ExitCode(result)
	return exitWith(code)
}

// folder is --cwd as the tool takes it.
func (c runCommand) folder() string {
	if c.Cwd == "" {
		return "."
	}
	return c.Cwd
}

type statsCommand struct {
	JSON bool `name:"json" help:"Print them as JSON."`
}

// Run prints the figures of all sessions on this machine.
func (c statsCommand) Run() error {
	figures, err := usage.SavedFigures(cacheHome())
	if err != nil {
		return err
	}
	if !c.JSON {
		_, err = fmt.Print(figures)
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}

// interrupted is a context that a person's signals end.
func interrupted() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

func openOutputs() (*output.Store, error) {
	home := cacheHome()
	if !filepath.IsAbs(home) {
		return nil, fault.New(fault.IO, "there is no cache folder to keep output in").Advise("set XDG_CACHE_HOME or HOME")
	}
	return output.OpenStore(home, time.Now)
}

// printResult prints what a tool gave: for people with the paths of the kept
// files, because /.outputs/ is read by the program alone.
func printResult(r toolcall.Result, store *output.Store, files []string, asJSON bool) error {
	if asJSON {
		raw, err := r.AppendStructured(nil)
		if err != nil {
			return err
		}
		_, err = fmt.Println(string(raw))
		return err
	}
	if r.Body != "" {
		fmt.Print(strings.TrimSuffix(r.Body, "\n") + "\n")
	}
	header := r.Header
	for _, f := range files {
		header = strings.ReplaceAll(header, f, store.Path(f))
	}
	fmt.Fprintln(os.Stderr, strings.ReplaceAll(header, "; read more with read_file", ""))
	return nil
}

func exitWith(code int) error {
	if code == 0 {
		return nil
	}
	return exitCode(code)
}
