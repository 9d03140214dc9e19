package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// TestStateOfTheEditor: of what a client says it shows, what is a document here
// is told, in bytes and in order.
func TestStateOfTheEditor(t *testing.T) {
	dir := t.TempDir()
	a, b := "file://"+dir+"/a.txt", "file://"+dir+"/b.txt"
	for name, tt := range map[string]struct {
		answer any
		want   string // each document with what is told of it
	}{
		"nothing":      {json.RawMessage(`{}`), "a b"},
		"null":         {nil, "a b"},
		"active":       {map[string]any{"active": b, "visible": []string{b}}, "b+active+visible a"},
		"visible only": {map[string]any{"active": "", "visible": []string{b, "", "output:x", "file:%zz"}}, "b+visible a"},
		"no document":  {map[string]any{"active": "output:tasks", "visible": []string{}}, "a b"},
		"selections": {map[string]any{"active": a, "visible": []string{a}, "selections": []any{
			map[string]any{"uri": dir + "/a.txt", "ranges": []any{rangeJSON(0, 0, 0, 1)}},
			map[string]any{"uri": "file://" + dir + "/closed.txt", "ranges": []any{rangeJSON(0, 0, 0, 1)}},
			map[string]any{"uri": "", "ranges": []any{rangeJSON(0, 0, 0, 1)}},
			map[string]any{"uri": a, "ranges": []any{rangeJSON(0, 1, 0, 2), rangeJSON(1, 1, 0, 0), rangeJSON(9, 9, 9, 9)}},
		}}, "a+active+visible 1:3-1:5 1:1-2:2 2:5-2:5 b"},
		"an error":  {errors.New("busy"), "a b note: What is visible, active and selected is not known: the editor failed on agent/editorState"},
		"no answer": {map[string]any{"active": 7}, "a b note: What is visible, active and selected is not known: the editor failed on agent/editorState"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSession(t, initializeOf(dir, map[string]any{"capabilities": abilitiesOf("editorState")}))
			defer s.leave()
			s.answer = func(string, any) any { return tt.answer }
			s.open(a, 1, "\u00e9\u00e9z\nline")
			s.open(b, 1, "b")
			var answer struct {
				Files []struct {
					Path            string
					Active, Visible bool
					Selections      []struct {
						L int `json:"start_line"`
						C int `json:"start_column"`
						M int `json:"end_line"`
						D int `json:"end_column"`
					}
				}
				Notes []string
			}
			raw, _ := json.Marshal(s.tool("open_files", map[string]any{}))
			if err := json.Unmarshal(raw, &answer); err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, f := range answer.Files {
				brief := strings.TrimSuffix(f.Path, ".txt")
				if f.Active {
					brief += "+active"
				}
				if f.Visible {
					brief += "+visible"
				}
				all = append(all, brief)
				for _, x := range f.Selections {
					all = append(all, fmt.Sprintf("%d:%d-%d:%d", x.L, x.C, x.M, x.D))
				}
			}
			for _, note := range answer.Notes {
				all = append(all, "note: "+note)
			}
			if got := strings.Join(all, " "); !strings.HasPrefix(got, tt.want) || len(answer.Notes) == 0 && got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

func rangeJSON(line, character, endLine, endCharacter int) map[string]any {
	return map[string]any{
		"start": map[string]any{"line": line, "character": character}, "end": map[string]any{"line": endLine, "character": endCharacter},
	}
}

// TestDiagnosticsOfTheEditor: codes are numbers or strings, and what a client
// tells of other files than the one it was asked for is not that one's.
func TestDiagnosticsOfTheEditor(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"a.txt": "\u00e9 one\ntwo\n", "b.txt": "b\n", "c.bin": "\x00\x01\x00"})
	uri := func(name string) string { return "file://" + dir + "/" + name }
	item := func(name string, code string) map[string]any {
		item := map[string]any{"uri": uri(name), "range": rangeJSON(0, 2, 0, 5), "severity": 1, "message": "m"}
		if code != "" {
			item["code"] = json.RawMessage(code)
		}
		return item
	}
	items := []any{
		item("a.txt", ""), item("b.txt", `"b"`), item("a.txt", "null"), item("a.txt", "17"), item("a.txt", `"E1"`), item("a.txt", `{"value":3}`),
		item("a.txt", "true"), item("c.bin", "9"), map[string]any{"uri": "output:x", "range": rangeJSON(0, 0, 0, 0), "message": "m"},
	}
	s := startSession(t, initializeOf(dir, map[string]any{"capabilities": abilitiesOf("diagnostics")}))
	defer s.leave()
	asked := ""
	s.answer = func(_ string, params any) any {
		asked = asJSON(params)
		return map[string]any{"items": items}
	}
	codes := func(path string) string {
		answer := s.tool("diagnostics", map[string]any{"path": path})
		if problem, _ := answer["error"].(map[string]any); problem != nil {
			return fmt.Sprint(problem["kind"])
		}
		var all []string
		list, _ := answer["items"].([]any)
		for _, one := range list {
			item, _ := one.(map[string]any)
			code, _ := item["code"].(string)
			all = append(all, fmt.Sprintf("%v-%v/%s", item["start_column"], item["end_column"], code))
		}
		return strings.Join(all, " ")
	}
	if got := codes("a.txt"); got != "4-7/ 4-7/ 4-7/17 4-7/E1 4-7/ 4-7/" {
		t.Errorf("of a.txt: %s", got)
	}
	if asked != `{"uri":"`+uri("a.txt")+`"}` {
		t.Errorf("asked %s", asked)
	}
	if got := codes("b.txt"); got != "2-2/b" { // the text is shorter
		t.Errorf("of b.txt: %s", got)
	}
	if got := codes("c.bin"); got != "binary_file" {
		t.Errorf("of what is no text: %s", got)
	}
	s.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "file://" + dir + "/%61.txt", "languageId": "", "version": 1, "text": "zz one\n"}})
	if got := codes("a.txt"); got != "3-6/ 3-6/ 3-6/17 3-6/E1 3-6/ 3-6/" || asked != `{"uri":"file://`+dir+`/%61.txt"}` {
		t.Errorf("of an open document, as its editor spells it: asked %s: %s", asked, got)
	}
	if got := s.tool("diagnostics", map[string]any{}); got["errors"] != 8.0 || asked != "{}" {
		t.Errorf("of all: asked %s: %v", asked, got)
	}
	items = nil
	if got := s.tool("diagnostics", map[string]any{"path": "a.txt"}); got["errors"] != 0.0 || got["error"] != nil {
		t.Errorf("of a clean file: %v", got)
	}
}

// TestConsentOfTheEditor: a change is made when the answer says so, and only
// then.
func TestConsentOfTheEditor(t *testing.T) {
	message := map[string]any{"window": map[string]any{"showMessage": map[string]any{}}}
	for name, tt := range map[string]struct {
		capabilities map[string]any
		answer       any
		want         string // the error's kind and reason; "" is that the change is made
	}{
		"apply":               {abilitiesOf("confirmEdit"), map[string]any{"decision": "apply"}, ""},
		"reject":              {abilitiesOf("confirmEdit"), map[string]any{"decision": "reject", "reason": "not now"}, "rejected_by_user not now"},
		"something else":      {abilitiesOf("confirmEdit"), map[string]any{"decision": "later"}, "rejected_by_user <nil>"},
		"nothing":             {abilitiesOf("confirmEdit"), nil, "rejected_by_user <nil>"},
		"an error":            {abilitiesOf("confirmEdit"), errors.New("broken"), "rejected_by_user the editor could not ask: "},
		"the action Apply":    {message, map[string]any{"title": "Apply"}, ""},
		"the action Reject":   {message, map[string]any{"title": "Reject"}, "rejected_by_user <nil>"},
		"no action":           {message, nil, "rejected_by_user <nil>"},
		"an error of message": {message, errors.New("broken"), "rejected_by_user the editor could not ask: "},
		"no window":           {map[string]any{}, nil, "permission_denied"},
		"no messages":         {map[string]any{"window": map[string]any{"workDoneProgress": true}}, nil, "permission_denied"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSession(t, initializeOf(t.TempDir(), map[string]any{"capabilities": tt.capabilities}))
			defer s.leave()
			s.answer = func(string, any) any { return tt.answer }
			answer := s.tool("write_file", map[string]any{"path": ".mcp.json", "content": "{}"})
			problem, _ := answer["error"].(map[string]any)
			got := fmt.Sprint(problem["kind"], " ", problem["reason"])
			if (problem == nil) != (tt.want == "") || problem != nil && !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s: %v", got, answer)
			}
		})
	}
}

// TestConfirmTextFits: a message shows as many files and whole changes as fit.
func TestConfirmTextFits(t *testing.T) {
	const more, last = "more files\n", "(there is more than is shown here)\n"
	request := toolcall.ConfirmRequest{Client: toolcall.Client{Name: "x"}, Tool: "edit_file"}
	for n := range maxMessageFiles + 2 {
		text := confirmText(request)
		if strings.Count(text, "file.txt\n") != min(n, maxMessageFiles) || strings.Contains(text, more) != (n > maxMessageFiles) || strings.Contains(text, last) {
			t.Errorf("%d files: %s", n, text)
		}
		request.Files = append(request.Files, toolcall.ConfirmFile{Path: "file.txt"})
	}
	request.Files = []toolcall.ConfirmFile{{Path: "file.txt"}}
	room := maxMessageDiff - len(confirmText(request))
	for n := room - 1; n <= room+1; n++ {
		request.Files[0].Diff = strings.Repeat("x", n)
		if text := confirmText(request); strings.Contains(text, last) != (n > room) || strings.Contains(text, "xx") == (n > room) {
			t.Errorf("a diff of %d bytes where %d fit: %s", n, room, text)
		}
	}
}

// TestProgressInterval: what comes before the interval is over is not told, and
// what has no end has no share.
func TestProgressInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{config: Config{ProgressEvery: time.Second}, log: slog.New(slog.DiscardHandler)}
		s.conn = jsonrpc.NewConn(nil, codec{}, s.log)
		p := s.newProgress(t.Context(), []byte("1"))
		time.Sleep(time.Second - 1)
		if p.report("t", 1, 2); p.begun {
			t.Error("too early")
		}
		time.Sleep(time.Nanosecond)
		if p.report("t", 0, 0); p.begun {
			t.Error("a share of nothing")
		}
		if p.report("t", 1, 2); !p.begun {
			t.Error("not in time")
		}
	})
}

// TestProblemsAreToldOnce: the person hears of what is wrong with the settings
// once, and settings that are none change nothing.
func TestProblemsAreToldOnce(t *testing.T) {
	s := startSession(t, initializeOf(t.TempDir(), nil))
	defer s.leave()
	var messages []string
	s.told = func(_ string, params any) { messages = append(messages, asJSON(params)) }
	configure := func(settings any) {
		s.notify("workspace/didChangeConfiguration", map[string]any{"settings": settings})
		s.tool("find_files", map[string]any{"pattern": "x"})
	}
	for _, settings := range []any{
		map[string]any{"agentLsp": map[string]any{"edits.save": 7}}, map[string]any{"agentLsp": map[string]any{"edits.save": 7}}, 7, "x", nil, map[string]any{},
		map[string]any{"agentLsp": map[string]any{"edits.save": "always", "policy.readOnly": true}}, 7, []any{},
		map[string]any{"agentLsp": map[string]any{"edits.save": "x", "policy.readOnly": true}},
	} {
		configure(settings)
	}
	problem, _ := s.tool("write_file", map[string]any{"path": "a.txt", "content": "x"})["error"].(map[string]any)
	if problem["kind"] != "permission_denied" && problem["kind"] != "read_only" {
		t.Errorf("writing gives %v", problem)
	}
	for range 100 {
		if len(messages) >= 2 {
			break
		}
		configure(7)
	}
	if len(messages) != 2 || !strings.Contains(messages[0], "agent-lsp: ") || !strings.Contains(messages[0], "edits.save") {
		t.Errorf("the person was told %q", messages)
	}
}
