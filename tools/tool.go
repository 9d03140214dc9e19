package tools

import (
	"context"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// All returns every tool, in the order in which they are shown.
func All() []Definition {
	return []Definition{
		newReadFile(media.NewDesk()).define(),
		grepFiles.define(),
		outlineTool.define(),
		listDirectory.define(),
		findFiles.define(),
		openFiles.define(),
		diagnostics.define(),
		editFile.define(),
		writeFile.define(),
		applyPatch.define(),
		replaceInFiles.define(),
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
	// wide: an answer depends on documents beside those that a call names.
	wide bool
	// needs is the setting without which the tool is not there; nil for none.
	needs func(settings.Settings) bool
	// paths are those that the argument patch names, for a tool whose calls name
	// files there; may be nil.
	paths func(patch string) []string
	// named are the paths that the arguments name, for a tool whose calls name
	// several; may be nil.
	named func(wire.RawValue, schema) []string
	// merge makes one output of those of several editors; may be nil.
	merge func([]part[Out]) Out
	run   func(context.Context, *Env, In) (Out, error)
}

// answer is what a tool gives: it marshals to the structured result and
// renders itself for a model, which sees hashes as show gives them.
type answer interface {
	render(show showHash) Rendering
}

// Definition is a tool as the fronts see it.
type Definition struct {
	Name, Doc string
	// ReadOnly tells that no call of the tool changes anything.
	ReadOnly bool
	// Local tells that the tool is for MCP and the command line alone: it is
	// never served over LSP nor over a session's socket.
	Local bool
	// Wide tells that an answer depends on all documents in a folder, as that
	// of a search does, and not on those alone that a call names.
	Wide bool
	// Several tells that a call may name several files, or none and mean any: then
	// its answer depends on all documents there, too.
	Several bool
	// InputSchema is the JSON Schema of the arguments.
	InputSchema wire.RawValue

	needs  func(settings.Settings) bool
	paths  func(wire.RawValue) []string
	merge  func([]Part) Result
	output func() wire.RawValue
	brief  func() wire.RawValue
	call   func(context.Context, *Env, wire.RawValue) Result
}

// OutputSchema is the JSON Schema of the structured result. It is made when it
// is first asked for: most processes never send it.
func (d Definition) OutputSchema() wire.RawValue { return d.output() }

// BriefSchema is InputSchema as a model is sent it: with short descriptions of
// those arguments whose names do not say it.
func (d Definition) BriefSchema() wire.RawValue { return d.brief() }

// Available tells whether the tool is listed under these settings. A call of
// one that is not is refused.
func (d Definition) Available(s settings.Settings) bool { return d.needs == nil || d.needs(s) }

// RefuseLocal is the answer to a call of a Local tool by another way than
// those it is for.
func RefuseLocal(d Definition) Result {
	return Failed(fault.New(fault.PermissionDenied, "%s is not for editors: it is over MCP and on the command line alone", d.Name).
		Advise("a host that runs commands itself hands their output to persist_output"))
}

// Call runs the tool with the given arguments, a JSON object. It never
// panics the caller for what the arguments hold.
func (d Definition) Call(ctx context.Context, env *Env, arguments wire.RawValue) Result {
	r := d.call(ctx, env, arguments)
	if env.Notices != nil {
		for _, n := range env.Notices() {
			r = r.Note(n)
		}
	}
	r = r.Within(env.Client, arguments)
	env.Usage.count(d, env.Client, r)
	env.tell(ctx, d, arguments, r)
	return r
}

func (t tool[In, Out]) define() Definition {
	in := schemaOf[In]()
	paths := pathsIn(in.Schema, "path", func(path string) []string { return []string{path} })
	if t.paths != nil {
		paths = pathsIn(in.Schema, "patch", t.paths)
	}
	if t.named != nil {
		paths = func(arguments wire.RawValue) []string { return t.named(arguments, in) }
	}
	return Definition{
		Name: t.name, Doc: t.doc, ReadOnly: !t.changes, Local: t.local, Wide: t.wide, Several: t.named != nil, needs: t.needs, paths: paths, merge: merger(t.merge),
		InputSchema: in.raw, output: sync.OnceValue(func() wire.RawValue { return schemaOf[Out]().raw }),
		brief: sync.OnceValue(func() wire.RawValue { return brief[In]().raw }),
		call: func(ctx context.Context, env *Env, arguments wire.RawValue) Result {
			var args In
			if err := decodeArguments(arguments, &args, in); err != nil {
				return failure(err, env.showHash)
			}
			out, err := t.run(ctx, env, args)
			if err == nil && ctx.Err() != nil && !t.changes {
				err = ctx.Err()
			}
			if err != nil {
				return failure(err, env.showHash)
			}
			return Result{Rendering: out.render(env.showHash), structured: out}
		},
	}
}
