package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// A schema is sent to the model with every conversation, so it says what the
// model needs to write a good call and no more: what is wrong with an argument
// is said where one is wrong, and all of it stands in the command line's help.

// shorthand begins the description of an argument that stands for another
// form. It is understood, and not shown.
const shorthand = "For a single edit"

// plain are arguments whose names say it.
const plain = " path dry_run encoding cursor limit save on_stale word multiline context depth allow_binary include_ignored max_results pattern kinds symbols expected_hashes "

// member is one of an object's members, which keep their order.
type member struct {
	name  string
	value json.RawMessage
}

// slim returns an input schema with the first clause of those descriptions
// that tell more than the name, the choices and the tool's doc.
func slim(schema []byte, doc string) []byte {
	all := members(schema)
	all = slices.DeleteFunc(all, func(m member) bool {
		return m.name == "additionalProperties" && string(m.value) == "false" || m.name == "minimum"
	})
	for i, m := range all {
		switch m.name {
		case "properties":
			all[i].value = slimProperties(m.value, doc)
		case "items":
			all[i].value = slim(m.value, doc)
		}
	}
	return appendMembers(nil, all)
}

func slimProperties(properties []byte, doc string) []byte {
	var shown []member
	for _, p := range members(properties) {
		inner := members(slim(p.value, doc))
		at := slices.IndexFunc(inner, func(m member) bool { return m.name == "description" })
		if at >= 0 {
			var text string
			_ = json.Unmarshal(inner[at].value, &text) // it is a string that was marshalled
			if strings.HasPrefix(text, shorthand) {
				continue
			}
			choices := slices.ContainsFunc(inner, func(m member) bool { return m.name == "enum" })
			if choices || strings.Contains(plain, " "+p.name+" ") || strings.Contains(doc, p.name) {
				inner = slices.Delete(inner, at, at+1)
			} else {
				inner[at].value = wire.AppendString(nil, firstClause(text))
			}
		}
		shown = append(shown, member{p.name, appendMembers(nil, inner)})
	}
	return appendMembers(nil, shown)
}

// firstClause is a text up to its first stop, without it.
func firstClause(text string) string {
	for i, c := range text {
		ends := strings.ContainsRune(".;:", c) && (i+1 == len(text) || text[i+1] == ' ')
		if ends || c == '(' {
			return strings.TrimRight(text[:i], " ")
		}
	}
	return text
}

// members returns an object's members; none of what is no object.
func members(object []byte) (list []member) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var m member
		if err != nil || d.Decode(&m.value) != nil {
			return list
		}
		m.name, _ = name.(string)
		list = append(list, m)
	}
	return list
}

func appendMembers(dst []byte, list []member) []byte {
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(wire.AppendString(dst, m.name), ':'), m.value...)
	}
	return append(dst, '}')
}
