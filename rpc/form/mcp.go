package form

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// appendContent appends an object, without its last brace, whose one text is
// complete by itself.
func appendContent(dst []byte, r toolcall.Result) []byte {
	dst = append(dst, `{"content":[{"type":"text","text":`...)
	dst = wire.AppendString(dst, r.Header)
	for _, part := range [...]string{r.Body, r.After} {
		dst = appendParagraph(dst, part)
	}
	dst = append(appendBlocks(append(dst, '}'), r.Blocks), ']')
	if r.Err != nil {
		dst = append(dst, `,"isError":true`...)
	}
	return dst
}

// appendParagraph has the JSON string that dst ends with go on with an empty
// line and part, if there is any. An empty string becomes part.
func appendParagraph(dst []byte, part string) []byte {
	switch {
	case part == "":
		return dst
	case bytes.HasSuffix(dst, []byte(`:""`)):
		return wire.AppendString(dst[:len(dst)-len(`""`)], part)
	}
	dst = append(dst[:len(dst)-1], `\n\`...)
	last := len(dst)
	dst = wire.AppendString(dst, part)
	dst[last] = 'n' // where the quote stands that begins part
	return dst
}

func appendBlocks(dst []byte, blocks []toolcall.Block) []byte {
	for _, b := range blocks {
		dst = appendBlock(append(dst, ','), b)
	}
	return dst
}

// appendBlock encodes an image, or a document as an embedded resource.
func appendBlock(dst []byte, b toolcall.Block) []byte {
	if strings.HasPrefix(b.MIMEType, "image/") {
		dst = append(dst, `{"type":"image","mimeType":`...)
		dst = wire.AppendString(dst, b.MIMEType)
		dst = append(dst, `,"data":"`...)
		return append(base64.StdEncoding.AppendEncode(dst, b.Data), `"}`...)
	}
	dst = append(dst, `{"type":"resource","resource":{"uri":`...)
	dst = wire.AppendString(dst, b.URI)
	dst = append(dst, `,"mimeType":`...)
	dst = wire.AppendString(dst, b.MIMEType)
	dst = append(dst, `,"blob":"`...)
	return append(base64.StdEncoding.AppendEncode(dst, b.Data), `"}}`...)
}
