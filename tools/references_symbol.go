package tools

import (
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// symbolInput names a symbol by where it stands.
type symbolInput struct {
	Path   string  `json:"path" jsonschema:"A file that defines or uses it."`
	Symbol string  `json:"symbol,omitempty" brief:"as in read_file" jsonschema:"Name of a definition in the file, as read_file takes it."`
	Line   *uint64 `json:"line,omitempty" jsonschema:"Or the line, from 1, where text stands."`
	Text   string  `json:"text,omitempty" brief:"the name there" jsonschema:"The name on that line, or enough of the line to tell which: Close, f.Close, Close(err."`
}

// namedPlace is where a symbol's name stands.
type namedPlace struct {
	toolcall.Place
	name string
}

// locate finds the name in the file's present text. Errors are symbol_not_found,
// ambiguous_symbol, text_not_found, ambiguous_match, and those of reading the file.
func (in symbolInput) locate(ctx context.Context, env *toolcall.Env) (*namedPlace, error) {
	f, err := env.File(ctx, in.Path, "")
	if err != nil {
		return nil, err
	}
	byLine := toolcall.NonZero(in.Line) != nil || in.Text != ""
	switch {
	case f.Binary:
		return nil, fault.New(fault.BinaryFile, "the file holds no text").At(f.Path.Rel)
	case f.OutOfSync() != "":
		return nil, fault.New(fault.BufferUnsure, "the editor's text may differ from the mirrored one (%s)", f.OutOfSync()).
			At(f.Path.Rel).Advise("Try again in a moment.")
	case in.Symbol != "" && byLine:
		return nil, fault.New(fault.InvalidParams, `"symbol" and "line" with "text" exclude each other`)
	case in.Symbol != "":
		return in.bySymbol(ctx, env, f)
	case toolcall.NonZero(in.Line) == nil || in.Text == "":
		return nil, fault.New(fault.InvalidParams, `give "symbol", or "line" and "text"`).
			Advise("text is the name on that line.")
	}
	return in.byText(f)
}

func (in symbolInput) bySymbol(ctx context.Context, env *toolcall.Env, f *buffers.File) (*namedPlace, error) {
	o, err := toolcall.OutlineOf(ctx, env, f)
	if err != nil {
		return nil, err
	}
	found, near := o.Find(in.Symbol)
	switch {
	case len(found) == 0:
		return nil, toolcall.SymbolNotFound(o, in.Symbol, near).At(f.Path.Rel).
			Advise("symbol names what this file defines; what it only uses is named by line and text.")
	case len(found) > 1:
		e := toolcall.AmbiguousSymbol(o, in.Symbol, found).At(f.Path.Rel)
		return nil, e.Advise("Name one with its container, or by line and text.")
	}
	s := &o.Symbols[found[0]]
	return &namedPlace{toolcall.Place{File: f, Offset: s.NameSpan.Start}, s.Name}, f.Err()
}

// byText finds the name by its line.
func (in symbolInput) byText(f *buffers.File) (*namedPlace, error) {
	n := toolcall.NumberOr(in.Line, 0)
	if n > f.Content.Lines() {
		return nil, fault.New(fault.InvalidParams, "the file has %d lines, and no line %d", f.Content.Lines(), n).At(f.Path.Rel)
	}
	start := f.Content.LineStart(n - 1)
	line := f.Content.Append(nil, text.Span{Start: start, End: f.Content.LineStart(n)})
	if err := f.Err(); err != nil {
		return nil, err
	}
	from, to := nameIn(in.Text)
	if from == to {
		return nil, fault.New(fault.InvalidParams, `"text" holds no name`).At(f.Path.Rel)
	}
	var at []int
	for i := 0; i < len(line); i++ {
		j := strings.Index(string(line[i:]), in.Text)
		if j < 0 {
			break
		}
		i += j
		if isWholeWord(line, text.Span{Start: i + from, End: i + to}) {
			at = append(at, i+from)
		}
	}
	shown := wording.Shortened(in.Text)
	switch len(at) {
	case 0:
		return nil, fault.New(fault.TextNotFound, "line %d has no %q", n, shown).At(f.Path.Rel).
			Advise("The line is: %s", cutText(strings.TrimSpace(string(line)), maxDiagnosedLine))
	case 1:
		return &namedPlace{toolcall.Place{File: f, Offset: start + at[0]}, in.Text[from:to]}, nil
	}
	return nil, fault.New(fault.AmbiguousMatch, "%q stands on line %d %d times", shown, n, len(at)).At(f.Path.Rel).
		Advise("Give more of the line in text, the name first.")
}

// nameIn returns where in a text the name stands that is meant: the last one of a
// qualified name, else the first.
func nameIn(s string) (from, to int) {
	isName := func(c byte) bool { return find.IsNameByte(c) || c >= 0x80 || c == '$' }
	qualified := true
	for i := range len(s) {
		qualified = qualified && (isName(s[i]) || strings.IndexByte(".:->?", s[i]) >= 0)
	}
	for i := 0; i < len(s); i++ {
		if !isName(s[i]) {
			continue
		}
		from = i
		for i < len(s) && isName(s[i]) {
			i++
		}
		if to = i; !qualified {
			break
		}
	}
	return from, to
}

// isWholeWord reports whether no name goes on at either end of a span.
func isWholeWord(b []byte, s text.Span) bool {
	return (s.Start == 0 || !goesOnName(b[s.Start-1])) && (s.End >= len(b) || !goesOnName(b[s.End]))
}

func goesOnName(c byte) bool { return find.IsNameByte(c) || c >= 0x80 }
