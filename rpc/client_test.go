package rpc

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/tools"
)

// initializeOf are the params of a client in dir with more on top.
func initializeOf(dir string, more map[string]any) map[string]any {
	params := map[string]any{"processId": os.Getpid(), "rootUri": "file://" + dir, "capabilities": map[string]any{}}
	maps.Copy(params, more)
	return params
}

// asJSON is a value in one line, its members sorted.
func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// leave ends the input, after which the server has to end well.
func (s *editorSession) leave() {
	s.t.Helper()
	s.in.Close()
	if err := <-s.done; err != nil {
		s.t.Error(err)
	}
}

func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInitializeAnswer: what the server says of itself, with and without the
// structure of documents.
func TestInitializeAnswer(t *testing.T) {
	for symbols, want := range map[bool]string{
		false: `{"capabilities":{"executeCommandProvider":{"commands":["agent-lsp.call"]},"experimental":{"agentLsp":{"review":true}},"positionEncoding":"utf-16",` +
			`"textDocumentSync":{"change":2,"openClose":true,"save":true},"workspace":{"workspaceFolders":{"changeNotifications":true,"supported":true}}},` +
			`"serverInfo":{"name":"agent-lsp","version":"test"}}`,
		true: `{"capabilities":{"documentSymbolProvider":true,"executeCommandProvider":{"commands":["agent-lsp.call"]},"experimental":{"agentLsp":{"review":true}},"foldingRangeProvider":true,"positionEncoding":"utf-16","selectionRangeProvider":true,` +
			`"textDocumentSync":{"change":2,"openClose":true,"save":true},"workspace":{"workspaceFolders":{"changeNotifications":true,"supported":true}},"workspaceSymbolProvider":true},` +
			`"serverInfo":{"name":"agent-lsp","version":"test"}}`,
	} {
		s := startSession(t, initializeOf(t.TempDir(), map[string]any{
			"initializationOptions": map[string]any{"agentLsp": map[string]any{"lsp.symbols": symbols}}}))
		if got := asJSON(s.initialized["result"]); got != want {
			t.Errorf("lsp.symbols %v\n got %s\nwant %s", symbols, got, want)
		}
		s.leave()
	}
}

// TestPositionEncoding: UTF-8 where it is offered at all, else the first of
// those that are known, and without any LSP's default.
func TestPositionEncoding(t *testing.T) {
	for offered, want := range map[string]string{
		`{}`:                             "utf-16",
		`{"general":{}}`:                 "utf-16",
		`["utf-16","utf-8"]`:             "utf-8",
		`["utf-32","utf-16"]`:            "utf-32",
		`["utf-7","utf-32","utf-16"]`:    "utf-32",
		`["utf-7"]`:                      "utf-16",
		`["utf-16","utf-32"]`:            "utf-16",
		`["utf-7","utf-32","x","utf-8"]`: "utf-8",
	} {
		capabilities := json.RawMessage(offered)
		if offered[0] == '[' {
			capabilities = json.RawMessage(`{"general":{"positionEncodings":` + offered + `}}`)
		}
		s := startSession(t, initializeOf(t.TempDir(), map[string]any{"capabilities": capabilities}))
		result, _ := s.initialized["result"].(map[string]any)
		got, _ := result["capabilities"].(map[string]any)
		if got["positionEncoding"] != want {
			t.Errorf("of %s: %v, want %s", offered, got["positionEncoding"], want)
		}
		s.leave()
	}
}

// TestFoldersOfInitialize: the workspace folders count before the root of older
// clients, its URI before its path; what is not on disk is none.
func TestFoldersOfInitialize(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"one/a.txt": "1", "two/b.txt": "2"})
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	folder := func(uri, name string) map[string]any { return map[string]any{"uri": uri, "name": name} }
	for name, tt := range map[string]struct {
		params map[string]any
		want   string // the paths that are found
	}{
		"folders":                {map[string]any{"workspaceFolders": []any{folder("file://"+one, "")}, "rootUri": "file://" + two}, "a.txt"},
		"two folders":            {map[string]any{"workspaceFolders": []any{folder("file://"+one, ""), folder("file://"+two, "named")}}, "named/b.txt one/a.txt"},
		"a folder not on disk":   {map[string]any{"workspaceFolders": []any{folder("vscode-vfs://github/x/y", "v"), folder("file://"+two, "")}}, "b.txt"},
		"an untitled folder":     {map[string]any{"workspaceFolders": []any{folder("untitled:one", "v"), folder("file://"+two, "")}}, "b.txt"},
		"an unusable folder":     {map[string]any{"workspaceFolders": []any{folder("file://%zz", "v"), folder("file://"+two, "")}}, "b.txt"},
		"no folders, a root URI": {map[string]any{"workspaceFolders": []any{}, "rootUri": "file://" + two, "rootPath": one}, "b.txt"},
		"null folders":           {map[string]any{"workspaceFolders": nil, "rootUri": "file://" + two}, "b.txt"},
		"a root path":            {map[string]any{"rootUri": nil, "rootPath": one}, "a.txt"},
		"a root not on disk":     {map[string]any{"rootUri": "ssh://host/x", "rootPath": one}, "a.txt"},
		"a relative root path":   {map[string]any{"rootUri": nil, "rootPath": "one"}, ""},
		"nothing":                {map[string]any{"rootUri": nil}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSession(t, initializeOf(dir, tt.params))
			defer s.leave()
			s.told = func(method string, params any) { t.Errorf("%s %v", method, params) }
			if got := s.found(); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// found are the paths that find_files finds, sorted.
func (s *editorSession) found() string {
	s.t.Helper()
	answer := s.tool("find_files", map[string]any{"pattern": "*.txt"})
	var paths []string
	list, _ := answer["files"].([]any)
	for _, file := range list {
		path, _ := file.(map[string]any)["path"].(string)
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return strings.Join(paths, " ")
}

// TestFoldersChange: folders come and go, and one that comes again is renamed.
func TestFoldersChange(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"one/a.txt": "1", "two/b.txt": "2", "three/c.txt": "3"})
	s := startSession(t, initializeOf(dir, map[string]any{"rootUri": "file://" + dir + "/one"}))
	defer s.leave()
	for _, step := range []struct{ added, removed, want string }{
		{"two", "", "one/a.txt two/b.txt"},
		{"two=zwei", "", "one/a.txt zwei/b.txt"},
		{"one=eins", "", "eins/a.txt zwei/b.txt"},
		{"three", "one", "three/c.txt zwei/b.txt"},
		{"", "two", "c.txt"},
		{"", "one", "c.txt"},
	} {
		list := func(one string) []any {
			if one == "" {
				return []any{}
			}
			folder, name, _ := strings.Cut(one, "=")
			return []any{map[string]any{"uri": "file://" + dir + "/" + folder, "name": name}}
		}
		s.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": list(step.added), "removed": list(step.removed)}})
		if got := s.found(); got != step.want {
			t.Errorf("%+v: found %q", step, got)
		}
	}
}

// TestToolsAsListed: those that can be called here, in MCP's form.
func TestToolsAsListed(t *testing.T) {
	s := startSession(t, initializeOf(t.TempDir(), nil), func(c *Config) { c.Flags = map[string]any{"exec.enabled": true} })
	defer s.leave()
	var list struct {
		Tools []struct {
			Name, Description         string
			InputSchema, OutputSchema map[string]any
			Annotations               map[string]bool
		}
	}
	s.decode("agent/tools/list", nil, &list)
	var changing []string
	for _, tool := range list.Tools {
		if tool.Description == "" || tool.InputSchema["type"] != "object" || tool.OutputSchema["type"] != "object" {
			t.Errorf("%+v is not described", tool)
		}
		if !tool.Annotations["readOnlyHint"] {
			changing = append(changing, tool.Name)
		}
	}
	all := slices.DeleteFunc(tools.All(), func(d tools.Definition) bool { return d.Local })
	if got := strings.Join(changing, " "); len(list.Tools) != len(all) || got != "edit_file write_file apply_patch replace_in_files rename_symbol code_action revert_edit" {
		t.Errorf("%d tools are listed; these change files: %s", len(list.Tools), got)
	}
}

// TestCallsThatAreNone: a command or a tool that is not there, or arguments
// that are no call.
func TestCallsThatAreNone(t *testing.T) {
	s := startSession(t, initializeOf(t.TempDir(), nil))
	defer s.leave()
	call := map[string]any{"name": "list_directory", "arguments": map[string]any{}}
	for _, tt := range []struct {
		method string
		params map[string]any
		want   string // part of the error; "" is a result
	}{
		{"workspace/executeCommand", map[string]any{"command": commandCall, "arguments": []any{call}}, ""},
		{"workspace/executeCommand", map[string]any{"command": "other", "arguments": []any{call}}, `there is no command "other"`},
		{"workspace/executeCommand", map[string]any{"command": commandCall}, "takes one argument"},
		{"workspace/executeCommand", map[string]any{"command": commandCall, "arguments": []any{call, call}}, "takes one argument"},
		{"workspace/executeCommand", map[string]any{"command": commandCall, "arguments": []any{7}}, "agent-lsp.call: "},
		{"agent/tools/call", call, ""},
		{"agent/tools/call", map[string]any{"name": "list_dir", "arguments": map[string]any{}}, `there is no tool "list_dir"; the tools are read_file, grep_files, `},
		{"agent/tools/call", map[string]any{"name": 7}, "name"},
	} {
		answer := s.call(tt.method, tt.params)
		problem, _ := answer["error"].(map[string]any)
		message, _ := problem["message"].(string)
		if (problem == nil) != (tt.want == "") || !strings.Contains(message, tt.want) || problem != nil && problem["code"] != -32602.0 {
			t.Errorf("%s %v: %v", tt.method, tt.params, answer)
		}
	}
	problem, _ := s.tool("run_command", map[string]any{"command": "true"})["error"].(map[string]any)
	if problem["kind"] != "permission_denied" {
		t.Errorf("run_command in an editor: %v", problem)
	}
}

// TestStats: with the figures of the index when they are asked for.
func TestStats(t *testing.T) {
	s := startSession(t, initializeOf(t.TempDir(), nil))
	defer s.leave()
	for _, index := range []bool{false, true} {
		var figures map[string]any
		s.decode("agent/stats", map[string]any{"index": index}, &figures)
		if _, told := figures["index"]; told != index || figures["sessions"] != 1.0 {
			t.Errorf("index %v: %v", index, figures)
		}
	}
}

// TestLogLevel: the setting log.level moves the level of the log.
func TestLogLevel(t *testing.T) {
	level := new(slog.LevelVar)
	s := startSession(t, initializeOf(t.TempDir(), nil), func(c *Config) { c.Level = level })
	defer s.leave()
	for name, want := range map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError, "off": slog.LevelError + 4,
	} {
		s.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"agentLsp": map[string]any{"log.level": name}}})
		s.call("agent/stats", map[string]any{}) // after it
		if level.Level() != want {
			t.Errorf("log.level %s gives %v", name, level.Level())
		}
	}
}
