package tools

import (
	"bytes"
	"encoding/base64"
	"reflect"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Form is how a result is encoded.
type Form string

// The forms.
const (
	// FormLSP is {content, structuredContent, isError?}, in which the text
	// stands in the structured content alone.
	FormLSP Form = "lsp"
	// FormMCP is {content, isError?}, in which one text block says all.
	FormMCP Form = "mcp"
	// FormStructured is FormMCP with structuredContent, unless the call
	// failed.
	FormStructured Form = "structured"
	// FormJSON is the structured result alone.
	FormJSON Form = "json"
	// FormText is the rendering alone, no JSON: header, body and what follows,
	// with an empty line between them.
	FormText Form = "text"
)

// Encode appends the result in a form to dst. An unknown form is FormLSP.
func (r Result) Encode(dst []byte, form Form) ([]byte, error) {
	switch form {
	case FormMCP:
		return append(r.appendWhole(dst), '}'), nil
	case FormStructured:
		dst = r.appendWhole(dst)
		if r.Err != nil {
			return append(dst, '}'), nil
		}
		return r.appendMember(dst)
	case FormJSON:
		return r.AppendStructured(dst)
	case FormText:
		return r.appendText(dst), nil
	}
	return r.appendLSP(dst)
}

// Failed returns the result of a call that failed before its tool was run.
func Failed(err error) Result { return failure(err, digitsOf) }

// Size returns about how many bytes the result takes in a form, and more often
// too many than too few.
func (r Result) Size(form Form) int {
	// Escaping source makes it about a tenth longer, and wants room to spare.
	const spare = 8 << 10
	shown := len(r.Body) + 4*len(r.After) // a list stands in the structured result, too
	if form == FormStructured {
		shown += len(r.Body)
	}
	return shown + shown/8 + spare
}

// appendLSP appends the text in the structured content alone, so that it is
// neither escaped nor sent twice; content holds the header, an outline, and
// what is no text.
func (r Result) appendLSP(dst []byte) ([]byte, error) {
	dst = append(dst, `{"content":[{"type":"text","text":`...)
	header := joined(r.Header, r.After)
	dst = append(wire.AppendString(dst, header), '}')
	dst = append(r.appendBlocks(dst), ']')
	dst, err := r.appendMember(dst)
	if err != nil || r.Err == nil {
		return dst, err
	}
	return append(dst[:len(dst)-1], `,"isError":true}`...), nil
}

// joined returns the parts that there are, with an empty line between them.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// appendMember appends the structured result as the last member.
func (r Result) appendMember(dst []byte) ([]byte, error) {
	dst, err := r.AppendStructured(append(dst, `,"structuredContent":`...))
	return append(dst, '}'), err
}

// appendWhole appends an object, without its last brace, whose one text is
// complete by itself.
func (r Result) appendWhole(dst []byte) []byte {
	dst = append(dst, `{"content":[{"type":"text","text":`...)
	dst = wire.AppendString(dst, r.Header)
	for _, part := range [...]string{r.Body, r.After} {
		dst = appendParagraph(dst, part)
	}
	dst = append(r.appendBlocks(append(dst, '}')), ']')
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

// appendText appends the parts that there are.
func (r Result) appendText(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, r.Header...)
	for _, part := range [...]string{r.Body, r.After} {
		if part != "" && len(dst) > start {
			dst = append(dst, "\n\n"...)
		}
		dst = append(dst, part...)
	}
	return dst
}

func (r Result) appendBlocks(dst []byte) []byte {
	for _, b := range r.Blocks {
		dst = appendBlock(append(dst, ','), b)
	}
	return dst
}

// appendBlock encodes an image, or a document as an embedded resource.
func appendBlock(dst []byte, b Block) []byte {
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

// Note returns r with one more thing that it says: in the first line of its
// header, in an error's words at their end, and in the structured result where
// that has notes.
func (r Result) Note(text string) Result {
	if r.Err != nil {
		r.Header += "\n(" + text + ")"
		return r
	}
	first, rest, more := strings.Cut(r.Header, "\n")
	if first != "" {
		first += "; "
	}
	r.Header = first + text
	if more {
		r.Header += "\n" + rest
	}
	if v := reflect.ValueOf(r.structured); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if notes := v.Elem().FieldByName("Notes"); notes.IsValid() && notes.Type() == reflect.TypeFor[[]string]() {
			notes.Set(reflect.Append(notes, reflect.ValueOf(text)))
		}
	}
	return r
}
