package gitignore

import "slices"

// UnsavedLists are the agents' ignore files of one workspace folder that an
// editor has open, by the slash path of the
// folder that they are in; "" is the top.
type UnsavedLists struct{ Lists map[string][]AgentList }

// Enter returns the rules inside a folder; up are those of the one it is in.
func (u *UnsavedLists) Enter(folder string, up *AgentRules) *AgentRules {
	if folder == "" {
		return u.Top(nil)
	}
	return up.Below(folderBase(folder), nil, nil)
}

// Top returns the rules at the top, after those of lists.
func (u *UnsavedLists) Top(lists []AgentList) *AgentRules {
	if u == nil {
		return &AgentRules{Lists: lists}
	}
	return &AgentRules{Lists: slices.Concat(lists, u.Lists[""]), unsaved: u}
}

// ListsAt returns the lists that hold in the folder rel, which enter is led to
// from the top, but for those of that folder itself.
func ListsAt(rel string, enter func(string, *AgentRules) *AgentRules) []AgentList {
	rules := enter("", nil)
	for i := range len(rel) {
		if rel[i] == '/' {
			rules = enter(rel[:i], rules)
		}
	}
	return rules.Below(folderBase(rel), nil, nil).Lists
}
