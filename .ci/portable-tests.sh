#!/bin/bash
# Runs the tests of what differs between systems, and the scenarios, on the system
# that this runs on; `make test-windows` runs them for Windows by way of
# GOOS and GOFLAGS. Those of Windows that wine cannot show pass there by being
# named: internal/scenario/windows.go, docs/testing.md.
#
#   portable-tests.sh [PACKAGE...]
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- ./internal/fault ./internal/fsys ./internal/statedir ./internal/atomicfile ./internal/output \
  ./internal/text ./internal/diff ./internal/pathmatch ./buffers ./rpc/jsonrpc ./rpc/session ./cmd/agent-lsp ./internal/scenario
failed=0
for package in "$@"; do
  go test -short -trimpath -timeout 20m ${LDFLAGS:+-ldflags="$LDFLAGS"} "$package" || failed=1
done
exit $failed
