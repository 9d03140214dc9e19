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

// pick reads the files of all sources of a language, one in every share that
// the sources would have, and copies them below dir.
func (r roots) pick(language, dir string, share int) ([]*file, error) {
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
		for _, name := range spread(names, max(s.take/share, 1)) {
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

// spread returns n of the names, evenly spaced.
func spread(names []string, n int) []string {
	if len(names) <= n {
		return names
	}
	taken := make([]string, n)
	for i := range taken {
		taken[i] = names[i*len(names)/n]
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
