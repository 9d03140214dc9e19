package fakeeditor

import (
	"context"
	"encoding/json"
	"fmt"
)

// Block is one element of an answer's content.
type Block struct {
	Type     string          `json:"type"`
	Text     string          `json:"text,omitempty"`
	Data     string          `json:"data,omitempty"`
	MimeType string          `json:"mimeType,omitempty"`
	Resource json.RawMessage `json:"resource,omitempty"`
}

// Answer is what a tool call returned.
type Answer struct {
	Content    []Block         `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// BeginCall sends agent/tools/call and does not wait.
func (e *Editor) BeginCall(tool string, args any) *Pending {
	return e.Begin("agent/tools/call", map[string]any{"name": tool, "arguments": args})
}

// Call calls a tool and waits for its answer. A failure of the tool is an
// answer; an error means that the protocol failed.
func (e *Editor) Call(ctx context.Context, tool string, args any) (Answer, error) {
	return e.BeginCall(tool, args).Answer(ctx)
}

// Answer waits for a request that is a tool call.
func (p *Pending) Answer(ctx context.Context) (Answer, error) {
	raw, err := p.Wait(ctx)
	if err != nil {
		return Answer{}, err
	}
	var a Answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return Answer{}, fmt.Errorf("the answer is no tool result: %w", err)
	}
	return a, nil
}
