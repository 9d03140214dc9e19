//go:build linux

package soak

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// mcp is a running `agent-lsp mcp`, and this side of it.
type mcp struct {
	*process
	lines *bufio.Reader
	last  int
}

// answer is what a call of a tool gave.
type answer struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

func (a answer) text() string {
	if len(a.Content) == 0 {
		return ""
	}
	return a.Content[0].Text
}

// kind is the error's, and "ok" for none.
func (a answer) kind() string {
	if !a.IsError {
		return "ok"
	}
	kind, _, _ := strings.Cut(a.text(), ":")
	return kind
}

// into reads the structured result.
func (a answer) into(v any) error { return json.Unmarshal(a.Structured, v) }

// startMCP starts an assistant's server and shakes hands.
func (w *world) startMCP(name string) (*mcp, error) {
	p, err := w.program(name, "mcp", "--root", w.root, "--structured", "--log-level", "error")
	if err != nil {
		return nil, err
	}
	m := &mcp{process: p, lines: bufio.NewReaderSize(p.out, 64<<10)}
	_, err = m.ask("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": name, "version": "1"},
	})
	if err == nil {
		_, err = fmt.Fprintln(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return m, err
}

// ask sends a request and returns its result.
func (m *mcp) ask(method string, params any) (json.RawMessage, error) {
	m.last++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.last, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := m.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	if err := m.out.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	for {
		line, err := m.lines.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var got struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &got); err != nil {
			return nil, fmt.Errorf("no message: %w: %.200s", err, line)
		}
		switch {
		case got.ID != m.last:
		case got.Error != nil:
			return nil, protocolError(got.Error)
		default:
			return got.Result, nil
		}
	}
}

// protocolError is a JSON-RPC error.
type protocolError string

func (e protocolError) Error() string { return "JSON-RPC error " + string(e) }

// call calls a tool.
func (m *mcp) call(tool string, args any) (answer, error) {
	raw, err := m.ask("tools/call", map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return answer{}, err
	}
	var a answer
	return a, json.Unmarshal(raw, &a)
}

// stop ends the server as hosts do, by closing its input.
func (m *mcp) stop(r *run) {
	m.in.Close()
	m.wait(r)
	m.out.Close()
	if m.err != nil {
		r.fail("%s ends with %v:\n%s", m.name, m.err, m.said)
	}
}

var errDied = errors.New("its process was killed")
