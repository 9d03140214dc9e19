package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// How long diagnostics waits for language servers, in milliseconds.
const (
	defaultWait = 2000
	maxWait     = 30_000
)

func (in diagnosticsInput) wait() time.Duration {
	ms := uint64(defaultWait)
	if in.WaitMS != nil {
		ms = min(*in.WaitMS, maxWait)
	}
	return time.Duration(ms) * time.Millisecond
}

// stands says whether diagnostics are about the present text, where a model might
// take silence for it.
func stands(state toolcall.Freshness, waiting []string) string {
	who := wording.OneLine(strings.Join(waiting, ", "))
	switch {
	case state == toolcall.Current:
		return ", settled"
	case state == toolcall.Pending && who != "":
		return " so far, pending: " + who + " is not done with this text and may say otherwise; ask again"
	case state == toolcall.Pending:
		return " so far, pending: ask again"
	case who != "":
		return ", unknown whether of this text: " + who + " does not say"
	}
	return ", unknown whether of this text"
}

// diagnosticsSince answers what an edit broke and mended.
func diagnosticsSince(ctx context.Context, e *toolcall.Env, id string, wait time.Duration) (*diagnosticsOutput, error) {
	d, known, err := e.Verdicts.Since(ctx, e, id, wait)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, fault.New(fault.InvalidParams, "%q is no edit of which is known what was wrong before", wording.Shortened(id)).
			Advise("since takes the id of one of the last edits of this session. Ask by path instead.")
	}
	out := &diagnosticsOutput{State: d.State, Since: d}
	cut := func(list []toolcall.Diagnosis) []toolcall.Diagnosis {
		out.Truncated = out.Truncated || len(list) > maxDiagnosed
		return list[:min(len(list), maxDiagnosed)]
	}
	d.New, d.Gone = cut(d.New), cut(d.Gone)
	for _, x := range d.New {
		if x.Severity == toolcall.SeverityError.String() {
			out.Errors++
		} else {
			out.Warnings++
		}
	}
	return out, nil
}

// renderSince tells what is new and what is gone.
func (o *diagnosticsOutput) renderSince() toolcall.Rendering {
	head := fmt.Sprintf("%d new, %d gone%s", len(o.Since.New), len(o.Since.Gone), stands(o.State, o.Waiting))
	if o.Truncated {
		head += fmt.Sprintf("; only the first %d are shown", maxDiagnosed)
	}
	var b strings.Builder
	for _, x := range o.Since.New {
		b.WriteString("new " + x.InOneLine() + "\n")
	}
	for _, x := range o.Since.Gone {
		b.WriteString("gone " + x.InOneLine() + "\n")
	}
	return toolcall.Rendering{Header: head, Summary: head, After: strings.TrimSuffix(b.String(), "\n")}
}
