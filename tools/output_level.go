package tools

import (
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// outputLevel says how much of a command's output is shown. The empty value is
// outputConcise.
type outputLevel string

const (
	outputConcise = outputLevel(output.Concise)
	outputSilent  = outputLevel(output.Silent)
	outputNormal  = outputLevel(output.Normal)
	outputVerbose = outputLevel(output.Verbose)
	outputFull    = outputLevel(output.Full)
)

// UnmarshalText refuses what is not in the list.
func (l *outputLevel) UnmarshalText(b []byte) error {
	return toolcall.OneOf(l, b, outputConcise, outputSilent, outputNormal, outputVerbose, outputFull)
}
