package toolcall

import (
	"fmt"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Pointed is what the person pointed at for the assistant: a file, or lines of it.
type Pointed struct {
	Path workspace.Path
	// Start and End are its lines, from 1, both included; 0 for the whole file.
	Start, End int
	// Problems are what the editor says is wrong there, a line each.
	Problems []string
	Time     time.Time
}

// Mention returns how hosts write what was pointed at.
func (p Pointed) Mention() string {
	switch {
	case p.Start == 0:
		return "@" + p.Path.Rel
	case p.Start == p.End:
		return fmt.Sprintf("@%s#L%d", p.Path.Rel, p.Start)
	}
	return fmt.Sprintf("@%s#L%d-L%d", p.Path.Rel, p.Start, p.End)
}
