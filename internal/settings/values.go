package settings

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
)

// keyValue is one setting as it was given.
type keyValue struct {
	key   string // dotted
	value any
}

// flatten returns the settings of raw by their dotted keys, sorted, each key
// once: a dotted key wins over the same one nested.
func flatten(raw map[string]any) []keyValue {
	flat := make(map[string]any)
	flattenInto(flat, "", raw)
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		if rest, ok := strings.CutPrefix(key, "agentLsp."); ok {
			flat[rest] = flat[key]
			delete(flat, key)
		}
	}
	list := make([]keyValue, 0, len(flat))
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		list = append(list, keyValue{key, flat[key]})
	}
	return list
}

func flattenInto(flat map[string]any, prefix string, raw map[string]any) {
	// Sorted, "a" comes before "a.b", so that what is dotted is written last.
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if raw[key] == nil {
			continue
		}
		if group, ok := raw[key].(map[string]any); ok && findSetting(prefix+key) == nil {
			flattenInto(flat, prefix+key+".", group)
			continue
		}
		flat[prefix+key] = raw[key]
	}
}

// errLoosens is what a workspace hears that would loosen a setting.
func errLoosens(why string) error {
	return fmt.Errorf("a workspace's settings may only tighten this, and %s", why)
}

func wrongType(want string, got any) error {
	return fmt.Errorf("%s is wanted, not %s", want, typeName(got))
}

func typeName(v any) string {
	switch v.(type) {
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case float64, int, int64:
		return "this number"
	case []any, []string:
		return "this list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}

func number(least int64, field func(*Settings) *int64) func(*Settings, Scope, any) error {
	return func(s *Settings, _ Scope, value any) error {
		n, ok := wholeNumber(value)
		if !ok || n < least {
			return wrongType(fmt.Sprintf("a whole number of at least %d", least), value)
		}
		*field(s) = n
		return nil
	}
}

func wholeNumber(value any) (int64, bool) {
	switch n := value.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	case float64:
		return int64(n), n == math.Trunc(n) && math.Abs(n) < 1<<53
	}
	return 0, false
}

func choice[T ~string](values []T, field func(*Settings) *T) func(*Settings, Scope, any) error {
	return func(s *Settings, _ Scope, value any) error {
		chosen, err := pick(values, value)
		if err == nil {
			*field(s) = chosen
		}
		return err
	}
}

func pick[T ~string](values []T, value any) (T, error) {
	name, ok := value.(string)
	if !ok || !slices.Contains(values, T(name)) {
		got := typeName(value)
		if ok {
			got = fmt.Sprintf("%q", name)
		}
		return "", fmt.Errorf("one of %s is wanted, not %s", oneOf(values), got)
	}
	return T(name), nil
}

// confirm reads edits.confirm. Tighter than "protected" are both "always",
// which asks about more, and "never", which refuses what it would ask about.
// Neither of these two is tighter than the other: "always" lets a person allow
// what "never" refuses, and "never" lets pass what "always" shows.
func confirm(s *Settings, scope Scope, value any) error {
	chosen, err := pick(confirms, value)
	if err != nil {
		return err
	}
	now := s.Edits.Confirm
	if scope == Workspace && chosen != now && now != ConfirmProtected {
		return errLoosens(fmt.Sprintf("%q is not tighter than %q", chosen, now))
	}
	s.Edits.Confirm = chosen
	return nil
}

func toggle(field func(*Settings) *bool) func(*Settings, Scope, any) error {
	return func(s *Settings, _ Scope, value any) error {
		on, ok := value.(bool)
		if !ok {
			return wrongType("true or false", value)
		}
		*field(s) = on
		return nil
	}
}

// flag reads a boolean of which one value is the tight one.
func flag(tight bool, field func(*Settings) *bool) func(*Settings, Scope, any) error {
	set := toggle(field)
	return func(s *Settings, scope Scope, value any) error {
		if on, ok := value.(bool); ok && scope == Workspace && on != tight && on != *field(s) {
			return errLoosens(fmt.Sprintf("%v is looser than %v", on, tight))
		}
		return set(s, scope, value)
	}
}

// patterns reads a list of globs: a workspace's are added, others replace.
func patterns(field func(*Settings) *[]string) func(*Settings, Scope, any) error {
	return func(s *Settings, scope Scope, value any) error {
		list, err := texts(value)
		if err != nil {
			return err
		}
		list, err = goodPatterns(list)
		if scope == Workspace {
			list = union(*field(s), list)
		}
		*field(s) = list
		return err
	}
}

// goodPatterns leaves out what is no pattern, and names the first of those:
// one slip must not open what the others close.
func goodPatterns(list []string) (good []string, err error) {
	for _, p := range list {
		if bad := pathmatch.CheckPattern(p); bad == nil {
			good = append(good, p)
		} else if err == nil {
			err = fmt.Errorf("%s; the other patterns count", bad.Message)
		}
	}
	return good, err
}

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func readOnlyRoots(s *Settings, scope Scope, value any) error {
	list, err := texts(value)
	if err != nil {
		return err
	}
	for i, dir := range list {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("%q is not an absolute path, and nothing is expanded", dir)
		}
		list[i] = filepath.Clean(dir)
		if scope == Workspace && !slices.Contains(s.Policy.ReadOnlyRoots, list[i]) {
			return errLoosens(fmt.Sprintf("%q would be one more folder to read", dir))
		}
	}
	s.Policy.ReadOnlyRoots = list
	return nil
}

// logFile reads log.file. A workspace may not choose where this program
// writes.
func logFile(s *Settings, scope Scope, value any) error {
	path, ok := value.(string)
	switch {
	case !ok:
		return wrongType("a string", value)
	case path != "" && !filepath.IsAbs(path):
		return fmt.Errorf("%q is not an absolute path, and nothing is expanded", path)
	case scope == Workspace && path != s.Log.File:
		return fmt.Errorf("a workspace's settings may not choose it")
	}
	s.Log.File = path
	return nil
}

// texts reads a list of strings.
func texts(value any) ([]string, error) {
	switch list := value.(type) {
	case []string:
		return slices.Clone(list), nil
	case []any:
		all := make([]string, len(list))
		for i, v := range list {
			s, ok := v.(string)
			if !ok {
				return nil, wrongType("a list of strings", value)
			}
			all[i] = s
		}
		return all, nil
	}
	return nil, wrongType("a list of strings", value)
}
