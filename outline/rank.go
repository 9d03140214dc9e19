package outline

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ranked returns symbols in the order in which they are shown where there is
// not room for all: upper levels first; of a level what is used most, as uses
// tells, which may be nil, then what other files see, then what is largest.
func (o *Outline) ranked(symbols []int, uses func(name string) int) []int {
	type place struct {
		i, level, used int
		hidden         bool
	}
	places := make([]place, len(symbols))
	for n, i := range symbols {
		s := &o.Symbols[i]
		p := place{i: i, level: o.level(i), hidden: !o.isSeen(i)}
		if s.Depth == 0 && s.Container != "" {
			p.level += 2 // a method outside of its type
		}
		if uses != nil {
			p.used = uses(s.Name)
		}
		places[n] = p
	}
	slices.SortFunc(places, func(a, b place) int {
		x, y := &o.Symbols[a.i], &o.Symbols[b.i]
		return cmp.Or(a.level-b.level, b.used-a.used, falseFirst(a.hidden, b.hidden),
			(y.EndLine-y.StartLine)-(x.EndLine-x.StartLine), a.i-b.i)
	})
	order := make([]int, len(places))
	for n, p := range places {
		order[n] = p.i
	}
	return order
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// isSeen reports whether other files see symbol i, as far as its name and head
// tell.
func (o *Outline) isSeen(i int) bool {
	s := &o.Symbols[i]
	before, _, _ := strings.Cut(s.Signature, s.Name)
	words := strings.Fields(before)
	switch o.Language {
	case "go":
		return startsUpper(s.Name) && (s.Container == "" || startsUpper(s.Container))
	case "c":
		return !slices.Contains(words, "static")
	case "rust":
		return s.Parent >= 0 && s.Container == o.Symbols[s.Parent].Name || strings.HasPrefix(before, "pub")
	case "javascript", "javascriptreact", "typescript", "typescriptreact":
		if s.Parent < 0 {
			return slices.Contains(words, "export")
		}
	}
	own := strings.HasPrefix(s.Name, "_") && !strings.HasPrefix(s.Name, "__") || strings.HasPrefix(s.Name, "#")
	return !own && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(hiding[:], w) })
}

// hiding are the words in front of a name that other files do not see.
var hiding = [...]string{"private", "protected", "internal", "fileprivate", "defp", "defmacrop"}

func startsUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}
