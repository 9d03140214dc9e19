package workspace

import (
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/gitignore"
)

// Roots returns the workspace folders, in the order given. It must not be
// changed.
func (g *Gate) Roots() []*Root { return g.roots }

// ListsAs reports whether o has the same folders as g and hides the same in
// them, so that a list made for one is right for the other.
func (g *Gate) ListsAs(o *Gate) bool {
	a, b := g.settings.Policy, o.settings.Policy
	return slices.Equal(a.Private, b.Private) && slices.Equal(a.Excluded, b.Excluded) &&
		slices.Equal(a.ReadOnlyRoots, b.ReadOnlyRoots) &&
		slices.EqualFunc(g.roots, o.roots, func(a, b *Root) bool {
			return a.Folder == b.Folder && a.Dir == b.Dir && a.prefix == b.prefix && a.At == b.At && gitignore.SameAgents(g.AgentTop(a), o.AgentTop(b))
		})
}

// HidingPatterns returns the patterns of policy that keep names from lists.
// They must not be changed.
func (g *Gate) HidingPatterns() (private, excluded []string) {
	return g.settings.Policy.Private, g.settings.Policy.Excluded
}

// HiddenTop reports whether a rule takes the whole folder r.
func (g *Gate) HiddenTop(r *Root) bool { return g.policy.hiddenTop(r) }

// HiddenEntry reports whether a rule keeps one name of a folder from being
// listed, when none takes the folder itself, in; the path of a top is "".
func (g *Gate) HiddenEntry(in Place, name string) bool { return g.policy.hiddenEntry(in, name) }
