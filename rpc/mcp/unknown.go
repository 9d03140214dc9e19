package mcp

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools"
)

// maxName is how much of a tool's name is shown and compared, in bytes.
const maxName = 64

// unknownTool is the error of a call of a tool that is not served: it names
// the tools that are, and what was meant or why that one is not.
func (s *server) unknownTool(name string) *jsonrpc.Error {
	name = name[:min(len(name), maxName)]
	said := fmt.Sprintf("there is no tool %q; ", name)
	if d := tools.Find(name); d.Name != "" {
		said = fmt.Sprintf("the tool %q is not served here: %s; ", name, s.whyNot(d))
	} else if nearest := s.nearestTool(name); nearest != "" {
		said += fmt.Sprintf("did you mean %q? ", nearest)
	}
	return failed(jsonrpc.CodeInvalidParams, said+"the tools are "+strings.Join(s.names, ", "))
}

// whyNot tells why a tool is not served.
func (s *server) whyNot(d tools.Definition) string {
	switch {
	case d.ForHosts:
		return "it is for programs that run commands themselves"
	case !d.Available(s.config.Settings):
		return "the person's settings do not allow it"
	case s.config.ReadOnly && !d.ReadOnly:
		return "nothing may be changed"
	}
	return "the server was started without it"
}

// nearestTool is the served tool whose name is most like one that is none; ""
// where none is.
func (s *server) nearestTool(name string) string {
	bare := strings.NewReplacer("_", "", "-", "", " ", "")
	meant := strings.ToLower(bare.Replace(name))
	nearest, best := "", len(meant)/3+2
	for _, n := range s.names {
		if d := text.EditDistance(meant, bare.Replace(n), best); d < best {
			nearest, best = n, d
		}
	}
	return nearest
}
