package workspace

import (
	"slices"
	"strings"
)

// entryRules say which names of one folder are left out.
type entryRules struct {
	ignore *ignoreRules
	agents *agentRules
}

// below returns the rules in a folder of the folder that r is of, or, for the
// name "", of the top that r stands above. names are its ignore files.
func (r entryRules) below(name string, names []string, d dirHandle) entryRules {
	read := func(name string) ([]byte, error) { return d.readFile(name, maxIgnoreBytes+1) }
	return entryRules{r.ignore.below(name, names, read), r.agents.below(name, names, read)}
}

// saysIgnored tells whether a file of that name decides about what is listed
// beside and below it.
func saysIgnored(name string) bool { return name == ".git" || isIgnoreFile(name) }

// stampsOf returns the states of the ignore files among names, which d holds.
func stampsOf(d dirHandle, names []string) []stamp {
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
func stampOf(d dirHandle, name string) ID {
	st, err := d.stat(name)
	if err != nil {
		return ID{}
	}
	if name == ".git" {
		return ID{Dev: st.id.Dev, Ino: st.id.Ino}
	}
	return st.id
}

// sameStamps tells whether n's ignore files are as they were.
func (n *node) sameStamps(d dirHandle) bool {
	for _, s := range n.stamps {
		if stampOf(d, s.name) != s.id {
			return false
		}
	}
	return true
}

// rulesOf returns the rules inside n, which d is and whoever calls visits.
func (w *walker) rulesOf(n *node, d dirHandle) *entryRules {
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
	var d dirHandle
	if len(names) > 0 {
		var err error
		if d, err = n.tree.dir.openFolderAt(n.rel); err != nil {
			names = nil
		} else {
			defer d.close()
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
func rulesAbove(g *Gate, at openedFolder, excludes []byte) (rules entryRules, from sources, name string) {
	rules = entryRules{topRules(at.open.real, excludes), g.agentTop(at.root)}
	from = sources{agents: rules.agents, rules: []*ignoreRules{rules.ignore}}
	folder, rest := "", at.rel
	for folder != at.rel {
		d, err := at.open.openFolderAt(folder)
		if err != nil {
			break // it moved away: what is read next will not hold long
		}
		rules = from.step(rules, folder, name, ignoreFilesIn(d), d)
		d.close()
		name, rest, _ = strings.Cut(rest, "/")
		folder = joinSlash(folder, name)
	}
	return rules, from, name
}

// step goes down to a folder, which d is and whose name in the one before is
// name, and takes its ignore files in.
func (s *sources) step(rules entryRules, folder, name string, names []string, d dirHandle) entryRules {
	f := source{folder, stampsOf(d, names)}
	rules = rules.below(name, stampNames(f.stamps), d)
	s.folders = append(s.folders, f)
	s.rules = append(s.rules, rules.ignore)
	return rules
}

// ignoreFilesIn returns the ignore files of a folder without reading all its
// names.
func ignoreFilesIn(d dirHandle) []string {
	var names []string
	for _, name := range ignoreNames {
		if _, err := d.lstat(name); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// ignoreNames are the names that saysIgnored is true for.
var ignoreNames = append([]string{gitFolderName, gitIgnoreName, dotIgnoreName}, agentIgnoreNames...)
