package tokens

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// mcp is a server that is spoken to in lines of JSON.
type mcp struct {
	cmd          *exec.Cmd
	in           io.WriteCloser
	out          *bufio.Reader
	id           int
	instructions string
	tools        string // as tools/list has them
}

// startMCP starts a server and waits until it has told its tools.
func startMCP(cmd *exec.Cmd) (*mcp, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	m := &mcp{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	if err := m.handshake(); err != nil {
		m.stop()
		return nil, fmt.Errorf("%s: %w", cmd, err)
	}
	return m, nil
}

func (m *mcp) handshake() error {
	var hello struct{ Instructions string }
	params := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"}}
	if err := m.request("initialize", params, &hello); err != nil {
		return err
	}
	m.instructions = hello.Instructions
	if err := m.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return err
	}
	var list struct{ Tools []listedTool }
	if err := m.request("tools/list", map[string]any{}, &list); err != nil {
		return err
	}
	b, err := encode(list.Tools)
	m.tools = b
	return err
}

// listedTool is what a model is told of a tool.
type listedTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

func (m *mcp) send(message any) error {
	b, err := encode(message)
	if err != nil {
		return err
	}
	_, err = io.WriteString(m.in, b+"\n")
	return err
}

// request waits for the answer of a request and decodes its result.
func (m *mcp) request(method string, params, result any) error {
	m.id++
	if err := m.send(map[string]any{"jsonrpc": "2.0", "id": m.id, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		line, err := m.out.ReadBytes('\n')
		if err != nil {
			return err
		}
		var answer struct {
			ID     any
			Method string
			Result json.RawMessage
			Error  json.RawMessage
		}
		// Some servers write other things than messages.
		if json.Unmarshal(bytes.TrimSpace(line), &answer) != nil || answer.Method != "" || answer.ID != float64(m.id) {
			continue
		}
		if answer.Error != nil {
			return errors.New(string(answer.Error))
		}
		return json.Unmarshal(answer.Result, result)
	}
}

func (m *mcp) call(c call) (string, error) {
	arguments := c.arguments
	if c.freeform {
		b, err := encode(map[string]string{"patch": arguments})
		if err != nil {
			return "", err
		}
		arguments = b
	}
	var answer struct {
		Content []struct{ Type, Text string }
	}
	if err := m.request("tools/call", map[string]any{"name": c.name, "arguments": json.RawMessage(arguments)}, &answer); err != nil {
		return "PROTOCOL ERROR " + err.Error(), nil //nolint:nilerr // the model sees it
	}
	var texts []string
	for _, block := range answer.Content {
		if block.Type != "text" {
			block.Text = "[" + block.Type + "]"
		}
		texts = append(texts, block.Text)
	}
	return strings.Join(texts, "\n"), nil
}

// stop closes the server's input, after which it ends, and waits for it.
func (m *mcp) stop() {
	m.in.Close()
	timer := time.AfterFunc(500*time.Millisecond, func() { _ = m.cmd.Process.Kill() })
	defer timer.Stop()
	_ = m.cmd.Wait() // how it ends is of no interest
}

// commander is desktop-commander, whose searches are asked again as long as
// they run. On a slow machine that takes calls that an idle one does not need:
// one further call is counted, with the whole answer.
type commander struct{ *mcp }

var searchSession = regexp.MustCompile(`(?i)session: (\S+)`)

func (c *commander) call(made call) (string, error) {
	if made.name == "$" {
		made.arguments = strings.TrimSuffix(made.arguments, "}") + `,"timeout_ms":10000}`
		made.name = "start_process"
	}
	answer, err := c.mcp.call(made)
	if err != nil || made.name != "start_search" || !strings.Contains(answer, "RUNNING") {
		return answer, err
	}
	id := searchSession.FindStringSubmatch(answer)
	if id == nil {
		return answer, nil
	}
	arguments, err := encode(map[string]string{"sessionId": id[1]})
	if err != nil {
		return "", err
	}
	var more string
	for range 150 {
		time.Sleep(200 * time.Millisecond)
		if more, err = c.mcp.call(call{name: "get_more_search_results", arguments: arguments}); err != nil || !strings.Contains(more, "RUNNING") && !strings.Contains(more, "IN PROGRESS") {
			break
		}
	}
	return answer + "\n" + arguments + "\n" + more, err
}
