package catalog

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// entryRules say which names of one folder are left out.
type entryRules struct {
	ignore *gitignore.Rules
	agents *gitignore.AgentRules
}

// below returns the rules in a folder of the folder that r is of, or, for the
// name "", of the top that r stands above. names are its ignore files.
func (r entryRules) below(name string, names []string, d fsys.DirHandle) entryRules {
	read := func(name string) ([]byte, error) { return d.ReadFile(name, gitignore.MaxFileBytes+1) }
	return entryRules{r.ignore.Below(name, names, read), r.agents.Below(name, names, read)}
}

// saysIgnored reports whether a file of that name decides about what is listed
// beside and below it.
func saysIgnored(name string) bool { return name == ".git" || gitignore.IsIgnoreFile(name) }

// stampsOf returns the states of the ignore files among names, which d holds.
func stampsOf(d fsys.DirHandle, names []string) []stamp {
	var stamps []stamp
	for _, name := range names {
		if saysIgnored(name) {
			stamps = append(stamps, stamp{name, stampOf(d, name)})
		}
	}
	slices.SortFunc(stamps, func(a, b stamp) int { return ComparePaths(a.name, b.name) })
	return stamps
}

// stampOf returns the state of an ignore file, links followed; zero when there is none. Of a
// repository only which one it is counts.
func stampOf(d fsys.DirHandle, name string) fsys.ID {
	st, err := d.Stat(name)
	if err != nil {
		return fsys.ID{}
	}
	if name == ".git" {
		return fsys.ID{Dev: st.ID.Dev, Ino: st.ID.Ino}
	}
	return st.ID
}

// sameStamps reports whether n's ignore files are as they were.
func (n *node) sameStamps(d fsys.DirHandle) bool {
	for _, s := range n.stamps {
		if stampOf(d, s.name) != s.id {
			return false
		}
	}
	return true
}

// rulesOf returns the rules inside n, which d is and whoever calls visits.
func (w *walker) rulesOf(n *node, d fsys.DirHandle) *entryRules {
	if n.rules == nil {
		above := n.tree.above
		if n.parent != nil {
			above = w.known(n.parent)
		}
		r := above.below(n.name, stampNames(n.stamps), d)
		n.rules = &r
	}
	return n.rules
}

// known returns the rules inside a folder that nobody visits now.
func (w *walker) known(n *node) *entryRules {
	w.rulesTurn.Lock()
	defer w.rulesTurn.Unlock()
	return n.climb()
}

// climb returns n's rules; it reads what was not read yet.
func (n *node) climb() *entryRules {
	if n.rules != nil {
		return n.rules
	}
	above := n.tree.above
	if n.parent != nil {
		above = n.parent.climb()
	}
	names := stampNames(n.stamps)
	var d fsys.DirHandle
	if len(names) > 0 {
		var err error
		if d, err = n.tree.dir.OpenBelow(n.rel); err != nil {
			names = nil
		} else {
			defer d.Close()
		}
	}
	r := above.below(n.name, names, d)
	n.rules = &r
	return n.rules
}

// stampNames are the names of the ignore files in a folder itself.
func stampNames(stamps []stamp) []string {
	if len(stamps) == 0 {
		return nil
	}
	names := make([]string, len(stamps))
	for i, s := range stamps {
		names[i] = s.name
	}
	return names
}

// rulesAbove returns the rules of the folder that at is in, what they come
// from, and the name of at in that; the rules above the top, and no name, if
// at is the top.
func rulesAbove(g *workspace.Gate, at workspace.OpenedFolder, excludes []byte) (rules entryRules, from sources, name string) {
	rules = entryRules{gitignore.TopRules(at.Open.Real, excludes), g.AgentTop(at.Root)}
	from = sources{agents: rules.agents, rules: []*gitignore.Rules{rules.ignore}}
	folder, rest := "", at.Rel
	for folder != at.Rel {
		d, err := at.Open.OpenBelow(folder)
		if err != nil {
			break // it moved away: what is read next will not hold long
		}
		rules = from.step(rules, folder, name, ignoreFilesIn(d), d)
		d.Close()
		name, rest, _ = strings.Cut(rest, "/")
		folder = fsys.JoinSlash(folder, name)
	}
	return rules, from, name
}

// step goes down to a folder, which d is and whose name in the one before is
// name, and takes its ignore files in.
func (s *sources) step(rules entryRules, folder, name string, names []string, d fsys.DirHandle) entryRules {
	f := source{folder, stampsOf(d, names)}
	rules = rules.below(name, stampNames(f.stamps), d)
	s.folders = append(s.folders, f)
	s.rules = append(s.rules, rules.ignore)
	return rules
}

// ignoreFilesIn returns the ignore files of a folder without reading all its
// names.
func ignoreFilesIn(d fsys.DirHandle) []string {
	var names []string
	for _, name := range ignoreNames {
		if _, err := d.Lstat(name); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// ignoreNames are the names that saysIgnored is true for.
var ignoreNames = append([]string{gitignore.GitFolderName, gitignore.GitIgnoreName, gitignore.DotIgnoreName}, gitignore.AgentFileNames...)
