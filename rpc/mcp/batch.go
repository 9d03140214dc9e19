package mcp

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// withoutBatches is the first revision that has no batches.
const withoutBatches = "2025-06-18"

// batch gathers the answers to the messages of one line.
type batch struct {
	mu      sync.Mutex
	missing int
	bodies  []byte
}

// add adds an answer, or nothing where build is nil. It returns the whole
// line with the last one; nil when there is nothing to send.
func (b *batch) add(build func(dst []byte) []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if build != nil {
		b.bodies = build(append(b.bodies, ','))
	}
	if b.missing--; b.missing > 0 || len(b.bodies) == 0 {
		return nil
	}
	b.bodies[0] = '['
	return append(b.bodies, ']')
}

// takeBatch takes the messages of one line in their order.
func (c *connection) takeBatch(ctx context.Context, line []byte) {
	var raw []wire.RawValue
	if err := wire.Unmarshal(line, &raw); err != nil {
		c.refuse(nil, nil, failed(jsonrpc.CodeParseError, "the line is not a JSON message: "+fault.From(err).Message))
		return
	}
	if version := *c.version.Load(); version >= withoutBatches {
		c.refuse(nil, nil, failed(jsonrpc.CodeInvalidRequest, "revision "+version+" has no batches: send each message on a line of its own"))
		return
	}
	if len(raw) == 0 {
		c.refuse(nil, nil, failed(jsonrpc.CodeInvalidRequest, "the batch is empty"))
		return
	}
	b := new(batch)
	messages, problems := make([]*message, len(raw)), make([]*jsonrpc.Error, len(raw))
	for i, r := range raw {
		messages[i], problems[i] = parse(r)
		if messages[i].isCall() || problems[i] != nil {
			b.missing++
		}
	}
	for i, m := range messages {
		c.take(ctx, m, problems[i], b)
	}
}
