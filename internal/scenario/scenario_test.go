package scenario

import (
	"flag"
	"testing"
)

const scenarios = "../../testdata/scenarios"

var update = flag.Bool("update", false, "rewrite the expected sections of the scenarios")

// TestScenarios runs every file of testdata/scenarios over LSP.
func TestScenarios(t *testing.T) {
	Each(t, scenarios, func(t *testing.T, _, path string) { Run(t, path, OpenLSP, *update) })
}
