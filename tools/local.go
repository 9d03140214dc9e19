package tools

import (
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// OnDisk returns what a call needs where there is no editor: the files of g
// as they are on disk. now is the clock that their times are held against.
func OnDisk(g *workspace.Gate, now func() time.Time) *Env {
	store, disk := buffers.NewStore(), buffers.NewDisk(now)
	fresh := func() *buffers.Snapshot { return buffers.NewSnapshot(store.Overlay(), g, disk) }
	return &Env{Snapshot: fresh(), Now: fresh, Client: Client{Name: "command line"}}
}

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
	return Result{Rendering: out.render(), structured: out}
}

// OutputFiles are the kept files of a command's result, if it is one.
func (r Result) OutputFiles() []string {
	if out, ok := r.structured.(*commandOutput); ok {
		return out.OutputFiles
	}
	return nil
}

// ExitCode is the exit code of a command's result, if it has one.
func (r Result) ExitCode() (code int, ok bool) {
	if out, is := r.structured.(*commandOutput); is && out.ExitCode != nil {
		return *out.ExitCode, true
	}
	return 0, false
}
