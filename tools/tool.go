package tools

import (
	"context"
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/schema"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// All returns every tool, in the order in which they are shown.
func All() []Definition {
	return []Definition{
		newReadFile(media.NewSemaphore()).define(),
		grepFiles.define(),
		references.define(),
		outlineTool.define(),
		listDirectory.define(),
		findFiles.define(),
		openFiles.define(),
		diagnostics.define(),
		editFile.define(),
		writeFile.define(),
		applyPatch.define(),
		replaceInFiles.define(),
		renameSymbol.define(),
		codeAction.define(),
		editHistory.define(),
		revertEdit.define(),
		persistOutput.define(),
		runCommand.define(),
	}
}

// tool is a tool as its file declares it.
type tool[In any, Out answer] struct {
	name string
	// doc is what a model reads: what the tool is for and how to use it well.
	doc string
	// changes: the tool can change files.
	changes bool
	// local: the tool is for MCP and the command line alone.
	local bool
	// forHosts: the tool is for programs that run commands themselves.
	forHosts bool
	// once: the same call, made again, finds what it changed and changes nothing.
	once bool
	// terminal is how it is called and shown there.
	terminal Terminal
	// needs is the setting without which the tool is not there; nil for none.
	needs func(settings.Settings) bool
	// about reports what a call is about; nil for a tool that has no such arguments.
	about func(wire.RawValue, schema.Schema) Subject
	// merge makes one output of those of several editors; may be nil.
	merge func([]part[Out]) Out
	run   func(context.Context, *toolcall.Env, In) (Out, error)
}

// answer is what a tool gives: it marshals to the structured result and
// renders itself for a model, which sees hashes as show gives them.
type answer interface {
	Render(show toolcall.ShowHash) toolcall.Rendering
}

// Definition is a tool as the fronts see it.
type Definition struct {
	Name, Doc string
	// ReadOnly reports whether no call of the tool changes anything.
	ReadOnly bool
	// Local reports whether the tool is for MCP and the command line alone: it is
	// never served over LSP nor over a session's socket.
	Local bool
	// ForHosts reports whether the tool is for programs that run commands themselves: a
	// model has no use for it.
	ForHosts bool
	// Idempotent reports whether the same call, made again, changes nothing more: it is
	// refused, by the hash that guards it for example.
	Idempotent bool
	// Terminal is how the tool is called, and its answers shown, in a terminal.
	Terminal Terminal
	// InputSchema is the JSON Schema of the arguments.
	InputSchema wire.RawValue

	needs  func(settings.Settings) bool
	about  func(wire.RawValue) Subject
	merge  func([]Part) toolcall.Result
	output func() wire.RawValue
	brief  func() wire.RawValue
	call   func(context.Context, *toolcall.Env, wire.RawValue) toolcall.Result
}

// OutputSchema is the JSON Schema of the structured result. It is made when it
// is first asked for: most processes never send it.
func (d Definition) OutputSchema() wire.RawValue { return d.output() }

// BriefSchema is InputSchema as a model is sent it: with short descriptions of
// those arguments whose names do not say it.
func (d Definition) BriefSchema() wire.RawValue { return d.brief() }

// Available reports whether the tool is listed under these settings. A call of
// one that is not is refused.
func (d Definition) Available(s settings.Settings) bool { return d.needs == nil || d.needs(s) }

// RefuseLocal is the answer to a call of a Local tool by another way than
// those it is for.
func RefuseLocal(d Definition) toolcall.Result {
	return toolcall.Failed(fault.New(fault.PermissionDenied, "%s is not for editors: it is over MCP and on the command line alone", d.Name).
		Advise("a host that runs commands itself hands their output to persist_output"))
}

// Call runs the tool with the given arguments, a JSON object. It never
// panics the caller for what the arguments hold.
func (d Definition) Call(ctx context.Context, env *toolcall.Env, arguments wire.RawValue) toolcall.Result {
	var ids []string
	var later *toolcall.Delta
	if d.Name != diagnosticsName { // which tells them itself
		ids, later = env.Verdicts.Later(ctx, env)
	}
	r := d.call(ctx, env, arguments)
	for _, line := range later.Lines(ids) {
		r = r.Note("since " + ids[0] + ": " + line)
	}
	if env.Notices != nil {
		for _, n := range env.Notices() {
			r = r.Note(n)
		}
	}
	if !d.ReadOnly {
		env.Refresh() // what the call left is what its caller knows
	}
	if changed := env.Changes(); r.Err == nil && d.Name != openFiles.name {
		if told := toolcall.DescribeChanges(notNamed(changed, r)); told != "" {
			r = r.Note(told)
		}
	}
	r = r.Within(env.Client, arguments)
	env.Usage.Count(counted(d, env.Client, r))
	tell(ctx, env, d, arguments, r)
	return r
}

// notNamed leaves out the files that a call has changed: its answer tells of them.
func notNamed(changed []toolcall.ChangedFile, r toolcall.Result) []toolcall.ChangedFile {
	out, ok := r.Output.(*change.Output)
	if !ok {
		return changed
	}
	return slices.DeleteFunc(changed, func(c toolcall.ChangedFile) bool {
		return slices.ContainsFunc(out.Files, func(f change.ChangedFile) bool { return f.Path == c.Path.Rel || f.From == c.Path.Rel })
	})
}

func (t tool[In, Out]) define() Definition {
	in := schema.Of[In](enums)
	about := func(arguments wire.RawValue) Subject { return t.about(arguments, in) }
	if t.about == nil {
		about = nil
	}
	return Definition{
		Name: t.name, Doc: t.doc, ReadOnly: !t.changes, Local: t.local, ForHosts: t.forHosts, Idempotent: t.once || !t.changes, Terminal: t.terminal, needs: t.needs, about: about, merge: merger(t.merge),
		InputSchema: in.Raw, output: sync.OnceValue(func() wire.RawValue { return schema.Of[Out](enums).Raw }),
		brief: sync.OnceValue(func() wire.RawValue { return schema.Brief[In](enums).Raw }),
		call: func(ctx context.Context, env *toolcall.Env, arguments wire.RawValue) toolcall.Result {
			var args In
			if err := schema.Decode(arguments, &args, in); err != nil {
				return toolcall.Failure(err, env.ShowHash)
			}
			out, err := t.run(ctx, env, args)
			if err == nil && ctx.Err() != nil && !t.changes {
				err = ctx.Err()
			}
			if err != nil {
				return toolcall.Failure(err, env.ShowHash)
			}
			return toolcall.Result{Rendering: out.Render(env.ShowHash), Output: out}
		},
	}
}
