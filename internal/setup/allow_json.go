package setup

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/jsonc"
)

// elements are elements of a list in JSON.
type elements struct {
	path []string
	of   func(tool string) any
}

func (e elements) add(src []byte, _ Places, tools []string) ([]byte, error) {
	return appendAll(src, e.path, tools, e.of)
}

func (e elements) cut(src []byte, _ Places, tools []string, _ bool) ([]byte, error) {
	return cutAll(src, e.path, tools, e.of)
}

func appendAll(src []byte, path, tools []string, of func(string) any) ([]byte, error) {
	values := make([]any, len(tools))
	for i, t := range tools {
		values[i] = of(t)
	}
	return jsonc.Append(src, path, values...)
}

func cutAll(src []byte, path, tools []string, of func(string) any) ([]byte, error) {
	return jsonc.CutElements(src, path, func(v *jsonc.Value) bool {
		return slices.ContainsFunc(tools, func(t string) bool { return jsonc.Equal(v, of(t)) })
	})
}

// perProject are elements of a list for each project, in one file of the
// person's.
type perProject struct {
	projects, list string // names of members
	of             func(tool string) any
}

func (e perProject) add(src []byte, p Places, tools []string) ([]byte, error) {
	return appendAll(src, []string{e.projects, p.Root, e.list}, tools, e.of)
}

func (e perProject) cut(src []byte, p Places, tools []string, everywhere bool) ([]byte, error) {
	roots := []string{p.Root}
	if everywhere && !blank(src) {
		root, err := jsonc.Parse(src)
		if err != nil {
			return nil, err
		}
		var all map[string]any
		if at := jsonc.Find(&root, e.projects); at != nil && jsonc.Decode(at, &all) == nil {
			roots = slices.Sorted(maps.Keys(all))
		}
	}
	var err error
	for _, root := range roots {
		if src, err = cutAll(src, []string{e.projects, root, e.list}, tools, e.of); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// members are members of an object in JSON, all with the same value.
type members struct {
	path  []string
	name  func(tool string) string
	value any
}

func (m members) add(src []byte, _ Places, tools []string) ([]byte, error) {
	for _, t := range tools {
		at := m.at(t)
		if there, err := found(src, at); err != nil {
			return nil, err
		} else if there != nil {
			continue // so, or as the person has it
		}
		var err error
		if src, err = jsonc.Put(src, at, m.value); err != nil {
			return nil, err
		}
	}
	return src, nil
}

func (m members) cut(src []byte, _ Places, tools []string, _ bool) ([]byte, error) {
	for _, t := range tools {
		there, err := found(src, m.at(t))
		if err == nil && there != nil && jsonc.Equal(there, m.value) {
			src, err = jsonc.Cut(src, m.at(t))
		}
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

func (m members) at(tool string) []string { return slices.Concat(m.path, []string{m.name(tool)}) }

// found returns the value in src that path leads to; nil when there is none.
func found(src []byte, path []string) (*jsonc.Value, error) {
	if blank(src) {
		return nil, nil
	}
	root, err := jsonc.Parse(src)
	return jsonc.Find(&root, path...), err
}

// trust is what Gemini CLI's entry of a server says of all its tools at once:
// that it asks about none. So the one that runs commands is taken from it.
type trust struct{ path []string }

func (t trust) fields() []jsonc.Field {
	return []jsonc.Field{{Name: "trust", Value: true}, {Name: "excludeTools", Value: []string{"run_command"}}}
}

func (t trust) add(src []byte, _ Places, _ []string) ([]byte, error) {
	entry, err := found(src, t.path)
	if err == nil && entry == nil {
		return nil, fmt.Errorf("there is no entry %q", Name)
	}
	if err != nil || jsonc.Find(entry, "trust") != nil || jsonc.Find(entry, "excludeTools") != nil {
		return src, err // so, or as the person has it
	}
	for _, f := range t.fields() {
		if src, err = jsonc.Put(src, slices.Concat(t.path, []string{f.Name}), f.Value); err != nil {
			return nil, err
		}
	}
	return src, nil
}

func (t trust) cut(src []byte, _ Places, _ []string, _ bool) ([]byte, error) {
	entry, err := found(src, t.path)
	if err != nil || entry == nil || !jsonc.Holds(entry, t.fields()) {
		return src, err
	}
	for _, f := range t.fields() {
		if src, err = jsonc.Cut(src, slices.Concat(t.path, []string{f.Name})); err != nil {
			return nil, err
		}
	}
	return src, nil
}
