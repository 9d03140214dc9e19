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

// TestOneFileDoesNotFillAFolderOutline: a generated file beside small ones is
// shown in part, alone it is shown as far as the budget goes.
func TestOneFileDoesNotFillAFolderOutline(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, functions int) {
		src := "package p\n" + strings.Repeat("\nfunc Function(argument string) error {\n\treturn nil\n}\n", functions)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("generated.go", 2000)
	alone := run(t, outlineTool.define(), newTestEnv(t, dir), `{"path": "."}`).size()
	write("small.go", 2)
	beside := run(t, outlineTool.define(), newTestEnv(t, dir), `{"path": "."}`)
	if n := beside.size(); n > maxFileShare+1000 || n > alone/2 {
		t.Errorf("%d bytes, alone %d", n, alone)
	}
	if small := beside.structured.(*outlineOutput).Files[1]; len(small.Symbols) != 2 {
		t.Errorf("of the small file there are %d symbols", len(small.Symbols))
	}
}
