package tools

import (
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Find returns the tool of a name; the zero Definition when there is none.
func Find(name string) Definition {
	for _, d := range All() {
		if d.Name == name {
			return d
		}
	}
	return Definition{}
}

// CommandResult is the result of a command that a front ran itself.
func CommandResult(shown output.Shown, how output.Ended) toolcall.Result {
	out := describeOutput(shown)
	out.ended(how)
	return toolcall.Result{Rendering: out.Render(toolcall.FirstDigits), Output: out}
}

// ReadCommandResult reads a command's structured answer. The error is what a
// failed one tells of.
func ReadCommandResult(answer []byte) (toolcall.Result, error) {
	out := new(commandOutput)
	if err := readAnswer(answer, out); err != nil {
		return toolcall.Result{}, err
	}
	return toolcall.Result{Rendering: out.Render(toolcall.FirstDigits), Output: out}, nil
}

// OutputFiles are the kept files of a command's result, if it is one.
func OutputFiles(r toolcall.Result) []string {
	if out, ok := r.Output.(*commandOutput); ok {
		return out.OutputFiles
	}
	return nil
}

// ExitCode is the exit code of a command's result, if it has one.
func ExitCode(r toolcall.Result) (code int, ok bool) {
	if out, is := r.Output.(*commandOutput); is && out.ExitCode != nil {
		return *out.ExitCode, true
	}
	return 0, false
}
