package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools"
)

// toolCommands are the tools as commands: read_file is "read-file", and each
// of its inputs is a flag or, what a person thinks of first, an argument.
func toolCommands(definitions []tools.Definition) []kong.Option {
	var options []kong.Option
	for _, d := range definitions {
		if slices.Contains(ownCommands, d.Name) {
			continue
		}
		options = append(options, kong.DynamicCommand(dashed(d.Name), escapeHelp(firstSentence(d.Doc)), "tools", newToolFlags(d)))
	}
	return options
}

// ownCommands are the tools that have a command of their own: they run
// programs, whose output and exit code they pass on.
var ownCommands = []string{"persist_output", "run_command"}

// property is an input of a tool.
type property struct {
	name        string
	Type        string    `json:"type"`
	Description string    `json:"description"`
	Enum        []string  `json:"enum"`
	Items       *property `json:"items"`
}

// properties reads the inputs of a tool from its schema, in the order in which
// it declares them, and which of them it requires.
func properties(d tools.Definition) (list []property, required []string) {
	var schema struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(d.InputSchema, &schema) != nil {
		return nil, nil
	}
	members := json.NewDecoder(bytes.NewReader(schema.Properties))
	if _, err := members.Token(); err != nil {
		return nil, nil
	}
	for members.More() {
		name, err := members.Token()
		if err != nil {
			break
		}
		p := property{name: fmt.Sprint(name)}
		if members.Decode(&p) != nil {
			break
		}
		list = append(list, p)
	}
	return list, schema.Required
}

// newToolFlags makes a struct that kong fills from the command line.
func newToolFlags(d tools.Definition) any {
	list, required := properties(d)
	fields := []reflect.StructField{
		flagField("Root", reflect.TypeFor[[]string](), `placeholder:"DIR" sep:"none" help:"Workspace folder; the working directory when absent."`),
		flagField("JSON", reflect.TypeFor[bool](), `name:"json" help:"Print the structured result."`),
	}
	add := func(p property, tag string) {
		tag = fmt.Sprintf("name:%q help:%q %s", dashed(p.name), escapeHelp(p.help(d.Terminal)), tag)
		fields = append(fields, flagField(exported(p.name), p.goType(), tag))
	}
	for _, name := range d.Terminal.Arguments {
		i := slices.IndexFunc(list, func(p property) bool { return p.name == name })
		tag := `arg:"" optional:""`
		if slices.Contains(required, name) {
			tag = `arg:""`
		}
		add(list[i], tag)
	}
	for _, p := range list {
		switch {
		case slices.Contains(d.Terminal.Arguments, p.name):
		case slices.Contains(d.Terminal.Negatable, p.name):
			add(p, `negatable:""`)
		default:
			add(p, fmt.Sprintf(`sep:"none" mapsep:"none" placeholder:%q`, p.placeholder(d.Terminal)))
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

func flagField(name string, t reflect.Type, tag string) reflect.StructField {
	return reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(tag)}
}

// goType is what the command line gives for an input. Numbers are read later,
// so that a wrong one is told in our words.
func (p property) goType() reflect.Type {
	switch {
	case p.Type == "boolean":
		return reflect.TypeFor[bool]()
	case p.Type == "object":
		return reflect.TypeFor[map[string]string]()
	case p.Type == "array" && p.Items != nil && p.Items.Type == "string":
		return reflect.TypeFor[[]string]()
	}
	return reflect.TypeFor[string]()
}

func (p property) help(t tools.Terminal) string {
	unsaid := func(value string) bool { return !strings.Contains(p.Description, value) }
	switch {
	case slices.ContainsFunc(p.Enum, unsaid):
		return strings.TrimSuffix(p.Description, ".") + ": " + strings.Join(p.Enum, ", ") + "."
	case slices.Contains(t.Files, p.name):
		return "A file that holds the patch, - for standard input, or the patch itself; its paths are relative to the workspace folder."
	case slices.Contains(t.Stdin, p.name):
		return strings.TrimSuffix(p.Description, ".") + "; - reads standard input."
	}
	return p.Description
}

func (p property) placeholder(t tools.Terminal) string {
	switch {
	case t.Placeholders[p.name] != "":
		return t.Placeholders[p.name]
	case len(p.Enum) > 0:
		return strings.Join(p.Enum, "|")
	case p.Type == "integer":
		return "N"
	case p.Type == "object":
		return "PATH=VALUE"
	case p.Type == "array" && p.Items != nil && p.Items.Type == "object":
		return "JSON"
	}
	return strings.ToUpper(p.name[strings.LastIndexByte(p.name, '_')+1:])
}

// argumentsOf turns what kong filled into the tool's arguments. stdin is read
// at most once.
func argumentsOf(node *kong.Node, d tools.Definition, stdin func() (string, error)) (json.RawMessage, error) {
	list, _ := properties(d)
	values := map[string]any{}
	for _, p := range list {
		value := valueOf(node, dashed(p.name))
		if value == nil || !value.Set {
			continue
		}
		given := value.Target.Interface()
		text, isText := given.(string)
		switch {
		case isText && text == "-" && slices.Contains(d.Terminal.Stdin, p.name):
			read, err := stdin()
			if err != nil {
				return nil, err
			}
			given = read
		case isText && slices.Contains(d.Terminal.Files, p.name) && text != "" && !strings.Contains(text, "\n"):
			read, err := readPatch(text)
			if err != nil {
				return nil, err
			}
			given = read
		case p.Type == "integer":
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return nil, fault.New(fault.InvalidParams, "--%s is a whole number, not %q", dashed(p.name), text)
			}
			given = n
		}
		values[p.name] = given
	}
	return json.Marshal(values)
}

// readPatch reads a file that holds a patch: what has no lines is none itself.
func readPatch(name string) (string, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", fault.New(fault.InvalidParams, "the patch cannot be read: %s", fault.From(err).Message).At(name).
			Advise("Give a file's name, - for standard input, or the patch itself.")
	}
	return string(raw), nil
}

// valueOf finds a flag or an argument of a command.
func valueOf(node *kong.Node, name string) *kong.Value {
	for _, f := range node.Flags {
		if f.Name == name {
			return f.Value
		}
	}
	for _, p := range node.Positional {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// exported is an input's name as that of a struct's field.
func exported(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// escapeHelp keeps kong from taking a dollar sign for a variable.
func escapeHelp(s string) string { return strings.ReplaceAll(s, "$", "$$") }

func firstSentence(doc string) string {
	first, _, more := strings.Cut(doc, ". ")
	if more {
		return first + "."
	}
	return doc
}
