package change

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// What was applied is shown where it is not what was asked for, else only told.
func TestWhatLandedIsShown(t *testing.T) {
	const hash = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	file := func(path string, action history.Action) ChangedFile {
		return ChangedFile{Path: path, Action: action, Source: buffers.FromDisk, ContentHash: hash, Diff: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", Match: locate.MatchExact}
	}
	told := func(o *Output) string {
		r := o.Render(toolcall.FirstDigits)
		return r.Header + "\n\n" + r.Body
	}
	one, indented, moved := file("a.go", history.Modified), file("b.go", history.Modified), file("d.go", history.Moved)
	indented.Match, indented.hunks = locate.MatchIndentation, "@@ -2 +2 @@\n-b\n+c\n"
	moved.From, moved.Source, moved.Saved = "c.go", buffers.FromBuffer, true
	several := one
	several.Replacements = 3
	named, sub, sub2 := one, file("x/y/b.go", history.Modified), file("x/y/c.go", history.Modified)
	named.AskedPath, named.madeFor, sub.Replacements, sub2.Replacements = "/home/dev/a.go", hash, 1, 2
	unsaved := sub2
	unsaved.Notes = []string{"not saved"}
	for name, c := range map[string]struct {
		out  Output
		want string
	}{
		"as asked":   {Output{ID: "edit-1", Files: []ChangedFile{one}}, "a.go: modified on disk; hash e3b0c442\n\n"},
		"named":      {Output{ID: "edit-1", Files: []ChangedFile{named}}, "modified on disk; hash e3b0c442; was e3b0c442\n\n"},
		"all places": {Output{ID: "edit-1", Files: []ChangedFile{several}}, "a.go: modified on disk; hash e3b0c442; 3 places\n\n"},
		"foreseen":   {Output{ID: "edit-1", Files: []ChangedFile{several}, Replacements: 3, CountExpected: true}, "a.go: modified on disk; hash e3b0c442\n\n"},
		"indented":   {Output{ID: "edit-1", Files: []ChangedFile{indented}}, "b.go: modified on disk; hash e3b0c442; match: indentation\n\n@@ -2 +2 @@\n-b\n+c\n"},
		"asked for":  {Output{DryRun: true, Files: []ChangedFile{one}}, "a.go: modified (dry run, nothing was changed); hash after the edit: e3b0c442\n\n" + one.Diff},
		"a table":    {Output{ID: "edit-1", Files: []ChangedFile{one, indented}}, "changed on disk\na.go e3b0c442\nb.go e3b0c442; match: indentation\n\nb.go\n@@ -2 +2 @@\n-b\n+c\n"},
		"replaced":   {Output{ID: "edit-1", Replacements: 4, Files: []ChangedFile{one, several}}, "4 replacements on disk; edit-1\na.go 0\na.go 3\n\n"},
		"by folder":  {Output{ID: "edit-1", Replacements: 11, Files: []ChangedFile{several, sub, sub2, sub2, unsaved, sub}}, "11 replacements on disk; edit-1\na.go 3\nx/y/: b.go 1, c.go 2, c.go 2\nx/y/c.go 2; note: not saved\nx/y/b.go 1\n\n"},
		"both sides": {Output{ID: "edit-1", Files: []ChangedFile{one, moved}}, "changed\na.go on disk e3b0c442\nmoved d.go from c.go in the editor, saved e3b0c442\n\n"},
	} {
		if got := told(&c.out); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	r := toolcall.Result{Rendering: (&Output{Files: []ChangedFile{one}}).Render(toolcall.FirstDigits), Output: &Output{Files: []ChangedFile{one}}}
	if people := r.ForPeople(); !strings.Contains(people.Body, "+c") || r.Body != "" {
		t.Errorf("people see %q, models %q", people.Body, r.Body)
	}
}
