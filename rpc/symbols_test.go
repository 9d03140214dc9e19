package rpc

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// structureText has a symbol whose columns differ between bytes and UTF-16.
const structureText = "package p\n\n// T is a type.\ntype T struct{}\n\nfunc (t T) ümläut(a int) int {\n\tif a > 0 {\n\t\treturn a\n\t}\n\treturn 1\n}\n"

// structureSession opens structureText, unsaved, in a session with lsp.symbols
// on or off.
func structureSession(t *testing.T, on bool) (s *editorSession, document map[string]any) {
	dir := t.TempDir()
	s = startSession(t, map[string]any{"processId": os.Getpid(), "rootUri": "file://" + dir, "capabilities": map[string]any{},
		"initializationOptions": map[string]any{"agentLsp": map[string]any{"lsp.symbols": on}}})
	uri := "file://" + dir + "/a.go"
	s.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "go", "version": 1, "text": "package p\n"}}})
	s.send(map[string]any{"method": "textDocument/didChange", "params": map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": 2},
		"contentChanges": []any{map[string]any{"text": structureText}}}})
	return s, map[string]any{"textDocument": map[string]any{"uri": uri}}
}

func (s *editorSession) end() {
	s.call("shutdown", nil)
	s.send(map[string]any{"method": "exit"})
	if err := <-s.done; err != nil {
		s.t.Error(err)
	}
}

func TestStructureOfAnOpenDocument(t *testing.T) {
	s, document := structureSession(t, true)
	defer s.end()
	var symbols []struct {
		Name, Detail string
		Kind         int
		Range        struct{ Start, End struct{ Line, Character int } }
		Selection    struct{ Start, End struct{ Line, Character int } } `json:"selectionRange"`
	}
	s.decode("textDocument/documentSymbol", document, &symbols)
	want := "T 23 2:0-3:15 3:5; ümläut 6 5:0-10:1 5:11-5:17; "
	got := ""
	for _, x := range symbols {
		got += fmt.Sprintf("%s %d %d:%d-%d:%d %d:%d", x.Name, x.Kind, x.Range.Start.Line, x.Range.Start.Character,
			x.Range.End.Line, x.Range.End.Character, x.Selection.Start.Line, x.Selection.Start.Character)
		if x.Name != "T" {
			got += fmt.Sprintf("-%d:%d", x.Selection.End.Line, x.Selection.End.Character)
		}
		got += "; "
	}
	if got != want {
		t.Errorf("symbols\n got %s\nwant %s", got, want)
	}

	var folds []struct{ StartLine, EndLine int }
	s.decode("textDocument/foldingRange", document, &folds)
	if fmt.Sprint(folds) != "[{5 10} {6 8}]" {
		t.Errorf("folds %v", folds)
	}

	document["positions"] = []any{map[string]any{"line": 7, "character": 9}}
	type selection struct {
		Range  struct{ Start, End struct{ Line, Character int } }
		Parent *selection
	}
	var selections []*selection
	s.decode("textDocument/selectionRange", document, &selections)
	var lines []string
	for at := selections[0]; at != nil; at = at.Parent {
		lines = append(lines, fmt.Sprintf("%d-%d", at.Range.Start.Line, at.Range.End.Line))
	}
	if got := strings.Join(lines, " "); got != "7-7 7-7 6-8 6-8 5-10 5-10 0-11" {
		t.Errorf("selections from the inside: %s", got)
	}
}

func TestStructureIsOff(t *testing.T) {
	s, document := structureSession(t, false)
	defer s.end()
	if answer := s.call("textDocument/documentSymbol", document); answer["error"] == nil {
		t.Errorf("without lsp.symbols: %v", answer)
	}
}

// decode calls and decodes the result.
func (s *editorSession) decode(method string, params, into any) {
	s.t.Helper()
	answer := s.call(method, params)
	raw, err := json.Marshal(answer["result"])
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil || answer["error"] != nil {
		s.t.Fatalf("%s: %v %v", method, answer, err)
	}
}
