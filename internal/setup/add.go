package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/jsonc"
)

// state tells what a file says of agent-lsp.
type state int

const (
	absent state = iota
	same
	other
)

// Add returns the host's file src with the server in it; src itself when it is
// there already. A missing file is an empty src.
//
// Errors: already_exists when there is an entry of that name which starts
// something else; invalid_params when the file is not as its host reads it.
func (h Host) Add(src []byte, s Server) ([]byte, error) {
	mark, body := cutMark(src)
	is, err := h.format.has(body, s)
	if err != nil {
		return nil, fault.New(fault.InvalidParams, "the file cannot be read as %s reads it: %s", h.Title, err).
			Advise("Mend it, or add the entry by hand.")
	}
	switch is {
	case same:
		return src, nil
	case other:
		return nil, fault.New(fault.AlreadyExists, "there is an entry %q, and it starts %s, not %s", Name, h.format.starts(body), s.line()).
			Advise("Remove or change it by hand, then call again.")
	}
	out, err := h.format.add(body, s)
	if err != nil {
		return nil, fault.New(fault.InvalidParams, "the entry cannot be added: %s", err).Advise("Add it by hand.")
	}
	if is, err := h.format.has(out, s); err != nil || is != same {
		return nil, fault.New(fault.Internal, "the entry would not be read back").Advise("Add it by hand.")
	}
	return append(mark, out...), nil
}

// line is what a server starts, as one reads it.
func (s Server) line() string { return strings.Join(append([]string{s.Command}, s.Args...), " ") }

// Snippet returns the entry alone, as a whole file.
func (h Host) Snippet(s Server) string {
	out, err := h.Add(nil, s)
	if err != nil {
		return fault.From(err).Error()
	}
	return string(out)
}

func cutMark(src []byte) (mark, body []byte) {
	const utf8Mark = "\uFEFF"
	if body, ok := bytes.CutPrefix(src, []byte(utf8Mark)); ok {
		return []byte(utf8Mark), body
	}
	return nil, src
}

// jsonFile is JSON, with comments or without, that has servers as members of
// the object at path, or of its member nested where there is that.
type jsonFile struct {
	path   []string
	nested string
	entry  func(Server) []jsonc.Field
}

func (f jsonFile) add(src []byte, s Server) ([]byte, error) {
	return jsonc.Put(src, append(f.servers(src), Name), f.entry(s))
}

func (f jsonFile) has(src []byte, s Server) (state, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		return absent, nil
	}
	root, err := jsonc.Parse(src)
	if err != nil {
		return absent, err
	}
	entry := jsonc.Find(&root, append(f.servers(src), Name)...)
	switch {
	case entry == nil:
		return absent, nil
	case jsonc.Holds(entry, f.essential(s)):
		return same, nil
	}
	return other, nil
}

func (f jsonFile) starts(src []byte) string {
	root, err := jsonc.Parse(src)
	if err != nil {
		return somethingElse
	}
	entry := jsonc.Find(&root, append(f.servers(src), Name)...)
	if entry == nil {
		return somethingElse
	}
	entry.Standardize()
	var is struct {
		Command any   `json:"command"`
		Args    []any `json:"args"`
	}
	if json.Unmarshal(entry.Pack(), &is) != nil {
		return somethingElse
	}
	return startLine(is.Command, is.Args)
}

// startLine is what an entry starts, as one reads it; opencode has one list.
func startLine(command any, args []any) string {
	list, isList := command.([]any)
	if !isList && command != nil {
		list = []any{command}
	}
	list = slices.Concat(list, args)
	if len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { s, ok := v.(string); return !ok || s == "" }) {
		return somethingElse
	}
	return strings.Join(words(list), " ")
}

// somethingElse is what an entry starts that does not say so.
const somethingElse = "something else"

// essential is what makes an entry ours: what it starts. The rest is the
// person's to change.
func (f jsonFile) essential(s Server) []jsonc.Field {
	var fields []jsonc.Field
	for _, field := range f.entry(s) {
		if field.Name == "command" || field.Name == "args" {
			fields = append(fields, field)
		}
	}
	return fields
}

func (f jsonFile) servers(src []byte) []string {
	path := append([]string(nil), f.path...)
	if f.nested == "" || len(bytes.TrimSpace(src)) == 0 {
		return path
	}
	root, err := jsonc.Parse(src)
	if err != nil {
		return path
	}
	deeper := slices.Concat(path, []string{f.nested})
	at := jsonc.Find(&root, deeper...)
	if at == nil || isServer(at) {
		return path
	}
	return deeper
}

// isServer tells a server that has the name of the object of servers.
func isServer(v *jsonc.Value) bool {
	return jsonc.Find(v, "type") != nil || jsonc.Find(v, "command") != nil || jsonc.Find(v, "enabled") != nil
}

// tomlFile is Codex's config.toml: a table for each server.
type tomlFile struct{}

const tomlServers = "mcp_servers"

// inlineServers finds the table of servers as a value. The reader would take a
// further table for it, but Codex's does not.
var inlineServers = regexp.MustCompile(`(?m)^[ \t]*["']?mcp_servers["']?[ \t]*=`)

func (tomlFile) has(src []byte, s Server) (state, error) {
	config, err := decode(src)
	if err != nil {
		return absent, err
	}
	servers, _ := config[tomlServers].(map[string]any)
	entry, ok := servers[Name].(map[string]any)
	if !ok {
		return absent, nil
	}
	if entry["command"] == s.Command && reflect.DeepEqual(words(entry["args"]), s.Args) {
		return same, nil
	}
	return other, nil
}

func (tomlFile) starts(src []byte) string {
	config, _ := decode(src) // it was read before
	servers, _ := config[tomlServers].(map[string]any)
	entry, _ := servers[Name].(map[string]any)
	args, _ := entry["args"].([]any)
	return startLine(entry["command"], args)
}

// add appends a table: what stands at the end of a TOML file is never in the
// way of what is before it.
func (f tomlFile) add(src []byte, s Server) ([]byte, error) {
	before, err := decode(src)
	switch {
	case err != nil:
		return nil, err
	case inlineServers.Match(src):
		return nil, fmt.Errorf("%s is an inline table, to which TOML adds nothing", tomlServers)
	}
	eol := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		eol = "\r\n"
	}
	var b bytes.Buffer
	b.Write(src)
	if len(src) > 0 {
		if !bytes.HasSuffix(src, []byte("\n")) {
			b.WriteString(eol)
		}
		b.WriteString(eol)
	}
	quoted := make([]string, len(s.Args))
	for i, a := range s.Args {
		quoted[i] = quote(a)
	}
	fmt.Fprintf(&b, "[%s.%s]%scommand = %s%sargs = [%s]%s",
		tomlServers, Name, eol, quote(s.Command), eol, strings.Join(quoted, ", "), eol)
	after, err := decode(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s is not written as tables: %w", tomlServers, err)
	}
	if servers, ok := after[tomlServers].(map[string]any); ok {
		delete(servers, Name)
		if len(servers) == 0 && before[tomlServers] == nil {
			delete(after, tomlServers)
		}
	}
	if !reflect.DeepEqual(before, after) {
		return nil, fmt.Errorf("a table at the end would change what is before it")
	}
	return b.Bytes(), nil
}

func decode(src []byte) (map[string]any, error) {
	config := map[string]any{}
	_, err := toml.Decode(string(src), &config)
	return config, err
}

func words(list any) []string {
	values, _ := list.([]any)
	words := make([]string, 0, len(values))
	for _, v := range values {
		s, _ := v.(string)
		words = append(words, s)
	}
	return words
}

// quote writes a basic string of TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
