package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// maxSymbols is how many symbols a structured answer holds.
const maxSymbols = 10000

var outlineTool = tool[outlineInput, *outlineOutput]{
	name: "outline",
	doc: `Show what a file defines, unsaved changes included: functions, types and their members, headings, keys, with their lines and signatures. ` +
		`It costs a fraction of reading the file. Then read what matters: read_file with symbol, or start_line and end_line. ` +
		`In a large file narrow it by query, kinds or depth.`,
	run: runOutline,
}

type outlineInput struct {
	Path  string   `json:"path" jsonschema:"File to outline: relative to the workspace root, absolute, or a file:// or untitled: URI."`
	Depth *uint64  `json:"depth,omitempty" jsonschema:"Deepest level to show; 0 is the top."`
	Kinds []string `json:"kinds,omitempty" jsonschema:"Only these kinds: function, method, constructor, class, struct, interface, enum, field, property, constant, variable, module, namespace, object, key, string (headings) …"`
	Query string   `json:"query,omitempty" jsonschema:"Only symbols with names like this, in any case."`
}

// outlineOutput is what the outline tool gives. Byte ranges are half open,
// line ranges inclusive and 1-based.
type outlineOutput struct {
	standing
	textFormat
	extent
	Method    string       `json:"method" jsonschema:"How the symbols were found: grammar, json, keywords (a guess) or none"`
	Total     int          `json:"total" jsonschema:"How many symbols suit the call."`
	Symbols   []symbolItem `json:"symbols"`
	Truncated bool         `json:"truncated" jsonschema:"symbols lacks some of them; narrow the call."`
	Notes     []string     `json:"notes,omitempty"`

	text string
}

func runOutline(ctx context.Context, env *Env, in outlineInput) (*outlineOutput, error) {
	kinds, err := in.kinds()
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		out, err := outlineOnce(ctx, env, in, kinds)
		if err == nil || !buffers.IsChanged(err) || try == maxReads {
			return out, err
		}
		env.refresh()
	}
}

// kinds returns the kinds that the call asks for; none stands for all.
func (in outlineInput) kinds() ([]syntax.Kind, error) {
	kinds := make([]syntax.Kind, len(in.Kinds))
	for i, name := range in.Kinds {
		k, ok := syntax.ParseKind(name)
		if !ok {
			return nil, fault.New(fault.InvalidParams, `"kinds": there is no kind %q`, shortened(name)).
				Advise("The kinds are LSP's, in lower case: function, method, class, struct, interface, enum, field …")
		}
		kinds[i] = k
	}
	return kinds, nil
}

func outlineOnce(ctx context.Context, env *Env, in outlineInput, kinds []syntax.Kind) (*outlineOutput, error) {
	f, err := env.file(ctx, in.Path, "")
	if fault.KindOf(err) == fault.IsDirectory {
		return nil, fault.From(err).Advise("This version outlines files: name one in it.")
	}
	if err != nil {
		return nil, err
	}
	d := describe(f)
	out := &outlineOutput{
		standing: d.standing, textFormat: d.textFormat, extent: d.extent, Notes: d.notes,
		Method: string(syntax.ByNothing), Symbols: []symbolItem{},
	}
	if mediaOf(f).mode != "" {
		out.ContentType = typeBinary
		out.Notes = append(out.Notes, "There is no outline: the file holds no text.")
		return out, nil
	}
	out.ContentType, out.Language = classify(f)
	if why := out.noStructure(); why != "" {
		out.Notes = append(out.Notes, "There is no outline: "+why+".")
		return out, nil
	}
	o, err := outlineOf(ctx, env, f)
	if err != nil {
		return nil, fault.From(err).At(f.Path.Rel)
	}
	out.fill(o, in.choose(o, kinds))
	return out, nil
}

// choose returns the symbols that the call asks for.
func (in outlineInput) choose(o *outline.Outline, kinds []syntax.Kind) []int {
	which := o.All()
	if in.Query != "" {
		which = o.Match(in.Query)
	}
	return slices.DeleteFunc(which, func(i int) bool {
		s := &o.Symbols[i]
		return s.Depth > number(in.Depth, s.Depth) || len(kinds) > 0 && !slices.Contains(kinds, s.Kind)
	})
}

func (out *outlineOutput) fill(o *outline.Outline, which []int) {
	out.Method, out.Total = string(o.Method), len(which)
	if note := howFound(o); note != "" {
		out.Notes = append(out.Notes, note)
	} else if len(which) == 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("None of the %s suits the call.", plural(len(o.Symbols), "symbol", "symbols")))
	}
	out.text, _ = o.Render(which, 0, budget(*out.TextBytes, maxOutlineBytes), "narrow it by query, kinds or depth")
	listed := o.Shallowest(which, maxSymbols)
	out.Symbols, out.Truncated = symbolItems(o, listed), len(listed) < len(which)
}

func (out *outlineOutput) render() Rendering {
	var h strings.Builder
	fmt.Fprintf(&h, "%s: %s", oneLine(out.Path), plural(out.Total, "symbol", "symbols"))
	if out.TotalLines != nil {
		fmt.Fprintf(&h, " in %s", plural(*out.TotalLines, "line", "lines"))
	}
	fmt.Fprintf(&h, " [%s]\nhash: %s", out.state(), out.ContentHash)
	for _, n := range out.Notes {
		h.WriteString("; note: " + n)
	}
	return Rendering{Header: h.String(), After: out.text}
}
