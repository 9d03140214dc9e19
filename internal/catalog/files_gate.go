package catalog

import (
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Gate returns the gate through which the files were listed.
func (f *Files) Gate() *workspace.Gate { return f.gate }
