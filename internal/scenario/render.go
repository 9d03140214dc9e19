package scenario

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// maxInline is the longest object or array, in bytes, that stands on one line.
const maxInline = 100

// render shows an answer to a person: the blocks of its content, a blank line,
// then structuredContent as JSON without commas at the ends of lines, short
// members side by side. Texts of several lines stand as lines: verbatim after
// "|", after "|-" without a final line end, and as Go strings after "|q".
func (r *runner) render(a Answer) string {
	var b strings.Builder
	if a.IsError {
		b.WriteString("isError\n")
	}
	structured := ""
	if len(a.Structured) > 0 {
		structured = "\n" + r.renderJSON(a.Structured) // first: it tells the ids
	}
	for _, block := range a.Content {
		b.WriteString(r.renderBlock(block))
	}
	b.WriteString(structured)
	return b.String()
}

func (r *runner) renderBlock(block Block) string {
	switch block.Type {
	case "text":
		return section(r.stable(strings.TrimRight(block.Text, "\n") + "\n"))
	case "image":
		return fmt.Sprintf("[image %s %s]\n", block.MimeType, renderData(block.Data))
	case "resource":
		var res struct{ URI, MimeType, Blob, Text string }
		if err := json.Unmarshal(block.Resource, &res); err != nil {
			r.t.Errorf("a resource block without a resource: %v", err)
		}
		return fmt.Sprintf("[resource %s %s %s]\n", r.stable(res.URI), res.MimeType, renderData(res.Blob))
	}
	return fmt.Sprintf("[%s]\n", block.Type)
}

func renderData(data string) string {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return "not base64"
	}
	return fmt.Sprintf("%d bytes %s", len(raw), hashOf(raw))
}

// renderJSON renders any JSON value, ids replaced.
func (r *runner) renderJSON(raw json.RawMessage) string {
	tree, err := parseTree(raw)
	if err != nil {
		r.t.Errorf("unreadable JSON: %v", err)
		return string(raw) + "\n"
	}
	tree = mapTree("", tree, func(name, s string) string {
		if name == "id" && s != "" {
			r.ids[s] = true
			return "$ID"
		}
		return r.stable(s) // before the layout, which depends on lengths
	})
	var b strings.Builder
	writeValue(&b, tree, 0)
	return b.String() + "\n"
}

func writeValue(b *strings.Builder, v any, indent int) {
	if text, ok := v.(string); ok {
		writeString(b, text, indent)
		return
	}
	if line := inline(v); indent > 0 && line != "" {
		b.WriteString(line)
		return
	}
	inner := strings.Repeat(" ", indent+2)
	switch v := v.(type) {
	case object:
		b.WriteString("{\n")
		writeMembers(b, v, indent+2)
		b.WriteString(inner[2:] + "}")
	case []any:
		b.WriteString("[\n")
		for _, x := range v {
			b.WriteString(inner)
			writeValue(b, x, indent+2)
			b.WriteString("\n")
		}
		b.WriteString(inner[2:] + "]")
	default:
		b.WriteString(inline(v))
	}
}

// writeMembers puts members that fit beside each other on one line.
func writeMembers(b *strings.Builder, o object, indent int) {
	line := ""
	flush := func() {
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent) + line + "\n")
		}
		line = ""
	}
	for _, m := range o {
		short := inline(m.value)
		name := quoteJSON(m.name) + ": "
		switch {
		case short == "":
			flush()
			b.WriteString(strings.Repeat(" ", indent) + name)
			writeValue(b, m.value, indent)
			b.WriteString("\n")
		case line == "":
			line = name + short
		case len(line)+len(name)+len(short) > maxInline:
			flush()
			line = name + short
		default:
			line += ", " + name + short
		}
	}
	flush()
}

// writeString writes a short text as a JSON string and others as lines.
func writeString(b *strings.Builder, text string, indent int) {
	if !strings.Contains(strings.TrimSuffix(text, "\n"), "\n") && !isPlain(text) && len(text) <= maxColumns {
		b.WriteString(quoteJSON(text))
		return
	}
	mark, plain := "|q", true
	switch {
	case isPlain(text):
		mark = "|"
	case isPlain(text + "\n"):
		mark = "|-"
	default:
		plain = false
	}
	b.WriteString(mark)
	for _, line := range literal(text, plain) {
		b.WriteString("\n" + strings.Repeat(" ", indent+2) + line)
	}
}

// inline renders v on one line, or returns "" when it belongs on several.
func inline(v any) string {
	if hasLines(v) {
		return ""
	}
	s := inlineValue(v)
	limit := maxInline
	if isScalar(v) {
		limit = maxColumns
	}
	if len(s) > limit {
		return ""
	}
	return s
}

func hasLines(v any) bool {
	found := false
	mapTree("", v, func(_, s string) string {
		found = found || strings.Contains(s, "\n")
		return s
	})
	return found
}

func isScalar(v any) bool {
	switch v.(type) {
	case object, []any:
		return false
	}
	return true
}

func inlineValue(v any) string {
	var parts []string
	switch v := v.(type) {
	case object:
		for _, m := range v {
			parts = append(parts, quoteJSON(m.name)+": "+inlineValue(m.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, x := range v {
			parts = append(parts, inlineValue(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return quoteJSON(v)
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// stable replaces what differs from run to run: folders and ids.
func (r *runner) stable(s string) string {
	s = r.world.stableNames(s)
	for id := range r.ids {
		s = strings.ReplaceAll(s, id, "$ID")
	}
	return s
}
