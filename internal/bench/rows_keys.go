package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	assistants = 10
	keys       = 1500
	// keyPause lies between two keys; a person leaves ten times that.
	keyPause = 5 * time.Millisecond
	// callPause lies between two calls of an assistant: a fraction of what a model
	// takes to make the next. Without it they ask as fast as they are answered.
	callPause = 20 * time.Millisecond
)

// keyRows measure how soon a key that was typed is in the mirror while ten
// assistants search, read, outline and edit, against the same without them.
func keyRows(x fixtures, binary string) []Figure {
	dir, home := filepath.Join(x.dir, "keys"), filepath.Join(x.dir, "keys-home")
	check(os.Mkdir(dir, 0o755))
	check(os.Mkdir(home, 0o700))
	for i := range 2000 {
		check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(source(10<<10)), 0o644))
	}
	content := source(100 << 10)
	typed := filepath.Join(dir, "typed.go")
	check(os.WriteFile(typed, []byte(content), 0o644))
	environment := append(os.Environ(), "XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "TMPDIR="+home)
	session := exec.Command(binary, "lsp")
	session.Env = environment
	editor, err := startCommand(session)
	check(err)
	defer editor.stop()
	editor.initialize(dir)
	editor.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": fileURI(typed), "languageId": "go", "version": 1, "text": content,
	}})
	editor.tool("grep_files", map[string]any{"pattern": "compute", "max_results": 10})
	editor.awaitIdle()
	version := 1
	quiet := editor.typeKeys(fileURI(typed), &version)
	type busy struct {
		took  []float64
		calls int
	}
	while := func(pause time.Duration) (b busy) {
		stop := make(chan struct{})
		var working sync.WaitGroup
		calls := make([]int, assistants)
		for i := range assistants {
			s := startMCP(environment, binary, "mcp", "--root", dir)
			working.Go(func() {
				defer s.stop()
				calls[i] = s.work(i, pause, stop)
			})
		}
		b.took = editor.typeKeys(fileURI(typed), &version)
		close(stop)
		working.Wait()
		for _, n := range calls {
			b.calls += n
		}
		return b
	}
	paced, flat := while(callPause), while(0)
	return []Figure{{
		Name: "didChange to applied, 99th percentile while ten assistants work, against the quiet median",
		Got:  paced.took[keys*99/100], Floor: median(quiet), Unit: "µs", Bar: 20,
		Note: fmt.Sprintf("%d calls in the meantime, %v between two of each; median %s µs; quiet 99th %s µs; asking as fast as they are answered, %d calls, 99th %s µs",
			paced.calls, callPause, short(median(paced.took)), short(quiet[keys*99/100]), flat.calls, short(flat.took[keys*99/100])),
	}}
}

// typeKeys types characters into the beginning of a document, and returns in
// order of size how long each took in microseconds: from the change until a
// request that came behind it, and so is served after it, is answered.
func (p *process) typeKeys(uri string, version *int) []float64 {
	took := make([]float64, keys)
	origin := map[string]any{"line": 0, "character": 0}
	ask, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "agent/stats", "params": map[string]any{}})
	check(err)
	for i := range took {
		*version++
		change, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": map[string]any{
			"textDocument":   map[string]any{"uri": uri, "version": *version},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": origin, "end": origin}, "text": "x"}},
		}})
		check(err)
		time.Sleep(keyPause)
		took[i] = timed(func() {
			p.send(change)
			p.exchange(ask)
		})
	}
	slices.Sort(took)
	return took
}

// work does what an assistant does, in files of its own and in all, until stop is
// closed. It returns how many calls that were.
func (s *mcpServer) work(assistant int, pause time.Duration, stop <-chan struct{}) (calls int) {
	known := ""
	for round := 0; ; round++ {
		name := fmt.Sprintf("f%d.go", assistant*100+round%100)
		for _, call := range []func(){
			func() {
				s.exchange(mcpBody("grep_files", map[string]any{"pattern": fmt.Sprintf("compute.*%d", round%10), "max_results": 50}))
			},
			func() {
				s.exchange(mcpBody("read_file", map[string]any{"path": "typed.go", "start_line": 1, "end_line": 200}))
			},
			func() { s.exchange(mcpBody("outline", map[string]any{"path": name})) },
			func() {
				known = textHash(s.exchange(mcpBody("read_file", map[string]any{"path": name, "limit": 5})))
			},
			func() {
				s.exchange(mcpBody("edit_file", map[string]any{"path": name, "expected_hash": known, "edits": []any{
					map[string]any{"start_line": 1, "end_line": 0, "new_text": fmt.Sprintf("// round %d", round)},
				}}))
			},
		} {
			call()
			calls++
			select {
			case <-stop:
				return calls
			case <-time.After(pause):
			}
		}
	}
}

// textHash returns the hash that the text of an answer tells.
func textHash(answer []byte) string {
	_, rest, found := bytes.Cut(answer, []byte("hash "))
	if !found {
		panic(fmt.Sprintf("no hash in %.300s", answer))
	}
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, "0123456789abcdef"))])
}
