package mcp

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/tools"
)

var update = flag.Bool("update", false, "rewrite testdata/sizes.txt")

// coreTools are the tools without which an agent cannot work.
var coreTools = []string{"read_file", "grep_files", "list_directory", "outline", "edit_file", "apply_patch"}

// The most that lists of tools may cost a model's context, in bytes.
const (
	maxList     = 11_000
	maxCoreList = 5_500
)

// listed is what tools/list answers.
func listed(t *testing.T, config Config) (raw string, list []map[string]any) {
	t.Helper()
	config.Backend = newDiskBackend(t, workspaceDir(t, nil))
	p := dial(t, config)
	p.initialize("2025-11-25", "{}")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	raw = p.raw()
	var answer struct {
		Result struct {
			Tools []map[string]any `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		t.Fatal(err)
	}
	return raw, answer.Result.Tools
}

// TestListsAreSmall holds the lists against their bars, and tells of each
// change of a size.
func TestListsAreSmall(t *testing.T) {
	all, list := listed(t, Config{})
	short, shortList := listed(t, Config{Only: coreTools})
	if len(shortList) != len(coreTools) || len(all) > maxList || len(short) > maxCoreList {
		t.Errorf("all tools take %d bytes, at most %d; the %d core tools %d, at most %d", len(all), maxList, len(shortList), len(short), maxCoreList)
	}
	var sizes strings.Builder
	for _, tool := range list {
		raw, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sizes, "%-16v %5d\n", tool["name"], len(raw))
	}
	fmt.Fprintf(&sizes, "%-16s %5d\n%-16s %5d\n", "tools/list", len(all), "core", len(short))
	if *update {
		if err := os.WriteFile("testdata/sizes.txt", []byte(sizes.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/sizes.txt")
	if err != nil || string(want) != sizes.String() {
		t.Errorf("sizes are not those of testdata/sizes.txt, which make generate writes:\n%s(%v)", sizes.String(), err)
	}
}

func TestSchemasSuitEveryVendor(t *testing.T) {
	raw, list := listed(t, Config{})
	for _, hostile := range []string{`"$ref"`, `"$defs"`, `"anyOf"`, `"oneOf"`, `"allOf"`, `"type":[`, `"null"`} {
		if strings.Contains(raw, hostile) {
			t.Errorf("the list has %s", hostile)
		}
	}
	for _, tool := range list {
		hints, _ := tool["annotations"].(map[string]any)
		d := tools.Find(fmt.Sprint(tool["name"]))
		if hints["readOnlyHint"] != d.ReadOnly || hints["openWorldHint"] != (d.Local && !d.ReadOnly) || (hints["destructiveHint"] == true) == d.ReadOnly {
			t.Errorf("%s: %v", d.Name, hints)
		}
		if tool["outputSchema"] != nil {
			t.Errorf("%s has an output schema, unasked", d.Name)
		}
	}
}

func TestWhichToolsAreServed(t *testing.T) {
	_, readOnly := listed(t, Config{ReadOnly: true})
	for _, tool := range readOnly {
		if !tools.Find(fmt.Sprint(tool["name"])).ReadOnly {
			t.Errorf("%s is served, read-only", tool["name"])
		}
	}
	_, structured := listed(t, Config{Structured: true, Only: []string{"read_file"}})
	if len(structured) != 1 || structured[0]["outputSchema"] == nil {
		t.Errorf("listed: %v", structured)
	}
	if _, err := (Config{Only: []string{"brew"}}).served(); err == nil || !strings.Contains(err.Error(), "there is no tool") {
		t.Errorf("an unknown tool: %v", err)
	}
}

// TestDescriptionsBegin: hosts show, and search, how descriptions begin, so that
// says what a tool does in the words that people look for.
func TestDescriptionsBegin(t *testing.T) {
	_, list := listed(t, Config{})
	for _, tool := range list {
		text, _ := tool["description"].(string)
		begin := strings.ToLower(string([]rune(text)[:min(160, len([]rune(text)))]))
		words := map[string][]string{
			"read_file": {"read", "file", "symbol", "lines", "unsaved"}, "grep_files": {"search", "text", "grep", "regular expression"},
			"edit_file": {"edit", "file", "replace", "expected_hash"}, "write_file": {"create", "replace", "file"}, "apply_patch": {"edit", "patch", "files"},
			"replace_in_files": {"replace", "regular expression", "literal text", "all files", "sed"},
			"list_directory":   {"list", "files", "folder"}, "find_files": {"find", "files", "name", "glob"}, "outline": {"functions", "classes", "definitions"},
			"open_files": {"open", "editor"}, "diagnostics": {"errors", "warnings"}, "edit_history": {"edited", "reverted"}, "references": {"find", "uses", "defines", "symbol", "language server"}, "rename_symbol": {"rename", "symbol"}, "code_action": {"language servers", "quickfix", "refactor"}, "revert_edit": {"undo", "edit"},
		}[fmt.Sprint(tool["name"])]
		for _, word := range words {
			if !strings.Contains(begin, word) {
				t.Errorf("%s: %q is not in how its description begins: %s", tool["name"], word, begin)
			}
		}
		if len(words) == 0 {
			t.Errorf("%s: no word is looked for", tool["name"])
		}
	}
}

// TestHintsAreForWhoReadsThem: a host that knows them is told how long answers may
// be, and to load the tools at once.
func TestHintsAreForWhoReadsThem(t *testing.T) {
	for name, hints := range map[string]bool{"claude-code": true, "somebody": false, "": false} {
		p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
		p.initializeAs(name, "2025-11-25", "{}")
		for id := range 2 {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id))
			raw := p.raw()
			each := 2 * strings.Count(raw, `"inputSchema"`)
			if n := strings.Count(raw, sizeHint) + strings.Count(raw, loadHint); hints != (n > 0) || hints && n != each {
				t.Errorf("%s: %d hints in %s", name, n, raw)
			}
		}
	}
}

// TestRoomOfHosts: who is not known is shown little.
func TestRoomOfHosts(t *testing.T) {
	for name, want := range map[string]int{"": unknownShows, "somebody": unknownShows, "claude-code": 50_000, "qwen-cli-mcp-client-agent-lsp": 25_000, "copilot-cli": 20_500} {
		if got := hostOf(name).shows; got != want {
			t.Errorf("%s shows %d bytes, want %d", name, got, want)
		}
	}
	for _, h := range hosts() {
		if h.shows <= unknownShows {
			t.Errorf("%s shows less than one that is not known", h.name)
		}
	}
}

// TestInstructions: they are short, teach the flow, and name no tool that is
// not served.
func TestInstructions(t *testing.T) {
	names := func(c Config) (list []string) {
		c.Settings = defaults
		served, err := c.served()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range served {
			list = append(list, d.Name)
		}
		return list
	}
	all := names(Config{})
	for _, word := range []string{"grep_files", "outline", "read_file", "expected_hash", "stale_file", "4. Edit"} {
		if !strings.Contains(instructions(all), word) {
			t.Errorf("they do not tell of %s", word)
		}
	}
	for _, list := range [][]string{all, coreTools, names(Config{ReadOnly: true}), {"read_file"}, {"grep_files", "apply_patch"}, {"edit_file"}, {"diagnostics"}, {"outline", "open_files"}} {
		said := instructions(list)
		if len(said) > maxInstructions {
			t.Errorf("with %v they are %d bytes", list, len(said))
		}
		for _, name := range all {
			if !slices.Contains(list, name) && regexp.MustCompile(`\b`+name+`\b`).MatchString(said) {
				t.Errorf("with %v they tell of %s:\n%s", list, name, said)
			}
		}
	}
	if said := instructions([]string{"read_file"}); strings.Contains(said, "stale") || strings.Contains(said, "edits") {
		t.Errorf("nothing can be edited:\n%s", said)
	}
}
