package workspace

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	maxNear     = 3
	maxNearRead = 2000 // names of a folder that are looked at
)

// nearNames returns up to maxNear paths, as shown, that resemble rel below r,
// best first: in the deepest folder of rel that exists, the names that
// resemble the one that is missing there. What policy hides is not named.
func (g *Gate) nearNames(r *Root, rel string) []string {
	o := r.Dir.Now()
	if o == nil {
		return nil
	}
	dir, missing, rest := deepest(o, rel)
	if missing == "" {
		return nil
	}
	var near []string
	for _, name := range similar(missing, namesIn(o, dir)) {
		at := filepath.Join(dir, name)
		if whole := filepath.Join(at, rest); hasName(o, whole) {
			at = whole
		}
		if _, hidden := g.hidden(r.placeAt(at)); hidden || !utf8.ValidString(at) {
			continue
		}
		if near = append(near, r.show(at)); len(near) == maxNear {
			break
		}
	}
	return near
}

// deepest splits rel into the deepest folder of it that exists, the name that
// is missing in there, and what follows.
func deepest(o *fsys.Dir, rel string) (dir, missing, rest string) {
	for at := rel; at != "."; {
		parent := filepath.Dir(at)
		if hasName(o, parent) {
			rest, _ = fsys.Below("/"+at, "/"+rel)
			if rest == "." {
				rest = ""
			}
			return parent, filepath.Base(at), rest
		}
		at = parent
	}
	return "", "", ""
}

func hasName(o *fsys.Dir, rel string) bool {
	_, err := o.Root.Lstat(rel)
	return err == nil
}

// namesIn lists up to maxNearRead names of a folder.
func namesIn(o *fsys.Dir, dir string) []string {
	f, err := o.Root.OpenFile(dir, fsys.OpenDirFlags, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNearRead) // with an error, those read before it
	return names
}

// similar returns those of names that resemble want, best first.
func similar(want string, names []string) []string {
	type scored struct {
		name  string
		score int
	}
	want = strings.ToLower(want)
	var found []scored
	for _, name := range names {
		if score, ok := resemblance(want, strings.ToLower(name)); ok {
			found = append(found, scored{name, score})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
	})
	result := make([]string, len(found))
	for i, s := range found {
		result[i] = s.name
	}
	return result
}

// resemblance tells how far two names in lower case are apart; 0 is the same
// name. The same stem with another extension is near, and so are names that
// a third of the letters, but at least one, changes into each other.
func resemblance(a, b string) (score int, ok bool) {
	if a == b {
		return 0, true
	}
	if stem(a) == stem(b) {
		return 1, true
	}
	limit := max(1, len(a)/3)
	if d := text.EditDistance(a, b, limit); d <= limit {
		return d + 1, true
	}
	return 0, false
}

func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
