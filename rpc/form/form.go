package form

import (
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Form is how a result is encoded. Its values are those of messages between
// processes.
type Form string

// The forms.
const (
	// LSP is {content, structuredContent, isError?}, in which the text stands in
	// the structured content alone.
	LSP Form = "lsp"
	// MCP is {content, isError?}, in which one text block says all.
	MCP Form = "mcp"
	// Structured is MCP with structuredContent, unless the call failed.
	Structured Form = "structured"
	// JSON is the structured result alone.
	JSON Form = "json"
	// Text is the rendering alone, no JSON: header, body and what follows, with
	// an empty line between them.
	Text Form = "text"
)

// Append appends a result in a form to dst. An unknown form is LSP.
func Append(dst []byte, r toolcall.Result, form Form) ([]byte, error) {
	switch form {
	case MCP:
		return append(appendContent(dst, r), '}'), nil
	case Structured:
		dst = appendContent(dst, r)
		if r.Err != nil {
			return append(dst, '}'), nil
		}
		return appendStructured(dst, r)
	case JSON:
		return r.AppendStructured(dst)
	case Text:
		return r.AppendText(dst), nil
	}
	return appendLSP(dst, r)
}

// Encode returns a result in a form.
func Encode(r toolcall.Result, form Form) ([]byte, error) {
	return Append(make([]byte, 0, size(r, form)), r, form)
}

// size returns about how many bytes a result takes in a form, and more often
// too many than too few.
func size(r toolcall.Result, form Form) int {
	// Escaping source makes it about a tenth longer, and wants room to spare.
	const spare = 8 << 10
	shown := len(r.Body) + 4*len(r.After) // a list stands in the structured result, too
	if form == Structured {
		shown += len(r.Body)
	}
	return shown + shown/8 + spare
}

// appendStructured appends the structured result as the last member.
func appendStructured(dst []byte, r toolcall.Result) ([]byte, error) {
	dst, err := r.AppendStructured(append(dst, `,"structuredContent":`...))
	return append(dst, '}'), err
}
