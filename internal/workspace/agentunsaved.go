package workspace

import (
	"bytes"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
)

// unsavedTexts are the agents' ignore files that an editor has open.
type unsavedTexts struct {
	texts  map[string][]byte
	byRoot map[*Root]*gitignore.UnsavedLists
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
	u := &unsavedTexts{texts: texts, byRoot: make(map[*Root]*gitignore.UnsavedLists)}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		abs, another := strings.CutSuffix(key, OfAnother)
		if !gitignore.IsAgentIgnore(filepath.Base(abs)) {
			continue
		}
		// The folder may be reached through links.
		dir, err := fsys.FollowLinks(filepath.Dir(abs))
		real := filepath.Join(dir.Path, filepath.Base(abs))
		for _, roots := range [][]*Root{g.roots, g.readable, g.whole} {
			if r, rel := innermost(roots, abs, givenPath); r != nil {
				u.add(r, rel, texts[key], another)
			}
			if r, rel := innermost(roots, real, (*Root).Real); err == nil && r != nil {
				u.add(r, rel, texts[key], another)
			}
		}
	}
	return u
}

// add adds the text of the ignore file rel below r, unless it is known.
func (u *unsavedTexts) add(r *Root, rel string, content []byte, another bool) {
	if u.byRoot[r] == nil {
		u.byRoot[r] = &gitignore.UnsavedLists{Lists: make(map[string][]gitignore.AgentList)}
	}
	rel = filepath.ToSlash(rel)
	lists, folder := u.byRoot[r].Lists, fsys.SlashDir(rel)
	shown := rel + " (unsaved)"
	if another {
		shown = rel + " (unsaved in another editor)"
	}
	if !slices.ContainsFunc(lists[folder], func(l gitignore.AgentList) bool { return l.Shown == shown }) {
		lists[folder] = append(lists[folder], gitignore.NewAgentList(shown, content))
	}
}

// of returns what is open in a workspace folder, nil if nothing is.
func (u *unsavedTexts) of(r *Root) *gitignore.UnsavedLists {
	if u == nil {
		return nil
	}
	return u.byRoot[r]
}

// hidden returns the rule that keeps a place from being read, written or
// listed.
func (g *Gate) hidden(at Place) (rule string, ok bool) {
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
func (g *Gate) hiddenBelow(r *Root, rel string) (rule string, ok bool) {
	o := r.Dir.Now()
	if o != nil {
		if rule, ok := gitignore.Hides(o, rel); ok {
			return rule, true
		}
	}
	if u := g.unsaved.of(r); u != nil {
		return gitignore.HidesPath(rel, u.Enter, func() bool { return o != nil && gitignore.IsFolder(o, rel) })
	}
	return "", false
}

// AgentTop returns what holds at the top of a workspace folder besides the
// files on disk in it: those of folders around it, and open documents. It is
// nil when there is nothing.
func (g *Gate) AgentTop(r *Root) *gitignore.AgentRules {
	var lists []gitignore.AgentList
	for _, a := range r.around {
		if rule, ok := g.hiddenBelow(a.root, a.rel); ok {
			everything := gitignore.NewAgentList(rule, []byte("*"))
			return &gitignore.AgentRules{Lists: []gitignore.AgentList{everything}}
		}
		lists = append(lists, g.listsInto(a)...)
	}
	u := g.unsaved.of(r)
	if len(lists) == 0 && u == nil {
		return nil
	}
	return u.Top(lists)
}

// listsInto returns the lists of an outer folder's files as they hold in the
// inner one, without what is in that itself.
func (g *Gate) listsInto(a aroundRoot) []gitignore.AgentList {
	enters := []func(string, *gitignore.AgentRules) *gitignore.AgentRules{}
	if o := a.root.Dir.Now(); o != nil {
		enters = append(enters, func(folder string, up *gitignore.AgentRules) *gitignore.AgentRules {
			return gitignore.RulesIn(o, folder, up)
		})
	}
	if u := g.unsaved.of(a.root); u != nil {
		enters = append(enters, u.Enter)
	}
	var lists []gitignore.AgentList
	for _, enter := range enters {
		lists = append(lists, gitignore.ListsAt(a.rel, enter)...)
	}
	return lists
}
