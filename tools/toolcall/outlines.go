package toolcall

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// Sizes of rendered outlines, in bytes.
const (
	// MaxOutlineBytes caps every rendered outline.
	MaxOutlineBytes = 16 << 10
	// DefaultOutlineBytes is what an outline may take instead of a content
	// that is too large, where that is more than a twentieth of it.
	DefaultOutlineBytes = 4 << 10
	// RestOutlineBytes caps the outline of what an answer does not show.
	RestOutlineBytes = 2 << 10
	// LeastRestBytes is what it may take beside the shortest content.
	LeastRestBytes = 512
	// leastOutlineBytes is what an outline may take at least, however small
	// the text is.
	leastOutlineBytes = 512
	// smallOutlineBytes is what an outline that was asked for may take, where
	// that is no more than half of the text.
	smallOutlineBytes = 2 << 10
	// HeaderBytes is about what the header above an outline takes.
	HeaderBytes = 400
)

// MaxOutlinedText is the largest text that is looked into for definitions, in
// bytes.
const MaxOutlinedText = 64 << 20

// SymbolItem is one symbol in a structured answer.
type SymbolItem struct {
	Name      string `json:"name"`
	Kind      string `json:"kind" jsonschema:"As in LSP, in lower case: function, method, class, struct, string (a heading), key …"`
	Container string `json:"container,omitempty" jsonschema:"Name of what it belongs to."`
	Signature string `json:"signature" jsonschema:"Its head as written, in one line."`
	StartLine int    `json:"start_line" jsonschema:"With leading comments and decorators."`
	EndLine   int    `json:"end_line"`
	StartByte int    `json:"start_byte"`
	EndByte   int    `json:"end_byte"`
	Depth     int    `json:"depth" jsonschema:"0 at the top; what a symbol holds follows it, one deeper."`
}

// SymbolItems returns symbols of an outline, by their indexes, for a structured answer.
func SymbolItems(o *outline.Outline, which []int) []SymbolItem {
	items := make([]SymbolItem, len(which))
	for n, i := range which {
		s := &o.Symbols[i]
		items[n] = SymbolItem{
			Name: s.Name, Kind: s.Kind.String(), Container: s.Container, Signature: s.Signature,
			StartLine: s.StartLine, EndLine: s.EndLine, StartByte: s.Span.Start, EndByte: s.Span.End, Depth: s.Depth,
		}
	}
	return items
}

// OutlineOf returns the outline of a file's text. The error is that of reading
// the file, or of ctx.
func OutlineOf(ctx context.Context, env *Env, f *buffers.File) (*outline.Outline, error) {
	l, length := SyntaxOf(f), f.Content.Len()
	if length > MaxOutlinedText {
		return &outline.Outline{Method: syntax.ByNothing, Reason: "the text is larger than 64 MiB"}, nil
	}
	if IsNotebook(f) {
		if o, err := notebookOutline(f); o != nil || err != nil {
			return o, err
		}
	}
	if d := f.Document; d != nil {
		return env.Outlines.Document(ctx, d.Key(), l, d.Text)
	}
	key := outline.FileKey{Hash: f.Hash, Encoding: f.Format.Encoding, Language: l}
	return env.Outlines.File(ctx, key, func() ([]byte, error) {
		return f.Content.Append(make([]byte, 0, length), text.Span{End: length}), f.Err()
	})
}

// HasStructure reports whether a text is of a sort that has definitions, headings
// or keys.
func (f *TextFormat) HasStructure() bool {
	return f.ContentType == TypeSource || f.ContentType == TypeConfig || f.IsMarkdown()
}

// IsMarkdown reports whether the text is Markdown.
func (f *TextFormat) IsMarkdown() bool {
	return f.ContentType == TypeText && f.Language == "markdown"
}

// NoStructure says why a text has no outline; "" when it may have one.
func (f *TextFormat) NoStructure() string {
	switch f.ContentType {
	case TypeLog, TypeTable:
		return "logs and tables have none"
	case TypeMinified:
		return "minified text has none"
	}
	return ""
}

// HowFound is a note on an outline that no grammar made; "" where one did.
func HowFound(o *outline.Outline) string {
	switch {
	case o.Method == syntax.ByKeywords && len(o.Symbols) > 0:
		return fmt.Sprintf("The outline is a guess by keywords and indentation: %s.", o.Reason)
	case len(o.Symbols) == 0 && o.Reason != "":
		return fmt.Sprintf("No definitions are known in this text: %s.", o.Reason)
	case len(o.Symbols) == 0:
		return "No definitions are known in this text."
	case o.Reason != "":
		return fmt.Sprintf("The outline may lack something: %s.", o.Reason)
	}
	return ""
}

// OutlineBudget returns what an outline may take that an answer consists of: a
// quarter of the text with the answer's header.
func OutlineBudget(length, most int) int {
	return max(min(length/4, most)-HeaderBytes, leastOutlineBytes)
}

// AskedOutlineBudget returns what an outline may take that was asked for: of a small
// text as much as names take there.
func AskedOutlineBudget(length int) int {
	return max(OutlineBudget(length, MaxOutlineBytes), min(smallOutlineBytes, length/2))
}

// MaxListed is how many matches an error lists.
const MaxListed = 20

// SymbolNotFound is the error for a query that names no symbol of o; near are names
// like it.
func SymbolNotFound(o *outline.Outline, query string, near []string) *fault.Error {
	e := fault.New(fault.SymbolNotFound, "no symbol %q", wording.Shortened(query))
	switch {
	case len(o.Symbols) == 0:
		return e.Advise("%s Read it by start_line and end_line.", HowFound(o))
	case len(near) == 0:
		return e.Advise("The outline tool shows what there is, and with query what other files define.")
	}
	return e.Advise("The nearest are: %s. In other files outline with query finds it.", strings.Join(near, ", ")).With("near", near)
}

// AmbiguousSymbol is the error for a query that names several symbols of o, found by
// their indexes.
func AmbiguousSymbol(o *outline.Outline, query string, found []int) *fault.Error {
	items := SymbolItems(o, found[:min(len(found), MaxListed)])
	places := make([]string, 0, len(items)+1)
	qualified := make(map[string]bool)
	for n, s := range items {
		places = append(places, fmt.Sprintf("%s %s (lines %d-%d)", s.Kind, o.Path(found[n]), s.StartLine, s.EndLine))
		qualified[o.Path(found[n])] = true
	}
	if more := len(found) - len(items); more > 0 {
		places = append(places, fmt.Sprintf("and %d more", more))
	}
	e := fault.New(fault.AmbiguousSymbol, "%d symbols are named %q: %s", len(found), wording.Shortened(query), strings.Join(places, ", ")).
		With("symbols", items)
	if len(qualified) == len(items) {
		return e.Advise("Name one with its container, as above, or read it by its lines.")
	}
	return e.Advise("Read one by start_line and end_line.")
}

// IsMember reports whether what is of a kind says little without what holds it.
func IsMember(k syntax.Kind) bool {
	return k == syntax.Field || k == syntax.Property || k == syntax.EnumMember
}
