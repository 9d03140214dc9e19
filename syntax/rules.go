package syntax

import (
	"bytes"
	"maps"
	"strings"
)

// Rules says, for each kind of node that matters in a grammar's trees, what it
// means. A node whose kind has no rule is passed over with everything in it:
// that makes the walk fast. ERROR nodes are always visited.
type Rules map[string]Rule

// Rule says what one kind of node means. The zero rule is for nodes that are
// nothing themselves and whose children count.
//
// A Function, Method or Constructor without a name is code all the same: what
// stands in it counts as inside of a function.
//
// Paths find nodes from a node. Steps are joined by "/", alternatives by " | "
// (the first that exists counts). A step is one of
//
//	name        the child in a field        name:a,b   if it is of kind a or b
//	name*       the field followed as long as there is one
//	<a,b>       the first child of kind a or b
//	"token"     the first child that is this very token
//	#0  #-1     the named child with this number, from the end if negative
//	//a,b       the node itself, but for the one the path begins at, or the
//	            first descendant, of kind a or b
//	.           the node itself
//	^           its parent: slow, for rare nodes
//	~           its head: from its start to its body
//
// A field or <kinds> may end in "+": all such children, from each of which the
// steps that follow are taken.
type Rule struct {
	// Kind is what the node defines; NoKind if nothing by itself.
	Kind Kind
	// Member is the kind inside a type, where a function is a method too;
	// NoKind if all is the same there.
	Member Kind
	// Free is the kind at the top of the text; NoKind if it is the same.
	Free Kind
	// Cases decide the kind by what the node is made of, before Kind.
	Cases []Case
	// Caps is the kind when the name is all in capitals.
	Caps Kind
	// Name is the path to the name. With "+" each match is a definition, or,
	// with Join, all together are one name. Without a path, or when it leads
	// nowhere, there is no definition.
	Name string
	Join string
	// Each: a definition extends over its match of Name alone.
	Each bool
	// Prefix stands before the name, to show what sort of name it is; with
	// Inner, only where that leads somewhere.
	Prefix string
	// Trim are the characters that are no part of a name at its start: the
	// colon of a symbol.
	Trim string
	// Only and Unless are paths that must, must not exist for a definition.
	Only, Unless string
	// Scope is the path to the name of the type that the definition belongs to
	// without standing in it: a receiver. ScopeCut are scopes that are none,
	// and, with a dot before, endings that a scope loses.
	Scope    string
	ScopeCut []string
	// Inner is the path to the name that the node's children have as their
	// container, instead of the node's own.
	Inner string
	// Body is the path to where the head ends; the field "body" by default.
	Body string
	// Wrap: the single definition in the node extends over all of it. Where
	// the node is a definition too, the two have the same extent, or are one
	// if they have the same name: C's typedef of a struct. Without a Name, its
	// Cases give a kind to the variables inside: JavaScript's const.
	Wrap bool
	// Opening are words that belong to the definition where they stand before
	// it, divided by blanks: "let rec and".
	Opening string
	// In: it is a definition only directly within one of this kind.
	In Kind
	// Top: the node itself counts for nothing inside of functions.
	Top bool
	// Lead: an attribute or decorator, part of the definition that follows.
	Lead bool
	// Leads are the texts at Callee with which the node is such a part.
	Leads map[string]bool
	// Tail: part of the definition that stands directly before it.
	Tail bool
	// Hoist: the node belongs to the type around the function that it stands
	// in: a constructor's parameter that is a property too.
	Hoist bool
	// Deep: inside of functions, too, what is in the node counts even if it
	// stands on one line, and so does a call.
	Deep bool
	// Leaf: nothing inside counts.
	Leaf bool
	// Rest: the definition holds what follows it among its siblings, up to
	// the next of its kind.
	Rest bool
	// Ranked: the definition holds what follows it up to the next one of a
	// rule like this whose case is the same or an earlier one: a heading.
	Ranked bool
	// Open: a definition whose text ends in this goes on in the next one of the
	// rule: a function's clauses.
	Open string
	// Solid: comments at the node's end are no part of it.
	Solid bool
	// Read sees the node's text with the kind and the name so far and returns
	// better ones, where words decide and not nodes.
	Read func(node []byte, kind Kind, name string) (Kind, string)
	// Callee is the path to the name of what is called; the node is a
	// definition only if Calls has that name.
	Callee string
	Calls  map[string]Call
	// Kinds tells the kind by the text at Callee, before Kind and Cases.
	Kinds map[string]Kind
	// Embed: a part of the node is in another language.
	Embed *Embed
}

// Case gives a kind to the nodes in which a path exists.
type Case struct {
	Path string
	Kind Kind
}

// Call says what a call defines, where calls are how a language, or its test
// library, defines things.
type Call struct {
	Kind Kind
	All  bool // each match of the rule's Name is a definition, not only the first
}

// Embed says which part of a node is in another language, and which one.
type Embed struct {
	Body     string            // path
	Language string            // its name
	Or       map[string]string // other languages, by a text in the node before the body
}

// languageOf returns the name of the language, given the text before the body.
func (e *Embed) languageOf(head []byte) string {
	for mark, language := range e.Or {
		if bytes.Contains(head, []byte(mark)) {
			return language
		}
	}
	return e.Language
}

// and returns the rules with more of them.
func (r Rules) and(more Rules) Rules {
	all := maps.Clone(r)
	maps.Copy(all, more)
	return all
}

// cutScope returns a scope without what says nothing.
func (r *Rule) cutScope(scope string) string {
	for _, cut := range r.ScopeCut {
		if scope == cut {
			return ""
		}
		if cut[0] == '.' {
			scope = strings.TrimSuffix(scope, cut)
		}
	}
	return scope
}

// member returns the kind that a definition has inside a type.
func (r *Rule) member(k Kind) Kind {
	switch {
	case r.Member == NoKind:
		return k
	case k == r.Kind:
		return r.Member
	case k == Function:
		return Method
	case k == Variable && !r.Member.IsFunction():
		return r.Member
	}
	return k
}
