package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const (
	// maxAsked is how much of all diffs a person is shown in a client's form,
	// in bytes.
	maxAsked = 8 << 10
	// consentID names the one question of a call.
	consentID = "consent"
	accepted  = "accept"
)

// errAsked fails a call whose client is to ask the person and call again.
var errAsked = fault.New(fault.PermissionDenied, "the person is asked for their consent")

// asker asks the person behind a call for their consent: while the call waits,
// or, in the revisions without sessions, by an answer that wants the call made
// again with what the person said.
type asker struct {
	key [sha256.Size]byte
	// elicit asks while the call waits; nil where the call is to be made again.
	elicit func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error)
	// patience is how long the person has to decide then.
	patience time.Duration
	// action is what the person said, and state what they said it of; "" for a
	// call that is made for the first time.
	action, state string

	mu     sync.Mutex
	wanted *inputRequired // the answer that wants the call made again
}

// inputRequired is a result that asks.
type inputRequired struct {
	Type     string              `json:"resultType"`
	Meta     *serverInfo         `json:"_meta,omitempty"`
	Requests mcp.InputRequestMap `json:"inputRequests"`
	State    string              `json:"requestState"`
}

// newConsentKey makes what only this process can sign with.
func newConsentKey() (key [sha256.Size]byte) {
	_, _ = rand.Read(key[:]) // it never fails
	return key
}

// ask implements [toolcall.Env.Ask].
func (a *asker) ask(ctx context.Context, request toolcall.ConfirmRequest) (toolcall.Decision, error) {
	if a.elicit != nil {
		asking, cancel := context.WithTimeout(ctx, a.patience)
		defer cancel()
		result, err := a.elicit(asking, question(request))
		switch {
		case ctx.Err() != nil:
			return toolcall.Decision{}, fault.From(ctx.Err())
		case err != nil && asking.Err() != nil:
			return toolcall.Decision{Reason: "nobody answered within " + a.patience.String()}, nil
		}
		if err != nil {
			return toolcall.Decision{}, fault.New(fault.NoEditor, "the client did not ask: %v", err)
		}
		return decided(result.Action), nil
	}
	state, err := a.sign(request)
	if err != nil {
		return toolcall.Decision{}, err
	}
	if a.action != "" && hmac.Equal([]byte(state), []byte(a.state)) {
		return decided(a.action), nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wanted = &inputRequired{Type: "input_required", Requests: mcp.InputRequestMap{consentID: question(request)}, State: state}
	return toolcall.Decision{}, errAsked
}

// elicit has the client ask, as long as it can say what the person said.
func (c *connection) elicit(ctx context.Context, question *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.hearing, cancel)()
	return c.session.Elicit(ctx, question)
}

// asked is the answer that wants the call made again; nil when nothing was
// asked.
func (a *asker) asked() *inputRequired {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.wanted
}

// sign tells which change is asked about, so that consent to one is none to
// another.
func (a *asker) sign(request toolcall.ConfirmRequest) (string, error) {
	raw, err := wire.Marshal(request)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, a.key[:])
	_, _ = mac.Write(raw) // a hash takes everything
	return hex.EncodeToString(mac.Sum(nil)), nil
}

func decided(action string) toolcall.Decision {
	if action == accepted {
		return toolcall.Decision{Apply: true}
	}
	return toolcall.Decision{Reason: "they chose " + action}
}

// question is what the person is shown.
func question(request toolcall.ConfirmRequest) *mcp.ElicitParams {
	var text strings.Builder
	text.WriteString("An assistant wants to change files (" + request.Tool + "). Do you agree?\n")
	for _, f := range request.Files {
		text.WriteString("\n" + f.Path + "\n" + f.Diff)
	}
	message := text.String()
	if len(message) > maxAsked {
		message = strings.ToValidUTF8(message[:maxAsked], "") + "\n… and more, which is not shown"
	}
	return &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: wire.RawValue(`{"type":"object","properties":{}}`)}
}

// offersForms reports whether a client's capabilities have forms that a person
// answers.
func offersForms(capabilities *mcp.ClientCapabilities) bool {
	if capabilities == nil || capabilities.Elicitation == nil {
		return false
	}
	return capabilities.Elicitation.Form != nil || capabilities.Elicitation.URL == nil
}
