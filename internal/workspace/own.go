package workspace

import (
	"crypto/rand"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// OwnPrefix begins the names of files that this program puts beside others for
// as long as it changes them. No tool makes, changes, moves or deletes a file
// or folder of such a name.
const OwnPrefix = ".agent-lsp-"

// WithOwn returns a gate like g that never writes to or below the files and
// folders at paths, which are this program's own: settings, state, cache,
// sockets. They need not exist, and are known by every name that leads to
// them. Gates that [NewGate] makes after g have them too.
func (g *Gate) WithOwn(paths ...string) *Gate {
	own := make([]string, 0, len(paths))
	for _, p := range paths {
		if filepath.IsAbs(p) && fsys.CheckPath(p) == nil {
			own = append(own, filepath.Clean(p))
		}
	}
	slices.Sort(own)
	with := g.fresh()
	with.own = slices.Compact(own)
	return with
}

// Aside returns a new path beside p, which may be written, for a file that is
// in the way for a while: one of this program's own names, with p's at its end.
func (g *Gate) Aside(p Path) Path {
	dir, name := filepath.Split(p.Abs)
	aside := g.Path(filepath.Join(dir, OwnPrefix+"moving-"+rand.Text()[:8]+"-"+name))
	aside.aside, aside.consented = true, true
	return aside
}

// ownAt returns which of the program's own files or folders the last of places
// is or lies in, or one of them is written to.
func (g *Gate) ownAt(places []Place) (own string, ok bool) {
	if len(g.own) == 0 || len(places) == 0 {
		return "", false
	}
	for _, at := range places {
		for _, abs := range at.absolute() {
			if own, ok := isOwnName(g.own, abs); ok {
				return own, true
			}
		}
	}
	return isOwnFile(g.own, places[len(places)-1].real())
}

// isOwnName compares names alone, without regard to case.
func isOwnName(own []string, abs string) (string, bool) {
	folded := fsys.FoldPath(filepath.ToSlash(abs))
	for _, o := range own {
		if _, ok := fsys.Below(fsys.FoldPath(filepath.ToSlash(o)), folded); ok {
			return o, true
		}
	}
	return "", false
}

// isOwnFile compares what exists by its device and inode, so that neither
// links, nor mounts, nor spellings lead around it; real has no links.
func isOwnFile(own []string, real string) (string, bool) {
	ancestors := sitesAbove(real)
	for _, o := range own {
		s, ok := siteOf(o)
		if ok && slices.ContainsFunc(ancestors, s.holds) {
			return o, true
		}
	}
	return "", false
}

// site is a place by a file or folder that exists and the names below it,
// folded, with slashes; "" for the file or folder itself.
type site struct {
	dev, ino uint64
	rest     string
}

// holds reports whether t is s, or below it.
func (s site) holds(t site) bool {
	if s.dev != t.dev || s.ino != t.ino {
		return false
	}
	return s.rest == "" || t.rest == s.rest || strings.HasPrefix(t.rest, s.rest+"/")
}

// siteOf returns where a path leads: the deepest of what exists on the way, and
// what is missing. It is not ok where that cannot be told.
func siteOf(abs string) (s site, ok bool) {
	if st, err := fsys.StatPath(abs); err == nil {
		return site{st.ID.Dev, st.ID.Ino, ""}, true
	}
	at, err := fsys.FollowLinks(abs)
	if err != nil {
		return site{}, false
	}
	if all := sitesAbove(at.Path); len(all) > 0 {
		return all[0], true
	}
	return site{}, false
}

// sitesAbove returns a path without links as seen from each of what exists on
// the way to it, the deepest first.
func sitesAbove(real string) (all []site) {
	top := fsys.VolumeRoot(real)
	for at := real; ; at = filepath.Dir(at) {
		if st, err := fsys.StatPath(at); err == nil {
			rest := strings.Trim(filepath.ToSlash(real[len(at):]), "/")
			all = append(all, site{st.ID.Dev, st.ID.Ino, fsys.FoldPath(rest)})
		}
		if at == top {
			return all
		}
	}
}

// absolute returns the paths that a place is written by: below its folder as
// that was given, and below where the folder is.
func (at Place) absolute() []string {
	if at.root == nil {
		return []string{at.rel}
	}
	given, real := filepath.Join(at.root.Path, at.rel), at.real()
	if given == real {
		return []string{given}
	}
	return []string{given, real}
}

// real returns the absolute path of a place that no links lead away from.
func (at Place) real() string {
	if at.root == nil {
		return at.rel
	}
	if dir := at.root.Real(); dir != "" {
		return filepath.Join(dir, at.rel)
	}
	return filepath.Join(at.root.Path, at.rel)
}
