package scenario

import (
	"flag"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected sections of the scenarios")

// TestScenarios runs every file of testdata/scenarios over LSP.
func TestScenarios(t *testing.T) {
	eachScenario(t, func(t *testing.T, _, path string) { Run(t, path, openLSP, *update) })
}

// eachScenario runs a subtest for each scenario, by its name.
func eachScenario(t *testing.T, run func(t *testing.T, name, path string)) {
	const dir = "../../testdata/scenarios"
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path, dir+"/"), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, name, path)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
