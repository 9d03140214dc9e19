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

	document["positions"] = []any{map[string]any{"line": 7, "character": 9}, map[string]any{"line": 3, "character": 5}}
	type selection struct {
		Range  struct{ Start, End struct{ Line, Character int } }
		Parent *selection
	}
	var selections []*selection
	s.decode("textDocument/selectionRange", document, &selections)
	for i, want := range []string{"7-7 7-7 6-8 6-8 5-10 5-10 0-11", "3-3 3-3 3-3 2-3 0-11"} { // T's begins with its comment
		var lines []string
		for at := selections[i]; at != nil; at = at.Parent {
			lines = append(lines, fmt.Sprintf("%d-%d", at.Range.Start.Line, at.Range.End.Line))
		}
		if got := strings.Join(lines, " "); got != want {
			t.Errorf("selections from the inside: %s, want %s", got, want)
		}
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

// nestedText has symbols in symbols, one at the very start and ends that are
// the text's.
const nestedText = "class A:\n    def f(self,\n          x):\n        return [x,\n                1]\n\n    class B:\n        def g(self): pass\n\ndef h():\n    pass"

// extent is a range of LSP in a text of ASCII, as offsets.
func (r wireRange) extent(s string) [2]int {
	at := func(p wirePosition) int {
		start := 0
		for range p.Line {
			start += strings.IndexByte(s[start:], '\n') + 1
		}
		return start + int(p.Character)
	}
	return [2]int{at(r.Start), at(r.End)}
}

// TestStructureInside: symbols lie in symbols, and around each place are the
// text, all symbols that hold it and what the language has between them, each
// once and within the next.
func TestStructureInside(t *testing.T) {
	dir := t.TempDir()
	uri := "file://" + dir + "/a.py"
	s := startSession(t, initializeOf(dir, map[string]any{"initializationOptions": map[string]any{"agentLsp": map[string]any{"lsp.symbols": true}}}))
	defer s.leave()
	s.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "python", "version": 1, "text": nestedText}})
	document := map[string]any{"textDocument": map[string]any{"uri": uri}}
	type symbol struct {
		Name     string
		Range    wireRange
		Children []symbol
	}
	var symbols []symbol
	s.decode("textDocument/documentSymbol", document, &symbols)
	var shape func(list []symbol) string
	var extents [][2]int
	shape = func(list []symbol) string {
		var names []string
		for _, x := range list {
			extents = append(extents, x.Range.extent(nestedText))
			names = append(names, x.Name+shape(x.Children))
		}
		return "(" + strings.Join(names, " ") + ")"
	}
	if got := shape(symbols); got != "(A(f() B(g())) h())" {
		t.Errorf("symbols %s", got)
	}

	var folds []struct{ StartLine, EndLine int }
	s.decode("textDocument/foldingRange", document, &folds)
	if got := fmt.Sprint(folds); got != "[{0 7} {1 4} {3 4} {6 7} {9 10}]" {
		t.Errorf("folds %s", got)
	}

	var positions []any
	line, character := 0, 0
	for i := range len(nestedText) + 1 {
		positions = append(positions, map[string]any{"line": line, "character": character})
		if character++; i < len(nestedText) && nestedText[i] == '\n' {
			line, character = line+1, 0
		}
	}
	document["positions"] = positions
	type selection struct {
		Range  wireRange
		Parent *selection
	}
	var selections []*selection
	s.decode("textDocument/selectionRange", document, &selections)
	for at, innermost := range selections {
		found, inner := map[[2]int]bool{}, [2]int{at, at}
		for x := innermost; x != nil; x = x.Parent {
			e := x.Range.extent(nestedText)
			if found[e] || e[0] > inner[0] || e[1] < inner[1] {
				t.Fatalf("around %d: %v follows %v", at, e, inner)
			}
			found[e], inner = true, e
		}
		if inner != [2]int{0, len(nestedText)} {
			t.Errorf("around %d: %v at last", at, inner)
		}
		for _, e := range extents {
			if e[0] <= at && at < e[1] && !found[e] {
				t.Errorf("around %d: %v is missing", at, e)
			}
		}
	}
	if len(selections) != len(positions) {
		t.Errorf("%d answers to %d questions", len(selections), len(positions))
	}
}

// TestStructureOfNothing: what is not open, or has no language that is known,
// has no structure; what is no document is refused.
func TestStructureOfNothing(t *testing.T) {
	s, _ := structureSession(t, true)
	defer s.end()
	dir := t.TempDir()
	s.open("file://"+dir+"/plain.txt", 1, "a\n  b\n")
	for _, method := range []string{"textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/selectionRange"} {
		of := func(uri string) map[string]any {
			return s.call(method, map[string]any{"textDocument": map[string]any{"uri": uri}, "positions": []any{map[string]any{"line": 1, "character": 2}}})
		}
		if got := asJSON(of("file://" + dir + "/closed.go")["result"]); got != "[]" {
			t.Errorf("%s of what is not open: %s", method, got)
		}
		want := "[]"
		if method == "textDocument/selectionRange" {
			want = `[{"range":{"end":{"character":0,"line":2},"start":{"character":0,"line":0}}}]`
		}
		if got := asJSON(of("file://" + dir + "/plain.txt")["result"]); got != want {
			t.Errorf("%s of plain text: %s", method, got)
		}
		problem, _ := of("file:///a%00b")["error"].(map[string]any)
		if problem["code"] != -32602.0 {
			t.Errorf("%s of no document: %v", method, problem)
		}
	}
}
