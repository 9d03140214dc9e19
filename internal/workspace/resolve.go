package workspace

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// FromURI returns the path of a document that an editor names by its URI. A
// document outside the workspace is not an error here ([Path.Outside] tells);
// invalid_params is one that cannot name a file or an untitled document.
func (g *Gate) FromURI(uri string) (Path, error) {
	scheme, rest, ok := splitScheme(uri)
	switch {
	case !ok || scheme != fileScheme && scheme != untitledScheme:
		return Path{}, badURI(uri, "only file and untitled URIs name documents").
			Advise("give a path, or a URI that begins with file:///")
	case scheme == untitledScheme:
		return untitled(uri, rest)
	}
	if name, err := unescape(uri, strings.TrimPrefix(rest, "//")); err == nil {
		if p, ok := g.outputArg(name); ok { // which is no absolute path everywhere
			return p, nil
		}
	}
	abs, err := filePath(uri, rest)
	if err != nil {
		return Path{}, err
	}
	return g.Path(abs), nil
}

func untitled(uri, rest string) (Path, error) {
	name, err := unescape(uri, rest)
	if err != nil {
		return Path{}, err
	}
	if err := fsys.CheckPath(name); err != nil {
		return Path{}, fault.From(err).At(uri)
	}
	canonical := escape(untitledScheme+":", name)
	return Path{URI: canonical, Rel: canonical}, nil
}

// Resolve returns the path that a caller's argument names: relative to a
// workspace folder, absolute, or a file or untitled URI. Nothing is expanded:
// "~" and "$HOME" are names like others. Whether a file is there is only
// looked at to tell several folders apart.
//
// isOpen reports whether a document of that [Path.Key] is open in the editor;
// such documents count as existing and may lie outside the workspace. It may
// be nil.
//
// Errors: invalid_params, outside_workspace, ambiguous_root for a relative
// path that fits in several folders, not_found for one that fits in none of
// several and for untitled documents that are not open.
func (g *Gate) Resolve(arg string, isOpen func(key string) bool) (Path, error) {
	if isOpen == nil {
		isOpen = opensNothing
	}
	if err := fsys.CheckPath(arg); err != nil {
		return Path{}, err
	}
	if p, ok := g.outputArg(arg); ok {
		return p, nil
	}
	if _, _, ok := splitScheme(arg); ok {
		return g.resolveURI(arg, isOpen)
	}
	if filepath.IsAbs(arg) {
		return g.admit(filepath.Clean(arg), arg, isOpen)
	}
	if os.IsPathSeparator(arg[0]) && len(g.views) > 0 { // of the drive, which is the folder's
		return g.admit(filepath.Clean(filepath.VolumeName(g.views[0].Path)+arg), arg, isOpen)
	}
	return g.resolveRelative(arg, isOpen)
}

func (g *Gate) resolveURI(arg string, isOpen func(string) bool) (Path, error) {
	p, err := g.FromURI(arg)
	if err != nil {
		return Path{}, err
	}
	if !p.Untitled() {
		return g.admit(p.Abs, arg, isOpen)
	}
	if !isOpen(p.Key()) {
		return Path{}, fault.New(fault.NotFound, "no untitled document of that name is open").At(p.Rel).
			Advise("it may have been closed or saved under a name")
	}
	return p, nil
}

// admit returns the path of a clean absolute path that a caller may name: in
// a folder, in a further place to read, open in the editor, or another name
// for a place in a folder by way of links.
func (g *Gate) admit(abs, arg string, isOpen func(string) bool) (Path, error) {
	if _, _, ok := g.LocateReadable(abs); ok || isOpen(abs) {
		return g.Path(abs), nil
	}
	if real, err := fsys.FollowLinks(abs); err == nil {
		if r, rel, ok := g.LocateReal(real.Path); ok {
			return g.Path(filepath.Join(r.Path, rel)), nil
		}
	}
	return Path{}, g.outside(arg).Advise("%s", g.adviseOutside(abs))
}

// adviseOutside says where paths may lie. "/src/a.go" is often meant to begin
// at the workspace folder.
func (g *Gate) adviseOutside(abs string) string {
	rel := filepath.ToSlash(abs[len(fsys.VolumeRoot(abs)):])
	for _, r := range g.roots {
		at := filepath.FromSlash(rel)
		if _, hidden := g.hidden(r.placeAt(at)); rel != "" && !hidden && r.has(at) {
			return "did you mean " + r.show(at) + "?"
		}
	}
	return g.outside(abs).Hint
}

func opensNothing(string) bool { return false }

// outside is the error for a path in no folder. It says nothing about what
// is there.
func (g *Gate) outside(shown string) *fault.Error {
	e := fault.New(fault.OutsideWorkspace, "the path is not in the workspace").At(shown)
	switch {
	case g.whole != nil:
		return e.Advise("an editor's session serves its own folders, %s, and what is open there: nothing else of what its caller names",
			strings.Join(pathsOf(g.whole), ", "))
	case len(g.roots) == 0:
		return e.Advise("no workspace folder is open: open one, or name it when starting the server")
	case len(g.roots) == 1:
		widest := "it"
		for _, r := range g.readable {
			if !r.readOnly {
				widest = r.Path
			}
		}
		return e.Advise("paths are relative to %s, or absolute below %s", g.roots[0].Path, widest)
	}
	return e.Advise("the workspace folders are: %s", strings.Join(pathsOf(g.roots), ", "))
}

func pathsOf(roots []*Root) []string {
	paths := make([]string, len(roots))
	for i, r := range roots {
		paths[i] = r.Path
	}
	return paths
}

// resolveRelative places a relative path. What is written is cleaned as text
// first, so "a/../b" is "b" whatever a is, and no ".." is left that a link
// could bend.
func (g *Gate) resolveRelative(arg string, isOpen func(string) bool) (Path, error) {
	rel := path.Clean(filepath.ToSlash(arg))
	if namesDevice(rel) {
		return Path{}, fault.New(fault.InvalidParams, "the path names a device, a drive or a stream").At(arg)
	}
	if leadsUp(rel) {
		if abs, ok := g.above(rel); ok {
			return g.admit(abs, arg, isOpen)
		}
		return Path{}, g.outside(arg)
	}
	if len(g.views) == 0 {
		return Path{}, g.outside(arg)
	}
	if len(g.views) == 1 {
		return g.admit(g.onlyPlace(rel, isOpen), arg, isOpen)
	}
	return g.placeAmong(rel, isOpen)
}

// namesDevice reports whether a clean relative path names what is no file below a
// folder; on Windows alone there are such names.
func namesDevice(rel string) bool {
	for leadsUp(rel) {
		rel = strings.TrimPrefix(rel[len(".."):], "/")
	}
	return rel != "" && !filepath.IsLocal(filepath.FromSlash(rel))
}

// leadsUp reports whether a clean relative path with slashes begins with "..".
func leadsUp(rel string) bool { return rel == ".." || strings.HasPrefix(rel, "../") }

// above returns the absolute path of one that leads up from the only folder: from
// where that really is, as it does for a program that works there.
func (g *Gate) above(rel string) (abs string, ok bool) {
	if len(g.views) != 1 {
		return "", false
	}
	real, err := fsys.RealPath(g.views[0].Path)
	return filepath.Join(real, filepath.FromSlash(rel)), err == nil
}

// onlyPlace places rel below the only folder. The folder's own name in front
// is taken off where only that names something, for callers who have seen
// other workspaces need it.
func (g *Gate) onlyPlace(rel string, isOpen func(string) bool) string {
	v := g.views[0]
	plain := filepath.Join(v.Path, rel)
	rest, named := strings.CutPrefix(rel, v.Name+"/")
	if !named || g.fits(plain, isOpen) {
		return plain
	}
	if inner := filepath.Join(v.Path, rest); g.fits(inner, isOpen) {
		return inner
	}
	return plain
}

// placeAmong places rel below one of several folders: the folder whose name
// it starts with if it fits there, else the only one in which it fits, else,
// for what does not exist yet, the folder whose name it starts with.
func (g *Gate) placeAmong(rel string, isOpen func(string) bool) (Path, error) {
	var named, fitting []string
	for _, v := range g.views {
		if rest, ok := cutName(rel, v.Name); ok {
			at := filepath.Join(v.Path, rest)
			if g.fits(at, isOpen) {
				fitting = append(fitting, at)
			}
			named = append(named, at)
		}
	}
	if len(fitting) == 0 {
		for _, v := range g.views {
			if at := filepath.Join(v.Path, rel); g.fits(at, isOpen) {
				fitting = append(fitting, at)
			}
		}
	}
	if len(fitting) == 0 {
		fitting = named
	}
	switch len(fitting) {
	case 0:
		return Path{}, g.inNoFolder(rel)
	case 1:
		return g.admit(fitting[0], rel, isOpen)
	}
	return Path{}, g.ambiguous(rel, fitting)
}

// Named returns the absolute paths that an argument may mean, whether they lie
// in the workspace or not; none for what is no path of a file.
func (g *Gate) Named(arg string) (paths []string) {
	if fsys.CheckPath(arg) != nil {
		return nil
	}
	if _, _, ok := splitScheme(arg); ok {
		if p, err := g.FromURI(arg); err == nil && !p.Untitled() {
			paths = append(paths, p.Abs)
		}
		return paths
	}
	if filepath.IsAbs(arg) {
		return append(paths, filepath.Clean(arg))
	}
	rel := path.Clean(filepath.ToSlash(arg))
	if leadsUp(rel) {
		if abs, ok := g.above(rel); ok {
			paths = append(paths, abs)
		}
		return paths
	}
	for _, v := range g.views {
		if rest, ok := cutName(rel, v.Name); ok {
			paths = append(paths, filepath.Join(v.Path, rest))
		}
	}
	for _, v := range g.views {
		paths = append(paths, filepath.Join(v.Path, rel))
	}
	return paths
}

// cutName takes a folder's name from the front of a relative path.
func cutName(rel, name string) (rest string, ok bool) {
	if rel == name {
		return ".", true
	}
	return strings.CutPrefix(rel, name+"/")
}

// fits reports whether a clean absolute path names something, on disk in one
// of the folders or in the editor.
func (g *Gate) fits(abs string, isOpen func(string) bool) bool {
	if isOpen(abs) {
		return true
	}
	r, rel, ok := g.locate(abs)
	return ok && r.has(rel)
}

// has reports whether rel names something on disk below r. What cannot be
// looked at counts as there, so that opening it can say why.
func (r *Root) has(rel string) bool {
	o := r.Dir.Now()
	if o == nil {
		return false
	}
	_, err := o.Root.Lstat(filepath.FromSlash(rel))
	switch fault.KindOf(err) {
	case fault.NotFound, fault.NotDirectory:
		return false
	}
	return true
}

func (g *Gate) ambiguous(rel string, places []string) error {
	shown := make([]string, len(places))
	for i, at := range places {
		shown[i] = g.Path(at).Rel
	}
	return fault.New(fault.AmbiguousRoot, "the path fits in %d workspace folders", len(places)).At(rel).
		Advise("say which one: %s", strings.Join(shown, ", ")).
		With("candidates", shown)
}

func (g *Gate) inNoFolder(rel string) error {
	e := fault.New(fault.NotFound, "no workspace folder has this").At(rel)
	var near, start []string
	for _, r := range g.roots {
		near = append(near, g.nearNames(r, filepath.FromSlash(rel))...)
		start = append(start, r.show(rel))
	}
	if len(near) > 0 {
		return withNear(e, near)
	}
	return e.Advise("to make it, say in which folder: %s", strings.Join(start, ", "))
}
