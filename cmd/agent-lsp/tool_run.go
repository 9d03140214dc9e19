package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
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
	roots, err := rootsOf(node)
	if err != nil {
		return err
	}
	backend, err := openBackend(ctx, roots)
	if err != nil {
		return err
	}
	defer backend.Close()
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
	return strings.TrimSuffix(first+"\n"+rest, "\n")
}

// rootsOf are the folders of --root, else the working directory.
func rootsOf(node *kong.Node) ([]workspace.Folder, error) {
	named, _ := valueOf(node, "root").Target.Interface().([]string)
	return workspaceFolders(named)
}

// workspaceFolders are the folders of those names, else the working directory.
func workspaceFolders(named []string) ([]workspace.Folder, error) {
	if len(named) == 0 {
		named = []string{"."}
	}
	folders := make([]workspace.Folder, len(named))
	for i, name := range named {
		dir, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		folders[i] = workspace.Folder{Path: dir}
	}
	return folders, nil
}

func readStdin() (string, error) {
	raw, err := io.ReadAll(os.Stdin)
	return string(raw), err
}

// openBackend finds the live sessions of some folders, and makes ready to work
// on disk where there is none.
func openBackend(ctx context.Context, roots []workspace.Folder) (session.Backend, error) {
	_, _ = ctx, roots
	return nil, fault.New(fault.Internal, "not there yet")
}
