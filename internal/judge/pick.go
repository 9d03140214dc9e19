package judge

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A file is one that outlines are judged on.
type file struct {
	language string
	name     string // root and path in it: "thrift/lib/go/thrift/client.go"
	path     string // of a copy on disk, for judges
	text     []byte
}

// base is the file's name without folders.
func (f *file) base() string { return path.Base(f.name) }

// A sample says which files of the sources are taken.
type sample struct {
	share int  // one in so many of those that the sources ask for
	other bool // those that lie between
}

// pick reads the files of all sources of a language that are in the sample,
// and copies them below dir.
func (r roots) pick(language, dir string, which sample) ([]*file, error) {
	return r.pickFrom(sources, language, dir, which)
}

func (r roots) pickFrom(sources []source, language, dir string, which sample) ([]*file, error) {
	var files []*file
	seen := map[string]bool{}
	for _, s := range sources {
		if s.language != language {
			continue
		}
		names, err := r.candidates(s)
		if err != nil {
			return nil, err
		}
		for _, name := range which.spread(names, s.take) {
			if full := s.root + "/" + name; !seen[full] {
				seen[full] = true
				f := &file{language: language, name: full, path: filepath.Join(dir, fmt.Sprintf("%04d", len(files)), path.Base(name))}
				if err := r.copyTo(f, s.root, name); err != nil {
					return nil, err
				}
				files = append(files, f)
			}
		}
	}
	return files, nil
}

// candidates returns the paths in a source, sorted.
func (r roots) candidates(s source) ([]string, error) {
	skip := regexp.MustCompile(skipped)
	own := regexp.MustCompile(cmp.Or(s.skip, `^$`))
	suffixes := strings.Fields(s.suffixes)
	var names []string
	err := fs.WalkDir(r[s.root], s.under, func(name string, d fs.DirEntry, err error) error {
		fits := func(suffix string) bool { return strings.HasSuffix(name, suffix) }
		if err != nil || d.IsDir() || !slices.ContainsFunc(suffixes, fits) || skip.MatchString(name) || own.MatchString(name) {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 && info.Size() <= maxFileBytes {
			names = append(names, name)
		}
		return err
	})
	slices.Sort(names)
	return names, err
}

// spread returns the sample of n of the names, evenly spaced.
func (s sample) spread(names []string, n int) []string {
	n = max(n/s.share, 1)
	if len(names) <= n {
		return names
	}
	shift := 0
	if s.other {
		shift = 1
	}
	taken := make([]string, n)
	for i := range taken {
		taken[i] = names[(2*i+shift)*len(names)/(2*n)]
	}
	return taken
}

func (r roots) copyTo(f *file, root, name string) error {
	text, err := fs.ReadFile(r[root], name)
	if err != nil {
		return err
	}
	f.text = text
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(f.path, text, 0o600)
}
