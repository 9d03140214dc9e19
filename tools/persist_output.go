package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

var persistOutput = tool[persistInput, *commandOutput]{
	name:     "persist_output",
	forHosts: true,
	doc: `For hosts that run commands themselves: keep a command's whole output, and get the part of it that tells what happened. ` +
		`Lines that tell of errors come before noise, in order, with marks where something was left out. ` +
		`The whole streams are then files under /.outputs/ for read_file and grep_files.`,
	run: runPersistOutput,
}

type persistInput struct {
	ID       string      `json:"id,omitempty" jsonschema:"Names the kept files, as the host's id of the call; made fit for a file's name and unique. Made up when absent."`
	Stdout   string      `json:"stdout,omitempty" jsonschema:"All that the command wrote to its standard output."`
	Stderr   string      `json:"stderr,omitempty" jsonschema:"All that it wrote to its standard error."`
	ExitCode *uint64     `json:"exit_code,omitempty" jsonschema:"The command's exit code."`
	Output   outputLevel `json:"output,omitempty" jsonschema:"How much is shown: silent (200 bytes), concise (2 KiB, the default), normal (8 KiB), verbose (16 KiB), full (at most 256 KiB)."`
}

// commandOutput is what is told of a command that ran.
type commandOutput struct {
	Stdout      string   `json:"stdout" jsonschema:"What is shown of the standard output: all of it, or lines that tell of errors, and the first and last."`
	Stderr      string   `json:"stderr" jsonschema:"What is shown of the standard error."`
	ExitCode    *int     `json:"exit_code,omitempty" jsonschema:"128 and the number of the signal, when one ended it."`
	Success     *bool    `json:"success,omitempty" jsonschema:"The exit code is 0, and the time was not over."`
	Signal      string   `json:"signal,omitempty" jsonschema:"The signal that ended the command."`
	TimedOut    bool     `json:"timed_out,omitzero" jsonschema:"The command was ended because its time was over."`
	FullOutput  string   `json:"full_output,omitempty" jsonschema:"The file with the whole standard output (standard error, when there is no other), for read_file."`
	TotalLines  int      `json:"total_lines" jsonschema:"Lines of that file."`
	OutputFiles []string `json:"output_files,omitempty" jsonschema:"The files with the whole standard output and standard error, in this order."`
	Truncated   bool     `json:"truncated,omitzero" jsonschema:"What is shown is not all."`
	Notes       []string `json:"notes,omitempty"`
}

func runPersistOutput(_ context.Context, env *toolcall.Env, in persistInput) (*commandOutput, error) {
	r, err := record(env, in.ID, in.Output)
	if err != nil {
		return nil, err
	}
	_, _ = r.Stdout.Write([]byte(in.Stdout)) // a recording takes everything
	_, _ = r.Stderr.Write([]byte(in.Stderr))
	out := describeOutput(r.Finish())
	if in.ExitCode != nil {
		out.ended(output.Ended{ExitCode: toolcall.NumberOr(in.ExitCode, 0)})
	}
	return out, nil
}

// record begins to keep a command's output.
func record(e *toolcall.Env, id string, level outputLevel) (*output.Recording, error) {
	if e.Outputs == nil {
		return nil, fault.New(fault.IO, "there is no cache folder to keep output in").
			Advise("the person can set XDG_CACHE_HOME or HOME, and make the folder writable")
	}
	return e.Outputs.Record(id, output.Level(level))
}

func describeOutput(shown output.Shown) *commandOutput {
	out := &commandOutput{
		Stdout: shown.Stdout, Stderr: shown.Stderr, OutputFiles: shown.Files,
		FullOutput: shown.Files[0], TotalLines: shown.StdoutLines,
		Truncated: !shown.Whole, Notes: shown.Notes,
	}
	if shown.StdoutLines == 0 && shown.StderrLines > 0 {
		out.FullOutput, out.TotalLines = shown.Files[1], shown.StderrLines
	}
	return out
}

func (o *commandOutput) ended(how output.Ended) {
	success := how.ExitCode == 0 && !how.TimedOut
	o.ExitCode, o.Success = &how.ExitCode, &success
	o.Signal, o.TimedOut = how.Signal, how.TimedOut
}

func (o *commandOutput) Render(toolcall.ShowHash) toolcall.Rendering {
	header := o.outcome()
	if o.Truncated {
		header += "\nfull output: " + o.FullOutput + ", " + wording.Plural(o.TotalLines, "line", "lines")
		if o.Stderr != "" && o.FullOutput == o.OutputFiles[0] {
			header += "; standard error: " + o.OutputFiles[1]
		}
		header += "; read more with read_file"
	}
	header = strings.Join(append([]string{header}, o.Notes...), "\nnote: ")
	body := o.Stdout
	if o.Stderr != "" {
		body = strings.TrimPrefix(body+"\nstderr:\n"+o.Stderr, "\n")
	}
	return toolcall.Rendering{Header: header, Body: body}
}

// outcome is the first line: how the command ended.
func (o *commandOutput) outcome() string {
	switch {
	case o.ExitCode == nil:
		return "output kept"
	case o.TimedOut:
		return fmt.Sprintf("the time was over; exit code %d", *o.ExitCode)
	case o.Signal != "":
		return fmt.Sprintf("ended by %s; exit code %d", o.Signal, *o.ExitCode)
	case *o.Success:
		return "done; exit code 0"
	}
	return fmt.Sprintf("failed; exit code %d", *o.ExitCode)
}
