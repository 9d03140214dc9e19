package hosttest

import (
	"fmt"
	"slices"
	"syscall"
)

// step is a check: what the person does, what the model calls in one turn, and
// what must be so then.
type step struct {
	check string
	// act is what the person does before the calls.
	act   []act
	calls []call
	by    int // which of the hosts that run
	want  []want
	// only, unless nil, says whether the check is one of the host's.
	only func(Host) bool
}

// call is a call of a tool of ours. In args ${hash:N} is the hash in the answer
// that is kept as N.
type call struct{ tool, args, keep string }

// act does something; want looks whether something is so.
type (
	act  func(*scene) error
	want func(*scene) error
)

// conversation is what every host is played, in this order.
func conversation() []step {
	return slices.Concat(reading(), refusals(), patches(), sizes(), habits(), losses())
}

// editApp is an edit of app.py by the hash in the answer that is kept as hash.
func editApp(hash, old, with string) call {
	return call{"edit_file", fmt.Sprintf(`{"path": "app.py", "expected_hash": "${hash:%s}", "edits": [{"old_text": %q, "new_text": %q}]}`, hash, old, with), ""}
}

// editTasks is an edit of a protected file.
func editTasks(with string) call {
	return call{"edit_file", fmt.Sprintf(`{"path": ".vscode/tasks.json", "expected_hash": "${hash:tasks}", "edits": [{"old_text": "2.0.0", "new_text": %q}]}`, with), ""}
}

// reading is how the editor is found, and its unsaved text read and edited.
func reading() []step {
	return []step{
		{
			check: "the host's tool search hides none of our tools from everyday words",
			want:  []want{searched},
			only:  func(h Host) bool { return h.search != "" },
		},
		{
			check: "the editor is found and its unsaved text read",
			act:   []act{types("app.py", "hello ", "UNSAVED_MARK ")},
			calls: []call{{"read_file", `{"path": "app.py"}`, "read"}},
			want:  []want{says("UNSAVED_MARK", "hash "), diskLacks("app.py", "UNSAVED_MARK")},
		},
		{
			check: "an edit lands in the editor, not on disk",
			calls: []call{editApp("read", "UNSAVED_MARK", "EDITED_MARK")},
			want:  []want{buffer("app.py", "EDITED_MARK"), diskLacks("app.py", "EDITED_MARK"), unsaved("app.py")},
		},
		{
			check: "the edit is one undo step",
			act:   []act{undoes("app.py")},
			calls: []call{{"read_file", `{"path": "app.py"}`, "undone"}},
			want:  []want{buffer("app.py", "UNSAVED_MARK"), says("UNSAVED_MARK"), lacks("EDITED_MARK")},
		},
		{
			check: "a search sees the unsaved text",
			calls: []call{{"grep_files", `{"pattern": "UNSAVED_MARK"}`, ""}},
			want:  []want{says("app.py", "UNSAVED_MARK")},
		},
		{
			check: "an outline and what is open are told",
			calls: []call{{"outline", `{"path": "app.py"}`, ""}, {"open_files", `{}`, ""}},
			want:  []want{says("greet", "Box"), says("app.py", "unsaved")},
		},
	}
}

// refusals are mistakes, which are told and change nothing.
func refusals() []step {
	return []step{
		{
			check: "a stale hash is told",
			act:   []act{types("app.py", "return 1", "return 11")},
			calls: []call{editApp("undone", "return 1", "return 2")},
			want:  []want{says("stale_file"), buffer("app.py", "return 11")},
		},
		{
			check: "text that is not there is told",
			calls: []call{{"read_file", `{"path": "app.py"}`, "again"}, editApp("again", "nowhere to be found", "x")},
			want:  []want{says("text_not_found")},
		},
		{
			check: "a wrong argument is told, and what it may be",
			calls: []call{{"read_file", `{"path": "app.py", "start": 3}`, ""}},
			want:  []want{says("start_line")},
		},
	}
}

// patches are patches of several files, and protected files.
func patches() []step {
	const patch = `{"patch": "*** Begin Patch\n*** Update File: util.py\n@@ def add(a, b):\n-    return a + b\n+    return b + a  # PATCHED\n` +
		`*** Update File: app.py\n@@ import os\n-import os\n+import sys\n*** Add File: new.py\n+NEW = 1\n*** End Patch\n"}`
	return []step{
		{
			check: "a patch of what was not read is refused",
			calls: []call{{"apply_patch", patch, ""}},
			want:  []want{says("hash_required"), diskLacks("util.py", "PATCHED"), buffer("app.py", "import os")},
		},
		{
			check: "a patch lands, in the editor what is open and else on disk",
			calls: []call{{"read_file", `{"path": "util.py"}`, ""}, {"apply_patch", patch, ""}},
			want:  []want{disk("util.py", "PATCHED"), disk("new.py", "NEW = 1"), buffer("app.py", "import sys"), diskLacks("app.py", "import sys")},
		},
		{
			check: "a protected file is not written when the person refuses",
			act:   []act{decides(false)},
			calls: []call{{"read_file", `{"path": ".vscode/tasks.json"}`, "tasks"}, editTasks("2.0.1")},
			want:  []want{says("rejected_by_user"), diskLacks(".vscode/tasks.json", "2.0.1")},
		},
		{
			check: "a protected file is written when the person agrees",
			act:   []act{decides(true)},
			calls: []call{editTasks("2.0.2")},
			want:  []want{disk(".vscode/tasks.json", "2.0.2")},
		},
	}
}

// sizes is what arrives whole of large answers.
func sizes() []step {
	return []step{
		{
			check: "a default window of a large file arrives whole",
			calls: []call{{"read_file", `{"path": "big.txt"}`, ""}},
			want:  []want{whole},
		},
		{
			check: "default answers of searches, lists and outlines arrive whole",
			calls: []call{
				{"grep_files", `{"pattern": "needle = first"}`, ""}, {"find_files", `{"pattern": "**/file_with*"}`, ""},
				{"list_directory", `{"path": "many"}`, ""}, {"outline", `{"path": "many.py"}`, ""},
			},
			want: []want{counted(`needle = first`, `(\d+) hits?`), uncut},
		},
	}
}

// habits are ways of hosts and models to call.
func habits() []step {
	return []step{
		{
			check: "an argument that the host adds is no error",
			calls: []call{{"read_file", `{"path": "app.py", "wait_for_previous": true}`, ""}, {"open_files", `{"wait_for_previous": true}`, ""}},
			want:  []want{answer(0, "UNSAVED_MARK"), answer(1, "app.py"), lacks("invalid_params")},
			only:  func(h Host) bool { return h.adds == "wait_for_previous" },
		},
		{
			check: "every optional argument may be empty",
			calls: []call{
				{"read_file", `{"path": "app.py", "...": ""}`, ""}, {"grep_files", `{"pattern": "UNSAVED_MARK", "...": ""}`, ""},
				{"find_files", `{"pattern": "app.py", "...": ""}`, ""}, {"list_directory", `{"...": ""}`, ""},
				{"outline", `{"path": "app.py", "...": ""}`, ""}, {"open_files", `{"...": ""}`, ""},
				{"edit_history", `{"...": ""}`, ""}, {"diagnostics", `{"...": ""}`, ""},
			},
			want: []want{lacks("invalid_params"), answer(0, "UNSAVED_MARK"), answer(1, "UNSAVED_MARK"), answer(2, "app.py"), answer(4, "greet")},
		},
		{
			check: "calls in parallel are answered each",
			calls: []call{
				{"read_file", `{"path": "app.py", "start_line": 4, "end_line": 6}`, "window"}, {"read_file", `{"path": "util.py"}`, ""},
				{"grep_files", `{"pattern": "PATCHED"}`, ""}, {"open_files", `{}`, ""},
			},
			want: []want{answer(0, "UNSAVED_MARK"), answer(1, "PATCHED"), answer(2, "util.py"), answer(3, "app.py")},
		},
	}
}

// losses is an editor that hangs, dies and comes back.
func losses() []step {
	return []step{
		{
			check: "while the editor does not answer, its file is not edited",
			act:   []act{stops},
			calls: []call{editApp("window", "return 11", "BEHIND_MARK")},
			want:  []want{says("session_unreachable"), goesOn, diskLacks("app.py", "BEHIND_MARK"), bufferLacks("app.py", "BEHIND_MARK")},
		},
		{
			check: "the disk is told and edited when the editor was killed: nothing unsaved is left",
			act:   []act{kills},
			calls: []call{{"read_file", `{"path": "app.py"}`, "alone"}, editApp("alone", "return 1", "return 1  # ON_DISK")},
			want:  []want{lacks("UNSAVED_MARK"), answer(0, "hello ", "editor"), answer(1, "editor"), disk("app.py", "ON_DISK", "hello ")},
		},
		{
			check: "without an editor the host asks, and what nobody agrees to is not written",
			calls: []call{{"read_file", `{"path": ".vscode/tasks.json"}`, "tasks"}, editTasks("2.0.3")},
			want:  []want{diskLacks(".vscode/tasks.json", "2.0.3")},
		},
		{
			check: "an editor that comes back is found",
			act:   []act{starts, types("app.py", "hello ", "BACK_MARK ")},
			calls: []call{{"read_file", `{"path": "app.py"}`, "back"}, editApp("back", "BACK_MARK", "AGAIN_MARK")},
			want:  []want{says("BACK_MARK"), buffer("app.py", "AGAIN_MARK"), diskLacks("app.py", "AGAIN_MARK")},
		},
	}
}

// What a person does.

func types(file, old, with string) act {
	return func(s *scene) error { return s.editor.replace(file, old, with) }
}

func undoes(file string) act { return func(s *scene) error { return s.editor.undo(file) } }

func decides(apply bool) act {
	return func(s *scene) error {
		s.editor.decide(apply)
		return nil
	}
}

func kills(s *scene) error {
	s.editor.kill()
	s.stage.signal(server, syscall.SIGCONT)
	return s.stage.gone(server)
}

// server is what the editor's server is started by.
const server = "agent-lsp lsp"

// stops has the editor's server hang, as one that swaps or waits for a disk.
func stops(s *scene) error {
	s.stage.signal(server, syscall.SIGSTOP)
	return nil
}

// goesOn ends what stops began, and returns when the editor is served again.
func goesOn(s *scene) error {
	s.stage.signal(server, syscall.SIGCONT)
	return s.editor.awaitServer()
}

func starts(s *scene) (err error) { return s.openEditor() }
