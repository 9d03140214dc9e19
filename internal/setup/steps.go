package setup

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Order is what a person wants of a host.
type Order struct {
	Server  Server
	Project bool // for the project at Places.Project instead of all projects
	Allow   Level
	// KeepMore leaves what is allowed beyond Allow.
	KeepMore bool
	Tools    Tools // all that can be allowed
	// Hooks are installed where there are any; those that are there stay else.
	Hooks []Hook
}

// Step is a file of a host, and what setup makes of it.
type Step struct {
	// Files are where it may be, absolute, with slashes, the usual place first:
	// what exists is the one to take, else the first.
	Files []string
	// Apply returns the file as it is to be; src itself when it is so already.
	// A file that is missing is an empty src.
	Apply func(src []byte) ([]byte, error)
}

// Steps returns what adds the server to the host, and its permission lines.
//
// Errors of the steps: already_exists when there is an entry of our name that
// starts something else; invalid_params when a file is not as the host reads
// it, or cannot take what is to be written.
func (h Host) Steps(p Places, o Order) []Step {
	entry := func(src []byte) ([]byte, error) { return h.addEntry(src, o.Server) }
	permit := h.permit(o.Project)
	var hooks []Step
	if len(o.Hooks) > 0 {
		hooks = h.hookSteps(p, o)
	}
	if permit.lines == nil {
		return joined(append([]Step{h.step(p, o.Project, nil, entry)}, hooks...))
	}
	return joined(append(h.steps(p, o.Project, entry, func(src []byte) ([]byte, error) { return permit.set(src, p, o) }), hooks...))
}

// joined returns the steps with one for those of the same files.
func joined(steps []Step) []Step {
	var out []Step
	for _, s := range steps {
		i := slices.IndexFunc(out, func(o Step) bool { return slices.Equal(o.Files, s.Files) })
		if i < 0 {
			out = append(out, s)
			continue
		}
		first := out[i].Apply
		out[i].Apply = func(src []byte) ([]byte, error) {
			between, err := first(src)
			if err != nil {
				return nil, err
			}
			return s.Apply(between)
		}
	}
	return out
}

// RemoveSteps returns what takes out of the host what [Host.Steps] wrote: the
// entry, whatever flags a person has given it, the permission lines of every
// level, and the hooks.
//
// Errors of the steps: already_exists when the entry of our name starts
// another program; invalid_params as for [Host.Steps].
func (h Host) RemoveSteps(p Places, o Order) []Step {
	entry := func(src []byte) ([]byte, error) { return h.cutEntry(src, o.Server) }
	permit := h.permit(o.Project)
	o.Hooks = nil
	hooks := h.hookSteps(p, o)
	if permit.lines == nil {
		return joined(append([]Step{h.step(p, o.Project, nil, entry)}, hooks...))
	}
	return joined(append(h.steps(p, o.Project, entry, func(src []byte) ([]byte, error) {
		out, err := permit.lines.cut(src, p, o.Tools.at(AllowAll), !o.Project)
		if err != nil {
			err = fault.New(fault.InvalidParams, "the permissions cannot be taken out: %s", err).Advise("Mend the file, or take them out by hand.")
		}
		return out, err
	}), hooks...))
}

// steps returns what changes the entry, and the permissions: one step where
// both are in one file.
func (h Host) steps(p Places, project bool, entry, permissions func([]byte) ([]byte, error)) []Step {
	if files := h.permit(project).files; files != nil {
		return []Step{h.step(p, project, nil, entry), h.step(p, project, files, permissions)}
	}
	return []Step{h.step(p, project, nil, func(src []byte) ([]byte, error) {
		out, err := entry(src)
		if err != nil {
			return nil, err
		}
		return permissions(out)
	})}
}

func (h Host) step(p Places, project bool, files []string, change func([]byte) ([]byte, error)) Step {
	if files == nil {
		files = h.entryFiles(project)
	}
	return Step{Files: p.fill(files), Apply: func(src []byte) ([]byte, error) {
		mark, body := cutMark(src)
		out, err := change(body)
		if err != nil || bytes.Equal(out, body) {
			return src, err
		}
		return slices.Concat(mark, out), nil
	}}
}

// SaysNothing reports whether a host's file is as good as none.
func SaysNothing(text []byte) bool {
	_, body := cutMark(text)
	return slices.Contains([]string{"", "{}"}, strings.TrimSpace(string(body)))
}

func (h Host) entryFiles(project bool) []string {
	if project {
		return h.project
	}
	return h.user
}

func (h Host) permit(project bool) permit {
	if project {
		return h.allowProject
	}
	return h.allow
}

// Entry returns the words that the entry of our name in the host's file src
// starts, none when it does not say so, and whether there is one. The error is
// invalid_params when the file is not as its host reads it.
func (h Host) Entry(src []byte) (words []string, there bool, err error) {
	_, body := cutMark(src)
	return h.entry(body)
}

// PermitSteps returns what writes the permission lines of an order alone; none
// where there is nothing to write.
func (h Host) PermitSteps(p Places, o Order) []Step {
	permit := h.permit(o.Project)
	if permit.lines == nil {
		return nil
	}
	return []Step{h.step(p, o.Project, permit.files, func(src []byte) ([]byte, error) { return permit.set(src, p, o) })}
}

// Merges reports whether the host lets a person's own permissions and those of a
// project hold side by side. Else those of the project, where there are any, take
// their place.
func (h Host) Merges() bool { return !h.apart }

// Levels returns the levels above AllowNone that the host's files can tell
// apart, the widest first.
func (h Host) Levels(project bool) []Level {
	switch t := h.permit(project); {
	case t.lines == nil:
		return nil
	case t.wholeServer:
		return []Level{AllowAll}
	}
	return []Level{AllowAll, AllowRead}
}

// Snippets returns what [Host.Steps] write into files that are missing.
func (h Host) Snippets(p Places, o Order) ([]Snippet, error) {
	var all []Snippet
	for _, s := range h.Steps(p, o) {
		text, err := s.Apply(nil)
		if err != nil {
			return nil, err
		}
		if len(text) > 0 {
			all = append(all, Snippet{Files: s.Files, Text: string(text)})
		}
	}
	return all, nil
}

// Snippet is a whole file of a host.
type Snippet struct {
	Files []string // as those of a Step
	Text  string
}

// fill returns candidates with the folders in the place of their names.
func (p Places) fill(candidates []string) []string {
	names := strings.NewReplacer("{home}", p.Home, "{config}", p.Config, "{app}", p.App,
		"{claude}", p.Claude, "{claudesettings}", p.ClaudeSettings, "{codex}", p.Codex, "{copilot}", p.Copilot, "{project}", p.Project)
	files := make([]string, len(candidates))
	for i, c := range candidates {
		files[i] = path.Clean(names.Replace(c))
	}
	return files
}

// cutMark cuts a byte order mark off.
func cutMark(src []byte) (mark, body []byte) {
	const utf8Mark = "\uFEFF"
	if body, ok := bytes.CutPrefix(src, []byte(utf8Mark)); ok {
		return []byte(utf8Mark), body
	}
	return nil, src
}
