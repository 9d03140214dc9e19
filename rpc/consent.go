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
	params := confirmParams{ConfirmRequest: request, Reason: request.Reason}
	able := e.client.abilities.Decisions
	if able && !request.Guarded {
		params.Allow = []string{decisionAllowFile, decisionAllowSession}
	}
	for _, f := range request.Files {
		file := confirmFile{ConfirmFile: f}
		if able {
			file.Text = f.Text
		}
		params.Files = append(params.Files, file)
	}
	var answer confirmAnswer
	if err := e.caller.Call(ctx, e.patience(), "agent/confirmEdit", params, &answer); err != nil {
		return toolcall.Decision{}, err
	}
	return answer.decision(able, request.Guarded), nil
}

// The decisions of a client with the ability decisions, beside apply and reject.
const (
	decisionApply        = "apply"
	decisionEdited       = "edited"
	decisionAllowFile    = "allowFile"
	decisionAllowSession = "allowSession"
)

// confirmParams are those of agent/confirmEdit.
type confirmParams struct {
	toolcall.ConfirmRequest
	Reason string        `json:"reason"`
	Allow  []string      `json:"allow,omitempty"`
	Files  []confirmFile `json:"files"`
}

type confirmFile struct {
	toolcall.ConfirmFile
	Text *string `json:"text,omitempty"`
}

type confirmAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Files    []struct {
		Path string `json:"path"`
		Text string `json:"text"`
	} `json:"files"`
}

// decision returns what the person said. What was not offered is a no.
func (a confirmAnswer) decision(able, guarded bool) toolcall.Decision {
	d := toolcall.Decision{Apply: a.Decision == decisionApply, Reason: a.Reason}
	switch {
	case !able:
	case a.Decision == decisionEdited:
		d.Apply, d.Edited = len(a.Files) > 0, make(map[string]string)
		for _, f := range a.Files {
			d.Edited[f.Path] = f.Text
		}
	case !guarded:
		d.Files, d.Session = a.Decision == decisionAllowFile, a.Decision == decisionAllowSession
		d.Apply = d.Apply || d.Files || d.Session
	}
	return d
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
