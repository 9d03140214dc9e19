package scenario

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// archive is a scenario file by its kinds of sections.
type archive struct {
	path   string
	script string
	files  []txtar.File      // of the workspace, in order
	texts  map[string]string // by name, without @
	want   []string          // want/1 first
	disk   map[string]string
	buffer map[string]string
	raw    *txtar.Archive
}

func readArchive(path string) (*archive, error) {
	raw, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	a := &archive{
		path: path, script: string(raw.Comment), raw: raw,
		texts: make(map[string]string), disk: make(map[string]string), buffer: make(map[string]string),
	}
	for _, f := range raw.Files {
		if err := a.add(f); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *archive) add(f txtar.File) error {
	text := string(f.Data)
	kind, name, _ := strings.Cut(f.Name, "/")
	switch {
	case strings.HasPrefix(f.Name, "@"):
		a.texts[f.Name[1:]] = text
	case kind == "disk":
		a.disk[name] = text
	case kind == "buffer":
		a.buffer[name] = text
	case kind != "want":
		a.files = append(a.files, f)
	case name != fmt.Sprint(len(a.want)+1):
		return fmt.Errorf("%s: section %q stands where want/%d belongs", a.path, f.Name, len(a.want)+1)
	default:
		a.want = append(a.want, text)
	}
	return nil
}

// outcome is what running a scenario produced, for comparing and for -update.
type outcome struct {
	want         []string
	disk, buffer map[string]string
}

// rewrite replaces the expected sections of the file by an outcome.
func (a *archive) rewrite(o outcome) error {
	out := &txtar.Archive{Comment: a.raw.Comment}
	for _, f := range a.raw.Files {
		if kind, _, _ := strings.Cut(f.Name, "/"); kind != "want" && kind != "disk" && kind != "buffer" {
			out.Files = append(out.Files, f)
		}
	}
	for i, w := range o.want {
		out.Files = append(out.Files, txtar.File{Name: fmt.Sprintf("want/%d", i+1), Data: []byte(w)})
	}
	out.Files = append(out.Files, sections("buffer/", o.buffer)...)
	out.Files = append(out.Files, sections("disk/", o.disk)...)
	return os.WriteFile(a.path, txtar.Format(out), 0o644)
}

func sections(prefix string, texts map[string]string) []txtar.File {
	var out []txtar.File
	for name, text := range texts {
		out = append(out, txtar.File{Name: prefix + name, Data: []byte(text)})
	}
	slices.SortFunc(out, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	return out
}
