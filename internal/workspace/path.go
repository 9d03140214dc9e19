package workspace

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Path names a file or folder, or a document that has no file. It is made by
// [Gate.Resolve] and [Gate.FromURI], is comparable, and may be used with a
// later gate than the one that made it.
type Path struct {
	// Abs is the absolute path, clean, links not resolved; "" for untitled.
	Abs string
	// URI is the canonical form: file:// with only the bytes escaped that
	// RFC 3986 demands. An editor may spell its own differently; talk to it
	// in its spelling.
	URI string
	// Rel is the path as shown to people: below its folder with slashes, the
	// folder's name in front when there are several; Abs when it is in no
	// folder; URI for untitled documents and names that are not UTF-8.
	// [Gate.Resolve] reads it back.
	Rel string

	prefix    string // of Rel, the folder's name
	outside   bool
	consented bool
	aside     bool // made by Gate.Aside
}

// Untitled reports whether the document has no file.
func (p Path) Untitled() bool { return p.Abs == "" }

// Outside reports whether the path is in none of the workspace folders of the
// gate that made it. Untitled documents are not outside.
func (p Path) Outside() bool { return p.outside }

// Key identifies the document: Abs, or URI for untitled ones.
func (p Path) Key() string {
	if p.Abs == "" {
		return p.URI
	}
	return p.Abs
}

// Consented returns p as one whose change a person agreed to:
// [Gate.CheckWrite], [atomicfile.Replace] and [atomicfile.Create] no longer ask for
// consent. What is refused in any case stays refused.
func (p Path) Consented() Path {
	p.consented = true
	return p
}

// Path makes the Path of a clean absolute path.
func (g *Gate) Path(abs string) Path {
	p := Path{Abs: abs, URI: fileURI(abs)}
	r, rel, ok := g.locate(abs)
	if !ok {
		p.outside = true
		p.Rel = abs
		if g.IsOutput(p) { // of a folder that no system has
			p.Rel = filepath.ToSlash(abs)
		}
	} else {
		p.Rel = r.show(rel)
		if !r.showAbs {
			p.prefix = strings.TrimSuffix(r.prefix, r.Base)
		}
	}
	if !utf8.ValidString(p.Rel) {
		p.Rel = p.URI
	}
	return p
}

// show gives the shown form of a path below r; rel is in system form.
func (r *Root) show(rel string) string {
	switch {
	case r.showAbs:
		return filepath.Join(r.Path, rel)
	case rel == "." && r.prefix != "":
		return strings.TrimSuffix(r.prefix, "/")
	}
	return r.prefix + filepath.ToSlash(rel)
}

// innermost returns the deepest of roots that contains the clean absolute
// path, and the path's place below it.
func innermost(roots []*Root, abs string, dirOf func(*Root) string) (best *Root, rel string) {
	depth := -1
	for _, r := range roots {
		dir := dirOf(r)
		if dir == "" || len(dir) <= depth {
			continue
		}
		if rest, ok := fsys.Below(dir, abs); ok {
			best, rel, depth = r, rest, len(dir)
		}
	}
	return best, rel
}

func givenPath(r *Root) string { return r.Path }

// Real returns where the folder was without links when it was opened, "" while
// it does not exist.
func (r *Root) Real() string {
	if o := r.Dir.Now(); o != nil {
		return o.Real
	}
	return ""
}

// Real returns where p really is, or would be, and whether the gate leads
// there. It opens nothing, and may be outdated at once.
func (g *Gate) Real(p Path) (real string, ok bool) {
	if r, rel, ok := g.LocateReadable(p.Abs); ok {
		if o := r.Dir.Now(); o != nil && o.HasNoLinks(rel) {
			return filepath.Join(o.Real, rel), true
		}
	}
	at, err := fsys.FollowLinks(p.Abs)
	_, _, ok = g.LocateReal(at.Path)
	return at.Path, ok && err == nil
}

// locate finds the workspace folder that a clean absolute path is written
// below; with folders inside each other, the inner one.
func (g *Gate) locate(abs string) (r *Root, rel string, ok bool) {
	if _, reserved := g.inOutputs(abs); reserved {
		return nil, "", false
	}
	r, rel = innermost(g.roots, abs, givenPath)
	return r, rel, r != nil
}

// LocateReadable is locate over the further places to read too, and the
// reserved folder.
func (g *Gate) LocateReadable(abs string) (r *Root, rel string, ok bool) {
	if rel, ok = g.inOutputs(abs); ok {
		return g.outputs, rel, true
	}
	if r, rel, ok = g.locate(abs); ok {
		return r, rel, true
	}
	r, rel = innermost(g.readable, abs, givenPath)
	return r, rel, r != nil
}

// LocateReal is locateReadable for paths without links.
func (g *Gate) LocateReal(real string) (r *Root, rel string, ok bool) {
	if r, rel = innermost(g.roots, real, (*Root).Real); r == nil {
		r, rel = innermost(g.readable, real, (*Root).Real)
	}
	return r, rel, r != nil
}
