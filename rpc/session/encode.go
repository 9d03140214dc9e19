package session

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Unattached is what an answer without a session says, and UnattachedShort the
// same in the answer to every change of files.
const (
	Unattached      = "no editor is attached"
	UnattachedShort = "no editor"
)

// Encode makes the answer to a call of a tool's result.
func Encode(ctx context.Context, c Call, r toolcall.Result) (Answer, error) {
	if r.Err != nil && r.Err.Kind == fault.Cancelled && ctx.Err() != nil {
		return Answer{}, r.Err
	}
	for _, n := range c.Notes {
		if (n == Unattached || n == UnattachedShort) && r.Err != nil {
			continue // nothing was changed or shown that an editor might have otherwise
		}
		r = r.Note(n)
	}
	if c.Form == form.Text {
		r = r.ForPeople()
	}
	raw, err := form.Encode(r, c.Form)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Raw: raw}
	if r.Err != nil {
		a.Kind = r.Err.Kind
	}
	if c.Form == form.Text {
		a.Header, a.Body = len(r.Header), len(r.Body)
	}
	return a, nil
}
