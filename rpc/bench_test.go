//go:build linux

package rpc_test

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/bench"
	"github.com/agent-lsp/agent-lsp/rpc"
)

// BenchmarkChanges measures rows of "make bench", which runs it.
func BenchmarkChanges(*testing.B) { bench.Print(bench.TextRows(rpc.ChangeApplier)) }
