package fakeeditor

import (
	"errors"
	"strings"
	"testing"
)

const doc1 = "untitled:Untitled-1"

func editParams(uri string, version int, edits ...textEdit) map[string]any {
	return map[string]any{"edit": map[string]any{"documentChanges": []any{map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": version}, "edits": edits,
	}}}}
}

// swap replaces the first and the last character of "abc\n".
func swap(version int) map[string]any {
	return editParams(doc1, version,
		textEdit{Range{Position{0, 0}, Position{0, 1}}, "X"},
		textEdit{Range{Position{0, 2}, Position{0, 3}}, "Z"})
}

func TestApplyEdit(t *testing.T) {
	typed := func(e *Editor, uri string) { _ = e.Type(uri, Point{1, 1}, "typed ") }
	tests := []struct {
		name      string
		opts      Options
		behaviour Behaviour
		answer    string
		text      string
		changes   int // didChange notifications
		undo      string
	}{
		{"well", Options{}, Behaviour{}, `{"applied":true}`, "XbZ\n", 1, "abc\n"},
		{"split", Options{}, Behaviour{SplitChanges: true}, `{"applied":true}`, "XbZ\n", 2, "abc\n"},
		{"half", Options{}, Behaviour{Apply: Half}, `{"applied":true}`, "Xbc\n", 1, "abc\n"},
		{"reject", Options{}, Behaviour{Apply: Reject, Reason: "no"}, `{"applied":false,"failureReason":"no"}`, "abc\n", 0, ""},
		{"fail", Options{}, Behaviour{Apply: Fail, Reason: "broken"}, "error JSON-RPC error -32803: broken", "abc\n", 0, ""},
		{"drop", Options{}, Behaviour{Apply: Drop}, `{"applied":true}`, "abc\n", 0, ""},
		{"answer first", Options{}, Behaviour{AnswerFirst: true}, `{"applied":true}`, "XbZ\n", 1, "abc\n"},
		{
			"typed before", Options{}, Behaviour{BeforeApply: typed},
			`{"applied":false,"failureReason":"the document has another version: 2, not 1"}`, "typed abc\n", 1, "abc\n",
		},
		{"typed before, dropped", Options{DropsStale: true}, Behaviour{BeforeApply: typed}, `{"applied":true}`, "typed abc\n", 1, "abc\n"},
		{"typed before, applied", Options{}, Behaviour{BeforeApply: typed, IgnoreVersion: true}, `{"applied":true}`, "XyZed abc\n", 2, "typed abc\n"},
		{"typed after", Options{}, Behaviour{Applied: typed}, `{"applied":true}`, "typed XbZ\n", 2, "XbZ\n"},
		{"formatted", Options{}, Behaviour{Rewrite: strings.ToLower}, `{"applied":true}`, "xbz\n", 1, "abc\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, p := start(t, tt.opts, UTF16)
			do(t, e.OpenText(doc1, "text", "abc\n"))
			e.Behave(tt.behaviour)
			if got := p.ask("workspace/applyEdit", swap(1)); got != tt.answer {
				t.Errorf("answer %s, want %s", got, tt.answer)
			}
			p.ask("client/registerCapability", nil) // handled after applyEdit is done
			if got := p.text(e, doc1); got != tt.text {
				t.Errorf("the server has %q, want %q", got, tt.text)
			}
			if n := len(p.messages(e, "textDocument/didChange")); n != tt.changes {
				t.Errorf("%d notifications, want %d", n, tt.changes)
			}
			if tt.undo != "" {
				do(t, e.Undo(doc1))
				if got := p.text(e, doc1); got != tt.undo {
					t.Errorf("one undo gives %q, want %q", got, tt.undo)
				}
			}
			wantClean(t, e)
		})
	}
}

func TestHeldAnswerComesOnRelease(t *testing.T) {
	for name, b := range map[string]Behaviour{
		"answer":  {HoldAnswer: true},
		"request": {Hold: map[string]bool{"workspace/applyEdit": true}},
	} {
		t.Run(name, func(t *testing.T) {
			e, p := start(t, Options{}, UTF16)
			do(t, e.OpenText(doc1, "text", "abc\n"))
			e.Behave(b)
			call := p.conn.request("workspace/applyEdit", swap(1))
			do(t, e.Await(guard(t), "workspace/applyEdit"))
			p.ask("client/registerCapability", nil) // handled after applyEdit
			select {
			case <-call.done:
				t.Error("answered before Release")
			default:
			}
			e.Release()
			if got, err := call.Wait(guard(t)); err != nil || string(got) != `{"applied":true}` {
				t.Errorf("answer %s, %v", got, err)
			}
			if got := p.text(e, doc1); got != "XbZ\n" {
				t.Errorf("the server has %q", got)
			}
		})
	}
}

func TestDeath(t *testing.T) {
	e, p := start(t, Options{}, UTF16)
	do(t, e.OpenText(doc1, "text", "abc\n"))
	e.Behave(Behaviour{DieOn: "workspace/applyEdit"})
	if _, err := p.conn.request("workspace/applyEdit", swap(1)).Wait(guard(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	if _, err := e.Call(guard(t), "read_file", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a call after the end gives %v", err)
	}
}

func TestViolationsAreSeen(t *testing.T) {
	tests := []struct {
		name, method string
		params       any
		want         string
	}{
		{"no version", "workspace/applyEdit", map[string]any{"edit": map[string]any{"changes": map[string]any{doc1: []any{}}}}, "names no version"},
		{"out of range", "workspace/applyEdit", editParams(doc1, 1, textEdit{Range{Position{9, 0}, Position{9, 0}}, "x"}), "names no text"},
		{"nothing to do", "workspace/applyEdit", map[string]any{}, "no edits"},
		{"not offered", "agent/save", map[string]any{"uri": doc1}, "never offered"},
		{"unknown", "agent/dance", nil, "unknown request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, p := start(t, Options{}, UTF16)
			do(t, e.OpenText(doc1, "text", "abc\n"))
			p.ask(tt.method, tt.params)
			if got := strings.Join(e.Violations(), "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("violations %q, want %q", got, tt.want)
			}
			if got := p.text(e, doc1); got != "abc\n" {
				t.Errorf("the text became %q", got)
			}
		})
	}
}

func TestNormalisedInsertions(t *testing.T) {
	tests := []struct {
		name       string
		opts       Options
		open, want string
	}{
		{"VS Code, CRLF", VSCode(), "a\r\nb\r\n", "new\r\na\r\nb\r\n"},
		{"Neovim, dos", Neovim(), "a\r\nb\r\n", "new\r\na\r\nb\r\n"},
		{"Neovim, mixed", Neovim(), "a\r\nb\n", "new\na\r\nb\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, p := start(t, tt.opts, tt.opts.Encodings[0])
			do(t, e.OpenText(doc1, "text", tt.open))
			doc, _ := e.Document(doc1)
			p.ask("workspace/applyEdit", editParams(doc1, doc.Version, textEdit{Range{}, "new\r\n"}))
			if got := p.text(e, doc1); got != tt.want {
				t.Errorf("the server has %q, want %q", got, tt.want)
			}
		})
	}
}

func TestStopWaitsForTheServer(t *testing.T) {
	e, p := start(t, Options{}, UTF16)
	do(t, e.Stop(guard(t)))
	if n := len(p.seen); p.seen[n-1].Method != "exit" || p.seen[n-2].Method != "shutdown" {
		t.Errorf("the last messages are %s and %s", p.seen[n-2].Method, p.seen[n-1].Method)
	}
	wantClean(t, e)
}
