package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// callParams are the params of tools/call.
type callParams struct {
	Name      string        `json:"name"`
	Arguments wire.RawValue `json:"arguments"`
	Meta      callMeta      `json:"_meta"`
	// Responses and State come with a call that is made again with what the
	// server had asked for.
	Responses map[string]wire.RawValue `json:"inputResponses"`
	State     string                   `json:"requestState"`
}

type callMeta struct {
	ProgressToken wire.RawValue `json:"progressToken"`
	Version       wire.RawValue `json:"io.modelcontextprotocol/protocolVersion"`
	Client        wire.RawValue `json:"io.modelcontextprotocol/clientInfo"`
	Capabilities  wire.RawValue `json:"io.modelcontextprotocol/clientCapabilities"`
}

// firstModern is the first revision without sessions: each request carries its
// own metadata.
const firstModern = "2026-07-28"

// modern reports whether a call is of a revision without sessions. Whether it is
// one that may be made, known says; what is wrong with others, the SDK says.
func (m callMeta) modern() (modern, known bool) {
	var version string
	if m.Version.Kind() != '"' || wire.Unmarshal(m.Version, &version) != nil || version < firstModern {
		return false, false
	}
	infoFits := len(m.Client) == 0 || m.Client.Kind() == '{'
	return true, slices.Contains(mcp.SupportedProtocolVersions(), version) && m.Capabilities.Kind() == '{' && infoFits
}

// clientName is who calls, as the call itself says.
func (m callMeta) clientName() string {
	var info struct {
		Name string `json:"name"`
	}
	if len(m.Client) > 0 && wire.Unmarshal(m.Client, &info) != nil {
		return ""
	}
	return info.Name
}

// errCancelled is the cause of a context whose call the client cancelled.
var errCancelled = errors.New("cancelled by the client")

// takeCall has a call of a tool run: beside the others, or where nothing else
// is to be read by the goroutine that reads; see [parallel.LeaderLoop] for passed.
func (c *connection) takeCall(ctx context.Context, m *message, b *batch) (passed bool) {
	var params callParams
	if len(m.Params) == 0 {
		m.Params = wire.RawValue("{}")
	}
	if err := wire.Unmarshal(m.Params, &params); err != nil {
		c.refuse(m.ID, b, failed(jsonrpc.CodeInvalidParams, "the params of tools/call do not fit: "+fault.From(err).Message))
		return false
	}
	modern, known := params.Meta.modern()
	if modern && !known || !modern && *c.version.Load() == "" {
		c.pass(ctx, m, b)
		return false
	}
	if _, there := c.server.tools[params.Name]; !there {
		c.refuse(m.ID, b, c.server.unknownTool(params.Name))
		return false
	}
	weight := min(1+len(params.Arguments)>>20, maxAccepted)
	if !c.takeSlots(ctx, weight) {
		c.refuse(m.ID, b, failed(jsonrpc.CodeInternalError, "too many calls are not answered yet"))
		return false
	}
	ctx, cancel := context.WithCancelCause(ctx)
	run := func(context.Context) {
		defer c.freeSlots(weight)
		defer cancel(nil)
		c.run(ctx, m, &params, modern)
	}
	accepted := c.await(m, &pending{method: m.Method, batch: b, cancel: cancel})
	switch {
	case !accepted:
	case b == nil && !c.lines.waiting():
		accepted, passed = c.loop.Do(run)
	default:
		accepted = c.calls.Go(run)
	}
	if !accepted {
		cancel(nil)
		c.freeSlots(weight)
	}
	return passed
}

// run makes the call and answers it. One that was cancelled is not answered,
// unless it had been too late to stop.
func (c *connection) run(ctx context.Context, m *message, params *callParams, modern bool) {
	call := toolCall{
		name: params.Name, arguments: params.Arguments,
		client:   c.server.clientOf(*c.client.Load(), ""),
		progress: c.progress(ctx, params.Meta.ProgressToken),
	}
	head := ""
	if modern {
		call.client, head = c.server.clientOf(params.Meta.clientName(), ""), c.server.modernHead
		call.asker = c.server.modernAsker(params)
	} else if offersForms(c.session.InitializeParams().Capabilities) {
		call.asker = &asker{elicit: c.elicit, patience: c.server.patience()}
	}
	result, cancelled := c.server.call(ctx, call)
	if wanted := call.asker.asked(); wanted != nil {
		wanted.Meta = &serverInfo{c.server.implementation}
		if raw, err := json.Marshal(wanted); err == nil { // the SDK's types are for the SDK's codec
			result, head = raw, ""
		}
	}
	p := c.takePending(m.key)
	defer c.wasSent()
	if cancelled && errors.Is(context.Cause(ctx), errCancelled) {
		c.answer(cmp.Or(p.batch, new(batch)), nil)
		return
	}
	c.answer(p.batch, func(dst []byte) []byte { return appendResult(dst, m.ID, head, result) })
}

// modernAsker asks by an answer, where the client offers forms.
func (s *server) modernAsker(params *callParams) *asker {
	var capabilities mcp.ClientCapabilities
	if json.Unmarshal(params.Meta.Capabilities, &capabilities) != nil || !offersForms(&capabilities) {
		return nil
	}
	var said struct {
		Action string `json:"action"`
	}
	if raw := params.Responses[consentID]; len(raw) > 0 && wire.Unmarshal(raw, &said) != nil {
		return nil
	}
	return &asker{key: s.consent, action: said.Action, state: params.State}
}

// askerFor is who asks about a call that the SDK took.
func (s *server) askerFor(r *mcp.CallToolRequest) *asker {
	if !offersForms(r.ClientCapabilities()) {
		return nil
	}
	if r.ProtocolVersion() < firstModern {
		return &asker{elicit: r.Session.Elicit, patience: s.patience()}
	}
	a := &asker{key: s.consent, state: r.Params.RequestState}
	if said, ok := r.Params.InputResponses[consentID].(*mcp.ElicitResult); ok {
		a.action = said.Action
	}
	return a
}

// takeSlots takes n slots, all or none.
func (c *connection) takeSlots(ctx context.Context, n int) bool {
	for taken := range n {
		select {
		case c.slots <- struct{}{}:
		default:
			if !c.waitForSlot(ctx) {
				c.freeSlots(taken)
				return false
			}
		}
	}
	return true
}

func (c *connection) waitForSlot(ctx context.Context) bool {
	limit := time.NewTimer(roomTimeout)
	defer limit.Stop()
	select {
	case c.slots <- struct{}{}:
		return true
	case <-limit.C:
	case <-ctx.Done():
	}
	return false
}

func (c *connection) freeSlots(n int) {
	for range n {
		<-c.slots
	}
}

// cancelled gives up the call that a notification names. It returns false when
// that is none of a tool.
func (c *connection) cancelled(m *message) bool {
	var which struct {
		ID wire.RawValue `json:"requestId"`
	}
	if wire.Unmarshal(m.Params, &which) != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[keyOf(which.ID)]
	if p == nil {
		return false
	}
	if p.waived = true; p.cancel == nil {
		return false
	}
	p.cancel(errCancelled)
	return true
}

// toolCall is a call of a tool, whichever way it came.
type toolCall struct {
	name      string
	arguments wire.RawValue
	client    toolcall.Client
	progress  func(message string, done, total int)
	asker     *asker // nil when nobody can be asked
}

// call returns the result of a call, a JSON object. cancelled tells that it
// was given up before it changed anything.
func (s *server) call(ctx context.Context, call toolCall) (result []byte, cancelled bool) {
	made := session.Call{
		Tool: call.name, Arguments: object(call.arguments), Client: call.client, Form: s.form,
		Roots: s.roots.current(ctx), Progress: call.progress,
	}
	if call.asker != nil {
		made.Ask = call.asker.ask
	}
	answer, err := s.ask(ctx, made)
	if err != nil {
		return errorResult(err), ctx.Err() != nil
	}
	return answer.Raw, answer.Kind == fault.Cancelled
}

// ask calls the backend. A panic costs the call.
func (s *server) ask(ctx context.Context, call session.Call) (answer session.Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.config.Log.Error("a call failed", "tool", call.Tool, "error", r)
			err = fault.New(fault.Internal, "%s failed: %v", call.Tool, r)
		}
	}()
	return s.config.Backend.Call(ctx, call)
}

// object returns the arguments, or nothing where there are none. Some hosts
// send the object as a string of JSON.
func object(arguments wire.RawValue) wire.RawValue {
	switch arguments.Kind() {
	case 'n':
		return nil
	case '"':
		var inside string
		if wire.Unmarshal(arguments, &inside) == nil && wire.RawValue(inside).Kind() == '{' {
			return wire.RawValue(inside)
		}
	}
	return arguments
}

// errorResult is the result of a call that could not be made.
func errorResult(err error) []byte {
	dst := wire.AppendString([]byte(`{"content":[{"type":"text","text":`), fault.From(err).Error())
	return append(dst, `}],"isError":true}`...)
}

// clientOf returns a caller by the name that it gives itself, and its session where
// there are several.
func (s *server) clientOf(name, session string) toolcall.Client {
	return toolcall.Client{Name: name, ID: s.id + session, Room: cmp.Or(s.config.Room, hostOf(name).room(s.config.Getenv))}
}

// callFromSDK is a call that the SDK took: over HTTP, or one that it finds
// fault with.
func (s *server) callFromSDK(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	call := toolCall{name: r.Params.Name, arguments: wire.RawValue(r.Params.Arguments), client: s.clientOf("", r.Session.ID())}
	if info := r.ClientInfo(); info != nil {
		call.client = s.clientOf(info.Name, r.Session.ID())
	}
	call.progress, call.asker = progressOf(ctx, r), s.askerFor(r)
	raw, cancelled := s.call(ctx, call)
	if wanted := call.asker.asked(); wanted != nil {
		return &mcp.CallToolResult{InputRequests: wanted.Requests, RequestState: wanted.State}, nil
	}
	if cancelled {
		return nil, context.Cause(ctx)
	}
	result := new(mcp.CallToolResult)
	if err := json.Unmarshal(raw, result); err != nil {
		return nil, err
	}
	return result, nil
}
