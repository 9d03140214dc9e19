package workspace

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// hiddenTop tells whether a rule takes the whole folder r.
func (p *policy) hiddenTop(r *root) bool { return p.private.matchFolder(r.folded) != nil }

// hiddenEntry tells whether a rule keeps one name of a folder from being
// listed, when none takes the folder itself. folder is the folder's place
// below its root, folded; "" at the top.
func (p *policy) hiddenEntry(folder, name string) bool {
	name = foldPath(name)
	return p.private.matchEntry(folder, name) || p.excluded.matchEntry(folder, name)
}

// matchEntry is match for a path none of whose folders match: only what the
// last name adds is looked at.
func (s *ruleSet) matchEntry(folder, name string) bool {
	// The path counts there only by how it ends, and that is the name.
	if s.matchName(name, name) != nil {
		return true
	}
	if len(s.paths)+len(s.inner) == 0 {
		return false
	}
	path := joinSlash(folder, name)
	for _, r := range s.paths {
		if doublestar.MatchUnvalidated(r.glob, path) {
			return true
		}
	}
	for _, r := range s.inner {
		if end := r.glob[:len(r.glob)-1]; path == end[1:] || strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// joinSlash returns name below folder, a slash path; "" is the top.
func joinSlash(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}
