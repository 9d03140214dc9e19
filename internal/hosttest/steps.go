package hosttest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
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
	edit := func(hash, old, with string) string {
		return fmt.Sprintf(`{"path": "app.py", "expected_hash": "${hash:%s}", "edits": [{"old_text": %q, "new_text": %q}]}`, hash, old, with)
	}
	tasks := func(with string) string {
		return fmt.Sprintf(`{"path": ".vscode/tasks.json", "expected_hash": "${hash:tasks}", "edits": [{"old_text": "2.0.0", "new_text": %q}]}`, with)
	}
	const patch = `{"patch": "*** Begin Patch\n*** Update File: util.py\n@@ def add(a, b):\n-    return a + b\n+    return b + a  # PATCHED\n` +
		`*** Update File: app.py\n@@ import os\n-import os\n+import sys\n*** Add File: new.py\n+NEW = 1\n*** End Patch\n"}`
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
			want:  []want{says("UNSAVED_MARK", "hash: "), diskLacks("app.py", "UNSAVED_MARK")},
		},
		{
			check: "an edit lands in the editor, not on disk",
			calls: []call{{"edit_file", edit("read", "UNSAVED_MARK", "EDITED_MARK"), "edit"}},
			want:  []want{buffer("app.py", "EDITED_MARK"), diskLacks("app.py", "EDITED_MARK"), unsaved("app.py")},
		},
		{
			check: "the edit is one undo step",
			act:   []act{undoes("app.py")},
			calls: []call{{"read_file", `{"path": "app.py"}`, "undone"}},
			want:  []want{buffer("app.py", "UNSAVED_MARK"), says("UNSAVED_MARK"), lacks("EDITED_MARK")},
		},
		{
			check: "the host's own reading of the file shows the unsaved text, by its hook",
			want:  []want{ownRead},
			only:  func(h Host) bool { return h.hooked.tool != "" },
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
		{
			check: "a stale hash is told",
			act:   []act{types("app.py", "return 1", "return 11")},
			calls: []call{{"edit_file", edit("undone", "return 1", "return 2"), ""}},
			want:  []want{says("stale_file"), buffer("app.py", "return 11")},
		},
		{
			check: "text that is not there is told",
			calls: []call{{"read_file", `{"path": "app.py"}`, "again"}, {"edit_file", edit("again", "nowhere to be found", "x"), ""}},
			want:  []want{says("text_not_found")},
		},
		{
			check: "a wrong argument is told, and what it may be",
			calls: []call{{"read_file", `{"path": "app.py", "start": 3}`, ""}},
			want:  []want{says("start_line")},
		},
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
			calls: []call{{"read_file", `{"path": ".vscode/tasks.json"}`, "tasks"}, {"edit_file", tasks("2.0.1"), ""}},
			want:  []want{says("rejected_by_user"), diskLacks(".vscode/tasks.json", "2.0.1")},
		},
		{
			check: "a protected file is written when the person agrees",
			act:   []act{decides(true)},
			calls: []call{{"edit_file", tasks("2.0.2"), ""}},
			want:  []want{disk(".vscode/tasks.json", "2.0.2")},
		},
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
				{"read_file", `{"path": "app.py", "start_line": 4, "end_line": 6}`, ""}, {"read_file", `{"path": "util.py"}`, ""},
				{"grep_files", `{"pattern": "PATCHED"}`, ""}, {"open_files", `{}`, ""},
			},
			want: []want{answer(0, "UNSAVED_MARK"), answer(1, "PATCHED"), answer(2, "util.py"), answer(3, "app.py")},
		},
		{
			check: "an editor that is killed is told, and its file not edited behind it",
			act:   []act{kills},
			calls: []call{{"read_file", `{"path": "app.py"}`, "alone"}},
			want:  []want{lacks("UNSAVED_MARK"), says("hello ", "editor")},
		},
		{
			check: "without an editor the host asks, and what nobody agrees to is not written",
			calls: []call{{"read_file", `{"path": ".vscode/tasks.json"}`, "tasks"}, {"edit_file", tasks("2.0.3"), ""}},
			want:  []want{diskLacks(".vscode/tasks.json", "2.0.3")},
		},
		{
			check: "an editor that comes back is found",
			act:   []act{starts, types("app.py", "hello ", "BACK_MARK ")},
			calls: []call{{"read_file", `{"path": "app.py"}`, "back"}, {"edit_file", edit("back", "BACK_MARK", "AGAIN_MARK"), ""}},
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
	return s.stage.gone("agent-lsp lsp")
}

func starts(s *scene) (err error) { return s.openEditor() }

// What must be so.

// says looks for words in the answers of the step, taken together.
func says(words ...string) want {
	return func(s *scene) error { return contains("the model does not see", strings.Join(s.answers, "\n"), words) }
}

// answer looks for words in one answer.
func answer(n int, words ...string) want {
	return func(s *scene) error { return contains(fmt.Sprintf("answer %d lacks", n+1), s.answers[n], words) }
}

func lacks(words ...string) want {
	return func(s *scene) error {
		for _, w := range words {
			if strings.Contains(strings.Join(s.answers, "\n"), w) {
				return fmt.Errorf("the model sees %q", w)
			}
		}
		return nil
	}
}

func contains(what, text string, words []string) error {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return fmt.Errorf("%s %q", what, w)
		}
	}
	return nil
}

func buffer(file string, words ...string) want {
	return func(s *scene) error {
		text, err := s.editor.text(file)
		if err != nil {
			return err
		}
		if err := contains("the editor's text lacks", text, words); err != nil {
			return fmt.Errorf("%w; it is:\n%s", err, text)
		}
		return nil
	}
}

func unsaved(file string) want {
	return func(s *scene) error {
		is, err := s.editor.unsaved(file)
		if err == nil && !is {
			err = fmt.Errorf("the editor shows %s as saved", file)
		}
		return err
	}
}

func disk(file string, words ...string) want {
	return func(s *scene) error { return contains(file+" on disk lacks", s.stage.disk(file), words) }
}

func diskLacks(file, word string) want {
	return func(s *scene) error {
		if strings.Contains(s.stage.disk(file), word) {
			return fmt.Errorf("%s on disk has %q", file, word)
		}
		return nil
	}
}

var (
	bigLine   = regexp.MustCompile(`(\d{6}) the quick`)
	bigHeader = regexp.MustCompile(`lines 1-(\d+) of 4000`)
)

// whole looks whether each line is there that the answer's header tells of.
func whole(s *scene) error {
	header := bigHeader.FindStringSubmatch(s.answers[0])
	if header == nil {
		return errors.New("no header with the lines")
	}
	told, _ := strconv.Atoi(header[1])
	lines := bigLine.FindAllStringSubmatch(s.answers[0], -1)
	for i := range told {
		if i >= len(lines) || lines[i][1] != fmt.Sprintf("%06d", i) {
			return fmt.Errorf("line %d of %d is missing, in %d bytes", i+1, told, len(s.answers[0]))
		}
	}
	if told < 100 {
		return fmt.Errorf("only %d lines", told)
	}
	return nil
}

// counted looks whether the first answer has as many of something as it tells.
func counted(pattern, told string) want {
	return func(s *scene) error {
		m := regexp.MustCompile(told).FindStringSubmatch(s.answers[0])
		if m == nil {
			return errors.New("the answer does not tell how many there are")
		}
		if have := len(regexp.MustCompile(pattern).FindAllString(s.answers[0], -1)); strconv.Itoa(have) != m[1] {
			return fmt.Errorf("%d of %s are there", have, m[0])
		}
		return nil
	}
}

// cuts are the words by which hosts tell that they have cut an answer.
var cuts = regexp.MustCompile(`(?i)output too large|truncated|tool-outputs|persisted-output|characters omitted|saved to`)

func uncut(s *scene) error {
	for i, a := range s.answers {
		if cut := cuts.FindString(a); cut != "" {
			return fmt.Errorf("answer %d (%d bytes) is cut: %q", i+1, len(a), cut)
		}
	}
	return nil
}

// ownRead has the host read the file by its own tool, with the hook there.
func ownRead(s *scene) error {
	c := s.stage.host.hooked
	c.args = strings.ReplaceAll(c.args, "$WORK", s.stage.work)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := s.say(ctx, 0, []call{c}); err != nil {
		return err
	}
	return says("UNSAVED_MARK")(s)
}

// everyday is by what words a model would search which tool.
func everyday() [][2]string {
	return [][2]string{
		{"read a file", "read_file"}, {"edit a file", "edit_file"}, {"apply a patch", "apply_patch"}, {"search text in files", "grep_files"},
		{"outline of symbols in a file", "outline"}, {"files open in the editor", "open_files"},
	}
}

// searched looks whether the host's own search shows those of our tools for
// everyday words that the host hides.
func searched(s *scene) error {
	t := s.talks[0]
	if err := t.wait(s.ctx); err != nil {
		return err
	}
	for _, e := range everyday() {
		words, name := e[0], e[1]
		if _, shown := t.find(name); shown || !t.hides() {
			continue
		}
		answer, err := t.search(s.ctx, words, "")
		if err != nil {
			return err
		}
		if _, shown := t.find(name); !shown && !strings.Contains(answer, name) {
			s.answers = append(s.answers, answer)
			return fmt.Errorf("%q does not show %s", words, name)
		}
	}
	return nil
}
