package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// maxSymbols is how many symbols a structured answer holds.
const maxSymbols = 10000

var outlineTool = tool[outlineInput, *outlineOutput]{
	name: "outline",
	doc: `List definitions (functions, classes …) of a file or folder by container, cheaper than reading. ` +
		`query finds names anywhere: "Type.method", "usr serv". Then read_file symbol.`,
	about:    aboutFolder("query"),
	terminal: Terminal{Arguments: []string{"path"}},
	run:      runOutline,
}

type outlineInput struct {
	Path       string   `json:"path,omitempty" jsonschema:"File or folder to outline: relative to the workspace root (\".\" is everything), absolute, or a file:// or untitled: URI. With query it may be left out."`
	Depth      *uint64  `json:"depth,omitempty" brief:"0 is the top" jsonschema:"Deepest level to show; 0 is the top."`
	Kinds      []string `json:"kinds,omitempty" brief:"function, type, …" jsonschema:"Only these kinds: function, method, constructor, class, struct, interface, enum, field, property, constant, variable, module, namespace, object, key, string (headings) …"`
	Query      string   `json:"query,omitempty" jsonschema:"Only symbols with names like this, in any case."`
	Signatures bool     `json:"signatures,omitempty" jsonschema:"Show signatures, a line each, however many there are; without it they stand where they take up to 1 KiB in all, else names."`
}

// outlineOutput is what the outline tool gives. Byte ranges are half open,
// line ranges inclusive and 1-based.
type outlineOutput struct {
	Path          string `json:"path"`
	*fileOutlined        // nil for a folder
	Total         int    `json:"total" jsonschema:"How many symbols suit the call."`
	*fileSymbols         // nil for a folder
	// Files are those of a folder, or of a query over several files.
	Files     []outlinedFile `json:"files,omitempty" jsonschema:"Of a folder: its files, in order; of a query: the best first."`
	More      int            `json:"more_files,omitzero" jsonschema:"How many files of the folder are not outlined."`
	Truncated bool           `json:"truncated" jsonschema:"Some symbols are not shown; narrow the call."`
	Notes     []string       `json:"notes,omitempty"`

	text   string
	query  string
	untold int // hits of a query that a model is not shown
}

// fileOutlined is what is true of one file.
type fileOutlined struct {
	toolcall.FileState
	toolcall.TextFormat
	toolcall.Extent
	Method string `json:"method" jsonschema:"How the symbols were found: grammar, json, keywords (a guess) or none"`
}

type fileSymbols struct {
	Symbols []toolcall.SymbolItem `json:"symbols" jsonschema:"Of one file."`
}

// Optional names the members that an outline of a folder lacks.
func (*outlineOutput) Optional() []string {
	return []string{"uri", "source", "dirty", "size_bytes", "content_hash", "method", "symbols"}
}

func runOutline(ctx context.Context, env *toolcall.Env, in outlineInput) (*outlineOutput, error) {
	kinds, err := in.kinds()
	if err != nil {
		return nil, err
	}
	if in.Path == "" && in.Query == "" {
		return nil, fault.New(fault.InvalidParams, `the argument "path" is missing`).
			Advise(`"." outlines the workspace; to find a symbol anywhere give "query".`)
	}
	switch folder, err := find.IsFolder(ctx, env, in.Path); {
	case err != nil:
		return nil, err
	case folder && in.Query != "":
		return outlineQuery(ctx, env, in, kinds)
	case folder:
		return outlineFolder(ctx, env, in, kinds)
	}
	return toolcall.Retry(env, func() (*outlineOutput, error) { return outlineOnce(ctx, env, in, kinds) })
}

// otherKinds are what models call kinds by habit.
var otherKinds = map[string]string{"func": "function", "heading": "string"}

// kinds returns the kinds that the call asks for; none stands for all.
func (in outlineInput) kinds() ([]syntax.Kind, error) {
	var kinds []syntax.Kind
	for _, name := range in.Kinds {
		if name == "type" {
			kinds = append(kinds, syntax.Class, syntax.Struct, syntax.Interface, syntax.Enum)
			continue
		}
		k, ok := syntax.ParseKind(cmp.Or(otherKinds[name], name))
		if !ok {
			return nil, fault.New(fault.InvalidParams, `"kinds": there is no kind %q`, wording.Shortened(name)).
				Advise("The kinds are LSP's, in lower case: function, method, class, struct, interface, enum, field …; type is every type.")
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

func outlineOnce(ctx context.Context, env *toolcall.Env, in outlineInput, kinds []syntax.Kind) (*outlineOutput, error) {
	f, err := env.File(ctx, in.Path, "")
	if err != nil {
		return nil, err
	}
	d := toolcall.Describe(f)
	out := &outlineOutput{
		Path: d.Path, Notes: d.Notes,
		fileOutlined: &fileOutlined{FileState: d.FileState, TextFormat: d.TextFormat, Extent: d.Extent, Method: string(syntax.ByNothing)},
		fileSymbols:  &fileSymbols{Symbols: []toolcall.SymbolItem{}},
	}
	if toolcall.HoldsNoText(f) {
		out.ContentType = toolcall.TypeBinary
		out.Notes = append(out.Notes, "There is no outline: the file holds no text.")
		return out, nil
	}
	out.ContentType, out.Language = toolcall.Classify(f)
	if why := out.NoStructure(); why != "" {
		out.Notes = append(out.Notes, "There is no outline: "+why+".")
		return out, nil
	}
	o, err := toolcall.OutlineOf(ctx, env, f)
	if err != nil {
		return nil, fault.From(err).At(f.Path.Rel)
	}
	out.fill(o, in, in.choose(o, kinds))
	env.Remember(f)
	env.Reads.NoteFound(env.Client, f.Path.Key(), f.Hash)
	return out, nil
}

// choose returns the symbols that the call asks for.
func (in outlineInput) choose(o *outline.Outline, kinds []syntax.Kind) []int {
	which := o.All()
	if in.Query != "" {
		which = withMembers(o, o.Match(in.Query), in.Query)
	}
	return slices.DeleteFunc(which, func(i int) bool {
		s := &o.Symbols[i]
		return s.Depth > toolcall.NumberOr(in.Depth, s.Depth) || len(kinds) > 0 && !slices.Contains(kinds, s.Kind)
	})
}

// withMembers adds to the symbols that a query matches the members of the types
// that it names as they are written.
func withMembers(o *outline.Outline, which []int, query string) []int {
	q := find.NewQuery(query)
	named := func(name string) bool { return name != "" && name == q.Last }
	return slices.DeleteFunc(o.All(), func(i int) bool {
		s := &o.Symbols[i]
		_, matched := slices.BinarySearch(which, i)
		member := len(q.Others) == 0 && named(s.Container) && (s.Parent < 0 || o.Symbols[s.Parent].Kind.IsType())
		return !matched && !member
	})
}

// options returns how symbols are shown that the call asks for.
func (in outlineInput) options(budget int, hint string) outline.Options {
	opt := outline.Options{Budget: budget, Hint: hint, Details: len(in.Kinds) > 0}
	opt.Deep = opt.Details || in.Depth != nil || in.Query != ""
	if in.Signatures {
		opt.Style = outline.Signatures
	}
	return opt
}

func (out *outlineOutput) fill(o *outline.Outline, in outlineInput, which []int) {
	out.Method, out.Total = string(o.Method), len(which)
	if note := toolcall.HowFound(o); note != "" {
		out.Notes = append(out.Notes, note)
	} else if len(which) == 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("None of the %s suits the call.", wording.Plural(len(o.Symbols), "symbol", "symbols")))
	}
	opt := in.options(toolcall.AskedOutlineBudget(*out.TextBytes), "narrow it by query, kinds or depth")
	out.text, _ = o.Render(which, opt)
	listed := o.Shallowest(which, maxSymbols)
	out.Symbols, out.Truncated = toolcall.SymbolItems(o, listed), len(listed) < len(which)
}

func (out *outlineOutput) Render(show toolcall.ShowHash) toolcall.Rendering {
	if out.fileOutlined == nil {
		return out.renderFiles()
	}
	var h strings.Builder
	summary := wording.OneLine(out.Path) + ": " + wording.Plural(out.Total, "symbol", "symbols")
	if out.TotalLines != nil {
		h.WriteString(wording.Plural(*out.TotalLines, "line", "lines") + out.Mark() + "; ")
	}
	h.WriteString("hash " + show(out.Path, out.ContentHash))
	for _, n := range out.Notes {
		h.WriteString("; note: " + n)
	}
	return toolcall.Rendering{Header: h.String(), Summary: summary, After: out.text}
}
