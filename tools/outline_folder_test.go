package tools

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
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
		out := whole.Output.(*outlineOutput)
		if n := sizeOf(whole.Rendering); n > toolcall.MaxOutlineBytes+toolcall.HeaderBytes {
			t.Errorf("%+v: %d bytes", size, n)
		}
		if len(out.Files)+out.More != size.files || out.More > 0 && len(out.Notes) == 0 {
			t.Errorf("%+v: %d files, %d more, %v", size, len(out.Files), out.More, out.Notes)
		}
		if few := size.files * size.functions; out.Truncated != (few > 500) && out.More == 0 {
			t.Errorf("%+v: truncated is %v", size, out.Truncated)
		}
		named := run(t, outlineTool.define(), env, `{"query": "Function1Of2"}`)
		if found := named.Output.(*outlineOutput); found.Files[0].Path != "file2.go" || sizeOf(named.Rendering) > toolcall.MaxOutlineBytes+toolcall.HeaderBytes {
			t.Errorf("%+v: the query found %+v", size, found.Files[0])
		}
	}
}

// TestOneFileDoesNotFillAFolderOutline: a generated file beside small ones is
// shown in part, alone it is shown as far as the budget goes.
func TestOneFileDoesNotFillAFolderOutline(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, functions int) {
		src := "package p\n"
		for n := range functions {
			src += fmt.Sprintf("\nfunc Function%d(argument string) error {\n\treturn nil\n}\n", n)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("generated.go", 2000)
	alone := sizeOf(run(t, outlineTool.define(), newTestEnv(t, dir), `{"path": "."}`).Rendering)
	write("small.go", 2)
	beside := run(t, outlineTool.define(), newTestEnv(t, dir), `{"path": "."}`)
	if n := sizeOf(beside.Rendering); n > alone/2 {
		t.Errorf("%d bytes, alone %d", n, alone)
	}
	if small := beside.Output.(*outlineOutput).Files[1]; len(small.Symbols) != 2 {
		t.Errorf("of the small file there are %d symbols", len(small.Symbols))
	}
}

// TestFolderOutlineShowsWhatIsUsed: beside code tests are left out, and of a file with
// too many names those are shown that the folder uses most.
func TestFolderOutlineShowsWhatIsUsed(t *testing.T) {
	dir := t.TempDir()
	var src, uses strings.Builder
	src.WriteString("package p\n")
	for n := range 2000 {
		fmt.Fprintf(&src, "\nfunc function%d() {\n}\n", n)
	}
	uses.WriteString("package p\n\nfunc z() {\n" + strings.Repeat("\tfunction1999()\n", 9) + "}\n")
	for name, text := range map[string]string{"a.go": src.String(), "a_test.go": src.String(), "z.go": uses.String(), "test/b.go": src.String()} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := run(t, outlineTool.define(), newTestEnv(t, dir), `{"path": "."}`).Output.(*outlineOutput)
	if len(out.Files) != 2 || out.Files[0].Path != "a.go" || out.Files[1].Path != "z.go" || out.More != 2 {
		t.Errorf("%d files, %d more", len(out.Files), out.More)
	}
	if first := out.Files[0]; first.Symbols[len(first.Symbols)-1].Name != "function1999" || len(first.Symbols) == 2000 {
		t.Errorf("%d symbols of the first file", len(first.Symbols))
	}
	types := run(t, outlineTool.define(), newTestEnv(t, dir), `{"path": ".", "kinds": ["function"]}`)
	if shown := types.Header + types.After; !strings.Contains(shown, "note: 2 tests left out") || !strings.Contains(shown, "\nz.go: functions z") {
		t.Errorf("it says %.200s … %s", shown, shown[max(0, len(shown)-100):])
	}
	tests := run(t, outlineTool.define(), newTestEnv(t, dir), `{"path": "test"}`).Output.(*outlineOutput)
	if len(tests.Files) != 1 || tests.Files[0].Path != "test/b.go" {
		t.Errorf("of a folder of tests %d files", len(tests.Files))
	}
}

func TestIsTest(t *testing.T) {
	for path, want := range map[string]bool{
		"a_test.go": true, "test_a.py": true, "a.test.ts": true, "src/a.spec.tsx": true, "UserTest.java": true, "spec/a.rb": true, "a_spec.rb": true,
		"src/__tests__/a.js": true, "Tests/a.cs": true, "conftest.py": true, "a.go": false, "testing/a.go": false, "latest.go": false,
		"contest.py": false, "test.go": false, "a.d.ts": false, "attestation.ts": false,
	} {
		if isTest(path) != want {
			t.Errorf("%s is a test: %t", path, !want)
		}
	}
}

// TestFairShares: nobody gets more than needed, nothing is left that somebody
// needs, and who gets less than needed gets no less than the others.
func TestFairShares(t *testing.T) {
	for range 2000 {
		needs := make([]int, 1+rand.IntN(10))
		sum := 0
		for i := range needs {
			needs[i] = rand.IntN(100)
			sum += needs[i]
		}
		left := rand.IntN(500)
		shares := fairShares(needs, left)
		total := 0
		for i, s := range shares {
			total += s
			if s > needs[i] || s < needs[i] && slices.Max(shares) > s+len(needs) {
				t.Fatalf("needs %v of %d: %v", needs, left, shares)
			}
		}
		if total > left || total < min(sum, left)-len(needs) {
			t.Fatalf("needs %v of %d: %v", needs, left, shares)
		}
	}
}
