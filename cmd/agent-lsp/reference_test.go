package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/tools"
)

var update = flag.Bool("update", false, "write the pages of the docs that are made from the command line")

// The pages of the command line say what it is, no more and no less.
func TestReferenceIsFresh(t *testing.T) {
	model := newParser(tools.All()).Model
	for name, page := range map[string]string{"command-line.md": markdown(model), "agent-lsp.1": manual(model)} {
		path := filepath.Join("../../docs", name)
		if *update {
			if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(path)
		if err != nil || string(have) != page {
			t.Errorf("docs/%s is not fresh (%v): make generate writes it", name, err)
		}
	}
}

const markdownPreface = `# The command line

<!-- Made by ` + "`make generate`" + `; do not edit. -->

Everything that assistants can do can be done by hand: a tool is a command, its inputs are flags. A command finds the running editor whose folders hold the working directory, and sees its unsaved text; without one it works on disk, and says so of each change.

Text goes to standard output, what tells of it (path, hash, how to continue) and errors to standard error; an error is one line, ` + "`kind: message`" + `, see [errors](errors.md). Colours and a progress bar are for terminals alone. Exit codes: 0 done, 1 the tool failed, 2 wrong usage, 130 cancelled; ` + "`persist-output` and `run-command`" + ` end with the command's own.
`

func markdown(model *kong.Application) string {
	var b strings.Builder
	b.WriteString(markdownPreface)
	for _, c := range visible(model) {
		fmt.Fprintf(&b, "\n## %s\n\n    agent-lsp %s\n\n%s\n", c.Name, c.Summary(), c.Help)
		if len(c.Positional)+len(c.Flags) == 0 {
			continue
		}
		b.WriteString("\n| | |\n|---|---|\n")
		for _, p := range c.Positional {
			fmt.Fprintf(&b, "| `%s` | %s |\n", p.Summary(), cell(p.Help))
		}
		for _, f := range c.Flags {
			fmt.Fprintf(&b, "| `%s` | %s |\n", spelled(f), cell(f.Help))
		}
	}
	return b.String()
}

const manualPreface = `.TH AGENT-LSP 1
.SH NAME
agent-lsp \- gives AI assistants the editor's own view of the code
.SH SYNOPSIS
.B agent-lsp
.I command
[flags]
.SH DESCRIPTION
Editors start it like a language server, assistants as an MCP server; both then see the same text, saved or not.
Every tool that assistants have is a command as well. A command finds the running editor whose folders hold the working directory; without one it works on disk.
.PP
Text goes to standard output, what tells of it and errors to standard error. An error is one line, its kind first.
.SH COMMANDS
`

const manualEnd = `.SH EXIT STATUS
0 done, 1 the tool failed, 2 wrong usage, 130 cancelled; persist-output and run-command end with the command's own.
.SH ENVIRONMENT
.TP
AGENT_LSP_SESSION
The session to use, by its socket's path or its process's number.
.TP
NO_COLOR
No colours.
.SH FILES
.TP
$XDG_CONFIG_HOME/agent-lsp/config.json
Your own settings.
`

func manual(model *kong.Application) string {
	var b strings.Builder
	b.WriteString(manualPreface)
	for _, c := range visible(model) {
		fmt.Fprintf(&b, ".SS %s\n%s\n", roff("agent-lsp "+c.Summary()), roff(c.Help))
		for _, p := range c.Positional {
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(p.Summary()), roff(p.Help))
		}
		for _, f := range c.Flags {
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(spelled(f)), roff(f.Help))
		}
	}
	b.WriteString(manualEnd)
	return b.String()
}

func visible(model *kong.Application) []*kong.Node {
	return slices.DeleteFunc(slices.Clone(model.Children), func(n *kong.Node) bool { return n.Hidden })
}

func spelled(f *kong.Flag) string {
	name := "--" + f.Name
	if f.Tag.Negatable != "" {
		name = "--[no-]" + f.Name
	}
	if f.IsBool() {
		return name
	}
	return name + "=" + f.FormatPlaceHolder()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// roff escapes what a manual page would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func TestComplete(t *testing.T) {
	root := newParser(tools.All()).Model.Node
	for line, want := range map[string]string{
		"":                          "lsp", // among others
		"read":                      "read-file",
		"comp":                      "completion",
		"read-file --format = n":    "numbered", // as bash cuts --format=n
		"read-file --format =":      "numbered plain xml",
		"read-file --form":          "--format",
		"read-file --format p":      "plain",
		"read-file --format=x":      "--format=xml",
		"read-file --outline ":      "auto always never",
		"setup c":                   "claude codex copilot crush cursor",
		"persist-output --output v": "verbose",
		"read-file a":               "", // files are the shell's
		"nothing a":                 "",
	} {
		got := strings.Join(complete(root, tools.All(), strings.Split(line, " ")), " ")
		if line == "" && !strings.HasPrefix(got, want) || line != "" && got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
