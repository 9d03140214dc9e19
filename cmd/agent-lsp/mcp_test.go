//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// mcpHost is an assistant's host: it talks to `agent-lsp mcp`, a process of its
// own.
type mcpHost struct {
	world *world
	pipes
	lines *bufio.Reader
	roots []string // what it answers when it is asked where it works

	mu   sync.Mutex
	last int
}

func (w *world) host() *mcpHost { return w.hostWith(m{}) }

// hostWith is one that has these capabilities.
func (w *world) hostWith(capabilities m) *mcpHost {
	w.Helper()
	return w.hostIn("", "host", capabilities, nil, "--root", w.root)
}

// hostIn is one of a name whose server is started in dir with flags. Where it has
// roots it says that it works there.
func (w *world) hostIn(dir, name string, capabilities m, roots []string, flags ...string) *mcpHost {
	w.Helper()
	cmd, p := w.programIn(dir, append([]string{"mcp"}, flags...)...)
	h := &mcpHost{world: w, pipes: p, lines: bufio.NewReader(p), roots: roots}
	if roots != nil {
		capabilities["roots"] = m{}
	}
	w.Cleanup(func() {
		_ = p.Close() // ends it
		if err := cmd.Wait(); err != nil {
			w.Error("agent-lsp mcp:", err)
		}
	})
	h.ask("initialize", m{"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": m{"name": name, "version": "1"}})
	_, err := fmt.Fprintln(p, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	w.must(err)
	return h
}

// send makes a request, and returns its id.
func (h *mcpHost) send(method string, params any) int {
	h.world.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	line, err := json.Marshal(m{"jsonrpc": "2.0", "id": h.last, "method": method, "params": params})
	h.world.must(err)
	_, err = fmt.Fprintf(h, "%s\n", line)
	h.world.must(err)
	return h.last
}

// hostAnswer is an answer, as far as these tests look.
type hostAnswer struct {
	ID     int `json:"id"`
	Result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	} `json:"result"`
	Error  json.RawMessage `json:"error"`
	Method string          `json:"method"` // of the server's own requests
}

// answer is the next one that comes.
func (h *mcpHost) answer() (a hostAnswer) {
	h.world.Helper()
	for a.ID == 0 {
		line, err := h.lines.ReadString('\n')
		h.world.must(err)
		h.world.must(json.Unmarshal([]byte(line), &a))
		if a.Method == "roots/list" {
			list := make([]m, 0, len(h.roots))
			for _, r := range h.roots {
				list = append(list, m{"uri": fakeeditor.FileURI(r)})
			}
			said, err := json.Marshal(m{"jsonrpc": "2.0", "id": a.ID, "result": m{"roots": list}})
			h.world.must(err)
			_, err = fmt.Fprintf(h, "%s\n", said)
			h.world.must(err)
			a = hostAnswer{}
		}
	}
	if a.Error != nil {
		h.world.Fatalf("the protocol failed: %s", a.Error)
	}
	return a
}

func (h *mcpHost) ask(method string, params any) hostAnswer {
	h.world.Helper()
	h.send(method, params)
	return h.answer()
}

// want calls a tool and wants its text to hold all of words.
func (h *mcpHost) want(tool string, args any, words ...string) string {
	h.world.Helper()
	a := h.ask("tools/call", m{"name": tool, "arguments": args})
	text := a.Result.Content[0].Text
	for _, word := range words {
		if !strings.Contains(text, word) {
			h.world.Errorf("%s %v: the answer should have %q:\n%s", tool, args, word, text)
		}
	}
	return text
}

func hashIn(text string) string {
	_, rest, _ := strings.Cut(text, "hash ")
	return rest[:strings.IndexAny(rest+"\n", ";\n")]
}

func TestMCPAttachesDetachesAndAttachesAgain(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\ntwo\n"})
	h := w.host()
	if text := h.want("read_file", m{"path": "a.txt"}, "1|one"); strings.Contains(text, "no editor") {
		t.Errorf("nobody thought that there was one: %s", text)
	}
	for range 2 {
		e := w.open()
		e.show("a.txt")
		e.typeInto("a.txt", "typed ")
		text := h.want("read_file", m{"path": "a.txt"}, "1|typed one", "[buffer, unsaved changes]")
		edited := h.want("edit_file", m{"path": "a.txt", "expected_hash": hashIn(text), "old_text": "two", "new_text": "2"})
		if strings.Contains(edited, "stale_file") {
			t.Errorf("the edit: %s", edited)
		}
		h.want("read_file", m{"path": "a.txt"}, "2|2", "[buffer")
		e.kill()
		h.want("read_file", m{"path": "a.txt"}, "1|one\n2|two", "no editor is attached")
	}
}

// TestMCPTellsWhatOthersChanged: also where there is no editor.
func TestMCPTellsWhatOthersChanged(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
	h := w.host()
	h.want("read_file", m{"path": "a.txt"}, "1|one")
	w.write("a.txt", "two\n")
	for begun := time.Now(); !strings.Contains(h.want("read_file", m{"path": "b.txt"}), "changed since you read it: a.txt by another program"); time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("nobody tells that a.txt was changed") // whose watch tells it
		}
	}
	h.want("open_files", m{"since": "read"}, "no editor is attached", "changed by another program since you read it: a.txt", "-one\n+two")
	h.want("open_files", m{}, "no_editor")
	h.want("read_file", m{"path": "a.txt"}, "1|two")
	if text := h.want("read_file", m{"path": "b.txt"}); strings.Contains(text, "a.txt") {
		t.Errorf("told again: %s", text)
	}
}

// TestMCPAtATerminalIsInterrupted: who starts it by hand can end it.
func TestMCPAtATerminalIsInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = terminal.Close() }()
	for listens := 200 * time.Millisecond; listens < 10*time.Second; listens *= 2 {
		cmd := exec.Command(os.Args[0], "mcp", "--root", w.root)
		cmd.Env = []string{runAsProgram + "=1", "XDG_RUNTIME_DIR=" + w.run, "HOME=" + w.run}
		cmd.Stdin = terminal
		w.must(cmd.Start())
		time.Sleep(listens)
		w.must(cmd.Process.Signal(os.Interrupt))
		late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		if !late.Stop() {
			t.Fatal("it does not end")
		}
		switch code := cmd.ProcessState.ExitCode(); code {
		case 0, codeCancelled: // where a read can be ended, and where not
			return
		case -1: // the signal came before it listened to any
		default:
			t.Fatalf("it ended with %d", code)
		}
	}
	t.Fatal("it never listens")
}

// TestNoCallIsLostWhenTheEditorDies has calls run while the process beside the
// editor is killed: each is answered, from the buffer or from disk.
func TestNoCallIsLostWhenTheEditorDies(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\ntwo\n"})
	e := w.open()
	e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	h := w.host()
	h.want("read_file", m{"path": "a.txt"}, "typed one")
	const n = 300
	killed := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := range n {
			if i == n/2 {
				<-killed
			}
			h.send("tools/call", m{"name": "read_file", "arguments": m{"path": "a.txt"}})
		}
	})
	fromBuffer, fromDisk := 0, 0
	for i := range n {
		if i == n/6 { // others are on their way
			e.kill()
			close(killed)
		}
		switch text := h.answer().Result.Content[0].Text; {
		case strings.Contains(text, "1|typed one"):
			fromBuffer++
		case strings.Contains(text, "1|one"):
			fromDisk++
		default:
			t.Errorf("answered: %s", text)
		}
	}
	sending.Wait()
	if fromBuffer == 0 || fromDisk == 0 {
		t.Errorf("%d answers came from the buffer, %d from disk", fromBuffer, fromDisk)
	}
}

// TestTheHostAsksWhereTheEditorCannot: about every change that the person's own
// settings want to be asked about, but for protected files.
func TestTheHostAsksWhereTheEditorCannot(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n", ".mcp.json": "{}\n"})
	config := filepath.Join(w.run, ".config", "agent-lsp", "config.json")
	w.must(os.MkdirAll(filepath.Dir(config), 0o700))
	w.must(os.WriteFile(config, []byte(`{"edits":{"confirm":"always"}}`), 0o600))
	options := fakeeditor.Neovim(fakeeditor.Root{Name: "w", Dir: w.root})
	options.NoQuestions, options.AgentLSP["confirmEdit"] = true, false
	e := w.openAs(options)
	path := e.show("a.txt")
	h := w.hostWith(m{"elicitation": m{}})
	edit := m{"path": "a.txt", "expected_hash": hashIn(h.want("read_file", m{"path": "a.txt"}, "[buffer")), "old_text": "one", "new_text": "two"}
	for _, action := range []string{"decline", "accept"} {
		h.send("tools/call", m{"name": "edit_file", "arguments": edit})
		var question struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Message string `json:"message"`
			} `json:"params"`
		}
		line, err := h.lines.ReadString('\n')
		w.must(err)
		w.must(json.Unmarshal([]byte(line), &question))
		if question.Method != "elicitation/create" || !strings.Contains(question.Params.Message, "-one\n+two") {
			t.Fatalf("asked %s", line)
		}
		_, err = fmt.Fprintf(h, `{"jsonrpc":"2.0","id":%s,"result":{"action":%q,"content":{}}}`+"\n", question.ID, action)
		w.must(err)
		text, buffer := h.answer().Result.Content[0].Text, e.text(path)
		refused := strings.HasPrefix(text, "rejected_by_user: ") && strings.Contains(text, "they chose decline")
		if agreed := action == "accept"; refused == agreed || (buffer == "two\n") != agreed {
			t.Errorf("%s: the buffer is %q; answered %s", action, buffer, text)
		}
	}
	h.want("write_file", m{"path": ".mcp.json", "content": "{ }\n", "expected_hash": hashIn(h.want("read_file", m{"path": ".mcp.json"}))},
		"permission_denied: ", "changing it needs the person's consent")
	if e.Received("window/showMessageRequest")+e.Received("agent/confirmEdit") > 0 {
		t.Error("the editor was asked what it cannot show")
	}
}
