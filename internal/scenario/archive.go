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
	want   []answered        // in the order of the script
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
	default:
		a.want = append(a.want, answered{name, text})
	}
	return nil
}

// answered is an answer under the command that got it.
type answered struct{ name, text string }

// maxNamed is how many characters of a command name its answer.
const maxNamed = 120

// nameOf names the answer to a command by its words, so that a command that is
// added changes no other name. The same command again is counted.
func nameOf(c command, before []answered) string {
	name, _, _ := strings.Cut(c.rest, "\n")
	if c.verb != "call" {
		name = strings.TrimSpace(c.verb + " " + name)
	}
	if words := []rune(name); len(words) > maxNamed {
		name = strings.TrimSpace(string(words[:maxNamed])) + "…"
	}
	once, again := name, 1
	for slices.ContainsFunc(before, func(a answered) bool { return a.name == name }) {
		again++
		name = fmt.Sprintf("%s (%d)", once, again)
	}
	return name
}

// outcome is what running a scenario produced, for comparing and for -update.
type outcome struct {
	want         []answered
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
	for _, w := range o.want {
		out.Files = append(out.Files, txtar.File{Name: "want/" + w.name, Data: []byte(w.text)})
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
