package syntax

import (
	"bytes"
	"strings"
)

// What a def names: of "first(x) when x > 0", "a ~> b", "stop".
const elixirNames = "<arguments>/<alias> | <arguments>/<string> | <arguments>/<sigil>/<quoted_content> | <arguments>/<call>/target" +
	" | <arguments>/<binary_operator>/left:call/target | <arguments>/<binary_operator>/left:binary_operator/operator" +
	" | <arguments>/<binary_operator>/operator | <arguments>/<unary_operator>/operator | <arguments>/<identifier>" +
	" | target"

var langElixir = &Language{
	Name: "elixir", Aliases: []string{"eex", "ex"}, Extensions: []string{"ex", "exs"}, FileNames: []string{"mix.lock"},
	Shebangs: []string{"elixir", "iex"}, Comments: hashComments,
	rules: Rules{
		"source": {}, "do_block": {}, "arguments": {}, "list": {}, "tuple": {}, "keywords": {}, "binary_operator": {},
		"else_block": {}, "rescue_block": {}, "catch_block": {}, "after_block": {}, "anonymous_function": {}, "stab_clause": {}, "body": {},
		"call": {
			Callee: "target:identifier", Name: elixirNames, Body: "<do_block>", Read: readElixirCall,
			// Only an implementation is for something.
			Member: Method, Inner: "<do_block>/^/<arguments>/<keywords>/<pair>/value:alias,list",
			Calls: map[string]Call{
				"defmodule": {Kind: Module}, "defprotocol": {Kind: Interface}, "defimpl": {Kind: Object},
				"defstruct": {Kind: Struct}, "defexception": {Kind: Struct}, "defrecord": {Kind: Struct}, "defrecordp": {Kind: Struct},
				"def": {Kind: Function}, "defp": {Kind: Function}, "defmacro": {Kind: Function}, "defmacrop": {Kind: Function},
				"defguard": {Kind: Function}, "defguardp": {Kind: Function}, "defdelegate": {Kind: Function},
				"defn": {Kind: Function}, "defnp": {Kind: Function},
				"test": {Kind: Function}, "describe": {Kind: Function}, "property": {Kind: Function}, "feature": {Kind: Function},
			},
		},
		// The fields of a struct.
		"atom": {Kind: Field, In: Struct, Name: ".", Trim: ":", Leaf: true},
		"pair": {Kind: Field, In: Struct, Name: "key", Read: readElixirKey, Leaf: true},

		// Attributes of a module.
		"unary_operator": {
			Kind: Constant, Only: `"@"`, Callee: "operand:call/target", Leaf: true, Read: readElixirAttribute,
			Name: `operand:call/<arguments>/<binary_operator>/"::"/^/left:call/target` +
				` | operand:call/<arguments>/<binary_operator>/"::"/^/left` +
				` | operand:call/<arguments>/<binary_operator>/"when"/^/left/left:call/target` +
				` | operand:call/target`,
			Kinds: map[string]Kind{
				"type": Class, "typep": Class, "opaque": Class, "callback": Method, "macrocallback": Method,
				"moduledoc": NoKind, "behaviour": NoKind, "moduletag": NoKind, "describetag": NoKind, "derive": NoKind,
				"optional_callbacks": NoKind, "fallback_to_any": NoKind, "on_load": NoKind, "compile": NoKind, "dialyzer": NoKind,
				"before_compile": NoKind, "after_compile": NoKind, "on_definition": NoKind, "external_resource": NoKind,
				"after_verify": NoKind, "vsn": NoKind, "inline": NoKind,
				"doc": NoKind, "typedoc": NoKind, "spec": NoKind, "impl": NoKind, "deprecated": NoKind, "since": NoKind,
				"enforce_keys": NoKind, "tag": NoKind, "shortdoc": NoKind, "macrospec": NoKind,
			},
			Leads: map[string]bool{
				"doc": true, "typedoc": true, "spec": true, "macrospec": true, "impl": true, "deprecated": true, "since": true,
				"enforce_keys": true, "derive": true, "tag": true,
			},
		},
	},
}

// readElixirCall names what has no name of its own by how it is written.
func readElixirCall(node []byte, kind Kind, name string) (Kind, string) {
	switch kind {
	case Object: // "defimpl P, for: T"
		head, _, _ := bytes.Cut(node, []byte("\n"))
		written := strings.TrimSpace(string(head))
		written = strings.TrimSuffix(strings.TrimSuffix(written, "do"), "do:")
		return kind, strings.TrimRight(written, " ,")
	case Struct:
		if word := node[:wordLen(node)]; string(word) != "defrecord" && string(word) != "defrecordp" {
			return kind, string(word)
		}
	}
	return kind, name
}

// readElixirKey takes the colon from a key.
func readElixirKey(_ []byte, kind Kind, name string) (Kind, string) {
	return kind, strings.Trim(strings.TrimRight(name, ": "), `"`)
}

// readElixirAttribute names a module's own attribute as it is used: "@timeout".
func readElixirAttribute(node []byte, kind Kind, name string) (Kind, string) {
	if kind != Constant {
		return kind, name
	}
	return kind, "@" + string(node[1:1+wordLen(node[1:])])
}
