package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/tools"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// The scripts ask the program itself what fits, so that they never grow old;
// where it knows nothing the shell offers files.
const (
	bashCompletion = `# eval "$(agent-lsp completion bash)" in ~/.bashrc
_agent_lsp() {
	local IFS=$'\n'
	COMPREPLY=($("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
	[ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default 2>/dev/null
}
complete -F _agent_lsp agent-lsp
`
	zshCompletion = `# eval "$(agent-lsp completion zsh)" in ~/.zshrc, after compinit
_agent_lsp() {
	local -a found
	found=(${(f)"$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	if (( $#found )); then compadd -a found; else _files; fi
}
compdef _agent_lsp agent-lsp
`
	fishCompletion = `# agent-lsp completion fish > ~/.config/fish/completions/agent-lsp.fish
function __agent_lsp
	agent-lsp complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null
end
complete -c agent-lsp -f -n '__agent_lsp | string length -q' -a '(__agent_lsp)'
`
)

// Run prints what a shell has to read.
func (c completionCommand) Run() error {
	script := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Shell]
	_, err := fmt.Print(script)
	return err
}

type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The words so far; the last is the one to complete."`
}

// Run prints what the last word may become, one a line; nothing where only the
// shell knows.
func (c completeCommand) Run(k *kong.Context) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	found := complete(k.Model.Node, tools.All(), words)
	_, err := fmt.Print(strings.Join(append(found, ""), "\n"))
	return err
}

// complete returns what the last of words may become.
func complete(root *kong.Node, definitions []tools.Definition, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	words = joined(words)
	last := words[len(words)-1]
	if len(words) == 1 {
		return beginning(last, commandNames(root))
	}
	command := child(root, words[0])
	if command == nil {
		return nil
	}
	if flag, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(last, "--") {
		return prefixed(flag+"=", beginning(value, choices(command, definitions, flag)))
	}
	if strings.HasPrefix(last, "-") {
		return beginning(last, flagNames(command))
	}
	if values := choices(command, definitions, words[len(words)-2]); len(values) > 0 {
		return beginning(last, values)
	}
	if len(words) == 2 && len(command.Positional) > 0 {
		return beginning(last, command.Positional[0].EnumSlice())
	}
	return nil
}

// joined takes out the "=" of --flag=value, which bash makes a word of its own:
// its words are completed each for itself.
func joined(words []string) []string {
	if n := len(words); n > 1 && words[n-1] == "=" {
		words = append(slices.Clone(words), "")
	}
	if n := len(words); n > 2 && words[n-2] == "=" {
		return slices.Delete(slices.Clone(words), n-2, n-1)
	}
	return words
}

func commandNames(root *kong.Node) []string {
	var names []string
	for _, n := range root.Children {
		if !n.Hidden {
			names = append(names, n.Name)
		}
	}
	return names
}

func child(root *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(root.Children, func(n *kong.Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	return root.Children[i]
}

func flagNames(command *kong.Node) []string {
	names := []string{"--help"}
	for _, f := range command.Flags {
		names = append(names, "--"+f.Name)
	}
	return names
}

// choices are the values that a flag takes, where they are a closed list.
func choices(command *kong.Node, definitions []tools.Definition, flag string) []string {
	name := strings.TrimPrefix(flag, "--")
	if name == flag {
		return nil
	}
	for _, d := range definitions {
		if dashed(d.Name) != command.Name {
			continue
		}
		list, _ := properties(d)
		for _, p := range list {
			if dashed(p.name) == name {
				return p.Enum
			}
		}
	}
	if value := valueOf(command, name); value != nil && value.Enum != "" {
		return value.EnumSlice()
	}
	return nil
}

func beginning(with string, words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" || !strings.HasPrefix(w, with) })
}

func prefixed(with string, words []string) []string {
	for i := range words {
		words[i] = with + words[i]
	}
	return words
}
