package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// reviewSession is a person's editor and the agents that work in it.
type reviewSession struct {
	*testing.T
	*fakeeditor.Editor
	dir, state string
	done       chan error
}

type duplex struct {
	io.Reader
	io.WriteCloser
}

// startReview starts an editor in a folder.
func startReview(t *testing.T, dir, state string, options fakeeditor.Options) *reviewSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	s := &reviewSession{T: t, dir: dir, state: state, done: make(chan error, 1)}
	config := Config{Version: "test", Log: slog.New(slog.DiscardHandler), StateHome: state}
	go func() { s.done <- Serve(t.Context(), in, out, config) }()
	s.Editor = fakeeditor.New(duplex{fromServer, toServer}, options)
	if _, err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func newReview(t *testing.T, files map[string]string) *reviewSession {
	t.Helper()
	dir := t.TempDir()
	writeAll(t, dir, files)
	return startReview(t, dir, t.TempDir(), fakeeditor.VSCode(fakeeditor.Root{Name: "w", Dir: dir}))
}

func (s *reviewSession) end() {
	s.Helper()
	if err := s.Stop(context.WithoutCancel(s.Context())); err != nil {
		s.Error(err)
	}
	if err := <-s.done; err != nil {
		s.Error(err)
	}
}

func (s *reviewSession) ask(method string, params any) map[string]any {
	s.Helper()
	raw, err := s.Request(s.Context(), method, params)
	if err != nil {
		s.Fatalf("%s: %v", method, err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		s.Fatal(err)
	}
	return out
}

// agent has an agent call a tool, which has to go well.
func (s *reviewSession) agent(name, tool string, arguments map[string]any) map[string]any {
	s.Helper()
	out := s.ask("agent/tools/call", map[string]any{"name": tool, "arguments": arguments, "client": map[string]any{"name": name}})
	if out["isError"] == true {
		s.Fatalf("%s: %s", tool, asJSON(out["structuredContent"]))
	}
	structured, _ := out["structuredContent"].(map[string]any)
	return structured
}

// edit has an agent replace text in a file.
func (s *reviewSession) edit(name, path, old, fresh string) string {
	s.Helper()
	read := s.agent(name, "read_file", map[string]any{"path": path})
	out := s.agent(name, "edit_file", map[string]any{"path": path, "expected_hash": read["content_hash"],
		"edits": []any{map[string]any{"old_text": old, "new_text": fresh}}})
	id, _ := out["id"].(string)
	return id
}

func (s *reviewSession) uri(path string) string { return "file://" + filepath.Join(s.dir, path) }

// pending shows what is pending, a hunk a line.
func (s *reviewSession) pending() string {
	s.Helper()
	out := s.ask("agent/review/list", map[string]any{})
	var b strings.Builder
	files, _ := out["files"].([]any)
	for _, f := range files {
		file, _ := f.(map[string]any)
		fmt.Fprintf(&b, "%s %s", file["path"], file["status"])
		if file["from"] != nil {
			fmt.Fprintf(&b, " from %s", file["from"])
		}
		hunks, _ := file["hunks"].([]any)
		for _, h := range hunks {
			hunk, _ := h.(map[string]any)
			r := asJSON(hunk["range"])
			var at struct{ Start, End struct{ Line, Character int } }
			_ = json.Unmarshal([]byte(r), &at)
			fmt.Fprintf(&b, " [%d-%d %q %s]", at.Start.Line, at.End.Line, hunk["removed"], strings.Trim(asJSON(hunk["clients"]), "[]"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// ids returns the ids of the pending hunks of a file.
func (s *reviewSession) ids(path string) (ids []string) {
	s.Helper()
	out := s.ask("agent/review/list", map[string]any{"uri": s.uri(path)})
	files, _ := out["files"].([]any)
	for _, f := range files {
		file, _ := f.(map[string]any)
		hunks, _ := file["hunks"].([]any)
		for _, h := range hunks {
			hunk, _ := h.(map[string]any)
			id, _ := hunk["id"].(string)
			ids = append(ids, id)
		}
	}
	return ids
}

func (s *reviewSession) want(pending string) {
	s.Helper()
	if got := s.pending(); got != pending {
		s.Errorf("pending\n%s, want\n%s", got, pending)
	}
}

func (s *reviewSession) holds(path, want string) {
	s.Helper()
	if d, ok := s.Document(s.uri(path)); ok {
		if d.Text != want {
			s.Errorf("%s is %q in the editor, want %q", path, d.Text, want)
		}
		return
	}
	raw, err := os.ReadFile(filepath.Join(s.dir, path))
	if string(raw) != want {
		s.Errorf("%s is %q (%v), want %q", path, raw, err, want)
	}
}

const tenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

// TestReviewOnDisk: hunks of files that are not open, across calls and agents,
// are listed, kept and taken back.
func TestReviewOnDisk(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines, "b.txt": "x\n"})
	defer s.end()
	s.edit("bot", "a.txt", "2\n", "two\n")
	s.edit("other", "a.txt", "8\n9\n", "eight\n")
	s.agent("bot", "write_file", map[string]any{"path": "new.txt", "content": "n\n"})
	s.want("a.txt changed [1-2 \"2\\n\" \"bot\"] [7-8 \"8\\n9\\n\" \"other\"]\nnew.txt created [0-1 \"\" \"bot\"]\n")
	ids := s.ids("a.txt")
	if out := s.ask("agent/review/undo", map[string]any{"hunks": ids[:1]}); out["undone"] != 1.0 || out["id"] == nil || asJSON(out["failed"]) != "[]" {
		t.Errorf("undone: %s", asJSON(out))
	}
	s.holds("a.txt", strings.ReplaceAll(tenLines, "8\n9\n", "eight\n"))
	if out := s.ask("agent/review/keep", map[string]any{"hunks": []string{ids[0], ids[1]}}); out["kept"] != 1.0 {
		t.Errorf("kept: %s", asJSON(out))
	}
	s.want("new.txt created [0-1 \"\" \"bot\"]\n")
	s.ask("agent/review/undo", map[string]any{})
	if _, err := os.Lstat(filepath.Join(s.dir, "new.txt")); !os.IsNotExist(err) {
		t.Errorf("the new file is there: %v", err)
	}
	s.want("")
}

// TestReviewInTheEditor: the person types around and between what agents do; their
// lines stay what becomes of the hunks.
func TestReviewInTheEditor(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines})
	defer s.end()
	name, err := s.Open(filepath.Join(s.dir, "a.txt"), "text")
	if err != nil {
		t.Fatal(err)
	}
	typed := func(line int, text string) {
		t.Helper()
		if err := s.Type(name, fakeeditor.Point{Line: line + 1, Column: 1}, text); err != nil {
			t.Fatal(err)
		}
	}
	s.edit("bot", "a.txt", "5\n", "five\nfive and a half\n")
	typed(0, "typed above\n")
	typed(6, "typed within\n")
	s.want("a.txt changed [5-6 \"5\\n\" \"bot\"] [7-8 \"\" \"bot\"]\n")
	id := s.edit("bot", "a.txt", "9\n", "nine\n")
	s.want("a.txt changed [5-6 \"5\\n\" \"bot\"] [7-8 \"\" \"bot\"] [11-12 \"9\\n\" \"bot\"]\n")
	s.agent("bot", "revert_edit", map[string]any{"id": id})
	s.want("a.txt changed [5-6 \"5\\n\" \"bot\"] [7-8 \"\" \"bot\"]\n")
	undone := s.ask("agent/review/undo", map[string]any{"uri": name})
	s.want("")
	s.holds("a.txt", "typed above\n1\n2\n3\n4\n5\ntyped within\n6\n7\n8\n9\n10\n")
	s.ask("agent/tools/call", map[string]any{"name": "revert_edit", "arguments": map[string]any{"id": undone["id"]}})
	s.holds("a.txt", "typed above\n1\n2\n3\n4\nfive\ntyped within\nfive and a half\n6\n7\n8\n9\n10\n")
	if err := s.Undo(name); err != nil {
		t.Fatal(err)
	}
	if v := s.Violations(); len(v) > 0 {
		t.Errorf("violations: %q", v)
	}
}

// TestReviewOfRange: some lines of a hunk are kept, and some taken back.
func TestReviewOfRange(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines})
	defer s.end()
	s.edit("bot", "a.txt", "4\n5\n6\n", "four\nfive\nsix\nmore\n")
	lines := func(from, to int) map[string]any {
		return map[string]any{"start": map[string]any{"line": from, "character": 0}, "end": map[string]any{"line": to, "character": 0}}
	}
	s.ask("agent/review/undo", map[string]any{"uri": s.uri("a.txt"), "range": lines(4, 5)})
	s.want("a.txt changed [3-4 \"4\\n\" \"bot\"] [5-7 \"6\\n\" \"bot\"]\n")
	s.holds("a.txt", "1\n2\n3\nfour\n5\nsix\nmore\n7\n8\n9\n10\n")
	s.ask("agent/review/keep", map[string]any{"uri": s.uri("a.txt"), "range": lines(5, 6)})
	s.want("a.txt changed [3-4 \"4\\n\" \"bot\"] [6-7 \"\" \"bot\"]\n")
}

// TestReviewOfFiles: that agents deleted and moved files is pending, too.
func TestReviewOfFiles(t *testing.T) {
	s := newReview(t, map[string]string{"gone.txt": "g\r\n", "old.txt": "o\n"})
	defer s.end()
	s.agent("bot", "read_file", map[string]any{"path": "gone.txt"})
	s.agent("bot", "read_file", map[string]any{"path": "old.txt"})
	s.agent("bot", "apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Delete File: gone.txt\n*** Update File: old.txt\n*** Move to: moved.txt\n@@\n-o\n+O\n*** End Patch\n"})
	s.want("gone.txt deleted [0-0 \"g\\r\\n\" \"bot\"]\nmoved.txt moved from old.txt [0-1 \"o\\n\" \"bot\"]\n")
	s.ask("agent/review/undo", map[string]any{})
	s.holds("gone.txt", "g\r\n")
	s.holds("old.txt", "o\n")
	s.want("")
}

// TestBlame: who wrote which line, also behind later edits.
func TestBlame(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines})
	defer s.end()
	id := s.edit("bot", "a.txt", "5\n", "five\n")
	name, err := s.Open(filepath.Join(s.dir, "a.txt"), "text")
	if err == nil {
		err = s.Type(name, fakeeditor.Point{Line: 1, Column: 1}, "typed\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := s.ask("agent/blame", map[string]any{"uri": name})["lines"].([]any)
	for _, l := range lines {
		delete(l.(map[string]any), "time")
	}
	if got, want := asJSON(lines), `[{"author":"editor","end":1,"start":0},{"author":"agent","client":"bot","edit":"`+id+`","end":6,"start":5}]`; got != want {
		t.Errorf("blame\n%s, want\n%s", got, want)
	}
}

// TestReviewOutlivesTheServer: hunks, history and authors are there after a
// restart; what changed meanwhile moves them.
func TestReviewOutlivesTheServer(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines})
	s.edit("bot", "a.txt", "2\n", "two\n")
	id := s.edit("other", "a.txt", "8\n9\n", "eight\n")
	s.end()
	writeAll(t, s.dir, map[string]string{"a.txt": "0\n1\ntwo\n3\n4\n5\n6\n7\neight\n10\n"})
	s = startReview(t, s.dir, s.state, fakeeditor.VSCode(fakeeditor.Root{Name: "w", Dir: s.dir}))
	s.want("a.txt changed [2-3 \"2\\n\" \"bot\"] [8-9 \"8\\n9\\n\" \"other\"]\n")
	history := s.agent("bot", "edit_history", map[string]any{})
	if edits, _ := history["edits"].([]any); len(edits) != 2 {
		t.Errorf("history: %s", asJSON(history))
	}
	s.agent("bot", "revert_edit", map[string]any{"id": id})
	s.holds("a.txt", "0\n1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n")
	s.want("a.txt changed [2-3 \"2\\n\" \"bot\"]\n")
	ids := s.ids("a.txt")
	s.end()
	s = startReview(t, s.dir, s.state, fakeeditor.VSCode(fakeeditor.Root{Name: "w", Dir: s.dir}))
	defer s.end()
	if got := s.ids("a.txt"); asJSON(got) != asJSON(ids) {
		t.Errorf("ids %q, before %q", got, ids)
	}
	s.ask("agent/review/undo", map[string]any{})
	s.holds("a.txt", "0\n"+tenLines)
}

// TestCheckpoints: going back to before an agent's turn takes back what agents did
// since, kept or not, and leaves what the person typed.
func TestCheckpoints(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines, "gone.txt": "g\n"})
	name, err := s.Open(filepath.Join(s.dir, "a.txt"), "text")
	if err != nil {
		t.Fatal(err)
	}
	s.edit("bot", "a.txt", "2\n", "two\n")
	s.ask("agent/review/keep", map[string]any{})
	if err := s.Type(name, fakeeditor.Point{Line: 5, Column: 1}, "typed\n"); err != nil {
		t.Fatal(err)
	}
	s.edit("other", "a.txt", "9\n", "nine\n")
	s.agent("other", "write_file", map[string]any{"path": "new.txt", "content": "n\n"})
	s.agent("other", "read_file", map[string]any{"path": "gone.txt"})
	s.agent("other", "apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Delete File: gone.txt\n*** End Patch\n"})
	if err := s.Save(name); err != nil {
		t.Fatal(err)
	}
	s.end()
	s = startReview(t, s.dir, s.state, fakeeditor.VSCode(fakeeditor.Root{Name: "w", Dir: s.dir}))
	defer s.end()
	points, _ := s.ask("agent/checkpoint/list", map[string]any{})["checkpoints"].([]any)
	var shown []string
	for _, p := range points {
		c, _ := p.(map[string]any)
		shown = append(shown, fmt.Sprint(c["id"], " ", c["client"], " ", c["files"]))
	}
	if got := strings.Join(shown, ", "); got != "2 other 3, 1 bot 3" {
		t.Errorf("checkpoints %s", got)
	}
	dry := s.ask("agent/checkpoint/restore", map[string]any{"id": "2", "dry_run": true})
	if files, _ := dry["files"].([]any); len(files) != 3 || !strings.Contains(asJSON(dry), "+9") {
		t.Errorf("dry run: %s", asJSON(dry))
	}
	s.holds("a.txt", "1\ntwo\n3\n4\ntyped\n5\n6\n7\n8\nnine\n10\n")
	s.ask("agent/checkpoint/restore", map[string]any{"id": "2"})
	s.holds("a.txt", "1\ntwo\n3\n4\ntyped\n5\n6\n7\n8\n9\n10\n")
	s.holds("gone.txt", "g\n")
	if _, err := os.Lstat(filepath.Join(s.dir, "new.txt")); !os.IsNotExist(err) {
		t.Errorf("the new file is there: %v", err)
	}
	s.want("")
	s.ask("agent/checkpoint/restore", map[string]any{"id": "1"})
	s.holds("a.txt", "1\n2\n3\n4\ntyped\n5\n6\n7\n8\n9\n10\n")
	s.ask("agent/history/clear", map[string]any{})
	if points, _ := s.ask("agent/checkpoint/list", map[string]any{})["checkpoints"].([]any); len(points) != 0 {
		t.Errorf("there are %s", asJSON(points))
	}
}

// TestReviewIsTold: a client that wants to hears of hunks that come and go, and of
// where agents read and edit.
func TestReviewIsTold(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"a.txt": tenLines})
	s := startReview(t, dir, t.TempDir(), fakeeditor.Options{Roots: []fakeeditor.Root{{Name: "w", Dir: dir}}, AgentLSP: map[string]bool{"review": true, "follow": true}})
	defer s.end()
	s.edit("bot", "a.txt", "2\n", "two\n")
	if err := s.Await(t.Context(), "agent/review/changed"); err != nil {
		t.Fatal(err)
	}
	s.ask("agent/review/keep", map[string]any{})
	if err := s.Await(t.Context(), "agent/review/changed"); err != nil {
		t.Fatal(err)
	}
	if n := s.Received("agent/follow"); n != 2 {
		t.Errorf("%d places were told\n%s", n, s.Transcript())
	}
}

// TestPoint: what the person points at is mentioned as hosts write it, and is the
// first that open_files tells.
func TestPoint(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines, ".env": "secret\n"})
	defer s.end()
	out := s.ask("agent/point", map[string]any{"uri": s.uri("a.txt"), "range": map[string]any{"start": map[string]any{"line": 1, "character": 0}, "end": map[string]any{"line": 4, "character": 0}},
		"diagnostics": []any{map[string]any{"range": map[string]any{"start": map[string]any{"line": 2, "character": 0}, "end": map[string]any{"line": 2, "character": 1}}, "message": "bad", "source": "lint"}}})
	if out["text"] != "@a.txt#L2-L4\n3: error: bad (lint)" {
		t.Errorf("text %q", out["text"])
	}
	open := s.agent("bot", "open_files", map[string]any{})
	if got := asJSON(open["pointed"]); got != `[{"lines":[2,4],"path":"a.txt","problems":["3: error: bad (lint)"]}]` {
		t.Errorf("open_files: %s", got)
	}
	if _, err := s.Request(t.Context(), "agent/point", map[string]any{"uri": s.uri(".env")}); err == nil {
		t.Error("a private file was pointed at")
	}
}

// startDeciding is an editor whose person is asked for every change, and knows the
// further decisions.
func startDeciding(t *testing.T, files map[string]string) *reviewSession {
	t.Helper()
	dir := t.TempDir()
	writeAll(t, dir, files)
	options := fakeeditor.VSCode(fakeeditor.Root{Name: "w", Dir: dir})
	options.AgentLSP["decisions"] = true
	options.InitializationOptions = map[string]any{"agentLspMachine": map[string]any{"edits.confirm": "always"}}
	return startReview(t, dir, t.TempDir(), options)
}

// TestConsentEdited: what the person makes of a proposal lands, and the answer shows
// it.
func TestConsentEdited(t *testing.T) {
	for name, old := range map[string]string{"a.txt": tenLines, "crlf.txt": strings.ReplaceAll(tenLines, "\n", "\r\n"), "new.txt": ""} {
		s := startDeciding(t, map[string]string{"a.txt": tenLines, "crlf.txt": strings.ReplaceAll(tenLines, "\n", "\r\n")})
		var asked map[string]any
		s.Behave(fakeeditor.Behaviour{Consent: "edited", ConsentEdits: func(params []byte) any {
			_ = json.Unmarshal(params, &asked)
			file := asked["files"].([]any)[0].(map[string]any)
			text := strings.ReplaceAll(file["text"].(string), "\r\n", "\n") // as some editors' buffers have it
			return []any{map[string]any{"path": file["path"], "text": strings.Replace(text, "five", "FIVE\nmine", 1)}}
		}})
		var out map[string]any
		if old == "" {
			out = s.agent("bot", "write_file", map[string]any{"path": name, "content": "five\n"})
			s.holds(name, "FIVE\nmine\n")
		} else {
			read := s.agent("bot", "read_file", map[string]any{"path": name})
			out = s.agent("bot", "edit_file", map[string]any{"path": name, "expected_hash": read["content_hash"], "old_text": "5\n", "new_text": "five\n"})
			s.holds(name, strings.Replace(old, "5", "FIVE"+old[1:strings.Index(old, "2")]+"mine", 1))
		}
		if asked["reason"] != "edits.confirm is always" || asJSON(asked["allow"]) != `["allowFile","allowSession"]` {
			t.Errorf("asked: %s", asJSON(asked))
		}
		if !strings.Contains(asJSON(out), "The person edited the change before it landed.") {
			t.Errorf("answer: %s", asJSON(out))
		}
		s.end()
	}
}

// TestConsentForMore: who may change a file, or all, is asked no more; another client
// is, and so is anybody about a protected file.
func TestConsentForMore(t *testing.T) {
	s := startDeciding(t, map[string]string{"a.txt": tenLines, "b.txt": tenLines})
	defer s.end()
	asked := func(want int) {
		t.Helper()
		if n := s.Received("agent/confirmEdit"); n != want {
			t.Errorf("asked %d times, want %d", n, want)
		}
	}
	s.Behave(fakeeditor.Behaviour{Consent: "allowFile"})
	s.edit("bot", "a.txt", "2\n", "two\n")
	s.edit("bot", "a.txt", "3\n", "three\n")
	asked(1)
	s.edit("bot", "b.txt", "2\n", "two\n")
	s.edit("other", "a.txt", "4\n", "four\n")
	asked(3)
	s.Behave(fakeeditor.Behaviour{Consent: "allowSession"})
	s.edit("third", "a.txt", "5\n", "five\n")
	s.edit("third", "b.txt", "5\n", "five\n")
	asked(4)
	out := s.ask("agent/tools/call", map[string]any{"name": "write_file", "arguments": map[string]any{"path": ".mcp.json", "content": "{}"}, "client": map[string]any{"name": "third"}})
	asked(5)
	if out["isError"] != true {
		t.Error("a decision that was not offered counted")
	}
}

// TestSinceYouLooked: an assistant is told which files that it read others changed
// since, and by whom, until it reads one of them; its own changes are none.
func TestSinceYouLooked(t *testing.T) {
	s := newReview(t, map[string]string{"a.txt": tenLines, "b.txt": tenLines, "c.txt": tenLines})
	defer s.end()
	name, err := s.Open(filepath.Join(s.dir, "a.txt"), "text")
	if err != nil {
		t.Fatal(err)
	}
	said := func(tool string, arguments map[string]any) string {
		t.Helper()
		out := s.ask("agent/tools/call", map[string]any{"name": tool, "arguments": arguments, "client": map[string]any{"name": "bot"}})
		return asJSON(out["content"])
	}
	said("read_file", map[string]any{"path": "a.txt"})
	said("read_file", map[string]any{"path": "b.txt"})
	s.edit("bot", "b.txt", "2\n", "two\n")
	if got := said("list_directory", map[string]any{}); strings.Contains(got, "changed since") {
		t.Errorf("told of its own change: %s", got)
	}
	if err := s.Type(name, fakeeditor.Point{Line: 1, Column: 1}, "typed\n"); err != nil {
		t.Fatal(err)
	}
	s.edit("other", "a.txt", "9\n", "nine\n")
	for range 2 {
		if got := said("list_directory", map[string]any{}); !strings.Contains(got, "changed since you read it: a.txt by other") {
			t.Errorf("told %s", got)
		}
	}
	if got := said("open_files", map[string]any{"since": "read"}); !strings.Contains(got, "+typed") || !strings.Contains(got, "+nine") {
		t.Errorf("diffs: %s", got)
	}
	said("read_file", map[string]any{"path": "a.txt"})
	if got := said("list_directory", map[string]any{}); strings.Contains(got, "changed since") {
		t.Errorf("told again: %s", got)
	}
	if err := s.Type(name, fakeeditor.Point{Line: 1, Column: 1}, "more\n"); err != nil {
		t.Fatal(err)
	}
	if got := said("list_directory", map[string]any{}); !strings.Contains(got, "a.txt by the person") {
		t.Errorf("told %s", got)
	}
}
