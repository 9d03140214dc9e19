//go:build unix

package main

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestHooksNoteCommands: what a host's shell changed on disk is in the history of the
// editor's session, whatever the host.
func TestHooksNoteCommands(t *testing.T) {
	for _, host := range hookedHosts() {
		t.Run(host.name, func(t *testing.T) {
			t.Parallel()
			k := newTalk(t, host)
			k.editor = k.open()
			a := k.assistant("")
			run := func(line string) {
				k.use(host.shell, m{"command": line}, func() (string, bool) { return k.shell(line) })
				if k.told {
					t.Errorf("a hook spoke: %s", k.saw)
				}
			}
			text, count := "", 1
			for ; count < 50; count++ {
				run("echo two >> a.txt; rm b.txt; echo KEY=2 > .env; mkdir deep; echo x > deep/new.txt")
				if text = a.eventually("edit_history", m{}, plural(count)+" of"); !strings.Contains(text, "is not known") {
					break
				}
				k.must(os.RemoveAll(k.path("deep"))) // the machine is so busy that the list of files took too long
				k.write("b.txt", "bee\n")
			}
			a.want("edit_history", m{"limit": 1}, "command by "+hostTitle(host), "changed on disk while it ran", "echo two >> a.txt", "a.txt: modified", "b.txt: deleted", "deep/new.txt: created", "!.env: ", "!other commands")
			run("ls")
			a.want("edit_history", m{}, plural(count)+" of")
			id := strings.Fields(strings.Split(text, "\n")[2])[0]
			a.wantKind("invalid_params", "revert_edit", m{"id": id}, "while a command ran", "version control")
			a.want("edit_file", m{"path": "c.txt", "edits": []m{{"old_text": "!", "new_text": "?"}}}, "hash_required") // other tools go on
		})
	}
}

func hostTitle(h hooked) string {
	return map[string]string{"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "qwen": "Qwen Code", "copilot": "Copilot CLI"}[h.name]
}

// eventually calls a tool until its text is as wanted: what a hook tells is worked
// on behind its answer.
func (a *assistant) eventually(tool string, args any, word string) (text string) {
	a.world.Helper()
	for range 1000 {
		if _, text = a.call(tool, args); strings.Contains(text, word) {
			return text
		}
		time.Sleep(10 * time.Millisecond)
	}
	a.world.Fatalf("%s: no %q in\n%s", tool, word, text)
	return ""
}

func plural(changes int) string {
	if changes == 1 {
		return "1 change"
	}
	return strconv.Itoa(changes) + " changes"
}

// TestHooksNoteCommandsThatFail: Claude Code tells of tools that fail at the end of
// the turn alone, and of a command that was interrupted never.
func TestHooksNoteCommandsThatFail(t *testing.T) {
	k := newTalk(t, hookedHosts()[0])
	k.editor = k.open()
	a := k.assistant("")
	event := func(name, id, line string) {
		k.hook(name, m{"tool_name": "Bash", "tool_use_id": id, "tool_input": m{"command": line}, "tool_response": ""})
	}
	event("PreToolUse", "t0", "sleep 100") // its end is not told
	event("PreToolUse", "t1", "false")
	event("PreToolUse", "t2", "false")
	k.must(os.WriteFile(k.path("a.txt"), []byte("by one of them\n"), 0o600))
	batch := func() {
		k.hook("PostToolBatch", m{"tool_calls": []m{
			{"tool_name": "Bash", "tool_use_id": "t1", "tool_input": m{"command": "false"}, "tool_response": "Exit code 1"},
			{"tool_name": "Read", "tool_use_id": "t3", "tool_input": m{"file_path": k.path("a.txt")}, "tool_response": ""},
			{"tool_name": "Bash", "tool_use_id": "t2", "tool_input": m{"command": "false"}, "tool_response": "Exit code 1"},
		}})
	}
	batch()
	batch()
	a.eventually("edit_history", m{}, "2 changes of")
	a.want("edit_history", m{}, "a.txt: modified", "other commands may have run")
	if k.told {
		t.Error("a hook spoke")
	}
}

// TestHooksNoteNoCommandOf01: the server of an editor that knows no commands is told
// of them in vain, and the host goes on.
func TestHooksNoteNoCommandOf01(t *testing.T) {
	w := newWorld(t, hookFiles)
	w.sessionOf01()
	for _, event := range []string{"PreToolUse", "PostToolUse"} {
		in := `{"hook_event_name":"` + event + `","session_id":"s","cwd":"` + w.root + `","tool_name":"Bash","tool_input":{"command":"ls"}}`
		if code, out, problem := w.runHook(in, "hook", "claude"); code != 0 || out != "" || problem != "" {
			t.Errorf("%s: it ended with %d, %q, %q", event, code, out, problem)
		}
	}
}
