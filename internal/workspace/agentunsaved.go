package workspace

import (
	"bytes"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// unsavedTexts are the agents' ignore files that an editor has open.
type unsavedTexts struct {
	texts  map[string][]byte
	byRoot map[*root]*unsavedIgnores
}

// derivedGate remembers the last gate that was derived, so that calls with
// the same open documents share it.
type derivedGate struct {
	mu   sync.Mutex
	last *Gate
}

// OfAnother ends the key of a text that another editor has under the same name.
const OfAnother = "\x00"

// WithAgentIgnores returns a gate that also keeps to agents' ignore files as
// open documents have them; those on disk still count. The keys of texts are
// the files' absolute paths, with [OfAnother] behind that of a text which counts
// beside the one without; texts must not be changed afterwards.
//
// While the texts stay the same, so does the returned pointer; without any it
// is the gate that NewGate made.
func (g *Gate) WithAgentIgnores(texts map[string][]byte) *Gate {
	if g.base != nil {
		g = g.base
	}
	if len(texts) == 0 {
		return g
	}
	g.derived.mu.Lock()
	defer g.derived.mu.Unlock()
	if last := g.derived.last; last != nil && maps.EqualFunc(last.unsaved.texts, texts, bytes.Equal) {
		return last
	}
	last := g.fresh()
	last.base, last.unsaved = g, g.newUnsaved(texts)
	g.derived.last = last
	return last
}

func (g *Gate) newUnsaved(texts map[string][]byte) *unsavedTexts {
	u := &unsavedTexts{texts: texts, byRoot: make(map[*root]*unsavedIgnores)}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		abs, another := strings.CutSuffix(key, OfAnother)
		if !IsAgentIgnore(filepath.Base(abs)) {
			continue
		}
		// The folder may be reached through links.
		dir, err := followLinks(filepath.Dir(abs))
		real := filepath.Join(dir.path, filepath.Base(abs))
		for _, roots := range [][]*root{g.roots, g.readable, g.whole} {
			if r, rel := innermost(roots, abs, givenPath); r != nil {
				u.add(r, rel, texts[key], another)
			}
			if r, rel := innermost(roots, real, (*root).real); err == nil && r != nil {
				u.add(r, rel, texts[key], another)
			}
		}
	}
	return u
}

// add adds the text of the ignore file rel below r, unless it is known.
func (u *unsavedTexts) add(r *root, rel string, content []byte, another bool) {
	if u.byRoot[r] == nil {
		u.byRoot[r] = &unsavedIgnores{lists: make(map[string][]agentList)}
	}
	rel = filepath.ToSlash(rel)
	lists, folder := u.byRoot[r].lists, slashDir(rel)
	shown := rel + " (unsaved)"
	if another {
		shown = rel + " (unsaved in another editor)"
	}
	if !slices.ContainsFunc(lists[folder], func(l agentList) bool { return l.shown == shown }) {
		lists[folder] = append(lists[folder], newAgentList(shown, content))
	}
}

// of returns what is open in a workspace folder, nil if nothing is.
func (u *unsavedTexts) of(r *root) *unsavedIgnores {
	if u == nil {
		return nil
	}
	return u.byRoot[r]
}

// hidden returns the rule that keeps a place from being read, written or
// listed.
func (g *Gate) hidden(at place) (rule string, ok bool) {
	if rule, ok := g.policy.hidden(at); ok {
		return rule, true
	}
	if at.root == nil {
		return "", false
	}
	rel := filepath.ToSlash(at.rel)
	if rule, ok := g.hiddenBelow(at.root, rel); ok {
		return rule, true
	}
	for _, a := range at.root.around {
		if rule, ok := g.hiddenBelow(a.root, path.Join(a.rel, rel)); ok {
			return rule, true
		}
	}
	return "", false
}

// hiddenBelow is hidden by the ignore files in one workspace folder.
func (g *Gate) hiddenBelow(r *root, rel string) (rule string, ok bool) {
	o := r.dir.now()
	if o != nil {
		if rule, ok := o.hides(rel); ok {
			return rule, true
		}
	}
	if u := g.unsaved.of(r); u != nil {
		return hidesPath(rel, u.enter, func() bool { return o != nil && o.isFolder(rel) })
	}
	return "", false
}

// agentTop returns what holds at the top of a workspace folder besides the
// files on disk in it: those of folders around it, and open documents. It is
// nil when there is nothing.
func (g *Gate) agentTop(r *root) *agentRules {
	var lists []agentList
	for _, a := range r.around {
		if rule, ok := g.hiddenBelow(a.root, a.rel); ok {
			everything := newAgentList(rule, []byte("*"))
			return &agentRules{lists: []agentList{everything}}
		}
		lists = append(lists, g.listsInto(a)...)
	}
	u := g.unsaved.of(r)
	if len(lists) == 0 && u == nil {
		return nil
	}
	return u.top(lists)
}

// listsInto returns the lists of an outer folder's files as they hold in the
// inner one, without what is in that itself.
func (g *Gate) listsInto(a aroundRoot) []agentList {
	enters := []func(string, *agentRules) *agentRules{}
	if o := a.root.dir.now(); o != nil {
		enters = append(enters, func(folder string, up *agentRules) *agentRules { return o.agentRules(folder, up) })
	}
	if u := g.unsaved.of(a.root); u != nil {
		enters = append(enters, u.enter)
	}
	var lists []agentList
	for _, enter := range enters {
		lists = append(lists, listsAt(a.rel, enter)...)
	}
	return lists
}
