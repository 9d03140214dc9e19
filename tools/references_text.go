package tools

import (
	"bytes"
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// maxTextFiles is in how many files a name is looked for that no language server
// knows.
const maxTextFiles = 5000

// takeText takes the files that hold a symbol's name, of which the places are found
// by identifier and syntax: whole words, and not in comments or strings.
func (p *placePage) takeText(ctx context.Context, symbol *namedPlace) error {
	switch p.in.Relation {
	case relReferences, relDefinition, relCallers:
	default:
		return fault.New(fault.NotSupported, "%s are known to language servers alone, and none can be asked", p.in.Relation).
			Advise("Ask for references, definition or callers, or use grep_files.")
	}
	matcher, err := search.Compile(search.Pattern{Text: symbol.name, Literal: true, Word: true, Case: search.Case(caseSensitive)})
	if err != nil {
		return err
	}
	a, err := p.env.Search.Search(ctx, p.env.Snapshot, search.Request{
		Matcher: matcher, Unit: search.Files, Max: maxTextFiles, Progress: p.env.ProgressFunc("searching"),
	})
	if err != nil {
		return err
	}
	p.out.Hidden = a.Hidden
	if a.More {
		p.out.Notes = append(p.out.Notes, "the name is in more files than are looked into")
	}
	family := languageFamily(symbol.File)
	for _, f := range a.Files {
		p.files = append(p.files, placeFile{path: f.Path, find: func(ctx context.Context, file *buffers.File, t text.Text) ([]text.Span, error) {
			if languageFamily(file) != family {
				return nil, nil
			}
			return p.namesIn(ctx, file, t, symbol.name)
		}})
	}
	return nil
}

// families are languages whose files use each other's names.
var families = map[string]string{
	"javascript": "script", "typescript": "script", "tsx": "script", "jsx": "script", "vue": "script", "svelte": "script",
	"c": "c", "cpp": "c", "objective-c": "c", "cuda": "c",
	"java": "jvm", "kotlin": "jvm", "scala": "jvm", "groovy": "jvm",
}

// languageFamily names the languages that a file's names may be used from; "" is
// that of files without one.
func languageFamily(f *buffers.File) string {
	l := toolcall.SyntaxOf(f)
	if l == nil {
		return ""
	}
	if family := families[l.Name]; family != "" {
		return family
	}
	return l.Name
}

// namesIn returns where the name stands in a file's code, as far as the relation asks
// for it.
func (p *placePage) namesIn(ctx context.Context, f *buffers.File, t text.Text, name string) ([]text.Span, error) {
	code := t.Append(make([]byte, 0, t.Len()), text.Span{End: t.Len()})
	if l := toolcall.SyntaxOf(f); l != nil {
		code = l.CodeOnly(code)
	}
	var spans []text.Span
	for i := 0; ; {
		n := bytes.Index(code[i:], []byte(name))
		if n < 0 {
			break
		}
		s := text.Span{Start: i + n, End: i + n + len(name)}
		if isWholeWord(code, s) {
			spans = append(spans, s)
		}
		i = s.End
	}
	if p.in.Relation == relReferences || len(spans) == 0 {
		return spans, nil
	}
	o, err := toolcall.OutlineOf(ctx, p.env, f)
	if err != nil {
		return nil, err
	}
	defines := make(map[text.Offset]bool)
	for i := range o.Symbols {
		defines[o.Symbols[i].NameSpan.Start] = true
	}
	var kept []text.Span
	for _, s := range spans {
		rest := bytes.TrimLeft(code[s.End:], " \t")
		isCall := bytes.HasPrefix(rest, []byte("(")) && !defines[s.Start]
		if p.in.Relation == relDefinition && defines[s.Start] || p.in.Relation == relCallers && isCall {
			kept = append(kept, s)
		}
	}
	return kept, nil
}
