package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// runTool calls the tool that a command is for, in the live sessions or on
// disk, and prints what it gives: text to standard output, and what tells of
// it, as errors, to standard error.
func runTool(node *kong.Node, d tools.Definition) error {
	given, err := argumentsOf(node, d, readStdin)
	if err != nil {
		return usageError(err)
	}
	ctx, stop := interrupted()
	defer stop()
	context.AfterFunc(ctx, stop) // who interrupts a second time does not wait for what has begun to land
	named, _ := reflect.TypeAssert[[]string](valueOf(node, "root").Target)
	backend, end, err := commandBackend(ctx, named)
	if err != nil {
		return err
	}
	defer end()
	screen := newScreen(os.Stdout, os.Stderr)
	if d.Name == "apply_patch" && !valueOf(node, "expected-hashes").Set {
		given = withHashes(ctx, backend, given)
	}
	call := session.Call{
		Tool: d.Name, Arguments: []byte(given), Client: toolcall.Client{Name: clientName},
		Form: form.Text, Progress: screen.progress(),
	}
	asJSON := valueOf(node, "json").Target.Bool()
	if asJSON {
		call.Form = form.JSON
	}
	answer, err := backend.Call(ctx, call)
	screen.clear()
	switch {
	case fault.KindOf(err) == fault.Cancelled:
		return givenUp(d)
	case err != nil:
		return err
	case asJSON:
		_, err = fmt.Println(string(answer.Raw))
	case answer.IsError():
		first, rest, more := strings.Cut(errorLines(answer), "\n")
		if first = inFlags(first, node); more { // what the failure shows stays as it is
			first += "\n" + rest
		}
		fmt.Fprintln(os.Stderr, first)
	default:
		err = screen.show(d.Terminal, answer)
	}
	switch {
	case answer.Kind == fault.InvalidParams:
		return exitCode(codeUsage)
	case answer.IsError():
		return exitCode(codeToolError)
	}
	return err
}

// givenUp is what a person is told who interrupts a command: an editor takes
// back nothing that is on its way to it.
func givenUp(d tools.Definition) error {
	e := fault.New(fault.Cancelled, "the call was given up")
	if d.ReadOnly {
		return e
	}
	return e.Advise("It may have landed all the same: look before you try again.")
}

// withHashes gives a patch the hashes of its files as they are now: a command is
// a session of its own, so nothing was read in it before. What cannot be read
// is for the patch's own answer to tell.
func withHashes(ctx context.Context, backend route.Backend, given json.RawMessage) json.RawMessage {
	var members map[string]any
	if json.Unmarshal(given, &members) != nil {
		return given
	}
	text, _ := members["patch"].(string)
	patch, err := diff.ParsePatch(text)
	if err != nil {
		return given
	}
	hashes := make(map[string]string)
	for _, f := range patch.Files {
		if hash := hashNow(ctx, backend, f.Path); hash != "" && f.Op != diff.PatchAdd {
			hashes[f.Path] = hash
		}
	}
	members["expected_hashes"] = hashes
	with, err := json.Marshal(members)
	if err != nil {
		return given
	}
	return with
}

// hashNow is the hash of a file's present text; "" where it cannot be read.
func hashNow(ctx context.Context, backend route.Backend, path string) string {
	arguments, err := json.Marshal(map[string]any{"path": path, "max_bytes": 1})
	if err != nil {
		return ""
	}
	answer, err := backend.Call(ctx, session.Call{
		Tool: "read_file", Arguments: arguments, Form: form.JSON, Client: toolcall.Client{Name: clientName},
	})
	var read struct {
		Hash string `json:"content_hash"`
	}
	if err != nil || json.Unmarshal(answer.Raw, &read) != nil {
		return ""
	}
	return read.Hash
}

// clientName is who calls, as sessions are told.
const clientName = "command line"

// errorLines is a failure as it is told: its one line, and below it what the
// failure shows, a diff for example.
func errorLines(answer session.Answer) string {
	text := strings.TrimSuffix(string(answer.Raw), "\n")
	if answer.Kind == fault.HashRequired { // what one command read the next does not know
		text = strings.Replace(text, "Read the file; then call again, or give its hash.", "Give the hash that agent-lsp read_file prints, as expected_hash.", 1)
	}
	first, rest, _ := strings.Cut(text, "\n")
	hint, rest, _ := strings.Cut(rest, "\n")
	return strings.TrimSuffix(oneLine(first+"\n"+hint)+"\n"+rest, "\n")
}

// word is what may be the name of an argument, or of a tool, in an error.
var word = regexp.MustCompile(`"?[a-z]+(_[a-z]+)*"?(:true)?`)

// inFlags writes the names of a tool's arguments in an error as the command line has
// them, and those of tools: where a name is one word, or part of a path, only in quotes
// or with its value.
func inFlags(text string, node *kong.Node) string {
	names := map[string]string{}
	for _, t := range tools.All() {
		names[t.Name] = strings.ReplaceAll(t.Name, "_", "-")
	}
	for _, f := range node.Flags {
		names[strings.ReplaceAll(f.Name, "-", "_")] = "--" + f.Name
	}
	for _, p := range node.Positional {
		names[strings.ReplaceAll(p.Name, "-", "_")] = "<" + p.Name + ">"
	}
	var out strings.Builder
	end := 0
	for _, at := range word.FindAllStringIndex(text, -1) {
		found := text[at[0]:at[1]]
		name := strings.Trim(strings.TrimSuffix(found, ":true"), `"`)
		before, after := text[max(at[0]-1, 0):at[0]], text[at[1]:]
		inPath := strings.ContainsAny(before, `./\-`) || after != "." && !strings.HasPrefix(after, ". ") && strings.ContainsAny(after[:min(1, len(after))], `./\-:`)
		flag, known := names[name]
		if !known || name == found && (inPath || !strings.Contains(name, "_")) {
			continue
		}
		out.WriteString(text[end:at[0]] + flag)
		end = at[1]
	}
	return out.String() + text[end:]
}

// oneLine joins an error's lines, its words and its hint: as sentences where the
// next begins as one.
func oneLine(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		first, _ := utf8.DecodeRuneInString(line)
		switch {
		case b.Len() == 0:
		case strings.HasSuffix(b.String(), "."):
			b.WriteString(" ")
		case unicode.IsUpper(first):
			b.WriteString(". ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return b.String()
}

func readStdin() (string, error) {
	raw, err := io.ReadAll(os.Stdin)
	return string(raw), err
}
