package judge

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/syntax"
)

// A class is what definitions are compared by: the judges divide more finely,
// and each in its own way.
type class string

const (
	function class = "function" // also methods, constructors, operators
	typ      class = "type"     // classes, structs, interfaces, enums, aliases
	scope    class = "scope"    // namespaces and modules
	value    class = "value"    // what is none of these
)

// classOf tells the class of one of our kinds in a language.
func classOf(k syntax.Kind, language string) class {
	switch {
	case k.IsFunction():
		return function
	case k == syntax.Module && language == "ruby":
		return typ
	case k == syntax.Module, k == syntax.Namespace, k == syntax.Package, k == syntax.Object:
		return scope // an object is Rust's impl block
	case k.IsType():
		return typ
	}
	return value
}

// An item is a definition that a judge knows. Lines are 1-based, 0 if not told.
type item struct {
	Name       string   `json:"name"`
	Also       string   `json:"also"` // another name that is right
	Class      class    `json:"class"`
	Line       int      `json:"line"`       // where the name stands
	Start      int      `json:"start"`      // first line, without comments
	End        int      `json:"end"`        // last line
	Containers []string `json:"containers"` // each of them is right; nil: not told
	Optional   bool     `json:"optional"`   // may be left out
	Loose      bool     `json:"loose"`      // may be of another class
}

// A verdict is what a judge says of files, by their paths.
type verdict map[string][]item

// same reports whether two names are one, as different programs write it.
func same(a, b string) bool { return plainName(a) == plainName(b) }

// longName is where names are cut, in bytes without blanks: ours are shortened.
const longName = 90

// plainName drops blanks, quotes, the mark of Rust's raw names, and the end of
// long names.
func plainName(name string) string {
	name = strings.Join(strings.Fields(name), "")
	name = strings.Trim(strings.TrimPrefix(name, "r#"), `"'`+"`")
	return name[:min(len(name), longName)]
}

// lastPart returns the last component of a qualified name, without parameters
// of types: "B" of "ns::A<T>::B<U>".
func lastPart(name string) string {
	for _, s := range []string{"::", "\\", "."} {
		if i := strings.LastIndex(dropBrackets(name), s); i >= 0 {
			name = dropBrackets(name)[i+len(s):]
		}
	}
	return plainName(dropBrackets(name))
}

func dropBrackets(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '<':
			depth++
		case r == '>' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
