package tools

import (
	"strings"
	"testing"
)

func TestLongDiffsAreCutForModels(t *testing.T) {
	long := strings.Repeat("-old\n+new\n", 3<<10)
	out := &changeOutput{ID: "edit-7-ab", Files: []changedFile{{Path: "a.txt", Action: actionModified, Diff: long, hunks: long}}}
	r := out.render(digitsOf)
	if len(r.Body) > maxShownDiff || !strings.HasPrefix(long, r.Body) || !strings.HasSuffix(r.Body, "\n") {
		t.Errorf("%d bytes of the diff are shown", len(r.Body))
	}
	if want := "bytes of the diff are shown, edit_history with the id shows more"; !strings.Contains(r.Header, want) {
		t.Errorf("the header does not say so: %s", r.Header)
	}
	if out.Files[0].Diff != long {
		t.Error("the structured answer was cut")
	}
}
