package tools

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

var references = tool[referencesInput, *referencesOutput]{
	name: "references",
	doc: `Find what uses or defines a symbol, by the editor's language server: no comments, no namesakes. ` +
		`Name it by symbol, or by line and text.`,
	about:    aboutPath,
	terminal: Terminal{Arguments: []string{"path", "symbol"}, Cut: cutHits},
	run:      runReferences,
}

type referencesInput struct {
	symbolInput
	Relation   relation `json:"relation,omitempty" brief:"definition, type_definition, implementations, callers, callees" jsonschema:"What to find; references by default, the declaration among them."`
	MaxResults *uint64  `json:"max_results,omitempty" brief:"-" jsonschema:"Most lines to answer; 100 by default."`
	Cursor     string   `json:"cursor,omitempty" jsonschema:"From the last answer, to go on after it; all else as it was."`
}

// relation is what is looked for of a symbol.
type relation string

const (
	relReferences      relation = "references"
	relDefinition      relation = "definition"
	relTypeDefinition  relation = "type_definition"
	relImplementations relation = "implementations"
	relCallers         relation = "callers"
	relCallees         relation = "callees"
)

// UnmarshalText refuses what is not in the list.
func (r *relation) UnmarshalText(b []byte) error {
	return toolcall.OneOf(r, b, relReferences, relDefinition, relTypeDefinition, relImplementations, relCallers, relCallees)
}

// showsDefinitions reports whether what is found is shown whole where it is short.
func (r relation) showsDefinitions() bool { return r == relDefinition || r == relTypeDefinition }

// referencesOutput is what references gives. Lines and columns are 1-based, columns
// in bytes.
type referencesOutput struct {
	By      string     `json:"by" jsonschema:"Who answered: language servers, or text."`
	Pending string     `json:"pending,omitempty" jsonschema:"What a language server is busy with: there may be more when it is done."`
	Total   int        `json:"total,omitzero" jsonschema:"Places in all, where a language server told them; several may stand on one line."`
	Files   []grepFile `json:"files"`
	grepCounts

	none string // what there is none of
}

// byText is who answers where no language server does.
const byText = "text"

func runReferences(ctx context.Context, env *toolcall.Env, in referencesInput) (*referencesOutput, error) {
	if in.Relation == "" {
		in.Relation = relReferences
	}
	return toolcall.Retry(env, func() (*referencesOutput, error) { return in.find(ctx, env) })
}

// find answers from the present state. A text that changes meanwhile is an error.
func (in referencesInput) find(ctx context.Context, env *toolcall.Env) (*referencesOutput, error) {
	symbol, err := in.locate(ctx, env)
	if err != nil {
		return nil, err
	}
	out := &referencesOutput{none: strings.ReplaceAll(string(in.Relation), "_", " ") + " of " + symbol.name}
	p := &placePage{env: env, in: in, out: out}
	if p.max, out.Notes = toolcall.CountOf("max_results", in.MaxResults, defaultResults, maxResults); p.max == 0 {
		p.max = defaultResults
	}
	if p.after, err = parsePlaceCursor(in.Cursor, in.fingerprint()); err != nil {
		return nil, err
	}
	found, why, err := in.askServers(ctx, env, symbol)
	switch {
	case err != nil:
		return nil, err
	case found != nil:
		out.By, out.Pending = strings.Join(found.By, ", "), found.Busy
		p.takePlaces(found)
	default:
		out.By = byText
		out.Notes = append(out.Notes, why)
		if err := p.takeText(ctx, symbol); err != nil {
			return nil, err
		}
	}
	return out, p.fill(ctx)
}

// askServers asks the editor's language servers. Where there is nobody to ask it
// returns nil, and why.
func (in referencesInput) askServers(ctx context.Context, env *toolcall.Env, symbol *namedPlace) (*toolcall.Places, string, error) {
	const byName = ": found by name, namesakes included"
	if env.Editor == nil {
		return nil, "no editor is attached" + byName, nil
	}
	if d := symbol.File.Document; d != nil && d.IsPeer() {
		return nil, "another editor has the file open" + byName, nil
	}
	found, err := env.Editor.Places(ctx, env.Snapshot, symbol.Place, string(in.Relation))
	switch {
	case fault.KindOf(err) == fault.NoEditor:
		return nil, "the editor's plugin does not ask language servers" + byName, nil
	case err != nil:
		return nil, "", err
	case len(found.By) == 0 && found.Busy == "":
		return nil, "no language server of the editor answers this for the file" + byName, nil
	}
	return found, "", nil
}

// fingerprint tells questions apart.
func (in referencesInput) fingerprint() string {
	what := fmt.Sprintf("%q %q %q %d %q", in.Relation, in.Path, in.Symbol, toolcall.NumberOr(in.Line, 0), in.Text)
	h := text.HashBytes([]byte(what))
	return hex.EncodeToString(h[:4])
}

// list is what is found, as grep_files shows it.
func (o *referencesOutput) list() *grepOutput {
	return &grepOutput{Output: outputLines, Files: o.Files, grepCounts: o.grepCounts, nothingLeftOut: true}
}

// AppendJSON appends the answer as the codec would write it, with the files as
// grep_files writes them.
func (o *referencesOutput) AppendJSON(dst []byte) ([]byte, error) {
	dst = wire.AppendString(append(dst, `{"by":`...), o.By)
	if o.Pending != "" {
		dst = wire.AppendString(append(dst, `,"pending":`...), o.Pending)
	}
	if o.Total != 0 {
		dst = appendInt(dst, "total", o.Total)
	}
	const head = `{"output":"lines"`
	at := len(dst)
	dst, err := o.list().AppendJSON(dst)
	if err == nil {
		dst = append(dst[:at], dst[at+len(head):]...) // they go on in the same object
	}
	return dst, err
}

// Render shows the places as grep_files does, below who told them.
func (o *referencesOutput) Render(show toolcall.ShowHash) toolcall.Rendering {
	list := o.list()
	header := "by " + o.By
	if o.Pending != "" {
		header = "pending: " + o.Pending + "; ask again, there may be more; " + header
	}
	switch counted := list.counted(); {
	case o.Results == 0 && o.Pending == "":
		header = "no " + wording.OneLine(o.none) + "; " + header
	case o.Results > fewResults || o.More:
		header = counted + "; " + header
	}
	if o.More {
		if o.Total > o.Results {
			header = fmt.Sprintf("of %d places, ", o.Total) + header
		}
		header += fmt.Sprintf("; there are more: cursor %q", o.Cursor)
	}
	if o.Hidden > 0 {
		header += fmt.Sprintf("; %s kept from agents", wording.Plural(o.Hidden, "place is", "places are"))
	}
	for _, n := range o.Notes {
		header += "\nnote: " + n
	}
	return toolcall.Rendering{Header: header, Summary: list.counted(), After: list.list(show)}
}
