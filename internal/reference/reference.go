package reference

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/tools"
)

const notice = "<!-- Made by `make generate`; do not edit. -->\n"

// schema is as much of a JSON Schema as the pages show.
type schema struct {
	Type        string            `json:"type"`
	Description string            `json:"description"`
	Enum        []string          `json:"enum"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	Items       *schema           `json:"items"`
	order       []string          // of Properties, as written
}

// UnmarshalJSON keeps the order of the properties: it is the order in which
// the tool declares them.
func (s *schema) UnmarshalJSON(raw []byte) error {
	type plain schema
	if err := json.Unmarshal(raw, (*plain)(s)); err != nil {
		return err
	}
	var members struct {
		Properties json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	s.order = keys(members.Properties)
	return nil
}

// keys returns the names of an object's members in their order.
func keys(object json.RawMessage) []string {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var names []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return names
		}
		names = append(names, fmt.Sprint(name))
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return names
		}
	}
	return names
}

// Tools returns the page about the tools.
func Tools() (string, error) {
	var b strings.Builder
	b.WriteString("# Tools\n\n" + notice + toolsPreface)
	for _, t := range tools.All() {
		var in, out schema
		if err := json.Unmarshal(t.InputSchema, &in); err != nil {
			return "", err
		}
		if err := json.Unmarshal(t.OutputSchema(), &out); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n### Arguments\n\n| argument | type | |\n|---|---|---|\n", t.Name, t.Doc)
		writeMembers(&b, in, "")
		b.WriteString("\n### Structured answer\n\nMembers that say nothing about an answer are left out.\n\n| member | type | |\n|---|---|---|\n")
		writeTypes(&b, out, "")
	}
	return b.String(), nil
}

const toolsPreface = `
Every way in serves the same tools. Byte ranges are half open and count the bytes of the text in UTF-8; lines count from 1 and ranges of them are inclusive. Arguments may be written in camelCase, numbers and booleans as strings, arrays as JSON strings. What other tools call an argument is understood where it can mean one thing (` + "`old_string`, `file_path`, `glob`, `view_range`, `-i`" + `), what a host adds for itself is passed over (` + "`wait_for_previous`" + `), and ` + "`null`" + `, an empty string or a zero that can mean nothing stands for "not given"; any other unknown argument is refused with the nearest one's name.

An answer over LSP is ` + "`{content, structuredContent, isError?}`" + `: the text of a file stands in ` + "`structuredContent.content`" + ` alone, and ` + "`content`" + ` holds a header of one to three lines, and images or documents as blocks. A list (an outline, hits, entries) stands in ` + "`content`" + ` below the header as a model reads it, and in ` + "`structuredContent`" + ` as data: use one of them. A failed call has ` + "`isError: true`" + ` and ` + "`structuredContent.error`" + `, see [errors](errors.md).
`

func writeMembers(b *strings.Builder, s schema, at string) {
	for _, name := range s.order {
		p := s.Properties[name]
		kind := typeName(p)
		if slices.Contains(s.Required, name) {
			kind += ", required"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", at+name, kind, cell(p.Description))
		if p.Items != nil {
			writeMembers(b, *p.Items, at+name+"[].")
		}
	}
}

func writeTypes(b *strings.Builder, s schema, at string) {
	for _, name := range s.order {
		p := s.Properties[name]
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", at+name, typeName(p), cell(p.Description))
		if p.Items != nil {
			writeTypes(b, *p.Items, at+name+"[].")
		}
		writeTypes(b, p, at+name+".")
	}
}

func typeName(s schema) string {
	switch {
	case len(s.Enum) > 0:
		return "`" + strings.Join(s.Enum, "`, `") + "`"
	case s.Items != nil && s.Items.Type != "":
		return s.Items.Type + "[]"
	}
	return s.Type
}

// Settings returns the page about the settings.
func Settings() string {
	var b strings.Builder
	b.WriteString("# Settings\n\n" + notice + settingsPreface + "\n| setting | values | default | a folder may | |\n|---|---|---|---|---|\n")
	for _, s := range settings.Table() {
		doc := s.Doc
		if slices.Contains(withoutEffect, s.Key) {
			doc = "Without effect in this version; it is for: " + doc
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", s.Key, cell(s.Type), defaultOf(s.Key), s.Rule, cell(doc))
	}
	b.WriteString("\n## Private files\n\nThe built-in value of `policy.private`, which a value of your own replaces: begin yours with it.\n\n")
	writePatterns(&b, settings.Default().Policy.Private)
	b.WriteString("\n## Protected files\n\nThese run code or govern agents. They are changed only when the person agrees, see [editing](editing.md#consent); where nobody can be asked, and with `edits.confirm: never`, they are not.\n\n")
	for _, g := range pathmatch.ProtectedGroups() {
		fmt.Fprintf(&b, "%s:\n\n", g.Why)
		writePatterns(&b, g.Patterns)
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// defaultOf returns the built-in value of a setting. The key names the fields
// of [settings.Settings] that lead to it.
func defaultOf(key string) string {
	v := reflect.ValueOf(settings.Default())
	for part := range strings.SplitSeq(key, ".") {
		v = v.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, part) })
	}
	switch {
	case v.Kind() == reflect.Slice && v.Len() > 0:
		return "see below"
	case v.Kind() == reflect.Slice, v.Kind() == reflect.String && v.Len() == 0:
		return "none"
	}
	return fmt.Sprintf("`%v`", v.Interface())
}

func writePatterns(b *strings.Builder, patterns []string) {
	for _, p := range patterns {
		fmt.Fprintf(b, "- `%s`\n", p)
	}
}

// withoutEffect are settings of what is not built yet: a person's file that
// holds them is right already.
var withoutEffect = []string{}

func cell(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " "))
}

const settingsPreface = `
Settings stand in ` + "`$XDG_CONFIG_HOME/agent-lsp/config.json`" + ` (or ` + "`~/.config/agent-lsp/config.json`" + `), nested or with dotted keys, and come from flags and from the editor. An editor sends what it read of the opened folder as ` + "`agentLsp`" + `; such settings may only tighten policy, execution and confirmation. What the person set outside any workspace comes as ` + "`agentLspMachine`" + ` and counts in full.

` + "```json" + `
{
  "edits": { "confirm": "always" },
  "policy": { "excluded": ["vendor/", "**/*.snap"], "readOnlyRoots": ["/home/me/go/pkg/mod"] }
}
` + "```" + `

` + "`agent-lsp doctor`" + ` tells what is wrong in it. Patterns are globs of paths below a workspace folder: ` + "`*`" + ` and ` + "`?`" + ` stay within a name, ` + "`**`" + ` spans folders, case does not count, and what a pattern matches covers everything below it. While the person's own file cannot be read as JSON, nothing is changed: it may forbid that. With ` + "`edits.confirm: always`" + ` a person is asked for every change but dry runs; where nobody can be asked, the change is refused.

The file is read once, when a session starts: by the editor's server, by ` + "`agent-lsp mcp`" + `, by each command. After changing it restart the language server in the editor (or the editor) and the assistant's MCP server. What the editor itself sends counts at once (` + "`workspace/didChangeConfiguration`" + `); the file is not read again for that.
`

// Errors returns the page about the kinds of errors. source is the Go file
// that declares them, with a comment on each.
func Errors(source []byte) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "fault.go", source, parser.ParseComments)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# Errors\n\n" + notice + errorsPreface + "\n| kind | |\n|---|---|\n")
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 || v.Comment == nil {
			return true
		}
		if value, ok := v.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
			kind, doc := strings.Trim(value.Value, `"`), strings.TrimSpace(v.Comment.Text())
			fmt.Fprintf(&b, "| `%s` | %s |\n", kind, doc)
		}
		return true
	})
	return b.String(), nil
}

const errorsPreface = `
A tool that fails answers with ` + "`isError: true`" + `; ` + "`structuredContent.error`" + ` is ` + "`{kind, message, hint?, path?}`" + ` with further members by kind, and the text says the same, kind first. Nothing was changed unless the error says otherwise. Malformed messages are JSON-RPC errors with the standard codes.
`
