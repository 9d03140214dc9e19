package change

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

func TestLongDiffsAreCutForModels(t *testing.T) {
	long := strings.Repeat("-old\n+new\n", 3<<10)
	out := &Output{ID: "edit-7-ab", Files: []ChangedFile{{Path: "a.txt", Action: history.Modified, Diff: long, hunks: long}}}
	r := out.Render(toolcall.FirstDigits)
	if len(r.Body) > MaxShownDiff || !strings.HasPrefix(long, r.Body) || !strings.HasSuffix(r.Body, "\n") {
		t.Errorf("%d bytes of the diff are shown", len(r.Body))
	}
	if want := "bytes of the diff are shown, edit_history with the id shows more"; !strings.Contains(r.Header, want) {
		t.Errorf("the header does not say so: %s", r.Header)
	}
	if out.Files[0].Diff != long {
		t.Error("the structured answer was cut")
	}
}
