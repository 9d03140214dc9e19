package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// editorWith is an editor that takes everything and has one document open; no
// connection leads to it.
func editorWith(t *testing.T, path, content string, change ...func(*Config)) (*editor, *buffers.Document) {
	t.Helper()
	config := Config{Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&config)
	}
	s := newServer(t.Context(), config)
	s.client.canApply, s.client.canDelete, s.client.canRename = true, true, true
	e := &editor{s, s.conn.Caller()}
	e.show(t, path, content)
	d := s.store.Overlay().Documents()[0]
	t.Cleanup(func() {
		close(s.client.initialized)
		s.background.Wait()
		s.core.Close()
	})
	return e, d
}

// show opens a document, in place of the one that was open.
func (e *editor) show(t *testing.T, path, content string) {
	t.Helper()
	p, err := e.pathOf("file://" + path)
	if err != nil {
		t.Fatal(err)
	}
	e.store.Open(buffers.Opening{URI: "file://" + path, Path: p, Version: 7, Text: content, Lines: text.AnyLineEnd})
}

func replyOf(applied bool, reason string) reply {
	r := reply{ApplyWorkspaceEditResult: protocol.ApplyWorkspaceEditResult{Applied: applied}}
	if reason != "-" {
		r.FailureReason = &reason
	}
	return r
}

// TestVerdict: what became of an edit is judged by the text that is there, line
// by line; what the editor says only where the text does not tell.
func TestVerdict(t *testing.T) {
	const before, after = "a\nb\nc\nd\ne\n", "a\nB\nc\nD\ne\n" // two places
	yes, no, silent := replyOf(true, "-"), replyOf(false, "because"), reply{err: context.DeadlineExceeded}
	failed := reply{err: jsonrpc.Errorf(-32000, "broken")}
	gone := reply{err: jsonrpc.ErrNoClient}
	const claims, unanswered = "the editor said that it applied the edit, but its text does not show it", "the editor did not answer in time"
	for _, tt := range []struct {
		name  string
		reply reply
		now   string
		want  string // the error's kind and message; "" is that the edit landed
	}{
		{"landed", yes, after, ""},
		{"landed, and nobody said so", silent, after, ""},
		{"landed, and the connection broke", gone, after, ""},
		{"landed beside what was typed", yes, "a\nB\nc\nD\ne\nf\n", ""},
		{"landed, though an error was said", failed, after, ""},
		{"no, though the text is there", no, after, "stale_file"},
		{"nothing, and applied", yes, before, "not_applied: " + claims + "; nothing was changed"},
		{"nothing, with a reason", no, before, "not_applied: the editor did not apply the edit: because; nothing was changed"},
		{"nothing, with an empty reason", replyOf(false, ""), before, "not_applied: the editor did not apply the edit; nothing was changed"},
		{"nothing, without a reason", replyOf(false, "-"), before, "not_applied: the editor did not apply the edit; nothing was changed"},
		{"nothing, with an error", failed, before, "not_applied: the editor failed: "},
		{"nothing, and nothing said", silent, before, "outcome_unknown: " + unanswered},
		{"nothing, and the connection broke", gone, before, "outcome_unknown: the editor failed: there is no client to ask"},
		{"one of two", yes, "a\nB\nc\nd\ne\n", "outcome_unknown: " + claims},
		{"one of two, with no", no, "a\nB\nc\nd\ne\n", "stale_file"},
		{"one of two, and nothing said", silent, "a\nB\nc\nd\ne\n", "outcome_unknown: " + unanswered},
		{"the same line otherwise", yes, "a\nBB\nc\nDD\ne\n", "outcome_unknown: " + claims},
		{"one line otherwise", yes, "a\nBB\nc\nd\ne\n", "outcome_unknown: " + claims},
		{"something else", yes, "a\nb\nC\nd\ne\n", "stale_file"},
		{"something else, with no", no, "a\nb\nC\nd\ne\n", "stale_file"},
		{"something else, with an error", failed, "a\nb\nC\nd\ne\n", "stale_file"},
		{"closed", yes, "-", "outcome_unknown: the document was closed while the edit was on its way"},
		{"unsure, and applied", yes, "?" + after, "outcome_unknown: " + claims},
		{"unsure, with no", no, "?" + before, "outcome_unknown: the editor did not apply the edit: because"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.txt")
			e, d := editorWith(t, path, before)
			l := pendingEdit{editor: e, before: d, expected: text.New(after)}
			now, outOfSync := strings.CutPrefix(tt.now, "?")
			if now == "-" {
				e.store.Close(d.Key())
			} else {
				e.show(t, path, now)
			}
			if outOfSync {
				e.store.MarkOutOfSync(e.store.Overlay().Get(d.Key()), "why")
			}
			version, err := l.verdict(tt.reply)
			if tt.want == "" {
				if err != nil || version != 7 {
					t.Errorf("version %d, %v", version, err)
				}
				return
			}
			got := fmt.Sprintf("%s: %v", fault.KindOf(err), fault.From(err).Message)
			if !strings.HasPrefix(got, tt.want) || version != 0 {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if strings.Contains(got, "because") != (tt.reply.FailureReason != nil && tt.want != "stale_file") && *tt.reply.FailureReason != "" {
				t.Errorf("the reason is missing: %s", got)
			}
		})
	}
}

// TestTraces: an edit's lines show all of it, none, or something of them.
func TestTraces(t *testing.T) {
	e, _ := editorWith(t, filepath.Join(t.TempDir(), "x.txt"), "")
	for _, tt := range []struct {
		before, wanted, now string
		want                trace
	}{
		{"a\nb\nc\n", "a\nx\nb\nc\n", "a\nx\nb\nc\n", all},
		{"a\nb\nc\n", "a\nx\nb\nc\n", "a\nb\nc\n", none},
		{"a\nb\nc\n", "a\nx\nb\nc\n", "A\nb\nc\n", none},    // the line before it
		{"a\nb\nc\n", "a\nx\nb\nc\n", "a\nB\nc\n", none},    // the line behind it
		{"a\nb\nc\n", "a\nx\nb\nc\n", "a\ny\nb\nc\n", some}, // another at the same place
		{"a\nb\nc\n", "a\nB\nc\n", "A\nb\nc\n", none},
		{"a\nb\nc\n", "a\nB\nc\n", "a\nb\nC\n", none},
		{"a\nb\nc\n", "a\nB\nc\n", "A\nB\nc\n", some}, // one change for both lines
		{"a\nb\nc\n", "a\nB\nc\n", "a\nc\n", some},
		{"a\nb\nc\n", "a\nB\nc\n", "a\nb\nx\nc\n", none}, // right behind it
		{"a\nb\nc\n", "a\nB\nc\n", "a\nx\nb\nc\n", none}, // right before it
		{"a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", "A\nb\nc\nd\ne\n", some},
		{"a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", "a\nb\nc\nd\nE\n", some},
		{"a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", "A\nb\nC\nd\nE\n", all},
		{"a\nb\nc\nd\ne\n", "a\nb\nc\nd\ne\n", "a\n", all}, // nothing was wanted
	} {
		l := pendingEdit{editor: e, before: &buffers.Document{Text: text.New(tt.before)}, expected: text.New(tt.wanted)}
		if got := l.traces(text.New(tt.now)); got != tt.want {
			t.Errorf("%q to %q, now %q: %v, want %v", tt.before, tt.wanted, tt.now, got, tt.want)
		}
	}
}

// TestPatience: after a no nothing is waited for; after a yes as long as an
// edit may take, where the editor cannot be asked for its text.
func TestPatience(t *testing.T) {
	e, d := editorWith(t, filepath.Join(t.TempDir(), "x.txt"), "")
	for _, tt := range []struct {
		reply  reply
		resync bool
		want   time.Duration
	}{
		{replyOf(false, "-"), false, 0},
		{replyOf(false, "-"), true, 0},
		{replyOf(true, "-"), false, applyTimeout},
		{replyOf(true, "-"), true, changeLag},
		{reply{err: jsonrpc.ErrNoClient}, false, changeLag},
		{reply{err: jsonrpc.ErrNoClient}, true, changeLag},
	} {
		e.client.abilities.Resync = tt.resync
		l := pendingEdit{editor: e, before: d}
		if got := l.patience(tt.reply); got != tt.want {
			t.Errorf("%+v: %v, want %v", tt, got, tt.want)
		}
	}
}

// TestNothingIsAskedInVain: an edit, a delete and a move are not sent for a
// document that is not what it was.
func TestNothingIsAskedInVain(t *testing.T) {
	const unchanged, gone = "nothing was changed", "the editor failed: there is no client to ask"
	for name, tt := range map[string]struct {
		change func(e *editor, d *buffers.Document)
		want   [2]string // of an edit; of a delete and a move
	}{
		"closed": {func(e *editor, d *buffers.Document) { e.store.Close(d.Key()) },
			[2]string{"not_applied: the document was closed meanwhile", "stale_file: the document was closed meanwhile"}},
		"unsure": {func(e *editor, d *buffers.Document) { e.store.MarkOutOfSync(d, "why") },
			[2]string{"buffer_unsure: the editor's text may differ from the mirrored one (why)", "buffer_unsure: the editor's text may differ from the mirrored one (why)"}},
		"changed": {func(e *editor, d *buffers.Document) {
			_ = e.store.Change(d.Key(), d.Version+1, text.UTF8, []buffers.Change{{Text: "other"}})
		}, [2]string{"stale_file: the text changed in the editor", "stale_file: the text changed in the editor"}},
		"cannot": {func(e *editor, _ *buffers.Document) {
			e.client.canApply, e.client.canDelete, e.client.canRename = false, false, false
		}, [2]string{"not_applied: the editor does not take versioned edits", "not_applied: the file is open, and the editor does not "}},
		"as it was": {func(*editor, *buffers.Document) {},
			[2]string{"outcome_unknown: " + gone, "outcome_unknown: " + gone + "; the file is still there"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeAll(t, dir, map[string]string{"a.txt": "text"})
			path := filepath.Join(dir, "a.txt")
			e, d := editorWith(t, path, "text")
			to, err := e.pathOf("file://" + dir + "/b.txt")
			if err != nil {
				t.Fatal(err)
			}
			tt.change(e, d)
			_, edited := e.Apply(t.Context(), d, []diff.Edit{{Span: text.Span{End: 1}, New: "T"}}, "label")
			for i, err := range []error{edited, e.DeleteFile(t.Context(), d), e.MoveFile(t.Context(), d, to)} {
				got := fmt.Sprintf("%s: %s", fault.KindOf(err), fault.From(err).Message)
				if !strings.HasPrefix(got, tt.want[min(i, 1)]) {
					t.Errorf("%d: %s", i, got)
				}
			}
			if e.Reload(t.Context(), d) {
				t.Error("something was reloaded")
			}
			if len(e.applyLocks.docs) != 0 {
				t.Error("a document stays locked")
			}
		})
	}
}

// TestFileOperationsOfTheEditor: what the disk shows counts, not what is said.
func TestFileOperationsOfTheEditor(t *testing.T) {
	for name, tt := range map[string]struct {
		answer any  // to workspace/applyEdit
		does   bool // what it is asked for
		want   string
	}{
		"does it":                {map[string]any{"applied": true}, true, ""},
		"does it and says no":    {map[string]any{"applied": false}, true, ""},
		"does it and fails":      {errors.New("no"), true, ""},
		"says it only":           {map[string]any{"applied": true}, false, "not_applied: the editor said that it did it, but the disk does not show it; nothing was changed"},
		"refuses":                {map[string]any{"applied": false, "failureReason": "locked"}, false, "not_applied: the editor did not apply the edit: locked; nothing was changed"},
		"fails":                  {errors.New("broken"), false, "not_applied: the editor failed: "},
		"does half of it":        {map[string]any{"applied": true}, false, "not_applied: the editor said that it did it"},
		"says what is no answer": {map[string]any{"applied": "yes"}, false, "outcome_unknown: the editor failed: "},
	} {
		for operation, patch := range map[string]string{"delete": "*** Delete File: a.txt\n", "rename": "*** Update File: a.txt\n*** Move to: b.txt\n"} {
			t.Run(name+"/"+operation, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				writeAll(t, dir, map[string]string{"a.txt": "text\n"})
				from, to := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
				s := startSession(t, initializeOf(dir, map[string]any{"capabilities": map[string]any{"workspace": map[string]any{
					"applyEdit": true, "workspaceEdit": map[string]any{"documentChanges": true, "resourceOperations": []string{operation}}}}}))
				defer s.leave()
				s.open("file://"+from, 1, "text\n")
				asked := ""
				s.answer = func(_ string, params any) any {
					asked = asJSON(params)
					if tt.does && operation == "delete" {
						_ = os.Remove(from)
					} else if tt.does {
						_ = os.Rename(from, to)
					} else if name == "does half of it" && operation == "rename" {
						_ = os.Link(from, to)
					}
					return tt.answer
				}
				hash := s.tool("read_file", map[string]any{"path": "a.txt"})["content_hash"]
				answer := s.tool("apply_patch", map[string]any{"patch": "*** Begin Patch\n" + patch + "*** End Patch\n", "expected_hashes": map[string]any{"a.txt": hash}})
				problem, _ := answer["error"].(map[string]any)
				got := fmt.Sprintf("%v: %v", problem["kind"], problem["message"])
				if (problem == nil) != (tt.want == "") || problem != nil && !strings.HasPrefix(got, tt.want) {
					t.Errorf("%v", answer)
				}
				if !strings.Contains(asked, `"kind":"`+operation+`"`) {
					t.Errorf("the editor was asked %s", asked)
				}
			})
		}
	}
}

// TestWhatClientsTake: versioned edits are sent to those alone that take them,
// and file operations to those that take these too.
func TestWhatClientsTake(t *testing.T) {
	for capabilities, want := range map[string][3]bool{ // edits, deletes, renames
		`{}`:                                    {},
		`{"applyEdit":true}`:                    {},
		`{"applyEdit":true,"workspaceEdit":{}}`: {},
		`{"applyEdit":true,"workspaceEdit":{"documentChanges":false}}`:                                {},
		`{"applyEdit":false,"workspaceEdit":{"documentChanges":true}}`:                                {},
		`{"workspaceEdit":{"documentChanges":true,"resourceOperations":["delete"]}}`:                  {},
		`{"applyEdit":true,"workspaceEdit":{"documentChanges":true}}`:                                 {true, false, false},
		`{"applyEdit":true,"workspaceEdit":{"documentChanges":true,"resourceOperations":["delete"]}}`: {true, true, false},
		`{"applyEdit":true,"workspaceEdit":{"documentChanges":true,"resourceOperations":["rename"]}}`: {true, false, true},
	} {
		s := newServer(t.Context(), Config{Log: slog.New(slog.DiscardHandler)})
		in := new(protocol.InitializeParams)
		if err := protocol.Unmarshal([]byte(`{"capabilities":{"workspace":`+capabilities+`}}`), in); err != nil {
			t.Fatal(err)
		}
		if _, err := s.initialize(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if got := [3]bool{s.client.canApply, s.client.canDelete, s.client.canRename}; got != want {
			t.Errorf("%s: %v, want %v", capabilities, got, want)
		}
		s.background.Wait()
		s.core.Close()
	}
}

// TestReload: a clean document whose file was changed is reloaded where the
// editor does that, and a failure is logged.
func TestReload(t *testing.T) {
	for name, tt := range map[string]struct {
		abilities []string
		answer    any
		asked     bool
		warned    bool
	}{
		"is not done":    {nil, nil, false, false},
		"is done":        {[]string{"reload"}, map[string]any{"reloaded": true}, true, false},
		"is refused":     {[]string{"reload"}, map[string]any{"reloaded": false}, true, false},
		"fails":          {[]string{"reload"}, errors.New("broken"), true, true},
		"is not so told": {[]string{"reload"}, map[string]any{"reloaded": 7}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeAll(t, dir, map[string]string{"a.txt": "old\n"})
			uri, log := "file://"+dir+"/a.txt", new(lockedBuffer)
			s := startSession(t, initializeOf(dir, map[string]any{"capabilities": abilitiesOf(tt.abilities...)}), logged(log))
			asked := false
			s.answer = func(method string, _ any) any {
				asked = asked || method == "agent/reload"
				return tt.answer
			}
			s.open(uri, 1, "old\n")
			s.tool("read_file", map[string]any{"path": "a.txt"})
			writeAll(t, dir, map[string]string{"a.txt": "newer\n"})
			if got := s.tool("read_file", map[string]any{"path": "a.txt", "format": "plain"}); got["content"] != "old\n" {
				t.Errorf("read %v", got)
			}
			s.leave()
			if warned := strings.Contains(log.String(), "msg=agent/reload"); asked != tt.asked || warned != tt.warned {
				t.Errorf("asked %v, logged %s", asked, log)
			}
		})
	}
}

// TestRefusedEditAsksNothing: an editor that says that it did not apply an edit
// is believed: its text is not asked for, and it may go on at once.
func TestRefusedEditAsksNothing(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"a.txt": "old\n"})
	capabilities := abilitiesOf("resync")
	capabilities["workspace"] = map[string]any{"applyEdit": true, "workspaceEdit": map[string]any{"documentChanges": true}}
	s := startSession(t, initializeOf(dir, map[string]any{"capabilities": capabilities}))
	defer s.leave()
	var asked []string
	s.answer = func(method string, _ any) any {
		asked = append(asked, method)
		return map[string]any{"applied": false, "failureReason": "locked", "version": 1, "text": "old\n"}
	}
	s.open("file://"+dir+"/a.txt", 1, "old\n")
	hash := s.tool("read_file", map[string]any{"path": "a.txt"})["content_hash"]
	problem, _ := s.tool("edit_file", map[string]any{"path": "a.txt", "expected_hash": hash, "old_text": "old", "new_text": "new"})["error"].(map[string]any)
	if problem["kind"] != "not_applied" || strings.Join(asked, " ") != "workspace/applyEdit" {
		t.Errorf("asked %v: %v", asked, problem)
	}
}
