package tools

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/buffers"
)

// What landed is shown where it is not what was asked for, and told else.
func TestWhatLandedIsShown(t *testing.T) {
	const hash = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	file := func(path string, action changeAction) changedFile {
		return changedFile{Path: path, Action: action, Source: buffers.FromDisk, ContentHash: hash, Diff: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", Match: matchExact}
	}
	told := func(o *changeOutput) string {
		r := o.render(digitsOf)
		return r.Header + "\n\n" + r.Body
	}
	one, indented, moved := file("a.go", actionModified), file("b.go", actionModified), file("d.go", actionMoved)
	indented.Match, indented.hunks = matchIndentation, "@@ -2 +2 @@\n-b\n+c\n"
	moved.From, moved.Source, moved.Saved = "c.go", buffers.FromBuffer, true
	several := one
	several.Replacements = 3
	named, sub, sub2 := one, file("x/y/b.go", actionModified), file("x/y/c.go", actionModified)
	named.asked, named.madeFor, sub.Replacements, sub2.Replacements = "/home/dev/a.go", hash, 1, 2
	unsaved := sub2
	unsaved.Notes = []string{"not saved"}
	for name, c := range map[string]struct {
		out  changeOutput
		want string
	}{
		"as asked":   {changeOutput{ID: "edit-1", Files: []changedFile{one}}, "a.go: modified on disk; hash e3b0c442\n\n"},
		"named":      {changeOutput{ID: "edit-1", Files: []changedFile{named}}, "modified on disk; hash e3b0c442; was e3b0c442\n\n"},
		"all places": {changeOutput{ID: "edit-1", Files: []changedFile{several}}, "a.go: modified on disk; hash e3b0c442; 3 places\n\n"},
		"foreseen":   {changeOutput{ID: "edit-1", Files: []changedFile{several}, Replacements: 3, foreseen: true}, "a.go: modified on disk; hash e3b0c442\n\n"},
		"indented":   {changeOutput{ID: "edit-1", Files: []changedFile{indented}}, "b.go: modified on disk; hash e3b0c442; match: indentation\n\n@@ -2 +2 @@\n-b\n+c\n"},
		"asked for":  {changeOutput{DryRun: true, Files: []changedFile{one}}, "a.go: modified (dry run, nothing was changed); hash after the edit: e3b0c442\n\n" + one.Diff},
		"a table":    {changeOutput{ID: "edit-1", Files: []changedFile{one, indented}}, "changed on disk\na.go e3b0c442\nb.go e3b0c442; match: indentation\n\nb.go\n@@ -2 +2 @@\n-b\n+c\n"},
		"replaced":   {changeOutput{ID: "edit-1", Replacements: 4, Files: []changedFile{one, several}}, "4 replacements on disk; edit-1\na.go 0\na.go 3\n\n"},
		"by folder":  {changeOutput{ID: "edit-1", Replacements: 11, Files: []changedFile{several, sub, sub2, sub2, unsaved, sub}}, "11 replacements on disk; edit-1\na.go 3\nx/y/: b.go 1, c.go 2, c.go 2\nx/y/c.go 2; note: not saved\nx/y/b.go 1\n\n"},
		"both sides": {changeOutput{ID: "edit-1", Files: []changedFile{one, moved}}, "changed\na.go on disk e3b0c442\nmoved d.go from c.go in the editor, saved e3b0c442\n\n"},
	} {
		if got := told(&c.out); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	r := Result{Rendering: (&changeOutput{Files: []changedFile{one}}).render(digitsOf), structured: &changeOutput{Files: []changedFile{one}}}
	if people := r.ForPeople(); !strings.Contains(people.Body, "+c") || r.Body != "" {
		t.Errorf("people see %q, models %q", people.Body, r.Body)
	}
}
