package rpc

import (
	"context"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
)

// arrival is the state of the world when a call arrived.
type arrival struct {
	overlay *buffers.Overlay
	gate    *workspace.Gate
}

type arrivalKey struct{}

// arrive is the dispatcher's capture: it runs on the read loop, after every
// message that came before the call.
func (s *server) arrive(ctx context.Context) (context.Context, func()) {
	a := &arrival{s.store.Overlay(), s.core.Gate()}
	return context.WithValue(ctx, arrivalKey{}, a), func() {}
}

// toolDescription is a tool in agent/tools/list, in MCP's form.
type toolDescription struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  wire.RawValue   `json:"inputSchema"`
	OutputSchema wire.RawValue   `json:"outputSchema"`
	Annotations  toolAnnotations `json:"annotations"`
}

type toolAnnotations struct {
	ReadOnlyHint bool `json:"readOnlyHint"`
}

func (s *server) listTools(context.Context, *struct{}) (any, error) {
	var list struct {
		Tools []toolDescription `json:"tools"`
	}
	for _, t := range s.tools {
		if !t.Local {
			list.Tools = append(list.Tools, toolDescription{
				Name: t.Name, Description: t.Doc, InputSchema: t.InputSchema, OutputSchema: t.OutputSchema(),
				Annotations: toolAnnotations{ReadOnlyHint: t.ReadOnly},
			})
		}
	}
	return list, nil
}

// toolCall is the params of agent/tools/call, and the argument of the command.
type toolCall struct {
	Name      string          `json:"name"`
	Arguments protocol.LSPAny `json:"arguments"`
	Client    tools.Client    `json:"client"`
	// WorkDoneToken asks for $/progress, as of every request of LSP.
	WorkDoneToken protocol.LSPAny `json:"workDoneToken"`
}

func (s *server) executeCommand(ctx context.Context, in *protocol.ExecuteCommandParams) (any, error) {
	if in.Command != commandCall {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %q; the one command is %q", shown(in.Command), commandCall)
	}
	if len(in.Arguments) != 1 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument, {name, arguments, client?}", commandCall)
	}
	var call toolCall
	if err := wire.Unmarshal(in.Arguments[0], &call); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", commandCall, err)
	}
	return s.callTool(ctx, &call)
}

func (s *server) callTool(ctx context.Context, call *toolCall) (any, error) {
	tool, err := s.tool(call.Name)
	if err != nil {
		return nil, err
	}
	if tool.Local {
		return encodeResult(tools.RefuseLocal(tool))
	}
	defer s.core.Prepare()
	env := s.env(ctx, call.Client)
	defer env.Close()
	if len(call.WorkDoneToken) > 0 {
		p := s.newProgress(ctx, call.WorkDoneToken)
		env.Progress = p.report
		defer p.end()
	}
	if env.Client.Name == "" {
		env.Client.Name = s.client.name
	}
	result := s.runTool(ctx, tool, env, call.Arguments)
	if result.Err != nil && result.Err.Kind == fault.Cancelled {
		return nil, result.Err
	}
	return encodeResult(result)
}

func (s *server) runTool(ctx context.Context, tool tools.Definition, env *tools.Env, arguments []byte) tools.Result {
	result := tool.Call(ctx, env, arguments)
	if result.Err != nil && result.Err.Kind == fault.Internal {
		s.log.Error("a tool failed", "tool", tool.Name, "error", result.Err.Message)
	}
	return result
}

// env is what a call has at hand that arrived with ctx. The caller closes it.
func (s *server) env(ctx context.Context, client tools.Client) *tools.Env {
	at := ctx.Value(arrivalKey{}).(*arrival)
	env := s.core.Env(buffers.NewSnapshot(at.overlay, at.gate, s.core.Disk))
	env.Editor, env.Client = &editor{s}, client
	return env
}

// tool returns the tool of that name.
func (s *server) tool(name string) (tools.Definition, error) {
	names := make([]string, 0, len(s.tools))
	for _, t := range s.tools {
		if t.Name == name {
			return t, nil
		}
		if !t.Local {
			names = append(names, t.Name)
		}
	}
	return tools.Definition{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no tool %q; the tools are %s", shown(name), strings.Join(names, ", "))
}

// encodeResult encodes a result for an editor.
func encodeResult(r tools.Result) (any, error) {
	raw, err := r.Encode(make([]byte, 0, r.Size(tools.FormLSP)), tools.FormLSP)
	return jsonrpc2.RawMessage(raw), err
}
