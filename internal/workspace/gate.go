package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Gate is the way to the files of some workspace folders under some settings.
// It is safe for concurrent use. See the package comment for what it
// guarantees.
type Gate struct {
	roots    []*root  // workspace folders, in the order given
	views    []Folder // that relative paths are below: those of roots, or of who narrowed the gate
	whole    []*root  // the folders of the gate that was narrowed to roots; nil for others
	readable []*root  // policy.readOnlyRoots, and what [Folder.Within] names, which is not read-only
	outputs  *root    // the reserved folder of kept output; nil without one
	settings Settings
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
func NewGate(prev *Gate, folders []Folder, s Settings) (g *Gate, problems []error) {
	g = &Gate{settings: s.clone()}
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
	g.views = g.Roots()
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

// Roots returns the workspace folders, cleaned, each with the name that it is
// shown by. Folders that cannot be opened are among them.
func (g *Gate) Roots() []Folder {
	folders := make([]Folder, len(g.roots))
	for i, r := range g.roots {
		folders[i] = r.Folder
	}
	return folders
}

// Settings returns the settings the gate was made with.
func (g *Gate) Settings() Settings { return g.settings.clone() }

// open returns the gate's directories by path; none for a nil gate.
func (g *Gate) open() map[string]*folderDir {
	if g == nil {
		return nil
	}
	dirs := make(map[string]*folderDir, len(g.roots)+len(g.readable))
	for _, r := range slices.Concat(g.roots, g.readable) {
		dirs[r.Path] = r.dir
	}
	return dirs
}

// opener opens folders, sharing what an earlier gate has open.
type opener struct {
	prev     map[string]*folderDir
	problems []error
}

// root opens f; nil when it is in have already or cannot be a folder.
func (o *opener) root(f Folder, have *[]*root) *root {
	f, err := checkFolder(f)
	if err != nil {
		o.problems = append(o.problems, err)
		return nil
	}
	if slices.ContainsFunc(*have, func(r *root) bool { return r.Path == f.Path }) {
		return nil
	}
	r := &root{Folder: f, dir: o.dir(f.Path)}
	r.above = []string{foldAbsolute(f.Path)}
	if real := foldAbsolute(r.real()); real != "" && real != r.above[0] {
		r.above = append(r.above, real)
	}
	return r
}

// foldAbsolute is foldPath for an absolute path in system form, without the
// leading slash.
func foldAbsolute(abs string) string {
	return foldPath(strings.TrimPrefix(filepath.ToSlash(abs), "/"))
}

func (o *opener) dir(path string) *folderDir {
	if d := o.prev[path]; d != nil && d.reusable() {
		return d
	}
	d, err := newFolderDir(path)
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
			rel, ok := below(outer.Path, inner.Path)
			if real := outer.real(); !ok && real != "" {
				rel, ok = below(real, inner.real())
			}
			if ok && rel != "." {
				inner.around = append(inner.around, aroundRoot{outer, filepath.ToSlash(rel)})
			}
		}
	}
}

// setPrefixes decides how paths below each of several folders are shown: by
// the folder's name, or absolute where that name is another's too.
func setPrefixes(roots []*root) {
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

// rootAt returns the folder with the number that a FileEntry has.
func (g *Gate) rootAt(n int) *root {
	if n < len(g.roots) {
		return g.roots[n]
	}
	return g.readable[n-len(g.roots)]
}

// indexOf returns the number of a folder that [Gate.rootAt] takes.
func (g *Gate) indexOf(r *root) int { return slices.Index(slices.Concat(g.roots, g.readable), r) }
