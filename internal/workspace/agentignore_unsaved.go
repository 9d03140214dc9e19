package workspace

import "slices"

// unsavedIgnores are those of one workspace folder, by the slash path of the
// folder that they are in; "" is the top.
type unsavedIgnores struct{ lists map[string][]agentList }

// enter returns the rules inside a folder; up are those of the one it is in.
func (u *unsavedIgnores) enter(folder string, up *agentRules) *agentRules {
	if folder == "" {
		return u.top(nil)
	}
	return up.below(folderBase(folder), nil, nil)
}

// top returns the rules at the top, after those of lists.
func (u *unsavedIgnores) top(lists []agentList) *agentRules {
	if u == nil {
		return &agentRules{lists: lists}
	}
	return &agentRules{lists: slices.Concat(lists, u.lists[""]), unsaved: u}
}

func listsAt(rel string, enter func(string, *agentRules) *agentRules) []agentList {
	rules := enter("", nil)
	for i := range len(rel) {
		if rel[i] == '/' {
			rules = enter(rel[:i], rules)
		}
	}
	return rules.below(folderBase(rel), nil, nil).lists
}
