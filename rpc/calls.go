package rpc

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools"
)

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
	Client    toolcall.Client `json:"client"`
	// WorkDoneToken asks for $/progress, as of every request of LSP.
	WorkDoneToken protocol.LSPAny `json:"workDoneToken"`
}

func (r *request) executeCommand(ctx context.Context, in *protocol.ExecuteCommandParams) (any, error) {
	if in.Command != commandCall {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "there is no command %q; the one command is %q", jsonrpc.Printable(in.Command), commandCall)
	}
	if len(in.Arguments) != 1 {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "%s takes one argument, {name, arguments, client?}", commandCall)
	}
	var call toolCall
	if err := wire.Unmarshal(in.Arguments[0], &call); err != nil {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "%s: %v", commandCall, err)
	}
	return r.callTool(ctx, &call)
}

func (r *request) callTool(ctx context.Context, call *toolCall) (any, error) {
	tool, err := r.tool(call.Name)
	if err != nil {
		return nil, err
	}
	if tool.Local {
		return encodeResult(tools.RefuseLocal(tool))
	}
	defer r.core.Prepare()
	env := r.env(call.Client)
	defer env.Close()
	if len(call.WorkDoneToken) > 0 {
		p := r.newProgress(ctx, call.WorkDoneToken)
		env.Progress = p.report
		defer p.end()
	}
	if env.Client.Name == "" {
		env.Client.Name = r.client.name
	}
	result := r.runTool(ctx, tool, env, call.Arguments)
	if result.Err != nil && result.Err.Kind == fault.Cancelled {
		return nil, result.Err
	}
	return encodeResult(result)
}

func (s *server) runTool(ctx context.Context, tool tools.Definition, env *toolcall.Env, arguments []byte) toolcall.Result {
	result := tool.Call(ctx, env, arguments)
	if result.Err != nil && result.Err.Kind == fault.Internal {
		s.log.Error("a tool failed", "tool", tool.Name, "error", result.Err.Message)
	}
	return result
}

// env is what a call of a tool has at hand. The caller closes it.
func (r *request) env(client toolcall.Client) *toolcall.Env {
	env := r.core.Env(buffers.NewSnapshot(r.overlay, r.gate, r.core.Disk))
	env.Editor, env.Client = &editor{r.server, r.caller}, client
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
	return tools.Definition{}, jsonrpc.Errorf(jsonrpc.InvalidParams, "there is no tool %q; the tools are %s", jsonrpc.Printable(name), strings.Join(names, ", "))
}

// encodeResult encodes a result for an editor.
func encodeResult(r toolcall.Result) (any, error) {
	raw, err := form.Encode(r, form.LSP)
	return jsonrpc.RawMessage(raw), err
}
