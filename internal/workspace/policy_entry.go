package workspace

import "slices"

// hiddenTop reports whether a rule takes the whole folder r.
func (p *policy) hiddenTop(r *root) bool {
	if r.of == nil {
		return p.private.matchFolder(r) != nil
	}
	_, hidden := p.hidden(r.placeAt("."))
	return hidden
}

// hiddenEntry tells whether a rule keeps one name of a folder from being
// listed, when none takes the folder itself, in; the path of a top is "".
func (p *policy) hiddenEntry(in place, name string) bool {
	name = foldPath(name)
	return p.private.matchEntry(in.root.above, in.path, name) || p.excluded.matchEntry(nil, in.path, name)
}

// matchEntry is match for a path none of whose folders match: only what the
// last name adds is looked at.
func (s *ruleSet) matchEntry(above []string, folder, name string) bool {
	// The path counts there only by how it ends, and that is the name.
	if s.matchName(name, name) != nil {
		return true
	}
	if len(s.paths) == 0 && s.inner[name] == nil {
		return false
	}
	path := joinSlash(folder, name)
	if s.matchLeading(path) != nil || s.matchInner("", path, name) != nil {
		return true
	}
	return slices.ContainsFunc(above, func(above string) bool { return s.matchInner(above, path, name) != nil })
}

// joinSlash returns name below folder, a slash path; "" is the top.
func joinSlash(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}
