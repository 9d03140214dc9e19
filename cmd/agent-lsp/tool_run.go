package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
)

// runTool calls the tool that a command is for, in the live sessions or on
// disk, and prints what it gives: text to standard output, and what tells of
// it, as errors, to standard error.
func runTool(node *kong.Node, d tools.Definition) error {
	given, err := argumentsOf(node, d, readStdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, strings.ReplaceAll(fault.From(err).Error(), "\n", "; "))
		return exitCode(codeUsage)
	}
	ctx, stop := interrupted()
	defer stop()
	named, _ := reflect.TypeAssert[[]string](valueOf(node, "root").Target)
	roots, err := foldersOf(named)
	if err != nil {
		return err
	}
	settings, problems := settingsUnder(nil)
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, "agent-lsp:", fault.From(p).Error())
	}
	backend, end := openBackend(ctx, roots, settings, slog.New(slog.DiscardHandler))
	defer end()
	screen := newScreen(os.Stdout, os.Stderr)
	call := session.Call{
		Tool: d.Name, Arguments: []byte(given), Client: tools.Client{Name: "command line"},
		Form: tools.FormText, Progress: screen.progress(),
	}
	asJSON := valueOf(node, "json").Target.Bool()
	if asJSON {
		call.Form = tools.FormJSON
	}
	answer, err := backend.Call(ctx, call)
	screen.clear()
	switch {
	case err != nil:
		return err
	case asJSON:
		_, err = fmt.Println(string(answer.Raw))
	case answer.IsError():
		fmt.Fprintln(os.Stderr, errorLines(answer))
	default:
		err = screen.show(answer)
	}
	if answer.IsError() {
		return exitCode(codeToolError)
	}
	return err
}

// errorLines is a failure as it is told: its one line, and below it what the
// failure shows, a diff for example.
func errorLines(answer session.Answer) string {
	text := string(answer.Raw)
	first, rest, _ := strings.Cut(text, "\n")
	hint, rest, _ := strings.Cut(rest, "\n")
	if hint != "" {
		first += "; " + hint
	}
	if strings.HasPrefix(rest, "(") { // a note, that no editor is attached
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return strings.TrimSuffix(first+"\n"+rest, "\n")
}

func readStdin() (string, error) {
	raw, err := io.ReadAll(os.Stdin)
	return string(raw), err
}
