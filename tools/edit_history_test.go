package tools

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

func TestHistoriesLeaveLongDiffsOut(t *testing.T) {
	long := strings.Repeat("-old\n+new\n", 2<<10)
	item := func(id, diff string) historyItem {
		return historyItem{ID: id, Tool: "edit_file", Files: []historyFile{{Path: id + ".txt", Action: history.Modified, Diff: diff}}}
	}
	both := &historyOutput{Edits: []historyItem{item("edit-2-ab", long), item("edit-1-ab", "-a\n+b\n")}}
	r := both.Render(toolcall.FirstDigits)
	if len(r.Body) > maxShownHistory || !strings.Contains(r.Body, "edit-2-ab.txt") || !strings.Contains(r.Body, "-a\n+b\n") {
		t.Errorf("%d bytes: %.200s", len(r.Body), r.Body)
	}
	if !strings.Contains(r.Header, "1 diff is left out: ask with the id") {
		t.Errorf("the header does not say so: %s", r.Header)
	}
	if r = (&historyOutput{Edits: both.Edits[:1]}).Render(toolcall.FirstDigits); !strings.Contains(r.Body, long) {
		t.Error("asked for by its id it is left out, too")
	}
}
