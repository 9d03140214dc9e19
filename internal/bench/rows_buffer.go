package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"
)

// bufferRows measures a one-line edit of an open document, the editor's own
// time excluded, against hashing the text once: the new hash has to be told.
func bufferRows(x fixtures, binary string) []Figure {
	const name, slack = "e5m.go", 1000 // µs
	content, err := os.ReadFile(x.path(name))
	check(err)
	e := openEditor(binary, x.dir, x.path(name), content)
	defer e.stop()
	middle := bytes.Split(content[len(content)/2:], []byte("\n"))[1]
	a, b := string(middle), strings.Replace(string(middle), "compute", "COMPUTE", 1)
	known := hash(e.tool("read_file", map[string]any{"path": name, "limit": 1}))
	e.awaitIdle()
	var took []float64
	edit := func(int) {
		e.editor = 0
		body := toolBody("edit_file", map[string]any{"path": name, "expected_hash": known, "old_text": a, "new_text": b, "save": "never"})
		start := time.Now()
		answer := e.edit(body)
		took = append(took, float64((time.Since(start)-e.editor).Nanoseconds())/1000)
		known = hash(answer)
		a, b = b, a
	}
	_, floor := pairs(41, edit, func(int) { _ = sha256.Sum256(content) })
	return []Figure{{
		Name: "one-line edit in an open buffer of 5 MB, hash known, without the editor's time (bar: 1.5 × one SHA-256 + 1 ms)",
		Got:  median(took) / 1000, Unit: "ms", Bar: (1.5*floor + slack) / 1000,
	}}
}

// editing is a server with an editor that does what it is told, and one open
// document.
type editing struct {
	*process
	uri     string
	version int
	editor  time.Duration // what the editor's part took
}

func openEditor(binary, dir, path string, content []byte) *editing {
	p, err := start(binary, "lsp")
	check(err)
	p.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": fileURI(dir),
		"capabilities": map[string]any{
			"general":   map[string]any{"positionEncodings": []string{"utf-8"}},
			"workspace": map[string]any{"applyEdit": true, "workspaceEdit": map[string]any{"documentChanges": true}},
		},
		"initializationOptions": map[string]any{"agentLsp": map[string]any{"log.level": "error"}},
	})
	p.notify("initialized", map[string]any{})
	e := &editing{process: p, uri: fileURI(path), version: 1}
	p.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.uri, "languageId": "go", "version": e.version, "text": string(content),
	}})
	return e
}

// edit sends a call, makes the edit that comes back, and returns the answer.
func (e *editing) edit(body []byte) []byte {
	e.send(body)
	for {
		n, err := readHeader(e.out)
		check(err)
		message := make([]byte, n)
		_, err = io.ReadFull(e.out, message)
		check(err)
		if !bytes.Contains(message[:min(n, 100)], []byte(`"workspace/applyEdit"`)) {
			if bytes.Contains(message, []byte(`"isError":true`)) {
				panic(string(message))
			}
			return message
		}
		begin := time.Now()
		e.apply(message)
		e.editor += time.Since(begin)
	}
}

// apply tells of the edits as made, and then that they are.
func (e *editing) apply(message []byte) {
	var request struct {
		ID     json.RawMessage
		Params struct {
			Edit struct {
				DocumentChanges []struct {
					Edits []struct {
						Range   json.RawMessage
						NewText string
					}
				}
			}
		}
	}
	check(json.Unmarshal(message, &request))
	var changes []map[string]any
	for _, edit := range request.Params.Edit.DocumentChanges[0].Edits {
		changes = append(changes, map[string]any{"range": edit.Range, "text": edit.NewText})
	}
	e.version++
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri, "version": e.version}, "contentChanges": changes,
	})
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": map[string]any{"applied": true}})
	check(err)
	e.send(body)
}
