package rpc

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestTextOutOfSyncIsAskedForAgain: an editor that could not give a text when it
// was first asked is asked again when somebody wants to read it.
func TestTextOutOfSyncIsAskedForAgain(t *testing.T) {
	dir := t.TempDir()
	s := newEditorSession(t, dir, os.Getpid())
	uri := "file://" + dir + "/a.txt"
	s.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "plaintext", "version": 2, "text": "old\n"}}})
	s.send(map[string]any{"method": "textDocument/didChange", "params": map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": 1},
		"contentChanges": []any{map[string]any{"text": "x", "range": json.RawMessage(`{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}`)}}}})
	asked := 0
	s.answer = func(method string, _ any) any {
		if method != "agent/resync" {
			return silence
		}
		if asked++; asked <= resyncTries {
			return map[string]any{} // no text: busy, say
		}
		return map[string]any{"version": 3, "text": "anew\n"}
	}
	read := map[string]any{"name": "read_file", "arguments": map[string]any{"path": uri, "format": "plain"}}
	sure := false
	for range 3 { // the first may wait for the asking that is under way
		answer := s.call("agent/tools/call", read)
		result, _ := answer["result"].(map[string]any)
		structured, _ := result["structuredContent"].(map[string]any)
		sure = sure || structured["content"] == "anew\n" && structured["unsure"] == nil
	}
	if !sure {
		t.Errorf("still unsure after the editor was asked %d times", asked)
	}
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// TestHalfPairIsAskedForAgain: a text that is told with half of a surrogate
// pair is asked for, also where the first answer still has only the half.
func TestHalfPairIsAskedForAgain(t *testing.T) {
	dir := t.TempDir()
	s := newEditorSession(t, dir, os.Getpid())
	uri := "file://" + dir + "/a.txt"
	s.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "plaintext", "version": 1, "text": "a\n"}}})
	asked := 0
	s.answer = func(method string, _ any) any {
		if method != "agent/resync" {
			return silence
		}
		if asked++; asked == 1 {
			return json.RawMessage(`{"version": 2, "text": "\ud83da\n"}`)
		}
		return map[string]any{"version": 3, "text": "😀a\n"}
	}
	for i, half := range []string{`"\ud83d"`, `"\ude00"`} {
		at := json.RawMessage(fmt.Sprintf(`{"start":{"line":0,"character":%d},"end":{"line":0,"character":%[1]d}}`, i))
		s.send(map[string]any{"method": "textDocument/didChange", "params": map[string]any{
			"textDocument":   map[string]any{"uri": uri, "version": 2 + i},
			"contentChanges": []any{map[string]any{"text": json.RawMessage(half), "range": at}}}})
	}
	read := map[string]any{"name": "read_file", "arguments": map[string]any{"path": uri, "format": "plain"}}
	sure := false
	for range 3 { // the first may wait for the asking that is under way
		result, _ := s.call("agent/tools/call", read)["result"].(map[string]any)
		structured, _ := result["structuredContent"].(map[string]any)
		content, _ := structured["content"].(string)
		if strings.ContainsRune(content, '\ufffd') {
			t.Errorf("read as %q", content)
		}
		sure = sure || content == "😀a\n" && structured["unsure"] == nil
	}
	if !sure {
		t.Errorf("still unsure after the editor was asked %d times", asked)
	}
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}
