//go:build cgo

package syntax

// #include "walk.h"
import "C"

import (
	"maps"
	"slices"

	sitter "github.com/smacker/go-tree-sitter"
)

// grammar is a language's rules in the numbers of its grammar, as the walk
// reads them.
type grammar struct {
	language *sitter.Language
	rewriter *rewriter
	ruleOf   []C.uint16_t // by kind of node: number of its rule plus 1, or 0
	rules    []C.walk_rule
	cases    []C.walk_case
	code     []C.uint16_t
	byNumber []*Rule
	local    bool     // see isLocal
	unknown  []string // kinds and fields that the rules name and the grammar lacks
}

func compile(l *Language, language *sitter.Language) *grammar {
	g := &grammar{language: language, rewriter: newRewriter(l), local: isLocal(l), code: []C.uint16_t{opEnd}}
	v := vocabularyOf(language)
	g.ruleOf = make([]C.uint16_t, language.SymbolCount())
	for _, kind := range slices.Sorted(maps.Keys(l.rules)) {
		rule := l.rules[kind]
		g.byNumber = append(g.byNumber, &rule)
		g.addRule(v, &rule)
		ids := v.named[kind]
		if ids == nil {
			v.unknown = append(v.unknown, kind)
		}
		for _, id := range ids {
			g.ruleOf[id] = C.uint16_t(len(g.byNumber))
		}
	}
	g.cases = append(g.cases, C.walk_case{}) // never empty, so that it has an address
	g.unknown = v.unknown
	return g
}

func vocabularyOf(language *sitter.Language) *vocabulary {
	v := &vocabulary{named: map[string][]uint16{"ERROR": {C.SYMBOL_ERROR}}, tokens: map[string][]uint16{}, fields: map[string]uint16{}}
	for id := range language.SymbolCount() {
		name, s := language.SymbolName(sitter.Symbol(id)), uint16(id)
		switch language.SymbolType(sitter.Symbol(id)) {
		case sitter.SymbolTypeRegular:
			v.named[name] = append(v.named[name], s)
		case sitter.SymbolTypeAnonymous:
			v.tokens[name] = append(v.tokens[name], s)
		}
	}
	for id := 1; ; id++ {
		name := language.FieldName(id)
		if name == "" {
			return v
		}
		v.fields[name] = uint16(id)
	}
}

func (g *grammar) addRule(v *vocabulary, rule *Rule) {
	scope, body := rule.Scope, rule.Body
	if rule.Embed != nil {
		scope = rule.Embed.Body
	}
	if body == "" && v.fields["body"] != 0 {
		body = "body"
	}
	c := C.walk_rule{
		name: g.path(v, rule.Name), only: g.path(v, rule.Only), unless: g.path(v, rule.Unless),
		scope: g.path(v, scope), inner: g.path(v, rule.Inner), body: g.path(v, body), callee: g.path(v, rule.Callee),
		cases: C.uint32_t(len(g.cases)), ncases: C.uint16_t(len(rule.Cases)),
		flags: flagsOf(rule), class_: C.uint8_t(classOf(rule.Kind)),
	}
	g.rules = append(g.rules, c)
	for _, one := range rule.Cases {
		g.cases = append(g.cases, C.walk_case{path: g.path(v, one.Path), class_: C.uint32_t(classOf(one.Kind))})
	}
}

// path compiles a path and returns where its code begins, 0 for no path.
func (g *grammar) path(v *vocabulary, path string) C.uint32_t {
	if path == "" {
		return 0
	}
	start := len(g.code)
	for _, word := range v.compilePath(nil, path) {
		g.code = append(g.code, C.uint16_t(word))
	}
	return C.uint32_t(start)
}

func flagsOf(rule *Rule) C.uint16_t {
	flags := C.uint16_t(0)
	for flag, set := range map[C.uint16_t]bool{
		C.RULE_WRAP: rule.Wrap, C.RULE_LEAD: rule.Lead, C.RULE_LEAF: rule.Leaf,
		C.RULE_CALL: rule.Calls != nil, C.RULE_JOIN: rule.Join != "", C.RULE_EMBED: rule.Embed != nil,
		C.RULE_TOP: rule.Top, C.RULE_TAIL: rule.Tail, C.RULE_HOIST: rule.Hoist, C.RULE_DEEP: rule.Deep, C.RULE_SOLID: rule.Solid,
	} {
		if set {
			flags |= flag
		}
	}
	return flags
}

// classOf tells of a kind what the walk has to know.
func classOf(k Kind) int {
	switch {
	case k == NoKind:
		return C.CLASS_NONE
	case k.IsFunction():
		return C.CLASS_CODE
	case k.IsType():
		return C.CLASS_TYPE
	case k.IsDetail():
		return C.CLASS_DETAIL
	}
	return C.CLASS_OTHER
}
