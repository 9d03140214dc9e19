package tools

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// All returns every tool, in the order in which they are shown.
func All() []Definition {
	return []Definition{
		readFile.define(),
		outlineTool.define(),
		editFile.define(),
	}
}

// tool is a tool as its file declares it.
type tool[In any, Out output] struct {
	name string
	// doc is what a model reads: what the tool is for and how to use it well.
	doc string
	// changes: the tool can change files.
	changes bool
	run     func(context.Context, *Env, In) (Out, error)
}

// output is what a tool gives: it marshals to the structured result and
// renders itself for a model.
type output interface {
	render() Rendering
}

// Definition is a tool as the fronts see it.
type Definition struct {
	Name, Doc string
	// ReadOnly tells that no call of the tool changes anything.
	ReadOnly bool
	// InputSchema and OutputSchema are JSON Schemas of the arguments and of
	// the structured result.
	InputSchema, OutputSchema wire.RawValue

	call func(context.Context, *Env, wire.RawValue) Result
}

// Call runs the tool with the given arguments, a JSON object. It never
// panics the caller for what the arguments hold.
func (d Definition) Call(ctx context.Context, env *Env, arguments wire.RawValue) Result {
	return d.call(ctx, env, arguments)
}

func (t tool[In, Out]) define() Definition {
	in := schemaOf[In]()
	return Definition{
		Name: t.name, Doc: t.doc, ReadOnly: !t.changes,
		InputSchema: in.raw, OutputSchema: schemaOf[Out]().raw,
		call: func(ctx context.Context, env *Env, arguments wire.RawValue) Result {
			var args In
			if err := decodeArguments(arguments, &args, in); err != nil {
				return failure(err)
			}
			out, err := t.run(ctx, env, args)
			if err == nil && ctx.Err() != nil && !t.changes {
				err = ctx.Err()
			}
			if err != nil {
				return failure(err)
			}
			return Result{Rendering: out.render(), structured: out}
		},
	}
}

func failure(err error) Result {
	e := fault.From(err)
	return Result{Rendering: Rendering{Header: e.Error()}, Err: e}
}
