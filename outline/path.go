package outline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/jsonc"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// Place is a value in a text of keys and values.
type Place struct {
	// Span is the key with its value, or an item of a list, without a comma.
	Span text.Span
	Kind syntax.Kind

	name  text.Span // of the key; empty for items
	reach int       // where ends what belongs to it, for an item
}

// Locate returns the values that a path names from the top of src on, which is
// in JSON, YAML or TOML and has the outline o: "scripts.test",
// "jobs.build.steps[2]", "/paths/0/get", `exports["./sub"]`. Keys may hold the
// separators. There are several where keys are given twice, or in several
// documents; none where the path leads nowhere, or is no such path.
func (o *Outline) Locate(l *syntax.Language, src []byte, path string) []Place {
	if l == nil || len(path) > maxQuery {
		return nil
	}
	ways := keyPaths(path)
	switch {
	case isJSON(l):
		return o.withComments(locateJSON(src, ways))
	case l.Name == "yaml" || l.Name == "toml":
		for _, way := range ways {
			if places := (&locator{o: o, src: src, scope: text.Span{End: len(src)}}).walk(way); len(places) > 0 {
				return places
			}
		}
	}
	return nil
}

// step is one part of a path: a key, or the place of an item from 0 where isIndex.
// Which of both a number is, the text decides.
type step struct {
	key     string
	index   int
	isIndex bool // in brackets
	isBare  bool // a number that is no index in brackets
}

// keyPaths returns the ways to read a path: with dots between keys, with slashes.
func keyPaths(path string) (ways [][]step) {
	path = strings.TrimPrefix(strings.TrimSpace(path), "$")
	if strings.Contains(path, "/") {
		ways = append(ways, keySteps(path, '/'))
	}
	ways = append(ways, keySteps(path, '.'))
	return slices.DeleteFunc(ways, func(w []step) bool { return len(w) == 0 })
}

// keySteps divides a path at a separator, and at brackets.
func keySteps(path string, separator byte) (steps []step) {
	path = strings.TrimLeft(path, string(separator)+"#")
	for path != "" {
		if path[0] == '[' {
			inner, rest, ok := cutBracket(path)
			if !ok {
				return nil
			}
			steps = append(steps, bracketStep(inner))
			path = strings.TrimPrefix(rest, string(separator))
			continue
		}
		var key string
		if n, quote := quoted(path); quote {
			key, path = path[1:n-1], path[n:]
		} else {
			end := strings.IndexAny(path, string(separator)+"[")
			if end < 0 {
				end = len(path)
			}
			key, path = path[:end], path[end:]
		}
		path = strings.TrimPrefix(path, string(separator))
		if separator == '/' {
			key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key) // as JSON pointers write them
		}
		n, err := strconv.Atoi(key)
		steps = append(steps, step{key: key, index: n, isBare: err == nil && n >= 0})
	}
	return steps
}

// quoted returns the length of the quotation that s begins with.
func quoted(s string) (n int, ok bool) {
	if s[0] != '"' && s[0] != '\'' {
		return 0, false
	}
	end := strings.IndexByte(s[1:], s[0])
	return end + 2, end >= 0
}

// cutBracket cuts a step in brackets off the begin of a path.
func cutBracket(path string) (inner, rest string, ok bool) {
	if len(path) > 1 {
		if n, isQuoted := quoted(path[1:]); isQuoted {
			inner, rest = path[1:1+n], path[1+n:]
			return inner, strings.TrimPrefix(rest, "]"), strings.HasPrefix(rest, "]")
		}
	}
	inner, rest, ok = strings.Cut(path[1:], "]")
	return inner, rest, ok && inner != ""
}

func bracketStep(inner string) step {
	if n, isQuoted := quoted(inner); isQuoted && n == len(inner) {
		return step{key: inner[1 : n-1]}
	}
	n, err := strconv.Atoi(inner)
	return step{key: inner, index: n, isIndex: err == nil}
}

// at returns the place of an item in a list of n that the step names. Negative
// ones count from the end.
func (s step) at(n int) (int, bool) {
	i := s.index
	if i < 0 {
		i += n
	}
	return i, (s.isIndex || s.isBare) && i >= 0 && i < n
}

// locateJSON walks down the value of a JSON text.
func locateJSON(src []byte, ways [][]step) []Place {
	if refuseJSON(src) != "" {
		return nil
	}
	value, err := jsonc.Parse(src)
	if err != nil {
		return nil
	}
	for _, way := range ways {
		if places := walkJSON(&value, text.Span{Start: value.StartOffset, End: value.EndOffset}, way); len(places) > 0 {
			return places
		}
	}
	return nil
}

// walkJSON returns what steps name below a value, which has a span with its key.
func walkJSON(value *jsonc.Value, span text.Span, steps []step) (places []Place) {
	if len(steps) == 0 {
		return []Place{{Span: span, Kind: kindOf(*value)}}
	}
	switch v := value.Value.(type) {
	case *jsonc.Array:
		if i, ok := steps[0].at(len(v.Elements)); ok {
			item := &v.Elements[i]
			return walkJSON(item, text.Span{Start: item.StartOffset, End: item.EndOffset}, steps[1:])
		}
	case *jsonc.Object:
		for i := range v.Members {
			m := &v.Members[i]
			name, _ := m.Name.Value.(jsonc.Literal)
			if rest, ok := takeKey(steps, name.String()); ok {
				places = append(places, walkJSON(&m.Value, text.Span{Start: m.Name.StartOffset, End: m.Value.EndOffset}, rest)...)
			}
		}
	}
	return places
}

// takeKey takes a key off the begin of steps: one of them, or several where the
// key holds dots that the path does not quote.
func takeKey(steps []step, key string) (rest []step, ok bool) {
	for n := range steps {
		if steps[n].isIndex {
			return nil, false
		}
		if after, found := strings.CutPrefix(key, steps[n].key); !found {
			return nil, false
		} else if after == "" {
			return steps[n+1:], true
		} else if key = after[1:]; after[0] != '.' {
			return nil, false
		}
	}
	return nil, false
}

// withComments adds the comments above to the keys that the outline has.
func (o *Outline) withComments(places []Place) []Place {
	for n, p := range places {
		if i := o.At(p.Span.Start); i >= 0 && o.Symbols[i].NameSpan.Start == p.Span.Start {
			places[n].Span.Start = o.Symbols[i].Span.Start
		}
	}
	return places
}
