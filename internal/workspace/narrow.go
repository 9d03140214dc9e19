package workspace

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// maxNarrowed is how many folders one may name to narrow a gate: those that lie
// in a folder of the gate are held open.
const maxNarrowed = 100

// Narrow returns a gate to what folders, the views of somebody else, have in
// common with g's own folders. They name and never open: relative paths are
// below them, paths are shown below them, and what is opened is opened through
// g's folders, under g's policy and settings. policy.readOnlyRoots stay g's.
// Documents that are open in an editor are as they are under g. What a folder is
// [Folder.Within] counts as far as g's own folders hold it.
//
// A view that has nothing in common with g is one without files. Errors:
// invalid_params for what cannot be a folder, and for too many.
func (g *Gate) Narrow(folders []Folder) (*Gate, error) {
	if g.base != nil {
		g = g.base
	}
	if len(folders) > maxNarrowed {
		return nil, fault.New(fault.InvalidParams, "%d folders are named; at most %d are possible", len(folders), maxNarrowed).
			Advise("name the folders that the call is about")
	}
	n := g.fresh()
	n.roots, n.views, n.whole = nil, nil, append([]*Root{}, g.roots...)
	names := make(map[string]int)
	for _, f := range folders {
		f, err := checkFolder(f)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(n.views, func(v Folder) bool { return v.Path == f.Path }) {
			n.views = append(n.views, f)
			names[f.Name]++
		}
	}
	for _, v := range n.views {
		prefix := ""
		if len(n.views) > 1 {
			prefix = v.Name + "/"
		}
		for _, r := range n.shared(v) {
			r.prefix, r.showAbs = prefix+r.Base, names[v.Name] > 1
			n.addNarrowed(r)
		}
	}
	return n, n.reach(folders)
}

// reach lets what folders are [Folder.Within] be named, as far as it is in g's
// own folders.
func (g *Gate) reach(folders []Folder) error {
	for _, f := range folders {
		if f.Within == "" {
			continue
		}
		around, err := checkFolder(Folder{Path: f.Within})
		if err != nil {
			return err
		}
		for _, r := range g.shared(around) {
			r.showAbs = true
			g.readable = append(slices.Clip(g.readable), r)
		}
	}
	return nil
}

// shared returns what lies in both a view and the whole gate: folders of that
// in the view, and the view itself where it lies in one.
func (g *Gate) shared(v Folder) (roots []*Root) {
	real, err := fsys.RealPath(v.Path)
	if err != nil {
		return nil
	}
	for _, own := range g.whole {
		at := own.Path
		rel, ok := fsys.Below(v.Path, own.Path)
		if !ok {
			rel, ok = fsys.Below(real, own.Real())
			at = filepath.Join(v.Path, rel)
		}
		if !ok {
			continue
		}
		r := &Root{Folder: Folder{Name: v.Name, Path: at}, Above: own.Above, Dir: own.Dir, around: own.around, of: own}
		if rel != "." {
			r.Name = filepath.ToSlash(rel)
			r.Base = r.Name + "/"
		}
		roots = append(roots, r)
	}
	if !slices.ContainsFunc(roots, func(r *Root) bool { return r.Base == "" }) {
		if r := g.inner(v, real); r != nil {
			roots = append(roots, r)
		}
	}
	return roots
}

// inner returns a view that lies in a folder of the whole gate; nil when it
// lies in none. It opens the view, and what was opened decides.
func (g *Gate) inner(v Folder, real string) *Root {
	if own, _ := innermost(g.whole, real, (*Root).Real); own == nil {
		return nil
	}
	dir, err := fsys.OpenFolder(v.Path)
	if err != nil {
		return nil
	}
	own, rel := innermost(g.whole, dir.Now().Real, (*Root).Real)
	if own == nil || rel == "." {
		return nil // it was exchanged meanwhile
	}
	at := filepath.ToSlash(rel)
	r := &Root{Folder: v, Above: own.Above, Dir: dir, of: own, At: at, around: []aroundRoot{{own, at}}}
	for _, a := range own.around {
		r.around = append(r.around, aroundRoot{a.root, path.Join(a.rel, at)})
	}
	return r
}

// addNarrowed adds a folder of a view. One that two views hold is shown as the
// inner one has it.
func (g *Gate) addNarrowed(r *Root) {
	i := slices.IndexFunc(g.roots, func(other *Root) bool { return other.Path == r.Path })
	switch {
	case i < 0:
		g.roots = append(g.roots, r)
	case len(r.Base) < len(g.roots[i].Base):
		g.roots[i] = r
	}
}

// Stands reports whether a narrowed gate's folders are still those that their
// paths name.
func (g *Gate) Stands() bool {
	return !slices.ContainsFunc(g.roots, func(r *Root) bool { return r.At != "" && !r.Dir.Reusable() })
}

// checkFolder returns f with a clean path and the name that it is shown by.
func checkFolder(f Folder) (Folder, error) {
	if !filepath.IsAbs(f.Path) || fsys.CheckPath(f.Path) != nil {
		return f, fault.New(fault.InvalidParams, "not an absolute path").At(f.Path).
			Advise("name the folder by its absolute path")
	}
	path := filepath.Clean(f.Path)
	return Folder{Name: folderName(Folder{Name: f.Name, Path: path}), Path: path}, nil
}
