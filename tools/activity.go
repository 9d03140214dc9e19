package tools

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// tell tells the editor of a call.
func tell(e *toolcall.Env, ctx context.Context, d Definition, arguments wire.RawValue, r toolcall.Result) {
	if e.Editor == nil {
		return
	}
	a := toolcall.Activity{Client: e.Client, Tool: d.Name}
	subject := d.About(arguments)
	if len(subject.Paths) == 1 {
		a.Path = subject.Paths[0]
	}
	a.Summary, _, _ = strings.Cut(cmp.Or(r.Summary, r.Header), "\n")
	if query := subject.Query; query != "" {
		if len(query) > maxQuoted {
			query = query[:wording.CutAt([]byte(query), maxQuoted)] + "…"
		}
		a.Summary = strconv.Quote(query) + ": " + a.Summary
	}
	if r.Err != nil {
		a.Error = r.Err.Error()
	}
	if out, ok := r.Output.(*change.Output); ok && r.Err == nil {
		a.ID, a.Diff = out.ID, change.CutDiff(out.Diff(), change.MaxShownDiff)
		if a.Path == "" && len(out.Files) == 1 {
			a.Path = out.Files[0].Path
		}
	}
	e.Editor.Activity(context.WithoutCancel(ctx), a)
}

// maxQuoted is how much of what a call looks for is told, in bytes.
const maxQuoted = 80
