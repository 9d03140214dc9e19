package change

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// renderOffered lists what could be changed, an action a line.
func (o *Output) renderOffered() toolcall.Rendering {
	head := "no actions"
	if len(o.Offered) > 0 {
		head = wording.Plural(len(o.Offered), "action", "actions") + "; apply one by its title"
	}
	for _, n := range o.Notes {
		head += "; note: " + n
	}
	var b strings.Builder
	for _, a := range o.Offered {
		b.WriteString(wording.OneLine(a.Title))
		if a.Kind != "" {
			b.WriteString(" [" + wording.OneLine(a.Kind) + "]")
		}
		if a.Disabled != "" {
			b.WriteString(" (not now: " + wording.OneLine(a.Disabled) + ")")
		}
		b.WriteByte('\n')
	}
	return toolcall.Rendering{Header: head, Summary: head, After: strings.TrimSuffix(b.String(), "\n")}
}
