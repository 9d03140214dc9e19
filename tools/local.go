package tools

import "github.com/agent-lsp/agent-lsp/internal/output"

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
func CommandResult(shown output.Shown, how output.Ended) Result {
	out := describeOutput(shown)
	out.ended(how)
	return Result{Rendering: out.render(digitsOf), Output: out}
}

// ReadCommandResult reads a command's structured answer. The error is what a
// failed one tells of.
func ReadCommandResult(answer []byte) (Result, error) {
	out := new(commandOutput)
	if err := readAnswer(answer, out); err != nil {
		return Result{}, err
	}
	return Result{Rendering: out.render(digitsOf), Output: out}, nil
}

// OutputFiles are the kept files of a command's result, if it is one.
func (r Result) OutputFiles() []string {
	if out, ok := r.Output.(*commandOutput); ok {
		return out.OutputFiles
	}
	return nil
}

// ExitCode is the exit code of a command's result, if it has one.
func (r Result) ExitCode() (code int, ok bool) {
	if out, is := r.Output.(*commandOutput); is && out.ExitCode != nil {
		return *out.ExitCode, true
	}
	return 0, false
}
