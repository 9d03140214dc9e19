#!/usr/bin/env bash
# Lints the Go code with a pinned golangci-lint, by .golangci.yml.
#
#   .ci/golangci.sh [arguments of "golangci-lint run", default ./...]
#
# Installs the linter below .cache/tools when that version is not there yet.
set -euo pipefail

version=2.15.0
cd "$(dirname "$0")/.."
bin="$PWD/.cache/tools/bin"
lint="$bin/golangci-lint"

if ! "$lint" version 2>/dev/null | grep -qF "version $version "; then
	echo "installing golangci-lint v$version into .cache/tools/bin (built from source, some minutes)" >&2
	mkdir -p "$bin"
	GOBIN="$bin" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$version"
fi

# Its cache is kept with the tools, so that removing .cache removes all.
export GOLANGCI_LINT_CACHE="$PWD/.cache/golangci-lint"
exec "$lint" run --allow-parallel-runners "${@:-./...}"
