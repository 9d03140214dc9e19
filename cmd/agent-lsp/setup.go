package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/hook"
	"github.com/agent-lsp/agent-lsp/internal/setup"
	"github.com/agent-lsp/agent-lsp/rpc/mcp"
)

type setupCommand struct {
	Host    string       `arg:"" enum:"claude,codex,copilot,gemini,qwen,opencode,crush,amp,vscode,zed,cursor" help:"claude, codex, copilot, gemini, qwen, opencode, crush, amp, vscode, zed or cursor."`
	Write   bool         `xor:"what" help:"Add it to the host's files, where everything else stays as it is."`
	Remove  bool         `xor:"what" help:"Take it out of them again."`
	Allow   *setup.Level `enum:"read,all,none" placeholder:"LEVEL" help:"What the host may call without asking: read (what changes nothing; the default), all (changes, too) or none. Commands are never covered."`
	Hooks   bool         `help:"Also have the host's own tools see the editor, by hooks: claude, codex, copilot, gemini, qwen. With --remove: take out these alone."`
	Project bool         `help:"For the project in the working directory instead of all your projects."`
	Command string       `help:"The program to start; this one when absent." placeholder:"PROGRAM"`
}

// Run prints how a host is told of agent-lsp, or tells it.
func (c setupCommand) Run() error {
	host := c.host()
	places, err := hostPlaces()
	if err != nil {
		return err
	}
	order := order(setup.This(c.program()), c.Project, setup.AllowRead)
	if order.KeepMore = c.Allow == nil; c.Allow != nil { // what was allowed stays unless the person says otherwise
		order.Allow = *c.Allow
	}
	if order.Hooks, err = c.hooks(host); err != nil {
		return err
	}
	if _, err := exec.LookPath(order.Server.Command); err != nil && !c.Remove {
		fmt.Fprintf(os.Stderr, "%s is not found: %s could not start it.\n", order.Server.Command, host.Title)
	}
	switch {
	case c.Remove:
		return c.remove(host, places, order)
	case c.Write:
		if in := hooksIn(host, places, !c.Project); c.Hooks && in != "" {
			return errHooksTwice(host, in, !c.Project)
		}
		return c.write(host, places, order)
	}
	return c.print(host, places, order)
}

// order is what is to be in a host's files.
func order(server setup.Server, project bool, level setup.Level) setup.Order {
	reads, changes := mcp.Permissions()
	return setup.Order{Server: server, Project: project, Allow: level, Tools: setup.Tools{Reads: reads, Changes: changes}}
}

// hooks returns the hooks of a host, where they are wanted.
func (c setupCommand) hooks(host setup.Host) ([]setup.Hook, error) {
	if !c.Hooks {
		return nil, nil
	}
	h, known := hook.HostOf(host.Name)
	if !known || !host.Hooks() {
		return nil, fault.New(fault.InvalidParams, "%s has no tool hooks that are known here", host.Title).
			Advise("Leave --hooks out; the host's model finds the tools by itself.")
	}
	command := shellQuoted(c.program()) + " hook " + h.Name
	list := []setup.Hook{
		{Event: h.Before, Matcher: h.Matcher, Command: command},
		{Event: h.After, Matcher: h.Matcher, Command: command},
	}
	if h.Batch != "" {
		list = append(list, setup.Hook{Event: h.Batch, Command: command})
	}
	return list, nil
}

// allowed tells what a person has just let a host call; "" where they did not
// say.
func (c setupCommand) allowed(host setup.Host) string {
	if c.Allow == nil {
		return ""
	}
	switch *c.Allow {
	case setup.AllowNone:
		return host.Title + " is not told to call anything without asking."
	case setup.AllowRead:
		return host.Title + " is told that it may call without asking what changes nothing."
	case setup.AllowAll:
		return host.Title + " is told that it may change files without asking, and never that it may run commands."
	}
	return ""
}

// nextOfHooks tells what else a person has to do for the hooks; "" for nothing.
func (c setupCommand) nextOfHooks(host setup.Host) string {
	switch {
	case !c.Hooks:
		return ""
	case host.Name == "codex":
		return "Codex runs hooks that are trusted: type /hooks in it, look at those of agent-lsp, and trust them."
	case c.Project:
		return "The hooks run where " + host.Title + " trusts the folder."
	}
	return ""
}

// shellQuoted writes a word for a shell.
func shellQuoted(word string) string {
	if !strings.ContainsAny(word, " \t\"'\\$`&|;<>()*?[]#~!{}") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// print shows what write would. The entry alone goes to standard output.
func (c setupCommand) print(host setup.Host, places setup.Places, order setup.Order) error {
	snippets, err := host.Snippets(places, order)
	if err != nil {
		return err
	}
	there := fmt.Sprintf("; agent-lsp setup %s --write adds it there.", host.Name)
	switch _, changes, err := planFiles(host, places, host.Steps(places, order)); {
	case err != nil:
		there = ". --write refuses: " + oneLine(err.Error())
	case len(changes) == 0:
		there = ", which has it already."
	}
	for i, s := range snippets {
		if i == 0 {
			fmt.Fprintf(os.Stderr, "%s reads this from %s%s\n", host.Title, existing(s.Files), there)
			fmt.Print(s.Text)
			continue
		}
		fmt.Fprintf(os.Stderr, "And this from %s:\n%s", existing(s.Files), s.Text)
	}
	return nil
}

func (c setupCommand) write(host setup.Host, places setup.Places, order setup.Order) error {
	changed, err := changeFiles(host, places, host.Steps(places, order))
	switch {
	case err != nil:
		return err
	case len(changed) == 0:
		fmt.Printf("%s has it already; nothing was changed.\n", existing(host.Files(places, c.Project)))
		return nil
	}
	fmt.Printf("Changed %s. %s\n", strings.Join(changed, " and "), host.Next(c.Project))
	for _, sentence := range []string{c.allowed(host), host.Asks(order), c.nextOfHooks(host)} {
		if sentence != "" {
			fmt.Println(sentence)
		}
	}
	return nil
}

func (c setupCommand) remove(host setup.Host, places setup.Places, order setup.Order) error {
	steps := host.RemoveSteps(places, order)
	if c.Hooks {
		steps = host.RemoveHooks(places, order)
	}
	changed, err := changeFiles(host, places, steps)
	switch {
	case err != nil:
		return err
	case len(changed) == 0:
		fmt.Printf("%s does not have it; nothing was changed.\n", existing(host.Files(places, c.Project)))
		return nil
	}
	fmt.Printf("Taken out of %s.\n", strings.Join(changed, " and "))
	return nil
}

func (c setupCommand) host() setup.Host {
	for _, h := range setup.Hosts() {
		if h.Name == c.Host {
			return h
		}
	}
	return setup.Host{} // kong let no other name pass
}

// program is what hosts start: the bare name where that finds this program, so
// that an update in another place does not break their files.
func (c setupCommand) program() string {
	if c.Command != "" {
		return c.Command
	}
	self, err := os.Executable()
	if err != nil {
		return setup.Name
	}
	if found, err := exec.LookPath(setup.Name); err == nil && sameFile(found, self) {
		return setup.Name
	}
	return self
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// existing returns the first file that is there, else the first.
func existing(files []string) string {
	for _, f := range files {
		if _, err := os.Stat(f); err == nil {
			return f
		}
	}
	return files[0]
}
