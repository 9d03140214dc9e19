package mcp

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

var (
	_ mcp.Transport  = (*connection)(nil)
	_ mcp.Connection = (*connection)(nil)
)

// Connect is for the SDK.
func (c *connection) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is for the SDK: a pair of streams has none.
func (c *connection) SessionID() string { return "" }

// Read gives the SDK the next message that is its.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.toSDK:
		return m, nil
	case <-c.sdkOver:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends what the SDK says.
func (c *connection) Write(_ context.Context, m jsonrpc.Message) error {
	withCode(m)
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	r, isAnswer := m.(*jsonrpc.Response)
	if !isAnswer {
		return c.out.write(func(dst []byte) []byte { return append(dst, data...) })
	}
	p := c.takePending(keyOfID(r.ID))
	if p == nil {
		p = new(pending)
	} else {
		defer c.wasSent()
	}
	if p.method == "initialize" {
		c.noteVersion(r)
	}
	c.answer(p.batch, func(dst []byte) []byte { return append(dst, data...) })
	if p.done != nil {
		close(p.done)
	}
	return nil
}

// withCode gives an error a code that has none: the SDK's of a call that does
// not belong where it came, before the handshake or after it.
func withCode(m jsonrpc.Message) {
	r, isAnswer := m.(*jsonrpc.Response)
	if !isAnswer || r.Error == nil {
		return
	}
	if coded, ok := errors.AsType[*jsonrpc.Error](r.Error); !ok || coded.Code == 0 {
		r.Error = failed(jsonrpc.CodeInvalidRequest, r.Error.Error())
	}
}

// Close is how the SDK ends its part.
func (c *connection) Close() error {
	c.endSDK.Do(func() { close(c.sdkOver) })
	return nil
}

// noteClient remembers who the client says it is.
func (c *connection) noteClient(m *message) {
	var params struct {
		Client struct {
			Name string `json:"name"`
		} `json:"clientInfo"`
		Capabilities struct {
			Roots wire.RawValue `json:"roots"`
		} `json:"capabilities"`
	}
	if wire.Unmarshal(m.Params, &params) == nil { // what is wrong with it, the SDK says
		c.client.Store(&params.Client.Name)
		c.server.roots.offered(len(params.Capabilities.Roots) > 0)
	}
}

// noteVersion remembers the revision that the handshake ended in.
func (c *connection) noteVersion(r *jsonrpc.Response) {
	var result struct {
		Version string `json:"protocolVersion"`
	}
	if r.Error == nil && wire.Unmarshal(wire.RawValue(r.Result), &result) == nil && result.Version != "" {
		c.version.Store(&result.Version)
	}
}
