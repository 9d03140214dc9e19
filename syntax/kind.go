package syntax

import "strings"

// Kind is what sort of thing a definition makes. The kinds are those of the
// Language Server Protocol's SymbolKind, with its numbers.
type Kind uint8

// The kinds. NoKind is that of no definition.
const (
	NoKind Kind = iota
	File
	Module
	Namespace
	Package
	Class
	Method
	Property
	Field
	Constructor
	Enum
	Interface
	Function
	Variable
	Constant
	String
	Number
	Boolean
	Array
	Object
	Key
	Null
	EnumMember
	Struct
	Event
	Operator
	TypeParameter
)

var kindNames = [...]string{
	"none", "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum",
	"interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key", "null",
	"enummember", "struct", "event", "operator", "typeparameter",
}

// String returns the protocol's name in lower case: "enummember".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return kindNames[NoKind]
	}
	return kindNames[k]
}

// MarshalText gives [Kind.String].
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// ParseKind finds a kind by its name, in any case.
func ParseKind(name string) (Kind, bool) {
	for k, n := range kindNames {
		if k > 0 && strings.EqualFold(n, name) {
			return Kind(k), true
		}
	}
	return NoKind, false
}

// IsType tells that the kind's definitions have members: methods and fields.
func (k Kind) IsType() bool {
	switch k {
	case Class, Struct, Interface, Enum, Object:
		return true
	}
	return false
}

// IsFunction tells that the kind's definitions hold code, whose names are
// nobody else's concern.
func (k Kind) IsFunction() bool {
	switch k {
	case Function, Method, Constructor, Operator:
		return true
	}
	return false
}

// IsDetail tells that the kind's definitions are worth showing where they are
// few: members and values, not code or types.
func (k Kind) IsDetail() bool {
	switch k {
	case Field, Property, EnumMember, Variable, Constant, Key, Array:
		return true
	}
	return false
}
