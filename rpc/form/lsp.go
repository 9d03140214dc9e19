package form

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// appendLSP appends the text in the structured content alone, so that it is
// neither escaped nor sent twice; content holds the header, an outline, and
// what is no text.
func appendLSP(dst []byte, r toolcall.Result) ([]byte, error) {
	dst = append(dst, `{"content":[{"type":"text","text":`...)
	header := joined(r.Header, r.After)
	dst = append(wire.AppendString(dst, header), '}')
	dst = append(appendBlocks(dst, r.Blocks), ']')
	dst, err := appendStructured(dst, r)
	if err != nil || r.Err == nil {
		return dst, err
	}
	return append(dst[:len(dst)-1], `,"isError":true}`...), nil
}

// joined returns the parts that there are, with an empty line between them.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}
