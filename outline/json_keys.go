package outline

import (
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/jsonc"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// maxKeyBytes is where the name of a key is cut.
const maxKeyBytes = 120

// keys gathers the keys of a JSON value.
type keys struct {
	src      []byte
	comments syntax.Comments
	found    []syntax.Definition
	more     bool // there are more than are told
}

// reason tells what is not as it should be.
func (k *keys) reason() string {
	if k.more {
		return "only the first 100,000 keys are told"
	}
	return ""
}

// enter adds the keys of a value that is an object. How deep values nest has
// been looked at before.
func (k *keys) enter(value jsonc.Value, parent int) {
	object, ok := value.Value.(*jsonc.Object)
	if !ok {
		return
	}
	for i := range object.Members {
		if len(k.found) == maxJSONKeys {
			k.more = true
			return
		}
		k.add(&object.Members[i], parent)
		k.enter(object.Members[i].Value, len(k.found)-1)
	}
}

func (k *keys) add(member *jsonc.ObjectMember, parent int) {
	name, value := member.Name, member.Value
	d := syntax.Definition{
		Kind: kindOf(value), Name: keyName(name), Parent: parent,
		Head:     name.StartOffset,
		Span:     text.Span{Start: k.comments.Above(k.src, name.StartOffset), End: value.EndOffset},
		NameSpan: text.Span{Start: name.StartOffset, End: name.EndOffset},
		Body:     value.EndOffset,
	}
	if d.Kind == syntax.Object {
		d.Body = value.StartOffset
	}
	if parent >= 0 {
		d.Container, d.Depth = k.found[parent].Name, k.found[parent].Depth+1
	}
	k.found = append(k.found, d)
}

func kindOf(value jsonc.Value) syntax.Kind {
	switch value.Value.(type) {
	case *jsonc.Object:
		return syntax.Object
	case *jsonc.Array:
		return syntax.Array
	}
	return syntax.Key
}

// keyName returns a key as a name: in one line, valid, not empty.
func keyName(v jsonc.Value) string {
	literal, _ := v.Value.(jsonc.Literal)
	name := strings.ToValidUTF8(literal.String(), "")
	if strings.ContainsAny(name, "\r\n\t") {
		name = strings.Join(strings.Fields(name), " ")
	}
	if len(name) > maxKeyBytes {
		end := maxKeyBytes
		for !utf8.RuneStart(name[end]) {
			end--
		}
		name = name[:end]
	}
	if name == "" {
		return `""`
	}
	return name
}
