#!/usr/bin/env bash
# Finds functions that the program never calls (a pinned deadcode; what tests
# alone call belongs into tests), and a go.mod or go.sum that is not tidy.
#
# Installs deadcode below .cache/tools when that version is not there yet.
set -euo pipefail

version=v0.51.0
cd "$(dirname "$0")/.."
bin="$PWD/.cache/tools/bin"
deadcode="$bin/deadcode"

if ! go version -m "$deadcode" 2>/dev/null | grep -qE "golang.org/x/tools[[:space:]]+$version([[:space:]]|\$)"; then
	echo "installing deadcode $version into .cache/tools/bin" >&2
	mkdir -p "$bin"
	GOBIN="$bin" go install "golang.org/x/tools/cmd/deadcode@$version"
fi

go mod tidy -diff

found=$("$deadcode" -test=false ./cmd/...)
if [ -n "$found" ]; then
	echo "$found" >&2
	exit 1
fi
