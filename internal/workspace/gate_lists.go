package workspace

import (
	"slices"
)

// allRoots returns the workspace folders, in the order given. It must not be
// changed.
func (g *Gate) allRoots() []*root { return g.roots }

// listsAs reports whether o has the same folders as g and hides the same in
// them, so that a list made for one is right for the other.
func (g *Gate) listsAs(o *Gate) bool {
	a, b := g.settings.Policy, o.settings.Policy
	return slices.Equal(a.Private, b.Private) && slices.Equal(a.Excluded, b.Excluded) &&
		slices.Equal(a.ReadOnlyRoots, b.ReadOnlyRoots) &&
		slices.EqualFunc(g.roots, o.roots, func(a, b *root) bool {
			return a.Folder == b.Folder && a.dir == b.dir && a.prefix == b.prefix && a.at == b.at && sameAgents(g.agentTop(a), o.agentTop(b))
		})
}

// hidingPatterns returns the patterns of policy that keep names from lists.
// They must not be changed.
func (g *Gate) hidingPatterns() (private, excluded []string) {
	return g.settings.Policy.Private, g.settings.Policy.Excluded
}

// hiddenTop reports whether a rule takes the whole folder r.
func (g *Gate) hiddenTop(r *root) bool { return g.policy.hiddenTop(r) }

// hiddenEntry reports whether a rule keeps one name of a folder from being
// listed, when none takes the folder itself, in; the path of a top is "".
func (g *Gate) hiddenEntry(in place, name string) bool { return g.policy.hiddenEntry(in, name) }
