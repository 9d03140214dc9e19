//go:build unix

package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// recorded is a frame that two programs of 0.1 sent each other, an editor's and an
// assistant's, as a proxy between them saw it. $DIR stands for the folder around
// the workspace, which is $DIR/w. The first line is the session's registration.
type recorded struct {
	Registration m
	From         string // "client" or "session"
	Head         m
	// The body is First, of the length that the head calls header, and Rest.
	First, Rest string
}

// of01 is the conversation, with dir in place of $DIR: in each connection an
// assistant in another folder, $DIR/w, $DIR and $DIR/w/sub. a.py has unsaved text.
func of01(t *testing.T, dir string) (registration m, connections [][]recorded) {
	t.Helper()
	raw, err := os.ReadFile("testdata/session-0.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(raw, []byte("$DIR"), []byte(dir))))
	for lines.More() {
		var r recorded
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		switch {
		case r.Registration != nil:
			registration = r.Registration
			continue
		case r.From == "client" && r.Head["do"] == "hello":
			connections = append(connections, nil)
		}
		if _, has := r.Head["header"]; has {
			r.Head["header"] = len(r.First)
		}
		last := &connections[len(connections)-1]
		*last = append(*last, r)
	}
	return registration, connections
}

// filesOf01 are those that the conversation begins with.
var filesOf01 = map[string]string{"w/a.py": "def one():\n    return 1\n", "w/sub/b.py": "B = 1\n"}

// end returns what the session answered to a request, or told first of a watch.
func end(conversation []recorded, request m) recorded {
	i := slices.IndexFunc(conversation, func(r recorded) bool { return r.From == "session" && r.Head["id"] == request["id"] })
	return conversation[max(i, 0)]
}

// TestAssistantOf01: what a program of 0.1 sends to an editor's session of today is
// understood, and it gets what it looks for in the answers.
func TestAssistantOf01(t *testing.T) {
	t.Parallel()
	w := newWorld(t, maps.Clone(filesOf01))
	e := w.open(w.path("w"))
	e.show("w/a.py")
	e.typeInto("w/a.py", "# typed\n")
	_, connections := of01(t, w.root)
	for _, conversation := range connections {
		conn, err := net.Dial("unix", answerSocket(w.assistant("", w.run, w.root), e))
		w.must(err)
		t.Cleanup(func() { conn.Close() })
		w.must(conn.SetDeadline(time.Now().Add(time.Minute)))
		c := &rawClient{world: w, conn: conn}
		for _, r := range conversation {
			if r.From != "client" {
				continue
			}
			c.send(r.Head, r.First+r.Rest)
			if r.Head["do"] == "cancel" {
				continue
			}
			then := end(conversation, r.Head)
			if r.Head["do"] == "hello" {
				then = recorded{Head: m{"do": "hello"}}
			}
			head, body := c.next()
			for head["id"] != r.Head["id"] {
				head, body = c.next()
			}
			if head["do"] != then.Head["do"] || head["kind"] != then.Head["kind"] {
				t.Errorf("%v %s: got %v %s\nonce it was %v", r.Head, r.Rest, head, body, then.Head)
			}
			switch r.Head["do"] {
			case "hello":
				if head["protocol"] != 1.0 {
					t.Errorf("a program of 0.1 would hang up: %v", head)
				}
			case "documents":
				length, _ := head["header"].(float64)
				got, want := documentsIn(t, body[:int(length)]), documentsIn(t, then.First)
				if !reflect.DeepEqual(got, want) || body[int(length):] != then.Rest {
					t.Errorf("%s: got\n%s\nonce it was\n%s", r.Rest, body, then.First+then.Rest)
				}
			case "call":
				var result struct {
					Content []struct{ Type, Text string }
				}
				if err := json.Unmarshal([]byte(body), &result); err != nil || len(result.Content) == 0 || result.Content[0].Type != "text" {
					t.Errorf("%v %s: %s", r.Head, r.Rest, body)
				}
			}
		}
	}
	if text := e.text(w.path("w/a.py")); text != "# typed\ndef three():\n    return 1\n" {
		t.Errorf("the editor has %q", text)
	}
	if on := w.disk(); on["w/a.py"] != filesOf01["w/a.py"] || on["w/sub/b.py"] != "C = 1\n" || on["w/new.py"] != "N = 1\n" {
		t.Errorf("the disk has %q", on)
	}
}

// documentsIn are documents as 0.1 knows them. Of their versions editors decide.
func documentsIn(t *testing.T, list string) (known []m) {
	t.Helper()
	var all []m
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		t.Fatal(err, list)
	}
	for _, d := range all {
		one := m{}
		for _, name := range []string{"uri", "path", "real", "dirty", "hash", "bytes", "carried", "unsure", "disk_changed", "session"} {
			one[name] = d[name]
		}
		known = append(known, one)
	}
	return known
}

// sessionOf01 answers at a socket what a session of 0.1 did.
type sessionOf01 struct {
	*world
	connections [][]recorded
	listener    net.Listener
	served      sync.WaitGroup
	asked       chan string
}

func (w *world) sessionOf01() *sessionOf01 {
	w.Helper()
	registration, connections := of01(w.TB.(*testing.T), w.root)
	folder := filepath.Join(w.run, "agent-lsp")
	w.must(os.MkdirAll(folder, 0o700))
	registration["socket"] = filepath.Join(folder, "4711-of01.sock")
	l, err := net.Listen("unix", filepath.Join(folder, "4711-of01.sock"))
	w.must(err)
	raw, err := json.Marshal(registration)
	w.must(err)
	w.must(os.WriteFile(filepath.Join(folder, "4711-of01.json"), raw, 0o600))
	s := &sessionOf01{world: w, connections: connections, listener: l, asked: make(chan string, 1000)}
	s.served.Go(s.accept)
	w.Cleanup(func() {
		l.Close()
		s.served.Wait()
	})
	return s
}

func (s *sessionOf01) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.served.Go(func() {
			defer conn.Close()
			for s.answer(conn) == nil {
			}
		})
	}
}

// answer reads a request and sends what was answered to one like it.
func (s *sessionOf01) answer(conn net.Conn) error {
	var lengths [8]byte
	if _, err := io.ReadFull(conn, lengths[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(lengths[:4])
	raw := make([]byte, size+binary.BigEndian.Uint32(lengths[4:]))
	if _, err := io.ReadFull(conn, raw); err != nil {
		return err
	}
	var head m
	if err := json.Unmarshal(raw[:size], &head); err != nil {
		return err
	}
	reply := recorded{Head: m{"do": "failed", "kind": "internal", "message": "not recorded"}}
	for _, conversation := range s.connections {
		i := slices.IndexFunc(conversation, func(r recorded) bool {
			return r.From == "client" && r.Head["do"] == head["do"] && r.Head["tool"] == head["tool"] && (likeQuery(r.Rest, string(raw[size:])) || head["do"] == "hello")
		})
		if i >= 0 {
			reply = end(conversation, conversation[i].Head)
			if head["do"] == "hello" {
				reply = conversation[1]
			}
			break
		}
	}
	answer := maps.Clone(reply.Head)
	if head["id"] != nil {
		answer["id"] = head["id"]
	}
	if answer["do"] == "failed" {
		s.asked <- string(raw)
	}
	first, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(first))), uint32(len(reply.First+reply.Rest)))
	_, err = conn.Write(append(append(frame, first...), reply.First+reply.Rest...))
	return err
}

// likeQuery reports whether two bodies are the same, or ask for documents in the
// same way.
func likeQuery(a, b string) bool {
	var x, y m
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	for _, query := range []m{x, y} {
		for _, name := range []string{"of", "below"} {
			if _, has := query[name]; has {
				query[name] = true
			}
		}
		delete(query, "untitled")
	}
	return reflect.DeepEqual(x, y)
}

// TestEditorOf01: an assistant of today gets from a session of 0.1 what it needs to
// read, search and edit what the editor shows.
func TestEditorOf01(t *testing.T) {
	t.Parallel()
	w := newWorld(t, maps.Clone(filesOf01))
	s := w.sessionOf01()
	for i, dir := range []string{"w", ".", "w/sub"} {
		a := w.assistant("", w.path(dir))
		for _, r := range s.connections[i] {
			if r.From != "client" || r.Head["do"] != "call" {
				continue
			}
			answer, err := a.Call(t.Context(), session.Call{Tool: r.Head["tool"].(string), Arguments: []byte(r.Rest), Form: form.MCP})
			w.must(err)
			if want := end(s.connections[i], r.Head); answer.Session == nil || string(answer.Raw) != want.Rest {
				t.Errorf("%v %s: of %v\n%s\nnot what the session said:\n%s", r.Head["tool"], r.Rest, answer.Session, answer.Raw, want.Rest)
			}
		}
		if open := a.Documents(t.Context()); len(open) != 1 || open[0].Path != w.path("w/a.py") {
			t.Errorf("in %s it has %+v open", dir, open)
		}
	}
	around := w.assistant("", w.root) // whose search is its own, with the session's text
	around.want("grep_files", m{"pattern": "typed", "include": []string{"w/**"}}, "w/a.py", "# typed", "!no editor")
	close(s.asked)
	for unknown := range s.asked {
		t.Errorf("a program of 0.1 was never asked this: %s", unknown)
	}
	if out, code := w.runProgram("sessions"); code != 0 || !strings.Contains(out, "bench-editor") {
		t.Errorf("exit %d: %s", code, out)
	}
}
