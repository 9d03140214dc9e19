package media

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// outputJSON is a cell's output as it stands in a notebook.
type outputJSON struct {
	Kind      string                   `json:"output_type"`
	Stream    string                   `json:"name"`
	Text      wire.RawValue            `json:"text"`
	Data      map[string]wire.RawValue `json:"data"`
	ErrorName string                   `json:"ename"`
	Error     string                   `json:"evalue"`
	Traceback []string                 `json:"traceback"`
	PNG       wire.RawValue            `json:"png"`  // version 3
	JPEG      wire.RawValue            `json:"jpeg"` // version 3
}

func (o *outputJSON) output() cellOutput {
	if o.Kind == "error" || o.Kind == "pyerr" {
		trace := strings.Join(o.Traceback, "\n")
		if trace == "" {
			trace = o.ErrorName + ": " + o.Error
		}
		return cellOutput{name: "error", text: withoutANSI(trace)}
	}
	out := cellOutput{name: oneLine(o.Stream), text: withoutANSI(joined(o.Text))}
	data := maps.Clone(o.Data)
	if data == nil {
		data = make(map[string]wire.RawValue)
	}
	data["image/png"] = firstOf(data["image/png"], o.PNG)
	data["image/jpeg"] = firstOf(data["image/jpeg"], o.JPEG)
	for _, mimeType := range slices.Sorted(maps.Keys(data)) {
		out.add(mimeType, data[mimeType])
	}
	return out.telling()
}

// telling returns the output without what says nothing: where objects lie in
// memory, other forms of what is there as words, what terminals write over.
func (c cellOutput) telling() cellOutput {
	c.text = lastWritten(c.text)
	if isHandle(c.text) {
		c.text = ""
	}
	said := strings.TrimSpace(c.text) != ""
	c.parts = slices.DeleteFunc(c.parts, func(p part) bool {
		return said && (p.mimeType == "text/html" || strings.HasSuffix(p.mimeType, "javascript") || strings.Contains(p.mimeType, "jupyter.widget"))
	})
	return c
}

// handle is how Python shows an object that has no words for itself.
var handle = regexp.MustCompile(`^[\s\[(,]*(<(Figure size|Axes|[\w.]*Axes)[^>]*>|<[^<>]* at 0x[0-9a-fA-F]+>|Text\([^()]*\)|[\s\[\](),])*$`)

// isHandle reports whether a text only names objects: "<Figure size 640x480 with 1
// Axes>", "[<matplotlib.lines.Line2D at 0x7f3c>]".
func isHandle(s string) bool {
	return len(s) <= maxOutputText && strings.Contains(s, "<") && handle.MatchString(s)
}

// lastWritten returns a text as a terminal leaves it, where a carriage return lets
// the line be written anew.
func lastWritten(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(s, "\r\n", "\n")) {
		body := strings.TrimRight(strings.TrimSuffix(line, "\n"), "\r")
		b.WriteString(body[strings.LastIndexByte(body, '\r')+1:])
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func firstOf(a, b wire.RawValue) wire.RawValue {
	if len(a) > 0 {
		return a
	}
	return b
}

// add puts one form of the output to the others: a form that is words is its
// text, what is more is only named.
func (c *cellOutput) add(mimeType string, value wire.RawValue) {
	if len(value) == 0 {
		return
	}
	body := joined(value)
	switch {
	case mimeType == "text/plain":
		c.text = withoutANSI(body) + c.text
	case mimeType == "text/markdown" || mimeType == "text/latex":
		if c.text == "" {
			c.text = body
		}
	case body == "": // JSON of its own
		c.parts = append(c.parts, part{mimeType: oneLine(mimeType), size: len(value)})
	case isEncoded(mimeType):
		size := (len(body) - strings.Count(body, "\n") - strings.Count(body, "=")) * 3 / 4
		c.parts = append(c.parts, part{mimeType: oneLine(mimeType), encoded: body, size: size})
	default:
		c.parts = append(c.parts, part{mimeType: oneLine(mimeType), size: len(body)})
	}
}

// isEncoded tells that a form is bytes, in base64.
func isEncoded(mimeType string) bool {
	return strings.HasPrefix(mimeType, "image/") && mimeType != "image/svg+xml"
}

// withoutANSI drops the escape sequences that color terminals.
func withoutANSI(s string) string {
	const escape = "\x1b["
	if !strings.Contains(s, escape) {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, escape)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			return b.String()
		}
		s = after[end+1:]
	}
}
