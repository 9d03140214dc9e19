//go:build linux

package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// edited is the structured result of a change.
type edited struct {
	ID    string       `json:"id"`
	Files []editedFile `json:"files"`
}

type editedFile struct {
	Path   string `json:"path"`
	Source string `json:"source"`
	Hash   string `json:"content_hash"`
	Saved  bool   `json:"saved"`
}

// of returns what the result says of a file; nothing when it does not.
func (e edited) of(file string) editedFile {
	for _, f := range e.Files {
		if f.Path == file {
			return f
		}
	}
	return editedFile{}
}

// unknown are kinds of errors after which a change may have been made or not.
var unknown = []string{"outcome_unknown", "partially_applied", "timeout", "cancelled", "session_unreachable", "no_editor"}

// fetch reads a file whole, and remembers what it says of the assistant's regions.
func (a *assistant) fetch(file string) (text string, ok bool) {
	before := a.isKnown(file)
	came := a.did(a.name, "reads %s", file)
	got, err := a.call("read_file", whole(file))
	if err != nil || got.IsError {
		came("%v %s", err, got.text())
		if err == nil {
			a.fail("%s: reading %s: %s", a.name, file, got.text())
		}
		return "", false
	}
	var r struct {
		reading
		Hash string `json:"content_hash"`
	}
	if !a.must(got.into(&r)) {
		return "", false
	}
	if err := a.model.check(file, r.Content, a.number); err != nil && before && a.isKnown(file) {
		a.fail("%s: what it reads is not what it wrote: %v", a.name, err)
		return "", false
	}
	k := known{r.Hash, make(map[string]string)}
	for i := range regions {
		name := region(a.number, i)
		if k.values[name], err = value(r.Content, name); err != nil {
			a.fail("%s: %s: %v", a.name, file, err)
			return "", false
		}
	}
	a.known[file] = k
	came("%s %.15s", r.Source, r.Hash)
	return r.Content, true
}

// edit changes one region by edit_file.
func (a *assistant) edit(d decision) {
	file := d.files[0]
	k, remembers := a.known[file]
	var text string
	if d.fresh || !remembers {
		var ok bool
		if text, ok = a.fetch(file); !ok {
			return
		}
		k = a.known[file]
	}
	c := change{place{file, d.region}, k.values[d.region], a.token()}
	args := map[string]any{"path": file, "expected_hash": k.hash, "on_stale": d.stale(), "save": d.saving}
	if line := lineOf(text, regionLine(c.region, c.old)); line > 0 && d.choice < 300 {
		args["edits"] = []any{map[string]any{"start_line": line, "end_line": line, "new_text": regionLine(c.region, c.now)}}
	} else {
		args["old_text"], args["new_text"] = regionLine(c.region, c.old), regionLine(c.region, c.now)
	}
	a.change("edit_file", args, c)
}

func lineOf(text, line string) int {
	before, _, found := strings.Cut(text, line)
	if !found {
		return 0
	}
	return 1 + strings.Count(before, "\n")
}

// patch changes a region in each of several files by apply_patch.
func (a *assistant) patch(d decision) {
	var changes []change
	hashes := make(map[string]any)
	var patch strings.Builder
	patch.WriteString("*** Begin Patch\n")
	for _, file := range d.files {
		if _, ok := a.fetch(file); !ok {
			return
		}
		k := a.known[file]
		c := change{place{file, d.region}, k.values[d.region], a.token()}
		changes, hashes[file] = append(changes, c), k.hash
		fmt.Fprintf(&patch, "*** Update File: %s\n@@\n // Nobody else's.\n-%s\n+%s\n \n // end of %s\n",
			file, regionLine(c.region, c.old), regionLine(c.region, c.now), c.region)
	}
	patch.WriteString("*** End Patch\n")
	a.change("apply_patch", map[string]any{"patch": patch.String(), "expected_hashes": hashes, "on_stale": d.stale(), "save": d.saving}, changes...)
}

// change makes a call that changes regions, and keeps the model: until the answer
// is there, each may hold the old or the new value.
func (a *assistant) change(tool string, args map[string]any, changes ...change) {
	before := make([][]string, len(changes))
	files := make([]string, len(changes))
	for i, c := range changes {
		before[i], files[i] = a.model.at(c.place), c.file
		a.model.set(c.place, append(slices.Clone(before[i]), c.now)...)
	}
	came := a.did(a.name, "%s %v, on_stale %v, save %v", tool, changes, args["on_stale"], args["save"])
	up := a.upNow(files)
	got, err := a.call(tool, args)
	came("%v %s", err, firstLine(got.text()))
	switch {
	case err != nil, slices.Contains(unknown, got.kind()):
		a.forget(files)
	case got.IsError:
		if got.kind() == "conflicting_buffers" && !a.apart(files) {
			a.fail("%s: nobody else has these open: %s", a.name, got.text())
		}
		for i, c := range changes {
			a.model.set(c.place, before[i]...)
		}
		a.forget(files)
	default:
		a.confirmed(got, changes, up)
	}
	a.landed(files...)
}

// apart reports whether files are open in different editors.
func (a *assistant) apart(files []string) bool {
	var first *seat
	for _, f := range files {
		s, _ := a.seatOf(f)
		if s != nil && first != nil && s != first {
			return true
		}
		if s != nil {
			first = s
		}
	}
	return false
}

func (a *assistant) forget(files []string) {
	for _, f := range files {
		delete(a.known, f)
	}
}

// upNow tells of each file whether an editor that is there has it open, and which
// life of the editor that is; 0 is none.
func (a *assistant) upNow(files []string) []int {
	out := make([]int, len(files))
	for i, f := range files {
		if s, life := a.seatOf(f); s != nil && s.up.Load() && s.has(f) {
			out[i] = life
		}
	}
	return out
}

// confirmed takes over what a call says it did.
func (a *assistant) confirmed(got answer, changes []change, up []int) {
	var e edited
	if !a.must(got.into(&e)) {
		return
	}
	if len(e.Files) != len(changes) {
		a.fail("%s: %d files were changed, and %d named: %s", a.name, len(changes), len(e.Files), got.text())
		return
	}
	now := a.upNow(placesOf(changes))
	for i, c := range changes {
		a.model.set(c.place, c.now)
		f := e.of(c.file)
		if f.Source == "disk" && up[i] > 0 && up[i] == now[i] {
			a.fail("%s: %s was written behind its editor: %s", a.name, c.file, got.text())
		}
		if values := maps.Clone(a.known[c.file].values); values != nil {
			values[c.region] = c.now
			a.known[c.file] = known{f.Hash, values}
		}
		if f.Saved || f.Source == "disk" {
			a.savedThere(c, got)
		}
	}
	a.undo = undo{e.ID, changes}
}

// savedThere wants a region to be on disk, where the answer says so. A process
// that finds another text than it expected in the file it has just replaced
// puts that back: for that moment this change is not to be seen.
func (a *assistant) savedThere(c change, got answer) {
	var err error
	for range 50 {
		var disk, v string
		if disk, err = onDisk(a.path(c.file)); err == nil {
			if v, err = value(disk, c.region); err == nil && v != c.now {
				err = fmt.Errorf("%s holds %q on disk", c.region, v)
			}
		}
		if err == nil || !a.sleep(20*time.Millisecond) {
			return
		}
	}
	a.fail("%s: %s is not saved: %v: %s", a.name, c.file, err, got.text())
}

// undo is an assistant's last change.
type undo struct {
	id      string
	changes []change
}

// revert takes the last change back.
func (a *assistant) revert(decision) {
	u := a.undo
	a.undo = undo{}
	if u.id == "" {
		return
	}
	var back []change
	for _, c := range u.changes {
		if !a.isKnown(c.file) {
			return // what it would go back to is in the editor that is away
		}
		back = append(back, change{c.place, c.now, c.old})
	}
	a.change("revert_edit", map[string]any{"id": u.id}, back...)
	a.undo = undo{}
}

func placesOf(changes []change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.file)
	}
	return out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return fmt.Sprintf("%.160s", line)
}
