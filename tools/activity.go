package tools

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// tell tells the editor of a call.
func (e *Env) tell(ctx context.Context, d Definition, arguments wire.RawValue, r Result) {
	if e.Editor == nil {
		return
	}
	a := Activity{Client: e.Client, Tool: d.Name}
	subject := d.About(arguments)
	if len(subject.Paths) == 1 {
		a.Path = subject.Paths[0]
	}
	a.Summary, _, _ = strings.Cut(cmp.Or(r.Summary, r.Header), "\n")
	if wanted := subject.Sought; wanted != "" {
		if len(wanted) > maxQuoted {
			wanted = wanted[:cutAt([]byte(wanted), maxQuoted)] + "…"
		}
		a.Summary = strconv.Quote(wanted) + ": " + a.Summary
	}
	if r.Err != nil {
		a.Error = r.Err.Error()
	}
	if out, ok := r.Output.(*changeOutput); ok && r.Err == nil {
		a.ID, a.Diff = out.ID, cutDiff(out.diff(), maxShownDiff)
		if a.Path == "" && len(out.Files) == 1 {
			a.Path = out.Files[0].Path
		}
	}
	e.Editor.Activity(context.WithoutCancel(ctx), a)
}

// maxQuoted is how much of what a call looks for is told, in bytes.
const maxQuoted = 80
