//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptTools are programs that scripts use beside ours.
var scriptTools = map[string]string{
	// code runs a command and tells how it ended on standard error.
	"code": `#!/bin/sh
"$@"
echo "exit=$?" >&2
`,
	// ended runs a command, ends it when the file is there that it makes, and
	// tells how it ended.
	"ended": `#!/bin/sh
file=$1
shift
"$@" &
while ! [ -e "$file" ]; do sleep 0.02; done
kill -TERM $!
wait $!
echo "exit=$?" >&2
`,
}

// TestCommands runs the program as a person does, by the scripts in
// testdata/commands.
func TestCommands(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "agent-lsp")); err != nil {
		t.Fatal(err)
	}
	for name, text := range scriptTools {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "commands"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv(runAsProgram, "1")
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("XDG_RUNTIME_DIR", filepath.Join(e.WorkDir, "run"))
			return nil
		},
	})
}
