//go:build linux

package syntax_test

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/bench"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// BenchmarkOutlines measures rows of "make bench", which runs it: their floor
// is the library's parse alone.
func BenchmarkOutlines(b *testing.B) {
	b.Chdir("..")
	bench.Print(bench.OutlineRows(syntax.Show))
}
