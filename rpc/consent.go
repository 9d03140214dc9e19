package rpc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

func (e *editor) patience() time.Duration {
	return cmp.Or(e.config.ConsentTimeout, toolcall.ConsentTimeout)
}

// Confirm implements [toolcall.Editor].
func (e *editor) Confirm(ctx context.Context, request toolcall.ConfirmRequest) (decision toolcall.Decision, err error) {
	switch {
	case e.client.abilities.ConfirmEdit:
		decision, err = e.confirmEdit(ctx, request)
	case e.client.canChoose:
		decision, err = e.confirmMessage(ctx, request)
	default:
		return decision, notOffered("confirmEdit")
	}
	switch {
	case err == nil:
		return decision, nil
	case ctx.Err() != nil:
		return decision, fault.From(ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return toolcall.Decision{Reason: "nobody answered within " + e.patience().String()}, nil
	}
	return toolcall.Decision{Reason: "the editor could not ask: " + err.Error()}, nil
}

func (e *editor) confirmEdit(ctx context.Context, request toolcall.ConfirmRequest) (toolcall.Decision, error) {
	var answer struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}
	err := e.caller.Call(ctx, e.patience(), "agent/confirmEdit", request, &answer)
	return toolcall.Decision{Apply: answer.Decision == "apply", Reason: answer.Reason}, err
}

// What a message shows of a change: editors show few lines.
const (
	maxMessageDiff  = 1500
	maxMessageFiles = 20
)

const (
	actionApply  = "Apply"
	actionReject = "Reject"
)

func (e *editor) confirmMessage(ctx context.Context, request toolcall.ConfirmRequest) (toolcall.Decision, error) {
	params := &protocol.ShowMessageRequestParams{
		Type: protocol.MessageTypeWarning, Message: confirmText(request),
		Actions: []protocol.MessageActionItem{{Title: actionApply}, {Title: actionReject}},
	}
	var chosen protocol.MessageActionItem
	err := e.caller.Call(ctx, e.patience(), "window/showMessageRequest", params, &chosen)
	return toolcall.Decision{Apply: chosen.Title == actionApply}, err
}

func confirmText(request toolcall.ConfirmRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s wants to make this change (%s):\n", jsonrpc.Printable(request.Client.Name), request.Tool)
	for i, f := range request.Files {
		if i == maxMessageFiles {
			fmt.Fprintf(&b, "and %d more files\n", len(request.Files)-i)
			break
		}
		b.WriteString(f.Path + "\n")
	}
	for _, f := range request.Files {
		if b.Len()+len(f.Diff) > maxMessageDiff {
			b.WriteString("(there is more than is shown here)\n")
			break
		}
		b.WriteString(f.Diff)
	}
	return b.String()
}
