//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// hooked is a host with its own tools and hooks of ours, as far as a conversation
// meets them. Each speaks as the host's program was seen to.
type hooked struct {
	name                      string
	before, after             string
	read, edit, write         string
	grep, shell               string
	path, old, new            string
	content                   string
	checks                    bool // an edit that does not fit the disk is refused before any hook
	routes                    bool // edits are made in the editor
	patches                   bool // it reads by cat, and changes by patches
	asked                     bool // hooks are run after its question
	denied, replaced, context func(out m) (string, bool)
}

func hookedHosts() []hooked {
	specific := func(member string) func(m) (string, bool) {
		return func(out m) (string, bool) {
			in, _ := out["hookSpecificOutput"].(m)
			s, ok := in[member].(string)
			return s, ok
		}
	}
	deny := func(out m) (string, bool) {
		in, _ := out["hookSpecificOutput"].(m)
		s, _ := in["permissionDecisionReason"].(string)
		return s, in["permissionDecision"] == "deny"
	}
	none := func(m) (string, bool) { return "", false }
	return []hooked{
		{
			name: "claude", before: "PreToolUse", after: "PostToolUse", read: "Read", edit: "Edit", write: "Write", grep: "Grep", shell: "Bash",
			path: "file_path", old: "old_string", new: "new_string", content: "content", checks: true, routes: true,
			denied: deny, context: specific("additionalContext"),
			replaced: func(out m) (string, bool) {
				in, _ := out["hookSpecificOutput"].(m)
				tool, _ := in["updatedToolOutput"].(m)
				file, _ := tool["file"].(m)
				s, ok := file["content"].(string)
				return s, ok
			},
		},
		{
			name: "codex", before: "PreToolUse", after: "PostToolUse", shell: "Bash", edit: "apply_patch", patches: true, routes: true,
			denied: deny, context: specific("additionalContext"), replaced: none,
		},
		{
			name: "gemini", before: "BeforeTool", after: "AfterTool", read: "read_file", edit: "replace", write: "write_file", grep: "grep_search", shell: "run_shell_command",
			path: "file_path", old: "old_string", new: "new_string", content: "content", asked: true, routes: true,
			denied: func(out m) (string, bool) { s, _ := out["reason"].(string); return s, out["decision"] == "deny" },
			replaced: func(out m) (string, bool) {
				s, _ := out["reason"].(string)
				return s, out["decision"] == "deny"
			},
			context: specific("additionalContext"),
		},
		{
			name: "qwen", before: "PreToolUse", after: "PostToolUse", read: "read_file", edit: "edit", write: "write_file", grep: "grep_search", shell: "run_shell_command",
			path: "file_path", old: "old_string", new: "new_string", content: "content", asked: true, routes: true,
			denied: deny, context: specific("additionalContext"), replaced: none,
		},
		{
			name: "copilot", before: "preToolUse", after: "postToolUse", read: "view", edit: "edit", write: "create", grep: "grep", shell: "bash",
			path: "path", old: "old_str", new: "new_str", content: "file_text",
			denied: func(out m) (string, bool) {
				s, _ := out["permissionDecisionReason"].(string)
				return s, out["permissionDecision"] == "deny"
			},
			replaced: func(out m) (string, bool) {
				in, _ := out["modifiedResult"].(m)
				s, ok := in["textResultForLlm"].(string)
				return s, ok
			},
			context: func(out m) (string, bool) { s, ok := out["additionalContext"].(string); return s, ok },
		},
	}
}

// situation is a conversation in which hooks matter.
type situation struct {
	name  string
	lines []string
}

func situations(t *testing.T) (all []situation) {
	raw, err := os.ReadFile("testdata/hooks.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(raw), "\n# ")[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		all = append(all, situation{name, strings.Split(strings.TrimRight(rest, "\n"), "\n")})
	}
	if len(all) < 40 {
		t.Fatal("only", len(all), "situations")
	}
	return all
}

// TestHooks replays each situation through each host's protocol: a thousand
// processes, so make test has them all without the race detector.
func TestHooks(t *testing.T) {
	stride := testscale.Of(1, 11)
	if raced {
		stride = 11
	}
	for i, s := range situations(t) {
		for j, host := range hookedHosts() {
			if (i+j)%stride != 0 {
				continue
			}
			// The path of a socket has to be short, and has the test's name in it.
			t.Run(host.name+strconv.Itoa(i+1), func(t *testing.T) {
				t.Parallel()
				play(t, host, s)
			})
		}
	}
}

// talk is a conversation with a host.
type talk struct {
	*world
	host    hooked
	editor  *editor
	session string
	saw     string // what the model read last
	ran     bool   // the host's own tool did
	told    bool   // a hook said anything
	mode    string // of permissions
	agent   string // which one of the conversation
	refuses bool   // the person, what the host asks or has rules about

	relative bool
	changed  map[string]bool // files that may differ from what they were
}

var hookFiles = map[string]string{"a.txt": "one\ntwo\nthree\nfour\n", "b.txt": "bee\n", "c.txt": "sea\ndum\n", ".env": "KEY=1\n", "sub/d.txt": "dee\ndum\n"}

func play(t *testing.T, host hooked, s situation) {
	k := newTalk(t, host)
	for i, line := range s.lines {
		verb, rest, _ := strings.Cut(line, " ")
		if i == 0 && verb != "readonly" && verb != "setting" {
			k.start()
		}
		if line != "" && !k.do(verb, rest) {
			break
		}
		if t.Failed() {
			t.Fatalf("%s: after %q the model saw (ran: %v)\n%s", s.name, line, k.ran, k.saw)
		}
	}
	for name, text := range hookFiles {
		if on, _ := os.ReadFile(k.path(name)); !k.changed[name] && name != "b.txt" && name != "c.txt" && string(on) != text {
			t.Errorf("%s is overwritten: %q", name, on)
		}
	}
}

func newTalk(t *testing.T, host hooked) *talk {
	k := &talk{world: newWorld(t, hookFiles), host: host, session: "s1", changed: map[string]bool{}}
	if host.name == "claude" || host.name == "codex" {
		k.mode = "bypassPermissions"
	}
	return k
}

func (k *talk) start() {
	k.editor = k.open()
	for _, name := range []string{"a.txt", "c.txt", ".env", "sub/d.txt"} {
		k.editor.show(name)
		if name != "c.txt" {
			k.editor.typeInto(name, "typed ")
		}
	}
}

// do does one line of a situation; false ends it, as the host has no such tool.
func (k *talk) do(verb, rest string) bool {
	first, more, _ := strings.Cut(rest, " ")
	lines := strings.ReplaceAll(more, "|", "\n")
	switch verb {
	case "relative":
		k.relative = true
	case "readonly":
		k.write2(`{"policy":{"readOnly":true}}`)
	case "setting":
		k.write2(rest)
	case "link":
		k.must(os.Symlink(k.path(more), k.path(first)))
	case "scratch":
		k.editor.openText(first, lines)
	case "type":
		k.editor.typeInto(first, more)
	case "save":
		k.must(k.editor.Save(k.path(first)))
		k.editor.sync()
		k.changed[first] = true
	case "kill":
		k.editor.kill()
	case "stop":
		k.editor.stop()
		k.Cleanup(func() { _ = k.editor.cmd.Process.Signal(syscall.SIGCONT) })
	case "mode":
		if k.mode == "" {
			return false
		}
		k.mode = first
	case "agent":
		k.agent = first
	case "refuse":
		k.refuses = true
	case "allow":
		k.refuses = false
	case "conversation":
		k.session = "s2"
	case "read":
		if k.host.patches && more != "" {
			return false
		}
		k.readFile(first, strings.Fields(more))
	case "edit":
		old, with, _ := strings.Cut(more, " => ")
		k.editFile(first, old, with)
	case "write":
		k.writeFile(first, lines)
	case "patch":
		if !k.host.patches {
			return false
		}
		k.patchFiles(strings.Split(rest, "; "))
	case "grep":
		if k.host.grep == "" {
			return false
		}
		pattern, anyCase := strings.CutPrefix(rest, "-i ")
		args := m{"pattern": pattern}
		if anyCase {
			args["-i"] = true
		}
		k.use(k.host.grep, args, func() (string, bool) { return k.shell("grep -rn --exclude='.*' '" + pattern + "' . || true") })
	case "run":
		k.use(k.host.shell, m{"command": rest}, func() (string, bool) { return k.shell(rest) })
	default:
		k.check(verb, first, rest, lines)
	}
	return true
}

// check looks at what came of it.
func (k *talk) check(verb, first, rest, lines string) {
	k.Helper()
	switch verb {
	case "saw", "told":
		if !strings.Contains(k.saw, rest) {
			k.Errorf("the model did not see %q", rest)
		}
	case "not":
		if strings.Contains(k.saw, rest) {
			k.Errorf("the model saw %q", rest)
		}
	case "silent":
		if k.told && !k.host.patches {
			k.Errorf("a hook spoke")
		}
	case "routed":
		k.wantRouted("edit_file")
	case "rewritten":
		if k.host.patches {
			k.wantRefused() // its way to write a file anew is to add it
			return
		}
		k.wantRouted("write_file")
	case "refused":
		k.wantRefused()
	case "editor":
		want := lines
		if !k.host.routes && strings.Contains(k.saw, "Make the same change") || k.host.patches && strings.Contains(k.saw, "already_exists") {
			return // nothing was changed: the saying of it was checked
		}
		if got := k.editor.text(k.path(first)); got != want {
			k.Errorf("the editor has %q, want %q", got, want)
		}
	case "disk":
		k.changed[first] = true
		if on, _ := os.ReadFile(k.path(first)); string(on) != lines {
			k.Errorf("%s is %q on disk, want %q", first, on, lines)
		}
	case "missing":
		if _, err := os.Stat(k.path(first)); err == nil {
			k.Errorf("%s is on disk", first)
		}
	default:
		k.Fatalf("what is %q?", verb)
	}
}

func (k *talk) wantRouted(tool string) {
	k.Helper()
	want := "DONE"
	if !k.host.routes {
		want = "Make the same change with agent-lsp's tool " + tool
	}
	if k.ran || !strings.Contains(k.saw, want) {
		k.Errorf("it was not made in the editor")
	}
}

func (k *talk) wantRefused() {
	k.Helper()
	if k.ran || strings.Contains(k.saw, "DONE") || k.saw == "" {
		k.Errorf("it was not refused")
	}
}

// write2 writes the person's settings, and starts the editor.
func (k *talk) write2(settings string) {
	k.must(os.MkdirAll(filepath.Join(k.run, ".config", "agent-lsp"), 0o700))
	k.must(os.WriteFile(filepath.Join(k.run, ".config", "agent-lsp", "config.json"), []byte(settings), 0o600))
	k.start()
}

// given is a path as the model gives it.
func (k *talk) given(name string) string {
	if k.relative {
		return name
	}
	return k.path(name)
}

func (k *talk) readFile(name string, lines []string) {
	if k.host.patches {
		k.use(k.host.shell, m{"command": "cat " + k.given(name)}, func() (string, bool) { return k.shell("cat " + name) })
		return
	}
	args := m{k.host.path: k.given(name)}
	if len(lines) == 2 {
		from, to := int(lines[0][0]-'0'), int(lines[1][0]-'0')
		switch k.host.name {
		case "claude":
			args["offset"], args["limit"] = from, to-from+1
		case "gemini":
			args["start_line"], args["end_line"] = from, to
		case "qwen":
			args["offset"], args["limit"] = from-1, to-from+1
		case "copilot":
			args["view_range"] = []int{from, to}
		}
	}
	k.use(k.host.read, args, func() (string, bool) { return k.shell("cat " + name) })
}

func (k *talk) editFile(name, old, with string) {
	on, _ := os.ReadFile(k.path(name))
	edit := func() (string, bool) {
		if !strings.Contains(string(on), old) {
			return "it is not there", false
		}
		k.must(os.WriteFile(k.path(name), []byte(strings.Replace(string(on), old, with, 1)), 0o644))
		return "edited", true
	}
	if k.host.patches {
		patch := "*** Begin Patch\n*** Update File: " + name + "\n@@\n-" + old + "\n+" + with + "\n*** End Patch\n"
		k.use(k.host.edit, m{"command": patch}, edit)
		return
	}
	k.use(k.host.edit, m{k.host.path: k.given(name), k.host.old: old, k.host.new: with}, edit)
}

// patchFiles has the host apply one patch to several files, each edit being
// "FILE OLD => NEW".
func (k *talk) patchFiles(edits []string) {
	patch := "*** Begin Patch\n"
	for _, e := range edits {
		name, change, _ := strings.Cut(e, " ")
		old, with, _ := strings.Cut(change, " => ")
		patch += "*** Update File: " + name + "\n@@\n-" + old + "\n+" + with + "\n"
	}
	k.use(k.host.edit, m{"command": patch + "*** End Patch\n"}, func() (string, bool) { return "it is not there", false })
}

func (k *talk) writeFile(name, text string) {
	write := func() (string, bool) {
		k.must(os.WriteFile(k.path(name), []byte(text), 0o644))
		return "written", true
	}
	if k.host.patches {
		patch := "*** Begin Patch\n*** Add File: " + name + "\n+" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n+") + "\n*** End Patch\n"
		k.use(k.host.edit, m{"command": patch}, write)
		return
	}
	k.use(k.host.write, m{k.host.path: k.given(name), k.host.content: text}, write)
}

func (k *talk) shell(line string) (string, bool) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = k.root
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// use has the host use a tool of its own, with hooks around it.
func (k *talk) use(tool string, args m, do func() (string, bool)) {
	k.saw, k.ran, k.told = "", false, false
	if old, is := args[k.host.old].(string); k.host.checks && is && tool == k.host.edit {
		on, _ := os.ReadFile(k.absolute(args[k.host.path].(string)))
		if !strings.Contains(string(on), old) {
			k.saw = "<tool_use_error>String to replace not found in file.\nString: " + old + "</tool_use_error>"
			out := k.hook("PostToolBatch", m{"tool_calls": []m{{"tool_name": tool, "tool_input": args, "tool_response": k.saw}}})
			said, _ := k.host.context(out)
			k.saw += said
			return
		}
	}
	if k.refuses && k.host.asked {
		k.saw = "The person refused it."
		return
	}
	out := k.event(k.host.before, tool, args, nil)
	if why, denied := k.host.denied(out); denied {
		k.saw = why
		return
	}
	before, _ := k.host.context(out)
	if k.refuses {
		k.saw = "The person refused it." + before
		if k.host.name == "claude" {
			out := k.hook("PostToolBatch", m{"tool_calls": []m{{"tool_name": tool, "tool_input": args, "tool_response": k.saw}}})
			said, _ := k.host.context(out)
			k.saw += said
		}
		return
	}
	answer, ok := do()
	k.ran = true
	k.saw = answer + before
	if !ok && k.host.name == "claude" {
		return // another event tells of tools that fail
	}
	out = k.event(k.host.after, tool, args, answer)
	after, _ := k.host.context(out)
	if text, replaced := k.host.replaced(out); replaced {
		answer = text
	}
	k.saw = answer + before + after
}

func (k *talk) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return k.path(path)
}

func (k *talk) event(event, tool string, args m, answer any) m {
	if k.host.name == "copilot" {
		packed, err := json.Marshal(args)
		k.must(err)
		return k.hook(event, m{"toolName": tool, "toolArgs": string(packed), "toolResult": answer})
	}
	return k.hook(event, m{"tool_name": tool, "tool_input": args, "tool_response": answer})
}

// hook runs the hook's program as the host does.
func (k *talk) hook(event string, in m) m {
	k.Helper()
	args := []string{"hook", k.host.name}
	if k.host.name == "copilot" {
		args, in["sessionId"] = append(args, event), k.session
	} else {
		in["hook_event_name"], in["session_id"] = event, k.session
	}
	in["cwd"], in["transcript_path"] = k.root, "/nowhere"
	if k.mode != "" {
		in["permission_mode"] = k.mode
	}
	if k.agent != "" {
		in["agent_id"] = k.agent
	}
	raw, err := json.Marshal(in)
	k.must(err)
	code, out, problem := k.runHook(string(raw), args...)
	if code != 0 || problem != "" {
		k.Errorf("the hook ended with %d: %s", code, problem)
	}
	if out == "" {
		return m{}
	}
	k.told = true
	said := m{}
	k.must(json.Unmarshal([]byte(out), &said))
	return said
}

// runHook returns the exit code and what was printed to both outputs.
func (w *world) runHook(in string, args ...string) (code int, out, problem string) {
	w.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = w.root
	cmd.Env = []string{runAsProgram + "=1", "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + w.run, "TMPDIR=" + w.run, "HOME=" + w.run}
	cmd.Stdin = strings.NewReader(in)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// TestHooksLetTheHostGoOn: whatever a hook is given that it does not understand, it
// ends well and prints nothing on standard output.
func TestHooksLetTheHostGoOn(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	event := func(event, tool, input string) string {
		return `{"hook_event_name":"` + event + `","session_id":"s","cwd":"` + w.root + `","tool_name":"` + tool + `","tool_input":` + input + `}`
	}
	edit := `{"file_path":"` + w.path("a.txt") + `","old_string":"one","new_string":"two"}`
	large := strings.Repeat(`{"role":"user","content":"\"x\""},`, 200_000)
	cases := []struct {
		in, host string
		silent   bool // on standard error, too
	}{
		{event("PreToolUse", "Edit", edit), "claude", true}, // no editor
		{"", "claude", false},
		{"{", "claude", false},
		{"[]", "claude", false},
		{"null", "claude", true},
		{`{"hook_event_name":7}`, "claude", false},
		{event("PreToolUse", "Edit", `"no object"`), "claude", false},
		{event("PreToolUse", "Edit", `{}`), "claude", true},
		{event("PreToolUse", "Edit", `{"file_path":7,"old_string":[]}`), "claude", true},
		{event("PreToolUse", "Unknown", edit), "claude", true},
		{event("Unknown", "Edit", edit), "claude", true},
		{event("PreToolUse", "Bash", `{"command":"echo 'open"}`), "claude", true},
		{event("PreToolUse", "apply_patch", `{"command":"no patch"}`), "codex", true},
		{`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":` + edit + `,"transcript":[` + large + `{}]}`, "claude", true},
		{event("PreToolUse", "Edit", edit), "nobody", false},
		{event("PreToolUse", "Edit", edit), "copilot", true}, // which has to name the event
	}
	for _, args := range [][]string{{"hook"}, {"hook", "claude", "PreToolUse", "more"}, {"hook", "claude", "--unknown"}} {
		if code, out, problem := w.runHook(event("PreToolUse", "Edit", edit), args...); code != 1 || out != "" || problem == "" {
			t.Errorf("%q: it ended with %d, %q, %q; with 2 the host would not go on", args, code, out, problem)
		}
	}
	check := func(editor string) {
		for _, c := range cases {
			if editor != "" && strings.Contains(c.in, w.path("a.txt")) && c.host == "claude" {
				continue
			}
			code, out, problem := w.runHook(c.in, "hook", c.host)
			if code != 0 || out != "" || (problem == "") != c.silent {
				t.Errorf("%s, %s, %.200s: it ended with %d, %q, %q", editor, c.host, c.in, code, out, problem)
			}
		}
	}
	check("")
	e := w.open()
	e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	check("with an editor")
}

// TestHooksOfAnotherUser: a folder of sessions that is not this user's alone is
// passed over.
func TestHooksOfAnotherUser(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e := w.open()
	e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	w.must(os.Chmod(filepath.Join(w.run, "agent-lsp"), 0o777))
	w.must(os.Chmod(filepath.Join(w.run, "agent-lsp-"+strconv.Itoa(os.Getuid())), 0o777))
	in := `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"` + w.root + `","tool_name":"Read","tool_input":{"file_path":"a.txt"}}`
	if code, out, problem := w.runHook(in, "hook", "claude"); code != 0 || out != "" {
		t.Errorf("it ended with %d, %q, %q", code, out, problem)
	}
}

// TestHooksInParallel: hosts call hooks of several tools at once, and of two edits
// of one text each lands or is refused.
func TestHooksInParallel(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "a\nb\nc\nd\n"})
	e := w.open()
	path := e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	run := func(event, tool string, input m) string {
		raw, err := json.Marshal(m{"hook_event_name": event, "session_id": "s", "cwd": w.root, "tool_name": tool, "tool_input": input, "permission_mode": "bypassPermissions"})
		w.must(err)
		_, out, _ := w.runHook(string(raw), "hook", "claude")
		return out
	}
	run("PostToolUse", "Read", m{"file_path": path})
	outs := make([]string, 3)
	var all sync.WaitGroup
	for i, letter := range []string{"b", "c", "d"} {
		all.Go(func() {
			outs[i] = run("PreToolUse", "Edit", m{"file_path": path, "old_string": "\n" + letter, "new_string": "\n" + strings.ToUpper(letter)})
		})
	}
	all.Wait()
	text := e.text(path)
	for i, letter := range []string{"B", "C", "D"} {
		if done := strings.Contains(outs[i], "DONE"); done != strings.Contains(text, letter) || !strings.Contains(outs[i], `"deny"`) {
			t.Errorf("%s: the editor has %q, and the hook said %s", letter, text, outs[i])
		}
	}
	if !strings.HasPrefix(text, "typed a\n") {
		t.Errorf("the editor has %q", text)
	}
}

// TestHooksOfOddEdits: a change whose arguments are not all there, or whose edits mean
// something else one after the other, is not made.
func TestHooksOfOddEdits(t *testing.T) {
	k := newTalk(t, hookedHosts()[0])
	k.start()
	path := k.path("a.txt")
	k.readFile("a.txt", nil)
	edit := func(old, with any) m { return m{"old_string": old, "new_string": with} }
	for _, c := range []struct {
		tool string
		args m
		want string
	}{
		{"Write", m{}, "content"},
		{"Write", m{"content": nil}, "content"},
		{"Write", m{"content": 7}, "content"},
		{"Edit", m{"old_string": "two"}, "new_string"},
		{"Edit", m{"new_string": "two"}, "old_string"},
		{"Edit", edit("two", nil), "new_string"},
		{"NotebookEdit", m{"notebook_path": path, "new_source": "x"}, "Make the same change"},
		{"MultiEdit", m{}, "edits"},
		{"MultiEdit", m{"edits": "two"}, "edits"},
		{"MultiEdit", m{"edits": []m{edit("two", "2"), {"old_string": "three"}}}, "new_string"},
		{"MultiEdit", m{"edits": []m{edit("three", "a two"), edit("two", "2")}}, "one at a time"},
	} {
		c.args["file_path"] = path
		out := k.event("PreToolUse", c.tool, c.args, nil)
		if why, denied := k.host.denied(out); !denied || strings.Contains(why, "DONE") || !strings.Contains(why, c.want) {
			t.Errorf("%s %v: the hook said %v", c.tool, c.args, out)
		}
		if got := k.editor.text(path); got != "typed one\ntwo\nthree\nfour\n" {
			t.Fatalf("%s %v: the editor has %q", c.tool, c.args, got)
		}
	}
	out := k.event("PreToolUse", "MultiEdit", m{"file_path": path, "edits": []m{edit("two", "2"), edit("three", "")}}, nil)
	if got := k.editor.text(path); got != "typed one\n2\n\nfour\n" {
		t.Errorf("the editor has %q; the hook said %v", got, out)
	}
}

// TestHooksOfRefusedReads: what only the editor has is shown in the place of the host's
// refusal where it would have asked about nothing.
func TestHooksOfRefusedReads(t *testing.T) {
	k := newTalk(t, hookedHosts()[0])
	k.editor = k.open()
	k.editor.openText("only.txt", "mine\n")
	for mode, want := range map[string]bool{"bypassPermissions": true, "default": false} {
		k.mode = mode
		out := k.hook("PostToolBatch", m{"tool_calls": []m{{
			"tool_name": "Read", "tool_input": m{"file_path": k.path("only.txt")}, "tool_response": "<tool_use_error>File does not exist. Did you mean a.txt?</tool_use_error>",
		}}})
		said, _ := k.host.context(out)
		if strings.Contains(said, "mine") != want || !strings.Contains(said, "only.txt") {
			t.Errorf("%s: the hook said %q", mode, said)
		}
	}
}

// TestHooksOfLargeFiles: of a text that is too large to be shown, what is left out is
// told, and it does not count as read.
func TestHooksOfLargeFiles(t *testing.T) {
	for _, large := range []string{strings.Repeat(strings.Repeat("x", 999)+"\n", 100), strings.Repeat("x", 100_000)} {
		k := newTalk(t, hookedHosts()[0])
		k.editor = k.open()
		k.must(os.WriteFile(k.path("a.txt"), []byte(large), 0o600))
		path := k.editor.show("a.txt")
		k.editor.typeInto("a.txt", "typed ")
		args := m{"file_path": path}
		out := k.event("PostToolUse", "Read", args, "")
		if why, _ := k.host.context(out); !strings.Contains(why, "cut off") {
			t.Errorf("it was not told what is left out: %s", why)
		}
		args["content"] = "short"
		out = k.event("PreToolUse", "Write", args, nil)
		if why, denied := k.host.denied(out); !denied || strings.Contains(why, "DONE") {
			t.Errorf("the hook said %v", out)
		}
		if got := k.editor.text(path); got != "typed "+large {
			t.Errorf("the editor has %.50q", got)
		}
	}
}
