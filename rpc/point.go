package rpc

import (
	"cmp"
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// pointParams are those of agent/point.
type pointParams struct {
	URI         string          `json:"uri"`
	Range       *protocol.Range `json:"range"`
	Diagnostics []struct {
		Range    protocol.Range    `json:"range"`
		Severity toolcall.Severity `json:"severity"`
		Message  string            `json:"message"`
		Source   string            `json:"source"`
	} `json:"diagnostics"`
}

// maxPointedProblems is how many diagnostics are passed on.
const maxPointedProblems = 50

// point notes what the person points at for the assistant.
func (r *request) point(_ context.Context, in *pointParams) (any, error) {
	path, err := r.pathOf(in.URI)
	if err == nil {
		err = r.core.Gate().CheckRead(path)
	}
	if err != nil {
		return nil, err
	}
	p := toolcall.Pointed{Path: path}
	if at := in.Range; at != nil {
		if at.End.Line < at.Start.Line {
			return nil, fault.New(fault.InvalidParams, "the range ends before it starts")
		}
		p.Start, p.End = int(at.Start.Line)+1, int(at.End.Line)+1
		if at.End.Character == 0 && p.End > p.Start {
			p.End--
		}
	}
	for i, d := range in.Diagnostics {
		if i == maxPointedProblems {
			break
		}
		source := ""
		if d.Source != "" {
			source = " (" + d.Source + ")"
		}
		p.Problems = append(p.Problems, fmt.Sprintf("%d: %s: %s%s", d.Range.Start.Line+1, cmp.Or(d.Severity, toolcall.SeverityError), d.Message, source))
	}
	var out struct {
		Text string `json:"text"`
	}
	out.Text = r.core.Point(p)
	return out, nil
}
