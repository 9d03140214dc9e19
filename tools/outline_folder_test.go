package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolderOutlineBudget: however much a folder holds, its outline stays within
// the budget, shows something of each file it names, and says what it leaves
// out.
func TestFolderOutlineBudget(t *testing.T) {
	for _, size := range []struct{ files, functions int }{{3, 2}, {40, 30}, {100, 5}, {600, 3}} {
		dir := t.TempDir()
		for i := range size.files {
			var src strings.Builder
			src.WriteString("package p\n")
			for n := range size.functions {
				fmt.Fprintf(&src, "\nfunc Function%dOf%d(argument string) error {\n\treturn nil\n}\n", n, i)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", i)), []byte(src.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		env := newTestEnv(t, dir)
		whole := run(t, outlineTool.define(), env, `{"path": "."}`)
		out := whole.structured.(*outlineOutput)
		if n := whole.size(); n > maxOutlineBytes+headerBytes {
			t.Errorf("%+v: %d bytes", size, n)
		}
		if len(out.Files)+out.More != size.files || out.More > 0 && len(out.Notes) == 0 {
			t.Errorf("%+v: %d files, %d more, %v", size, len(out.Files), out.More, out.Notes)
		}
		few := size.files * size.functions * 60
		if out.Truncated != (few > maxOutlineBytes) && out.More == 0 {
			t.Errorf("%+v: truncated is %v", size, out.Truncated)
		}
		named := run(t, outlineTool.define(), env, `{"query": "Function1Of2"}`)
		if found := named.structured.(*outlineOutput); found.Files[0].Path != "file2.go" || named.size() > maxOutlineBytes+headerBytes {
			t.Errorf("%+v: the query found %+v", size, found.Files[0])
		}
	}
}
