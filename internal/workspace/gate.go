package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/settings"
)

// Gate is the way to the files of some workspace folders under some settings.
// It is safe for concurrent use. See the package comment for what it
// guarantees.
type Gate struct {
	roots    []*Root  // workspace folders, in the order given
	views    []Folder // that relative paths are below: those of roots, or of who narrowed the gate
	whole    []*Root  // the folders of the gate that was narrowed to roots; nil for others
	readable []*Root  // policy.readOnlyRoots, and what [Folder.Within] names, which is not read-only
	outputs  *Root    // the reserved folder of kept output; nil without one
	settings settings.Settings
	policy   *policy
	own      []string // see WithOwn; clean absolute paths

	// base is the gate that this one was derived from, and unsaved what was
	// added; nil when it was made by NewGate.
	base    *Gate
	unsaved *unsavedTexts
	derived derivedGate
}

// NewGate opens folders under the settings s. Directories that prev (which
// may be nil) has open already are shared with it, and what prev keeps as the
// program's own ([Gate.WithOwn]) is kept by g too.
//
// A folder that cannot be opened is a problem and not a failure: it stays a
// folder of the gate, its files are not_found, and the next NewGate tries it
// again. Problems are *fault.Error values that name the folder.
func NewGate(prev *Gate, folders []Folder, s settings.Settings) (g *Gate, problems []error) {
	g = &Gate{settings: s.Clone()}
	if prev != nil {
		g.own = prev.own
	}
	open := opener{prev: prev.open()}
	for _, f := range folders {
		if r := open.root(f, &g.roots); r != nil {
			g.roots = append(g.roots, r)
		}
	}
	for _, dir := range s.Policy.ReadOnlyRoots {
		if r := open.root(Folder{Path: dir}, &g.readable); r != nil {
			r.readOnly, r.showAbs = true, true
			g.readable = append(g.readable, r)
		}
	}
	for _, f := range folders {
		if f.Within == "" {
			continue
		}
		if r := open.root(Folder{Path: f.Within}, &g.readable); r != nil {
			r.showAbs = true
			g.readable = append(g.readable, r)
		}
	}
	setPrefixes(g.roots)
	g.views = g.Folders()
	g.setAround()
	var bad []error
	g.policy, bad = newPolicy(g.settings)
	return g, append(open.problems, bad...)
}

// fresh returns a gate with the folders and rules of g, of which nothing was
// derived yet.
func (g *Gate) fresh() *Gate {
	return &Gate{
		roots: g.roots, views: g.views, whole: g.whole, readable: g.readable, outputs: g.outputs,
		settings: g.settings, policy: g.policy, own: g.own,
	}
}

// Folders returns the workspace folders, cleaned, each with the name that it is
// shown by. Folders that cannot be opened are among them.
func (g *Gate) Folders() []Folder {
	folders := make([]Folder, len(g.roots))
	for i, r := range g.roots {
		folders[i] = r.Folder
	}
	return folders
}

// Settings returns the settings the gate was made with.
func (g *Gate) Settings() settings.Settings { return g.settings.Clone() }

// open returns the gate's directories by path; none for a nil gate.
func (g *Gate) open() map[string]*fsys.Folder {
	if g == nil {
		return nil
	}
	dirs := make(map[string]*fsys.Folder, len(g.roots)+len(g.readable))
	for _, r := range slices.Concat(g.roots, g.readable) {
		dirs[r.Path] = r.Dir
	}
	return dirs
}

// opener opens folders, sharing what an earlier gate has open.
type opener struct {
	prev     map[string]*fsys.Folder
	problems []error
}

// root opens f; nil when it is in have already or cannot be a folder.
func (o *opener) root(f Folder, have *[]*Root) *Root {
	f, err := checkFolder(f)
	if err != nil {
		o.problems = append(o.problems, err)
		return nil
	}
	if slices.ContainsFunc(*have, func(r *Root) bool { return r.Path == f.Path }) {
		return nil
	}
	r := &Root{Folder: f, Dir: o.dir(f.Path)}
	r.Above = []string{foldAbsolute(f.Path)}
	if real := foldAbsolute(r.Real()); real != "" && real != r.Above[0] {
		r.Above = append(r.Above, real)
	}
	return r
}

// foldAbsolute is fsys.FoldPath for an absolute path in system form, without the
// leading slash.
func foldAbsolute(abs string) string {
	return fsys.FoldPath(strings.TrimPrefix(filepath.ToSlash(abs), "/"))
}

func (o *opener) dir(path string) *fsys.Folder {
	if d := o.prev[path]; d != nil && d.Reusable() {
		return d
	}
	d, err := fsys.OpenFolder(path)
	if err != nil {
		o.problems = append(o.problems, fault.From(err).At(path).
			Advise("the folder cannot be opened; its files are not found until it can"))
	}
	return d
}

// setAround notes which folders lie in others, whose ignore files hold there
// too.
func (g *Gate) setAround() {
	all := slices.Concat(g.roots, g.readable)
	for _, inner := range all {
		for _, outer := range all {
			rel, ok := fsys.Below(outer.Path, inner.Path)
			if real := outer.Real(); !ok && real != "" {
				rel, ok = fsys.Below(real, inner.Real())
			}
			if ok && rel != "." {
				inner.around = append(inner.around, aroundRoot{outer, filepath.ToSlash(rel)})
			}
		}
	}
}

// setPrefixes decides how paths below each of several folders are shown: by
// the folder's name, or absolute where that name is another's too.
func setPrefixes(roots []*Root) {
	if len(roots) < 2 {
		return
	}
	count := make(map[string]int, len(roots))
	for _, r := range roots {
		count[r.Name]++
	}
	for _, r := range roots {
		r.prefix = r.Name + "/"
		r.showAbs = count[r.Name] > 1
	}
}

// RootAt returns the folder with the number that a catalog.FileEntry has.
func (g *Gate) RootAt(n int) *Root {
	if n < len(g.roots) {
		return g.roots[n]
	}
	return g.readable[n-len(g.roots)]
}

// IndexOf returns the number of a folder that [Gate.RootAt] takes.
func (g *Gate) IndexOf(r *Root) int { return slices.Index(slices.Concat(g.roots, g.readable), r) }
