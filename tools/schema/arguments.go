package schema

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// Decode reads a call's arguments into v. Arguments in their exact
// form are read at once; else what models write is mended where it can mean
// one thing only: camelCase names, numbers and booleans as strings, arrays and
// objects as JSON strings. All else is invalid_params that names the argument.
func Decode(raw wire.RawValue, v any, in Schema) error {
	if len(raw) == 0 {
		raw = wire.RawValue("{}")
	}
	if wire.UnmarshalStrict(raw, v) == nil {
		return requirePresent(raw, in.Schema)
	}
	mended, err := mend(raw, in.Schema, "")
	if err != nil {
		return err
	}
	if err := wire.UnmarshalStrict(mended, v); err != nil {
		return fault.New(fault.InvalidParams, "the arguments do not fit: %v", err)
	}
	return nil
}

// requirePresent reports the first required member that raw lacks. A name that
// stands in raw at all is looked for no further: at worst it is a value, and
// the empty argument is refused for being empty.
func requirePresent(raw wire.RawValue, s *jsonschema.Schema) error {
	if !slices.ContainsFunc(s.Required, func(name string) bool { return !bytes.Contains(raw, strconv.AppendQuote(nil, name)) }) {
		return nil
	}
	var members map[string]wire.RawValue
	if err := wire.Unmarshal(raw, &members); err != nil {
		return fault.New(fault.InvalidParams, "the arguments do not fit: %v", err)
	}
	return missing(members, s, "")
}

func missing(members map[string]wire.RawValue, s *jsonschema.Schema, at string) error {
	for _, name := range s.Required {
		if _, ok := members[name]; !ok {
			return fault.New(fault.InvalidParams, "the argument %q is missing", at+name)
		}
	}
	return nil
}

// mend returns raw in the exact form that s describes. at is the path of the
// value among the arguments, for messages: "" or "edits[1].".
func mend(raw wire.RawValue, s *jsonschema.Schema, at string) (wire.RawValue, error) {
	var members map[string]wire.RawValue
	err := wire.Unmarshal(raw, &members)
	switch {
	case raw.Kind() != '{':
		return nil, fault.New(fault.InvalidParams, "%s must be a JSON object", nameOf(at, "the arguments"))
	case err != nil:
		return nil, fault.New(fault.InvalidParams, "%s: %s", nameOf(at, "the arguments"), fault.From(err).Message)
	}
	exact := make(map[string]wire.RawValue, len(members))
	for _, given := range slices.Sorted(maps.Keys(members)) {
		meant, err := meaning(given, members[given], s, at)
		if err != nil {
			return nil, err
		}
		for name, value := range meant {
			if value.Kind() == 'n' { // null: as if absent
				continue
			}
			if _, twice := exact[name]; twice {
				return nil, fault.New(fault.InvalidParams, "the argument %q is given twice", at+name)
			}
			if exact[name], err = mendValue(value, s.Properties[name], at+name); err != nil {
				return nil, err
			}
		}
	}
	if err := missing(exact, s, at); err != nil {
		return nil, err
	}
	return wire.Marshal(exact)
}

func nameOf(at, whole string) string {
	if at == "" {
		return whole
	}
	return strconv.Quote(strings.TrimSuffix(at, "."))
}

// mendValue brings one argument to the type that s names.
func mendValue(raw wire.RawValue, s *jsonschema.Schema, at string) (wire.RawValue, error) {
	if s.Type != "string" && raw.Kind() == '"' {
		var inner string
		if err := wire.Unmarshal(raw, &inner); err != nil {
			return nil, wrongType(at, s)
		}
		inner = strings.TrimSpace(inner)
		if s.Type == "array" && s.Items.Type == "string" && !strings.HasPrefix(inner, `["`) {
			return mendArray(slices.Concat(wire.RawValue("["), raw, wire.RawValue("]")), s, at) // one for a list of one
		}
		raw = wire.RawValue(inner)
		if !raw.IsValid() {
			return nil, notJSON(raw, s, at)
		}
	}
	switch s.Type {
	case "integer":
		return mendInteger(raw, at)
	case "boolean":
		if k := raw.Kind(); k == 't' || k == 'f' {
			return raw, nil
		}
	case "string":
		return mendString(raw, s, at)
	case "array":
		return mendArray(raw, s, at)
	case "object":
		if s.Properties == nil {
			return mendMap(raw, s, at)
		}
		return mend(raw, s, at+".")
	}
	return nil, wrongType(at, s)
}

// mendMap mends the values of an object whose names are the caller's own, as
// paths are, and stay as they are.
func mendMap(raw wire.RawValue, s *jsonschema.Schema, at string) (wire.RawValue, error) {
	var members map[string]wire.RawValue
	if raw.Kind() != '{' || wire.Unmarshal(raw, &members) != nil {
		return nil, wrongType(at, s)
	}
	for name, value := range members {
		if k := value.Kind(); s.AdditionalProperties.Type == "string" && !strings.Contains(at, "hash") && (k == '0' || k == 't' || k == 'f') {
			value = strconv.AppendQuote(nil, string(value))
		}
		mended, err := mendValue(value, s.AdditionalProperties, at+"."+name)
		if err != nil {
			return nil, err
		}
		members[name] = mended
	}
	return wire.Marshal(members)
}

func mendInteger(raw wire.RawValue, at string) (wire.RawValue, error) {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(string(raw), 64)
		switch {
		case raw.Kind() != '0' || ferr != nil && !errors.Is(ferr, strconv.ErrRange) || f != math.Trunc(f):
			return nil, fault.New(fault.InvalidParams, "%q must be an integer", at)
		case f > maxExactFloat:
			return nil, fault.New(fault.InvalidParams, "%q is too large", at)
		default:
			n = int64(f)
		}
	}
	if n < 0 {
		return nil, fault.New(fault.InvalidParams, "%q must not be negative", at)
	}
	return strconv.AppendInt(nil, n, 10), nil
}

// maxExactFloat is the largest number up to which a float holds every integer.
const maxExactFloat = 1 << 53

func mendString(raw wire.RawValue, s *jsonschema.Schema, at string) (wire.RawValue, error) {
	var v string
	if raw.Kind() == '0' && strings.Contains(at, "hash") {
		return nil, fault.New(fault.InvalidParams, "%q must be a string: as a number a hash loses digits", at).
			Advise("Give it in quotes, digit by digit as the answer showed it.")
	}
	if raw.Kind() != '"' || wire.Unmarshal(raw, &v) != nil {
		return nil, wrongType(at, s)
	}
	if s.Enum != nil && v != "" && !slices.Contains(s.Enum, any(v)) { // "" is the default
		return nil, fault.New(fault.InvalidParams, "%q must be one of %s", at, wording.CommaList(s.Enum))
	}
	return raw, nil
}

func mendArray(raw wire.RawValue, s *jsonschema.Schema, at string) (wire.RawValue, error) {
	if s.Items.Type == "object" && raw.Kind() == '{' {
		raw = slices.Concat(wire.RawValue("["), raw, wire.RawValue("]")) // one for a list of one
	}
	var items []wire.RawValue
	if raw.Kind() != '[' || wire.Unmarshal(raw, &items) != nil {
		return nil, wrongType(at, s)
	}
	for i, item := range items {
		var name string
		if s.Items.Properties["path"] != nil && item.Kind() == '"' && wire.Unmarshal(item, &name) == nil && !strings.HasPrefix(strings.TrimSpace(name), "{") {
			item = slices.Concat(wire.RawValue(`{"path":`), item, wire.RawValue("}")) // a file by its name alone
		}
		mended, err := mendValue(item, s.Items, at+"["+strconv.Itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		items[i] = mended
	}
	return wire.Marshal(items)
}

// notJSON is the error for a text in the place of a list or an object that it does
// not hold.
func notJSON(raw wire.RawValue, s *jsonschema.Schema, at string) error {
	var whole any
	err := wire.Unmarshal(raw, &whole)
	if err == nil || len(raw) == 0 || raw[0] != '[' && raw[0] != '{' {
		return wrongType(at, s)
	}
	return fault.New(fault.InvalidParams, "%q is a text that is no JSON: %s", at, fault.From(err).Message).
		Advise("Give the %s itself, not a text that holds it.", s.Type)
}

func wrongType(at string, s *jsonschema.Schema) error {
	return fault.New(fault.InvalidParams, "%q must be of type %s", at, s.Type)
}

// meaning returns the members of s that an argument gives: the one that it names,
// in whatever spelling, else what is [understood] by it.
func meaning(given string, value wire.RawValue, s *jsonschema.Schema, at string) (map[string]wire.RawValue, error) {
	if name := snakeCase(given); s.Properties[name] != nil {
		return map[string]wire.RawValue{name: value}, nil
	}
	if members, ok := understood(given, value, s); ok {
		return members, nil
	}
	return nil, unknownArgument(at, given, s)
}

func snakeCase(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func unknownArgument(at, given string, s *jsonschema.Schema) error {
	given = given[:min(len(given), wording.MaxShownName)]
	e := fault.New(fault.InvalidParams, "unknown argument %q", at+given)
	nearest, best := "", len(given)/2+2
	meant := snakeCase(given)
	consider := func(name, shown string) {
		if d := text.EditDistance(meant, name, best); d < best {
			nearest, best = shown, d
		}
	}
	for _, name := range s.PropertyOrder {
		consider(name, at+name)
	}
	for _, name := range s.PropertyOrder { // no nearer than its own members
		if items := s.Properties[name].Items; items != nil {
			for _, inner := range items.PropertyOrder {
				consider(inner, at+name+"[]."+inner)
			}
		}
	}
	list := "The arguments are: " + strings.Join(s.PropertyOrder, ", ") + "."
	if len(s.PropertyOrder) == 0 {
		list = "The tool takes none."
	}
	if nearest != "" {
		return e.Advise("Did you mean %q? %s", nearest, list)
	}
	return e.Advise("%s", list)
}

// Member returns the string that a member of this very name has; "" where
// there is none.
func Member(arguments wire.RawValue, name string) (value string) {
	var members map[string]wire.RawValue
	if name == "" || len(arguments) == 0 || wire.Unmarshal(arguments, &members) != nil || wire.Unmarshal(members[name], &value) != nil {
		return ""
	}
	return value
}

// Argument returns the string that the argument name has, or what is
// understood as it; "" where there is none.
func Argument(arguments wire.RawValue, s *jsonschema.Schema, name string) (value string) {
	var members map[string]wire.RawValue
	if s.Properties[name] == nil || len(arguments) == 0 || wire.Unmarshal(arguments, &members) != nil {
		return ""
	}
	if raw, exact := members[name]; exact && wire.Unmarshal(raw, &value) == nil && value != "" {
		return value
	}
	for given, raw := range members {
		meant, err := meaning(given, raw, s, "")
		if err == nil && meant[name] != nil && wire.Unmarshal(meant[name], &value) == nil && value != "" {
			return value
		}
	}
	return ""
}
