package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func filesOf(member string, n int) []byte {
	files := make([]string, n)
	for i := range files {
		files[i] = fmt.Sprintf(`{"path":"%d.txt","errors":1,"active":%t}`, i, i == n-1)
	}
	return fmt.Appendf(nil, `{"files":[%s],%s:%d}`, strings.Join(files, ","), member, n)
}

// TestMergedAnswersAreCut: as one editor's are, and count what was cut.
func TestMergedAnswersAreCut(t *testing.T) {
	r := openFiles.define().Merge([]Part{{Editor: "a", Raw: filesOf(`"total"`, 400)}, {Editor: "b", Raw: filesOf(`"total"`, 300)}})
	if out := r.Output.(*openOutput); out.Total != 700 || len(out.Files) != maxOpenFiles || !out.Files[1].Active || out.Files[1].Editor != "b" {
		t.Errorf("%d of %d files, the second is %+v", len(out.Files), out.Total, out.Files[1])
	}
	r = diagnostics.define().Merge([]Part{{Editor: "a", Raw: filesOf(`"errors"`, 150)}, {Editor: "b", Raw: filesOf(`"errors"`, 200)}})
	if out := r.Output.(*diagnosticsOutput); out.Errors != 200 || len(out.Files) != maxDiagnosed || out.Truncated {
		t.Errorf("%d files, %d errors, truncated: %v", len(out.Files), out.Errors, out.Truncated)
	}
}

// TestMergedFailures: what some editors failed at is noted, and fails where all
// did.
func TestMergedFailures(t *testing.T) {
	failed := Part{Editor: "a", Raw: []byte(`{"error":{"kind":"no_editor","message":"it does not offer it","hint":"look"}}`)}
	silent := Part{Editor: "b", Err: fault.New(fault.Timeout, "b does not answer")}
	good := Part{Editor: "c", Raw: filesOf(`"errors"`, 1)}
	d := diagnostics.define()
	if r := d.Merge([]Part{failed, silent, good}); r.Err != nil || !strings.Contains(r.Header, "1 error, unknown whether of this text; a: it does not offer it; b: does not answer") {
		t.Errorf("%q, %v", r.Header, r.Err)
	}
	if r := d.Merge([]Part{failed, failed}); r.Err == nil || r.Err.Kind != fault.NoEditor || r.Err.Hint != "look" {
		t.Errorf("%+v", r.Err)
	}
}
