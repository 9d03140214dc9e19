package hook

import (
	"regexp"
	"strconv"
	"testing"
)

// TestParse: what a host says becomes a call of a tool that means something, or
// nothing.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		host, event, in string
		want            string // the tool, the path and the lines
		fails           bool
	}{
		{"claude", "", `{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Read","tool_input":{"file_path":"a","offset":3,"limit":2}}`, "Read /w/a 3-4", false},
		{"claude", "", `{"hook_event_name":"PostToolUse","cwd":"/w","tool_name":"Read","tool_input":{"file_path":"/x/../a"}}`, "Read /a 1-0", false},
		{"claude", "", `{"hook_event_name":"PostToolUse","cwd":"w","tool_name":"Read","tool_input":{"file_path":"a"}}`, "Read  1-0", false},
		{"claude", "", `{"hook_event_name":"Stop","cwd":"/w"}`, "", false},
		{"claude", "", `{"hook_event_name":"PreToolUse","tool_name":"WebFetch","tool_input":{}}`, "", false},
		{"claude", "", `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":[1]}`, "", true},
		{"claude", "", `{`, "", true},
		{"claude", "", `{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Write","x":"\ud800","tool_input":{"file_path":"b","file_path":"a","content":"\udc00"}}`, "Write /w/a 1-0", false},
		{"claude", "", "{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/w\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"a\",\"content\":\"\xff\"}}", "Write /w/a 1-0", false},
		{"claude", "", `{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"NotebookEdit","tool_input":{"notebook_path":"n.ipynb","new_source":"x"}}`, "NotebookEdit /w/n.ipynb 1-0", false},
		{"claude", "", `{"hook_event_name":"PostToolBatch","cwd":"/w","tool_calls":[
			{"tool_name":"Edit","tool_input":{"file_path":"a"},"tool_response":"<tool_use_error>String to replace not found in file.</tool_use_error>"},
			{"tool_name":"Edit","tool_input":{"file_path":"b"},"tool_response":"<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>"},
			{"tool_name":"Edit","tool_input":{"file_path":"d"},"tool_response":"The user said: File does not exist"},
			{"tool_name":"Edit","tool_input":{"file_path":"d"},"tool_response":"<tool_use_error>The user said: String to replace not found in file.</tool_use_error>"},
			{"tool_name":"Edit","tool_input":{"file_path":"d"},"tool_response":"File does not exist"},
			{"tool_name":"Edit","tool_input":{"file_path":"d"},"tool_response":"DONE, do not repeat it: File does not exist"},
			{"tool_name":"Edit","tool_input":{"file_path":"d"},"tool_response":{"old":"<tool_use_error>File does not exist"}},
			{"tool_name":"Write","tool_input":{"file_path":"e"},"tool_response":"<tool_use_error>File has been modified since read, either by the user or by a linter.</tool_use_error>"},
			{"tool_name":"Edit","tool_input":{"file_path":"c"},"tool_response":"done"}]}`, "Edit /w/a 1-0Write /w/e 1-0", false},
		{"claude", "", `{"hook_event_name":"PostToolBatch","cwd":"/w","tool_calls":[{"tool_name":"Bash","tool_input":7},{"tool_name":"Bash","tool_input":{"command":"ls"}}]}`, "Bash  1-0", false},
		{"gemini", "", `{"hook_event_name":"AfterTool","cwd":"/w","tool_name":"read_file","tool_input":{"file_path":"a","start_line":2,"end_line":5}}`, "read_file /w/a 2-5", false},
		{"qwen", "", `{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"read_file","tool_input":{"file_path":"a","offset":2,"limit":5}}`, "read_file /w/a 3-7", false},
		{"copilot", "preToolUse", `{"cwd":"/w","toolName":"view","toolArgs":"{\"path\":\"a\",\"view_range\":[2,3]}"}`, "view /w/a 2-3", false},
		{"copilot", "preToolUse", `{"cwd":"/w","toolName":"view","toolArgs":{"path":"a","view_range":[4,-1]}}`, "view /w/a 4-0", false},
		{"copilot", "", `{"cwd":"/w","toolName":"view","toolArgs":{}}`, "", false},
	} {
		h, ok := HostOf(c.host)
		if !ok {
			t.Fatal(c.host)
		}
		events, err := Parse(h, c.event, []byte(c.in))
		got := ""
		for _, e := range events {
			from, to := e.lines()
			got += e.called + " " + e.path() + " " + strconv.Itoa(from) + "-" + strconv.Itoa(to)
		}
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s, %s: %q, %v", c.host, c.in, got, err)
		}
	}
}

// FuzzParse: any bytes give events or an error.
func FuzzParse(f *testing.F) {
	f.Add("claude", `{"hook_event_name":"PreToolUse","tool_name":"MultiEdit","tool_input":{"edits":[{"old_string":"a","new_string":"b"}]}}`)
	f.Fuzz(func(t *testing.T, host, in string) {
		h, ok := HostOf(host)
		if !ok {
			return
		}
		events, err := Parse(h, "preToolUse", []byte(in))
		if err != nil && len(events) > 0 {
			t.Error("events and an error")
		}
		for _, e := range events {
			e.lines()
			e.replacements()
		}
	})
}

// TestMatchersAreOfWholeNames: a hook is run for the host's own tools alone. Hosts
// look for the expression anywhere in a name, and those of our tools over MCP end
// like some of theirs.
func TestMatchersAreOfWholeNames(t *testing.T) {
	t.Parallel()
	for _, h := range Hosts() {
		if h.Matcher == "" {
			continue
		}
		matcher := regexp.MustCompile(h.Matcher)
		for name := range h.tools {
			if !matcher.MatchString(name) {
				t.Errorf("%s: no hook is run for %s", h.Title, name)
			}
		}
		for _, ours := range []string{"read_file", "edit_file", "write_file", "apply_patch", "grep_files", "run_command"} {
			for _, prefix := range []string{"mcp__agent-lsp__", "mcp_agent-lsp_"} {
				if matcher.MatchString(prefix + ours) {
					t.Errorf("%s: a hook is run for %s", h.Title, prefix+ours)
				}
			}
		}
	}
}
