package tokens

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMain lets the test be the server that it starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "mcp" {
		serve()
		return
	}
	os.Exit(m.Run())
}

// serve answers as a server with two tools would: one reads a file with its
// hash, one appends to a file whose hash it is given.
func serve() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var asked struct {
			ID     any
			Method string
			Params struct {
				Name      string
				Arguments struct{ Path, Hash, Text string }
			}
		}
		if json.Unmarshal(in.Bytes(), &asked) != nil || asked.ID == nil {
			continue
		}
		var result any
		switch a := asked.Params.Arguments; {
		case asked.Method == "initialize":
			result = map[string]any{"instructions": "Read first."}
		case asked.Method == "tools/list":
			result = map[string]any{"tools": []any{map[string]any{"name": "read_file", "description": "Read a file.", "inputSchema": map[string]any{"type": "object"}}}}
		case asked.Params.Name == "read_file":
			b, _ := os.ReadFile(a.Path)
			result = content(a.Path + ": hash 0a1b2c3d\n\n" + string(b))
		case a.Hash != "0a1b2c3d":
			result = content("stale_file")
		default:
			b, _ := os.ReadFile(a.Path)
			_ = os.WriteFile(a.Path, append(b, a.Text...), 0o644)
			result = content("done")
		}
		answer, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": result})
		fmt.Println("not a message") // servers say such things
		fmt.Println(string(answer))
	}
}

func content(text string) any {
	return map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
}

const fixtureTasks = `
# A comment.
== read in w
Show the second line of a.txt.
lines a.txt 2-2
want beta
ours: the whole file
  read_file {"path":"a.txt"}
ours: another file, which has it not
  read_file {"path":"b.txt"}
claude: a line
  Read {"file_path":"{root}/a.txt","offset":2,"limit":1}
codex: a line
  $ sed -n 2p a.txt
serena: a line
  read_file {"relative_path":"a.txt","start_line":1,"end_line":1}
filesystem cannot: as an example

== append in w
Append omega to a.txt, in which alpha has become Alpha meanwhile.
meanwhile a.txt {"old":"alpha","new":"Alpha"}
edit a.txt {"old":"alpha line","new":"Alpha line"}
edit a.txt {"old":"gamma line\n","new":"gamma line\nomega\n"}
ours: with the hash of what was read
  before read_file {"path":"a.txt"}
  append_file {"path":"a.txt","hash":"{hash}","text":"omega\n"}
ours: with a guess
  append_file {"path":"a.txt","hash":"1","text":"omega\n"}
claude: without reading it is refused
  Edit {"file_path":"{root}/a.txt","old_string":"gamma line\n","new_string":"gamma line\nomega\n"}
codex: by the shell
  $ echo omega >> a.txt
serena: its text is named
  replace_content {"relative_path":"a.txt","needle":"(gamma) line\\n","repl":"$!1 line\nomega\n","mode":"regex"}
`

// fixture returns an environment whose server is the test, and the folder of
// its workspaces.
func fixture(t *testing.T) (*environment, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "w"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := put(filepath.Join(dir, "w"), map[string]string{"a.txt": "alpha line\nbeta line\ngamma line\n", "b.txt": "nothing\n"}); err != nil {
		t.Fatal(err)
	}
	e, err := newEnvironment(dir, os.Args[0], dir)
	if err != nil {
		t.Fatal(err)
	}
	return e, dir
}

func TestRunner(t *testing.T) {
	e, dir := fixture(t)
	tasks, err := parseTasks("fixture", []byte(fixtureTasks))
	if err != nil {
		t.Fatal(err)
	}
	result, err := runTasks(io.Discard, e, dir, tasks, false)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "w", "a.txt")); string(b) != "alpha line\nbeta line\ngamma line\n" {
		t.Errorf("afterwards the file holds %q", b)
	}
	read, appended := result.costs[0], result.costs[1]
	for set, reason := range map[string]string{"ours": "the whole file", "claude": "a line", "codex": "a line", "serena": "a line"} {
		if c := read[set]; !c.right() || c.calls != 1 || c.tokens < 10 || c.tokens > 60 || c.reason != reason {
			t.Errorf("%s: %+v", set, c)
		}
	}
	if !read["filesystem"].cannot {
		t.Error("what cannot be done was done")
	}
	if c := appended["ours"]; !c.right() || c.calls != 1 || c.reason != "with the hash of what was read" {
		t.Errorf("ours: %+v", c)
	}
	if c := appended["claude"]; c.right() || c.failed == nil {
		t.Errorf("Edit without Read: %+v", c)
	}
	for _, set := range []string{"codex", "serena"} {
		if c := appended[set]; !c.right() {
			t.Errorf("%s: %+v", set, c)
		}
	}
	if result.toolsTokens == 0 || result.introduction == 0 {
		t.Error("tools and instructions were not counted")
	}
	checkBars(t, result)
}

func checkBars(t *testing.T, result *Result) {
	t.Helper()
	c := result.against("claude")
	if want := float64(result.costs[0]["ours"].tokens) / float64(result.costs[0]["claude"].tokens); c.tasks != 1 || c.mean < want*0.999 || c.mean > want*1.001 {
		t.Errorf("against Claude Code: %+v; want %v, of one task", c, want)
	}
	page := filepath.Join(t.TempDir(), "page.md")
	for _, before := range []string{"above\n" + tableBegin + tableEnd + "below\n", "above\n" + tableBegin + "old\n" + tableEnd + "below\n"} {
		if err := os.WriteFile(page, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := result.Update(page); err != nil {
			t.Fatal(err)
		}
		b, _ := os.ReadFile(page)
		if s := string(b); !strings.HasPrefix(s, "above\n") || !strings.HasSuffix(s, "below\n") || strings.Contains(s, "old\n") || !strings.Contains(s, "| append |") {
			t.Errorf("the page is %s", s)
		}
	}
	if err := os.WriteFile(page, []byte("no place\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if result.Update(page) == nil {
		t.Error("a page without a place was accepted")
	}
}

// TestTasks checks the tasks that are measured, as far as no source is needed.
func TestTasks(t *testing.T) {
	tasks, err := loadTasks(regexp.MustCompile(""), regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) < 40 {
		t.Errorf("%d tasks", len(tasks))
	}
	known := map[string]bool{}
	for _, task := range tasks {
		if known[task.id] {
			t.Errorf("two tasks %s", task.id)
		}
		known[task.id] = true
		sets := map[string]bool{}
		for _, s := range task.sequences {
			sets[s.set] = true
			if s.reason == "" || s.cannot != (len(s.calls) == 0) {
				t.Errorf("%s, %s: wants a reason, and calls", task.id, s.set)
			}
		}
		for _, set := range []string{"ours", "claude", "codex", "serena"} {
			if !sets[set] {
				t.Errorf("%s says nothing of %s", task.id, set)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{
		"want x", "== a", "== a in w\nq\nwhat is this", "== a in w\nq\n  tool {}", "== a in w\nq\nours: r\n  tool {broken",
		"== a in w\nq\nlines f 1", "== a in w\nq\nnames f (", "== a in w\nq\nedit f {\"odd\":1}", "== a in w\nq\nours: r\n  | patch",
	} {
		if _, err := parseTasks("t", []byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestCounter(t *testing.T) {
	count, err := counter()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"": 0, "hello world": 2, "sha256": 2} {
		if n := count(text); n != want {
			t.Errorf("%q has %d tokens, want %d", text, n, want)
		}
	}
	long := strings.Repeat("one line of a long text\n", 10_000)
	if n := count(long); n != 7*10_000 {
		t.Errorf("a long text has %d tokens", n)
	}
}

func TestClaude(t *testing.T) {
	e, dir := fixture(t)
	w := filepath.Join(dir, "w")
	set, err := e.open("claude", w)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ tool, arguments, want string }{
		{"Edit", `{"file_path":"W/a.txt","old_string":"beta","new_string":"Beta"}`, "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"},
		{"Read", `{"file_path":"W/a.txt"}`, "1\talpha line\n2\tbeta line\n3\tgamma line"},
		{"Read", `{"file_path":"W/a.txt"}`, "Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead."},
		{"Edit", `{"file_path":"W/a.txt","old_string":"line","new_string":"row"}`, "<tool_use_error>Found 3 matches of the string to replace, but replace_all is false.</tool_use_error>"},
		{"Edit", `{"file_path":"W/a.txt","old_string":"beta","new_string":"Beta"}`, "The file W/a.txt has been updated successfully. (file state is current in your context — no need to Read it back)"},
		{"$", `{"command":"sed -n 2p a.txt"}`, "Beta line"},
		{"$", `{"command":"exit 3"}`, "Exit code 3\n(Bash completed with no output)"},
	} {
		got, err := set.call(call{name: x.tool, arguments: strings.ReplaceAll(x.arguments, "W/", w+"/")})
		if got = strings.ReplaceAll(got, w, "W"); err != nil || got != x.want {
			t.Errorf("%s %s: %q, %v; want %q", x.tool, x.arguments, got, err, x.want)
		}
	}
}

func TestSerena(t *testing.T) {
	e, dir := fixture(t)
	set, err := e.open("serena", filepath.Join(dir, "w"))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		tool, arguments string
		recorded        []string
		want            string
	}{
		{"get_symbols_overview", `{"relative_path":"a.txt"}`, []string{`Function ^(\w+) line`}, `{"Function": ["alpha", "beta", "gamma"]}`},
		{
			"find_symbol", `{"name_path_pattern":"beta","include_body":true}`, []string{"a.txt 2-2 Function beta", "children Method one two"},
			`[{"name_path": "beta", "kind": "Function", "relative_path": "a.txt", "body_location": {"start_line": 1, "end_line": 1}, "body": "beta line", "children": {"Method": ["one", "two"]}}]`,
		},
		{"search_for_pattern", `{"substring_pattern":"^beta","context_lines_before":1}`, nil, `{"a.txt": ["...   0:alpha line\n  >   1:beta line"]}`},
		{
			"find_referencing_symbols", `{"name_path":"x","relative_path":"a.txt"}`, []string{"a.txt 1-3 Function f 2"},
			`{"a.txt": {"Function": [{"name_path": "f", "body_location": {"start_line": 0, "end_line": 2}, "content_around_reference": "...   0:alpha line\n  >   1:beta line\n...   2:gamma line"}]}}`,
		},
		{"find_file", `{"file_mask":"*.txt","relative_path":"."}`, nil, `{"files": ["a.txt", "b.txt"]}`},
		{"insert_after_symbol", `{"name_path":"beta","relative_path":"a.txt","body":"new"}`, []string{"a.txt 2-2 Function beta"}, "OK"},
		{"read_file", `{"relative_path":"a.txt"}`, nil, "alpha line\nbeta line\n\nnew\ngamma line\n"},
		{"replace_content", `{"relative_path":"a.txt","needle":"line","repl":"x","mode":"literal"}`, nil, "Error executing tool: Expression matches 3 occurrences in file 'a.txt'."},
		{"replace_in_files", `{"needle":"line","repl":"$","mode":"literal"}`, nil, "Replaced 3 occurrence(s) in 1 file(s):\n  a.txt: 3"},
		{"list_dir", `{"relative_path":".","recursive":false}`, nil, `{"dirs": [], "files": ["a.txt", "b.txt"]}`},
	} {
		got, err := set.call(call{name: x.tool, arguments: x.arguments, recorded: x.recorded})
		if err != nil || got != x.want {
			t.Errorf("%s %s: %s, %v; want %s", x.tool, x.arguments, got, err, x.want)
		}
	}
}
